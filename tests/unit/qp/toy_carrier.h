/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A carrier that copies messages within one device, made of kernel/qp alone: without packets,
 * ports, or anything of InfiniBand. Queue pairs need no more of a carrier than this.
 */
#ifndef HCA_TESTS_TOY_CARRIER_H
#define HCA_TESTS_TOY_CARRIER_H

#include "qp/ci.h"
#include "qp/qp.h"

#define TOY_MAX_MESSAGE 6000 /* octets */

struct toy {
	struct hca_ci ci; /* first member */
	unsigned int events[8]; /* counted by enum hca_qp_event */
};

struct toy_qp {
	struct hca_qp qp; /* first member */
	u32 dest_qpn; /* queue pair of the same carrier; 0: none */
	struct hca_qp_counters *counters; /* count[0]: messages that were received; or NULL */
};

/**
 * toy_init() - initialize a carrier
 * @toy: zeroed by the function
 *
 * Return: 0 or -ENOMEM. The carrier is freed by hca_ci_destroy().
 */
int toy_init(struct toy *toy);

static inline struct toy_qp *toy_qp(struct hca_qp *qp)
{
	return container_of(qp, struct toy_qp, qp);
}

#endif
