/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Memory regions that work requests of kernel consumers register. */
#ifndef HCA_VERBS_MR_FAST_MR_H
#define HCA_VERBS_MR_FAST_MR_H

#include <rdma/ib_verbs.h>

struct ib_mr *hca_ib_alloc_mr(struct ib_pd *pd, enum ib_mr_type type, u32 max_pages);
int hca_ib_map_mr_sg(struct ib_mr *mr, struct scatterlist *sg, int n, unsigned int *offset);

#endif
