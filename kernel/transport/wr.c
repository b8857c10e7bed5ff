// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <linux/bits.h>
#include "transport/cq.h"
#include "transport/qp.h"
#include "transport/wr.h"

#define RELIABLE (BIT(HCA_QPT_RC) | BIT(HCA_QPT_RD))
#define CONNECTED (RELIABLE | BIT(HCA_QPT_UC))
#define DATAGRAMS (BIT(HCA_QPT_UD) | BIT(HCA_QPT_SMI) | BIT(HCA_QPT_GSI))
#define RAW (BIT(HCA_QPT_RAW_IPV6) | BIT(HCA_QPT_RAW_ETHERTYPE))

/* A single packet, whatever its position. */
#define SINGLE(op) { op, op, op, op }

/* req B4-243 */
const struct hca_wr_info hca_wr[HCA_NUM_WR] = {
	[IB_UVERBS_WR_RDMA_WRITE] = {
		.types = CONNECTED,
		.flags = HCA_WR_RDMA,
		.wc_opcode = IB_UVERBS_WC_RDMA_WRITE,
		.operation = { HCA_OP_WRITE_FIRST, HCA_OP_WRITE_MIDDLE, HCA_OP_WRITE_LAST,
			       HCA_OP_WRITE_ONLY },
	},
	[IB_UVERBS_WR_RDMA_WRITE_WITH_IMM] = {
		.types = CONNECTED,
		.flags = HCA_WR_RDMA | HCA_WR_IMM | HCA_WR_TAKES_RECV,
		.wc_opcode = IB_UVERBS_WC_RDMA_WRITE,
		.operation = { HCA_OP_WRITE_FIRST, HCA_OP_WRITE_MIDDLE, HCA_OP_WRITE_LAST_IMM,
			       HCA_OP_WRITE_ONLY_IMM },
	},
	[IB_UVERBS_WR_SEND] = {
		.types = CONNECTED | DATAGRAMS | RAW,
		.flags = HCA_WR_TAKES_RECV,
		.wc_opcode = IB_UVERBS_WC_SEND,
		.operation = { HCA_OP_SEND_FIRST, HCA_OP_SEND_MIDDLE, HCA_OP_SEND_LAST,
			       HCA_OP_SEND_ONLY },
	},
	[IB_UVERBS_WR_SEND_WITH_IMM] = {
		.types = CONNECTED | DATAGRAMS,
		.flags = HCA_WR_IMM | HCA_WR_TAKES_RECV,
		.wc_opcode = IB_UVERBS_WC_SEND,
		.operation = { HCA_OP_SEND_FIRST, HCA_OP_SEND_MIDDLE, HCA_OP_SEND_LAST_IMM,
			       HCA_OP_SEND_ONLY_IMM },
	},
	[IB_UVERBS_WR_SEND_WITH_INV] = {
		.types = BIT(HCA_QPT_RC),
		.flags = HCA_WR_INVALIDATE | HCA_WR_TAKES_RECV,
		.wc_opcode = IB_UVERBS_WC_SEND,
		.operation = { HCA_OP_SEND_FIRST, HCA_OP_SEND_MIDDLE, HCA_OP_SEND_LAST_INV,
			       HCA_OP_SEND_ONLY_INV },
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
	[HCA_WR_REG_MR] = {
		.types = BIT(HCA_QPT_RC) | BIT(HCA_QPT_UC),
		.flags = HCA_WR_LOCAL | HCA_WR_KERNEL,
		.wc_opcode = HCA_WC_REG_MR,
	},
	[IB_UVERBS_WR_RDMA_READ] = {
		.types = RELIABLE,
		.flags = HCA_WR_RDMA | HCA_WR_READ,
		.wc_opcode = IB_UVERBS_WC_RDMA_READ,
		.operation = SINGLE(HCA_OP_READ_REQUEST),
	},
	[IB_UVERBS_WR_ATOMIC_CMP_AND_SWP] = {
		.types = RELIABLE,
		.flags = HCA_WR_RDMA | HCA_WR_ATOMIC,
		.wc_opcode = IB_UVERBS_WC_COMP_SWAP,
		.operation = SINGLE(HCA_OP_COMPARE_SWAP),
	},
	[IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD] = {
		.types = RELIABLE,
		.flags = HCA_WR_RDMA | HCA_WR_ATOMIC,
		.wc_opcode = IB_UVERBS_WC_FETCH_ADD,
		.operation = SINGLE(HCA_OP_FETCH_ADD),
	},
};
