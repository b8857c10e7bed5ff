/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Types of queue pairs. Each carrier has a row for each type that it carries. */
#ifndef HCA_QP_TYPE_H
#define HCA_QP_TYPE_H

#include <linux/types.h>

struct hca_qp_ops;

/* A type of queue pair, and its restrictions (req V3-168, V3-172, B4-243). */
struct hca_qp_type {
	const struct hca_qp_ops *ops;
	u64 opcodes; /* send requests of the type, as BIT_ULL(enum ib_uverbs_wr_opcode) */
	u32 create_flags; /* enum ib_qp_create_flags that the type has */
	bool sends, receives; /* has a send queue, a receive queue; each with a CQ */
	bool srq; /* may use an SRQ */
	bool ignores_srq; /* accepts an SRQ, as libfabric passes one, and does not use it */
	bool addressed; /* each request of a kernel consumer has an address handle */
	bool special; /* QP0 or QP1: one for each port, for the kernel only */
	bool user; /* for processes only */
	bool driver; /* unknown to the RDMA core, which creates it as IB_QPT_DRIVER */
	bool outlives; /* has no context, and no PD of its own: other processes may open it */
};

#endif
