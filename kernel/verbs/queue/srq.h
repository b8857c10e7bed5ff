/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Shared receive queues. */
#ifndef HCA_VERBS_QUEUE_SRQ_H
#define HCA_VERBS_QUEUE_SRQ_H

#include <linux/mutex.h>
#include <rdma/ib_verbs.h>
#include <rdma/uverbs_ioctl.h>
#include "qp/srq.h"
#include "verbs/core/mapping.h"
#include "verbs/core/track.h"

struct hca_ib_context;
struct hca_xrc_srq;

struct hca_ib_srq {
	struct ib_srq ib;
	struct hca_tracked tracked;
	struct hca_srq srq;
	struct hca_xrc_srq *xrc; /* type XRC: the object that packets find; otherwise NULL */
	struct hca_ib_context *context; /* NULL: owned by a kernel consumer */
	/* mappings of the ring (at current_mapping), and of the prepared ring */
	struct hca_mapping mappings[2];
	u8 current_mapping; /* index of the ring's mapping */
	/* outermost mutex; guards mappings, current_mapping, prepared and resizing */
	struct mutex resize_lock;
	struct hca_queue prepared; /* the next ring; size 0: none */
};

static inline struct hca_ib_srq *to_hca_ib_srq(struct ib_srq *ib)
{
	return container_of(ib, struct hca_ib_srq, ib);
}

extern const struct uapi_definition hca_srq_definitions[];
int hca_ib_create_srq(struct ib_srq *srq, struct ib_srq_init_attr *init, struct ib_udata *udata);
int hca_ib_modify_srq(struct ib_srq *srq, struct ib_srq_attr *attr, enum ib_srq_attr_mask mask,
		      struct ib_udata *udata);
int hca_ib_query_srq(struct ib_srq *srq, struct ib_srq_attr *attr);
int hca_ib_destroy_srq(struct ib_srq *srq, struct ib_udata *udata);

#endif
