// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The send requests of InfiniBand's transports: which types have them, their properties, and the
 * operations of their packets.
 */
#include "transport/wr.h"
#include <linux/bits.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include "compat.h"
#include "qp/attr.h"

#define RELIABLE (BIT(IB_QPT_RC) | BIT(IB_QPT_XRC_INI) | BIT(HCA_QPT_RD))
#define CONNECTED (RELIABLE | BIT(IB_QPT_UC))
#define DATAGRAMS (BIT(IB_QPT_UD) | BIT(IB_QPT_SMI) | BIT(IB_QPT_GSI))
#define RAW (BIT(IB_QPT_RAW_IPV6) | BIT(IB_QPT_RAW_ETHERTYPE))

/* The table implements req B4-243. */
const struct hca_wr_info hca_iba_wr[HCA_NUM_WR] = {
	[IB_UVERBS_WR_RDMA_WRITE] = {
		.types = CONNECTED,
		.flags = HCA_WR_RDMA,
		.wc_opcode = IB_UVERBS_WC_RDMA_WRITE,
	},
	[IB_UVERBS_WR_RDMA_WRITE_WITH_IMM] = {
		.types = CONNECTED,
		.flags = HCA_WR_RDMA | HCA_WR_IMM | HCA_WR_CONSUMES_RECV,
		.wc_opcode = IB_UVERBS_WC_RDMA_WRITE,
	},
	[IB_UVERBS_WR_SEND] = {
		.types = CONNECTED | DATAGRAMS | RAW,
		.av_types = DATAGRAMS,
		.flags = HCA_WR_CONSUMES_RECV,
		.wc_opcode = IB_UVERBS_WC_SEND,
	},
	[IB_UVERBS_WR_SEND_WITH_IMM] = {
		.types = CONNECTED | DATAGRAMS,
		.av_types = DATAGRAMS,
		.flags = HCA_WR_IMM | HCA_WR_CONSUMES_RECV,
		.wc_opcode = IB_UVERBS_WC_SEND,
	},
	[IB_UVERBS_WR_SEND_WITH_INV] = {
		.types = BIT(IB_QPT_RC) | BIT(IB_QPT_XRC_INI),
		.flags = HCA_WR_INVALIDATE | HCA_WR_CONSUMES_RECV,
		.wc_opcode = IB_UVERBS_WC_SEND,
	},
	[IB_UVERBS_WR_LOCAL_INV] = {
		.types = CONNECTED,
		.flags = HCA_WR_LOCAL,
		.wc_opcode = IB_UVERBS_WC_LOCAL_INV,
	},
	[IB_UVERBS_WR_BIND_MW] = {
		.types = CONNECTED,
		.flags = HCA_WR_LOCAL,
		.wc_opcode = IB_UVERBS_WC_BIND_MW,
	},
	[IB_WR_REG_MR] = {
		.types = BIT(IB_QPT_RC) | BIT(IB_QPT_UC),
		.flags = HCA_WR_LOCAL | HCA_WR_KERNEL,
		.wc_opcode = IB_WC_REG_MR,
	},
	[IB_UVERBS_WR_RDMA_READ] = {
		.types = RELIABLE,
		.flags = HCA_WR_RDMA | HCA_WR_READ,
		.sge_access = IB_UVERBS_ACCESS_LOCAL_WRITE,
		.wc_opcode = IB_UVERBS_WC_RDMA_READ,
	},
	[IB_UVERBS_WR_ATOMIC_CMP_AND_SWP] = {
		.types = RELIABLE,
		.flags = HCA_WR_RDMA | HCA_WR_ATOMIC,
		.sge_access = IB_UVERBS_ACCESS_LOCAL_WRITE,
		.wc_opcode = IB_UVERBS_WC_COMP_SWAP,
	},
	[IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD] = {
		.types = RELIABLE,
		.flags = HCA_WR_RDMA | HCA_WR_ATOMIC,
		.sge_access = IB_UVERBS_ACCESS_LOCAL_WRITE,
		.wc_opcode = IB_UVERBS_WC_FETCH_ADD,
	},
	[IB_UVERBS_WR_FLUSH] = {
		.types = BIT(IB_QPT_RC) | BIT(IB_QPT_XRC_INI),
		.flags = HCA_WR_RDMA | HCA_WR_FLUSH,
		.wc_opcode = IB_UVERBS_WC_FLUSH,
	},
	[IB_UVERBS_WR_ATOMIC_WRITE] = {
		.types = BIT(IB_QPT_RC) | BIT(IB_QPT_XRC_INI),
		.flags = HCA_WR_RDMA | HCA_WR_ATOMIC_WRITE,
		.wc_opcode = IB_UVERBS_WC_ATOMIC_WRITE,
	},
};

/* Table row for a request that is always a single packet. */
#define SINGLE(op) { op, op, op, op }

const u8 hca_operation[HCA_NUM_WR][HCA_NUM_PLACES] = {
	[IB_UVERBS_WR_RDMA_WRITE] = {
		IB_OPCODE_RDMA_WRITE_FIRST,
		IB_OPCODE_RDMA_WRITE_MIDDLE,
		IB_OPCODE_RDMA_WRITE_LAST,
		IB_OPCODE_RDMA_WRITE_ONLY,
	},
	[IB_UVERBS_WR_RDMA_WRITE_WITH_IMM] = {
		IB_OPCODE_RDMA_WRITE_FIRST,
		IB_OPCODE_RDMA_WRITE_MIDDLE,
		IB_OPCODE_RDMA_WRITE_LAST_WITH_IMMEDIATE,
		IB_OPCODE_RDMA_WRITE_ONLY_WITH_IMMEDIATE,
	},
	[IB_UVERBS_WR_SEND] = {
		IB_OPCODE_SEND_FIRST,
		IB_OPCODE_SEND_MIDDLE,
		IB_OPCODE_SEND_LAST,
		IB_OPCODE_SEND_ONLY,
	},
	[IB_UVERBS_WR_SEND_WITH_IMM] = {
		IB_OPCODE_SEND_FIRST,
		IB_OPCODE_SEND_MIDDLE,
		IB_OPCODE_SEND_LAST_WITH_IMMEDIATE,
		IB_OPCODE_SEND_ONLY_WITH_IMMEDIATE,
	},
	[IB_UVERBS_WR_SEND_WITH_INV] = {
		IB_OPCODE_SEND_FIRST,
		IB_OPCODE_SEND_MIDDLE,
		IB_OPCODE_SEND_LAST_WITH_INVALIDATE,
		IB_OPCODE_SEND_ONLY_WITH_INVALIDATE,
	},
	[IB_UVERBS_WR_RDMA_READ] = SINGLE(IB_OPCODE_RDMA_READ_REQUEST),
	[IB_UVERBS_WR_ATOMIC_CMP_AND_SWP] = SINGLE(IB_OPCODE_COMPARE_SWAP),
	[IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD] = SINGLE(IB_OPCODE_FETCH_ADD),
	[IB_UVERBS_WR_FLUSH] = SINGLE(IB_OPCODE_FLUSH),
	[IB_UVERBS_WR_ATOMIC_WRITE] = SINGLE(IB_OPCODE_ATOMIC_WRITE),
};
