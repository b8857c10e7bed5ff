/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Work requests that kernel consumers post. */
#ifndef HCA_VERBS_QUEUE_POST_H
#define HCA_VERBS_QUEUE_POST_H

#include <rdma/ib_verbs.h>

int hca_ib_post_send(struct ib_qp *qp, const struct ib_send_wr *wr, const struct ib_send_wr **bad);
int hca_ib_post_recv(struct ib_qp *qp, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad);
int hca_ib_post_srq_recv(struct ib_srq *srq, const struct ib_recv_wr *wr,
			 const struct ib_recv_wr **bad);

#endif
