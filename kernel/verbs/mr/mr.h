/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The operations of struct ib_device_ops for memory regions, and the methods that only hca has. */
#ifndef HCA_VERBS_MR_MR_H
#define HCA_VERBS_MR_MR_H

#include <rdma/ib_verbs.h>
#include <rdma/uverbs_ioctl.h>
#include "compat.h"

struct ib_mr *hca_ib_get_dma_mr(struct ib_pd *pd, int access);
struct ib_mr *hca_ib_reg_user_mr(struct ib_pd *pd, u64 start, u64 length, u64 iova, int access,
				 HCA_DMAH_ARG struct ib_udata *udata);
struct ib_mr *hca_ib_rereg_user_mr(struct ib_mr *mr, int flags, u64 start, u64 length, u64 iova,
				   int access, struct ib_pd *pd, struct ib_udata *udata);
int hca_ib_dereg_mr(struct ib_mr *mr, struct ib_udata *udata);

/* mr_methods.c */
extern const struct uapi_definition hca_mr_definitions[];

#endif
