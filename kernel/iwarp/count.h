/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Counters of an RNIC's queue pair. Normally those of the RNIC are used. While the queue pair is
 * bound to counters of its own (struct hca_qp_counters), these are used instead.
 */
#ifndef HCA_IWARP_COUNT_H
#define HCA_IWARP_COUNT_H

#include <linux/build_bug.h>
#include "iwarp/iwarp_qp.h"
#include "qp/view.h"

/* The counters up to here are those that a queue pair can have of its own. */
#define HCA_IWARP_QP_COUNTERS (HCA_RNIC_WRITES_OUT + 1)

static_assert(HCA_IWARP_QP_COUNTERS == HCA_NUM_QP_COUNTERS);

/**
 * hca_iwarp_count() - count what a queue pair does
 * @it: the queue pair
 * @counter: the counter, one of the first HCA_IWARP_QP_COUNTERS
 * @n: number to add
 *
 * Context: BH disabled.
 */
static inline void hca_iwarp_count(const struct hca_iwarp_qp *it, enum hca_rnic_counter counter,
				   u64 n)
{
	struct hca_qp_counters *own;

	own = rcu_dereference_bh(it->counters);
	if (own)
		atomic64_add(n, &own->count[counter]);
	else
		hca_rnic_count(hca_rnic_of(it), counter, n);
}

#endif
