/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Counters of the losses and delays of an EE context. Normally the counters of the port are used.
 * While the queue pair is bound to counters of its own (struct hca_qp_counters), these are used
 * instead.
 */
#ifndef HCA_TRANSPORT_LOSS_H
#define HCA_TRANSPORT_LOSS_H

#include "link/port/port.h"
#include "qp/view.h"
#include "transport/eec.h"

#define HCA_FIRST_LOSS_COUNTER HCA_CTR_DUPLICATE_REQUESTS
#define HCA_NUM_LOSS_COUNTERS (HCA_CTR_RECV_TOO_SHORT - HCA_FIRST_LOSS_COUNTER + 1)

static_assert(HCA_NUM_LOSS_COUNTERS == HCA_NUM_QP_COUNTERS);

/**
 * hca_is_loss_counter() - return whether a counter counts losses or delays
 * @c: the counter
 *
 * Context: any.
 * Return: true if struct hca_qp_counters has @c.
 */
static inline bool hca_is_loss_counter(enum hca_counter c)
{
	return c >= HCA_FIRST_LOSS_COUNTER && c < HCA_FIRST_LOSS_COUNTER + HCA_NUM_LOSS_COUNTERS;
}

/**
 * hca_losses_read() - read a counter of losses and delays
 * @losses: the counters
 * @c: the counter to read
 *
 * Context: any.
 * Return: the value of the counter.
 */
static inline u64 hca_losses_read(const struct hca_qp_counters *losses, enum hca_counter c)
{
	return atomic64_read(&losses->count[c - HCA_FIRST_LOSS_COUNTER]);
}

/**
 * hca_loss_count() - count a loss or a delay of an EE context
 * @eec: the EE context, which has a port
 * @c: a counter for which hca_is_loss_counter() returns true
 * @n: number to add
 *
 * Context: any.
 */
static inline void hca_loss_count(const struct hca_eec *eec, enum hca_counter c, u64 n)
{
	struct hca_qp_counters *own;

	rcu_read_lock();
	own = rcu_dereference(eec->losses);
	if (own)
		atomic64_add(n, &own->count[c - HCA_FIRST_LOSS_COUNTER]);
	else
		hca_count(eec->port, c, n);
	rcu_read_unlock();
}

#endif
