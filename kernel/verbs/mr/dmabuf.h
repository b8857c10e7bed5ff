/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Memory regions of another driver's memory, which a DMA buffer shares. */
#ifndef HCA_VERBS_MR_DMABUF_H
#define HCA_VERBS_MR_DMABUF_H

#include <rdma/ib_verbs.h>
#include "compat.h"

struct ib_mr *hca_ib_reg_user_mr_dmabuf(struct ib_pd *pd, u64 offset, u64 length, u64 iova, int fd,
					int access, HCA_DMAH_ARG HCA_REG_DMABUF_ARG *arg);

#endif
