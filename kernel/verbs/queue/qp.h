/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The operations of struct ib_device_ops for queue pairs. */
#ifndef HCA_VERBS_QUEUE_QP_H
#define HCA_VERBS_QUEUE_QP_H

#include <rdma/ib_verbs.h>

int hca_ib_create_qp(struct ib_qp *qp, struct ib_qp_init_attr *attr, struct ib_udata *udata);
int hca_ib_modify_qp(struct ib_qp *qp, struct ib_qp_attr *attr, int mask, struct ib_udata *udata);
int hca_ib_query_qp(struct ib_qp *qp, struct ib_qp_attr *attr, int mask,
		    struct ib_qp_init_attr *init);
int hca_ib_destroy_qp(struct ib_qp *qp, struct ib_udata *udata);

#endif
