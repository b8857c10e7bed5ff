/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The context of a process that has opened a device. */
#ifndef HCA_VERBS_CORE_CONTEXT_H
#define HCA_VERBS_CORE_CONTEXT_H

#include <linux/atomic.h>
#include <linux/xarray.h>
#include <rdma/ib_verbs.h>
#include <rdma/uverbs_ioctl.h>
#include "verbs/core/device.h"

struct hca_user;

struct hca_ib_context {
	struct ib_ucontext ib;
	struct hca_user *user; /* user that has opened the context */
	struct xarray rdds; /* struct hca_rdd by handle */
	atomic_t objects[HCA_NUM_OBJECTS]; /* counts of the types with a limit for each context */
};

static inline struct hca_ib_context *to_hca_ib_context(struct ib_ucontext *ib)
{
	return container_of(ib, struct hca_ib_context, ib);
}

/* Returns the context of the process that creates an object; NULL: a kernel consumer creates it. */
static inline struct hca_ib_context *hca_udata_context(struct ib_udata *udata)
{
	return rdma_udata_to_drv_context(udata, struct hca_ib_context, ib);
}

int hca_ib_alloc_ucontext(struct ib_ucontext *context, struct ib_udata *udata);
int hca_ib_query_ucontext(struct ib_ucontext *context, struct uverbs_attr_bundle *attrs);
void hca_ib_dealloc_ucontext(struct ib_ucontext *context);
void hca_ib_disassociate_ucontext(struct ib_ucontext *context);

#endif
