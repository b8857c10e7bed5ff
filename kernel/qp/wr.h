/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Properties of send requests by opcode. Each carrier has a table of the requests that it knows. */
#ifndef HCA_QP_WR_H
#define HCA_QP_WR_H

#include <linux/types.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/ib_verbs.h>

enum hca_wr_flags {
	HCA_WR_RDMA = 1 << 0, /* the request has a remote address and an R_Key */
	HCA_WR_READ = 1 << 1,
	HCA_WR_IMM = 1 << 2,
	HCA_WR_ATOMIC = 1 << 3,
	HCA_WR_INVALIDATE = 1 << 4, /* the request invalidates an R_Key of the peer */
	HCA_WR_CONSUMES_RECV = 1 << 5, /* the request consumes a receive request of the peer */
	HCA_WR_LOCAL = 1 << 6, /* the request is executed locally and sends no packet */
	HCA_WR_KERNEL = 1 << 7, /* only kernel queue pairs have the request (req R0-116) */
	/* the request has a placement type and a selectivity level, but no data */
	HCA_WR_FLUSH = 1 << 8,
	HCA_WR_ATOMIC_WRITE = 1 << 9, /* the request writes eight octets atomically */
};

/* Requests whose response carries data. */
#define HCA_WR_FETCHES (HCA_WR_READ | HCA_WR_ATOMIC)
/* Requests that occupy a responder resource and complete only by a response of their own. */
#define HCA_WR_RESOURCE (HCA_WR_FETCHES | HCA_WR_FLUSH | HCA_WR_ATOMIC_WRITE)

struct hca_wr_info {
	u16 flags; /* enum hca_wr_flags; 0: unused opcode */
	/* right that the keys of the SGEs need in addition, enum ib_uverbs_access_flags; 0: none */
	u8 sge_access;
	u8 wc_opcode; /* enum ib_uverbs_wc_opcode */
};

/* Number of opcodes, which are those of enum ib_uverbs_wr_opcode and IB_WR_REG_MR. */
#define HCA_NUM_WR (IB_WR_REG_MR + 1)

#endif
