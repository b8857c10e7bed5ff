/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A queue pair of the RDMA core, and the queue pair of the carrier that belongs to it. */
#ifndef HCA_VERBS_QUEUE_IB_QP_H
#define HCA_VERBS_QUEUE_IB_QP_H

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <rdma/ib_verbs.h>
#include "qp/qp.h"
#include "verbs/core/mapping.h"
#include "verbs/core/qp_events.h"
#include "verbs/core/track.h"

struct hca_ib_context;
struct hca_rdd;
struct hca_user;

struct hca_ib_qp {
	struct ib_qp ib;
	struct hca_tracked tracked;
	/*
	 * Outermost lock, taken in process context. It guards qp, which is NULL during destruction,
	 * and ib.counter. The lock is needed, because netlink may find a queue pair that is being
	 * destroyed.
	 */
	struct mutex lock;
	struct hca_qp *qp;
	/* RNIC: the same, during destruction too; iw_cm may still have references to it. */
	struct hca_qp *referenced;
	/* NULL: owned by a kernel consumer; or an XRC target, owned by an XRC domain */
	struct hca_ib_context *context;
	struct hca_user *user; /* XRC target: the user that has created the queue pair */
	atomic_t members; /* attachments to multicast groups that are counted */
	struct hca_qp_events events;
	struct hca_rdd *rdd; /* type RD: its domain; otherwise NULL */
	struct hca_mapping sq_mapping, rq_mapping;
};

static inline struct hca_ib_qp *to_hca_ib_qp(struct ib_qp *ib)
{
	return container_of(ib, struct hca_ib_qp, ib);
}

#endif
