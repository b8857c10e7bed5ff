/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Memory regions whose pages are on demand. */
#ifndef HCA_VERBS_MR_ODP_H
#define HCA_VERBS_MR_ODP_H

#include <rdma/ib_verbs.h>

struct sk_buff;

/**
 * hca_odp_reg() - register memory whose pages are on demand
 * @pd: protection domain
 * @start: address in the memory of the process; 0, and @length U64_MAX: the whole address space
 * @length: octets
 * @iova: address of the first octet, as work requests and packets name it
 * @access: rights, with IB_ACCESS_ON_DEMAND
 *
 * Context: process, may sleep.
 * Return: the MR, or ERR_PTR: -EINVAL if the range is invalid; -EOPNOTSUPP if a right is not
 * supported, such as that to bind windows; -ENOMEM.
 */
struct ib_mr *hca_odp_reg(struct ib_pd *pd, u64 start, u64 length, u64 iova, int access);

/* Implements advise_mr: prefetches pages of MRs on demand. */
int hca_ib_advise_mr(struct ib_pd *pd, enum ib_uverbs_advise_mr_advice advice, u32 flags,
		     struct ib_sge *sg_list, u32 num_sge, struct uverbs_attr_bundle *attrs);
int hca_ib_fill_stat_mr_entry(struct sk_buff *msg, struct ib_mr *mr);

#endif
