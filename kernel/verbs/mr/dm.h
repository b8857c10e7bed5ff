/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Device memory, of which a process can map all pages. */
#ifndef HCA_VERBS_MR_DM_H
#define HCA_VERBS_MR_DM_H

#include <rdma/ib_verbs.h>
#include <rdma/uverbs_ioctl.h>
#include "verbs/core/mapping.h"

struct hca_ib_context;
struct hca_ring_memory;

struct hca_ib_dm {
	struct ib_dm ib;
	struct hca_ring_memory *memory;
	struct hca_mapping mapping;
	struct hca_ib_context *context;
};

static inline struct hca_ib_dm *to_hca_ib_dm(struct ib_dm *ib)
{
	return container_of(ib, struct hca_ib_dm, ib);
}

extern const struct uapi_definition hca_dm_definitions[];
struct ib_dm *hca_ib_alloc_dm(struct ib_device *ib, struct ib_ucontext *context,
			      struct ib_dm_alloc_attr *attr, struct uverbs_attr_bundle *attrs);
int hca_ib_dealloc_dm(struct ib_dm *dm, struct uverbs_attr_bundle *attrs);
struct ib_mr *hca_ib_reg_dm_mr(struct ib_pd *pd, struct ib_dm *dm, struct ib_dm_mr_attr *attr,
			       struct uverbs_attr_bundle *attrs);

#endif
