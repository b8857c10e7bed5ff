/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Details of objects for rdma(8). */
#ifndef HCA_VERBS_CORE_RESTRACK_H
#define HCA_VERBS_CORE_RESTRACK_H

#include <rdma/ib_verbs.h>

struct sk_buff;

/* Context of these functions: process. */
int hca_ib_fill_res_qp_entry(struct sk_buff *msg, struct ib_qp *qp);
int hca_ib_fill_res_cq_entry(struct sk_buff *msg, struct ib_cq *cq);
int hca_ib_fill_res_mr_entry(struct sk_buff *msg, struct ib_mr *mr);
int hca_ib_fill_res_srq_entry(struct sk_buff *msg, struct ib_srq *srq);

#endif
