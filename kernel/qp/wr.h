/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Send requests by opcode: their properties, and the queue pair types that support them. */
#ifndef HCA_QP_WR_H
#define HCA_QP_WR_H

#include <linux/types.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/ib_verbs.h>

enum hca_wr_flags {
	HCA_WR_RDMA = 1 << 0, /* has a remote address and an R_Key */
	HCA_WR_READ = 1 << 1,
	HCA_WR_IMM = 1 << 2,
	HCA_WR_ATOMIC = 1 << 3,
	HCA_WR_INVALIDATE = 1 << 4, /* invalidates an R_Key of the peer */
	HCA_WR_CONSUMES_RECV = 1 << 5, /* consumes a receive request of the peer */
	HCA_WR_LOCAL = 1 << 6, /* makes no packet */
	HCA_WR_KERNEL = 1 << 7, /* only for kernel queue pairs (req R0-116) */
	HCA_WR_FLUSH = 1 << 8, /* has a placement type and a selectivity level, and no data */
	HCA_WR_ATOMIC_WRITE = 1 << 9, /* writes eight octets at once */
};

/* Requests whose response carries data. */
#define HCA_WR_FETCHES (HCA_WR_READ | HCA_WR_ATOMIC)
/* Requests that occupy a responder resource, and that only their own response completes. */
#define HCA_WR_RESOURCE (HCA_WR_FETCHES | HCA_WR_FLUSH | HCA_WR_ATOMIC_WRITE)

struct hca_wr_info {
	u16 types; /* bits: BIT(enum ib_qp_type); 0: the opcode is undefined */
	u16 flags; /* enum hca_wr_flags */
	u8 wc_opcode; /* enum ib_uverbs_wc_opcode */
};

/* Indexed by enum ib_uverbs_wr_opcode and the opcodes that the RDMA core has in addition. */
#define HCA_NUM_WR (IB_WR_REG_MR + 1)
extern const struct hca_wr_info hca_wr[HCA_NUM_WR];

#endif
