/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Protection domains. */
#ifndef HCA_VERBS_CORE_PD_H
#define HCA_VERBS_CORE_PD_H

#include <rdma/hca-abi.h>
#include <rdma/ib_verbs.h>
#include <rdma/uverbs_ioctl.h>

struct hca_ib_context;

struct hca_ib_pd {
	struct ib_pd ib;
	struct hca_ib_context *context; /* NULL: owned by a kernel consumer */
	struct hca_pd_info info;
};

/* Returns the context of the process that owns the protection domain; NULL: a kernel consumer. */
static inline struct hca_ib_context *hca_pd_context(const struct ib_pd *pd)
{
	return container_of(pd, struct hca_ib_pd, ib)->context;
}

extern const struct uapi_definition hca_pd_definitions[];
int hca_ib_alloc_pd(struct ib_pd *pd, struct ib_udata *udata);
int hca_ib_dealloc_pd(struct ib_pd *pd, struct ib_udata *udata);

#endif
