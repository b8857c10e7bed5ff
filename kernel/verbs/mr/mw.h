/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Memory windows. */
#ifndef HCA_VERBS_MR_MW_H
#define HCA_VERBS_MR_MW_H

#include <rdma/ib_verbs.h>
#include "verbs/core/track.h"

struct hca_ib_context;
struct hca_tpt_entry;

struct hca_ib_mw {
	struct ib_mw ib;
	struct hca_tracked tracked;
	struct hca_ib_context *context; /* NULL: owned by a kernel consumer */
	struct hca_tpt_entry *entry;
};

static inline struct hca_ib_mw *to_hca_ib_mw(struct ib_mw *ib)
{
	return container_of(ib, struct hca_ib_mw, ib);
}

int hca_ib_alloc_mw(struct ib_mw *mw, struct ib_udata *udata);
int hca_ib_dealloc_mw(struct ib_mw *mw);

#endif
