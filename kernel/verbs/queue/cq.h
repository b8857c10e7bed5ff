/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Completion queues. */
#ifndef HCA_VERBS_QUEUE_CQ_H
#define HCA_VERBS_QUEUE_CQ_H

#include <linux/mutex.h>
#include <rdma/ib_verbs.h>
#include "compat.h"
#include "qp/cq.h"
#include "verbs/core/mapping.h"
#include "verbs/core/track.h"

struct hca_ib_context;

struct hca_ib_cq {
	struct ib_cq ib;
	struct hca_tracked tracked;
	struct hca_cq cq;
	struct hca_ib_context *context; /* NULL: owned by a kernel consumer */
	/* mappings of the ring (at current_mapping), and of the prepared or former ring */
	struct hca_mapping mappings[2];
	u8 current_mapping; /* index of the ring's mapping */
	/* outermost mutex; guards mappings, current_mapping and prepared */
	struct mutex resize_lock;
	struct hca_queue prepared; /* the next ring, or the former one; size 0: none */
};

static inline struct hca_ib_cq *to_hca_ib_cq(struct ib_cq *ib)
{
	return container_of(ib, struct hca_ib_cq, ib);
}

int hca_ib_create_cq(struct ib_cq *cq, const struct ib_cq_init_attr *attr, HCA_CREATE_CQ_ARG *arg);
int hca_ib_destroy_cq(struct ib_cq *cq, struct ib_udata *udata);
int hca_ib_resize_cq(struct ib_cq *cq, HCA_RESIZE_CQ_CQE cqe, struct ib_udata *udata);
int hca_ib_modify_cq(struct ib_cq *cq, u16 count, u16 period);
int hca_ib_poll_cq(struct ib_cq *cq, int num_entries, struct ib_wc *wc);
int hca_ib_req_notify_cq(struct ib_cq *cq, enum ib_cq_notify_flags flags);

#endif
