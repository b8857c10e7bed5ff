// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <linux/bits.h>
#include "transport/qp.h"
#include "transport/wr.h"

#define DATAGRAMS (BIT(HCA_QPT_UD) | BIT(HCA_QPT_SMI) | BIT(HCA_QPT_GSI))

const struct hca_wr_info hca_wr[HCA_NUM_WR] = {
	[IB_UVERBS_WR_RDMA_WRITE] = {
		.types = BIT(HCA_QPT_RC),
		.flags = HCA_WR_RDMA,
		.wc_opcode = IB_UVERBS_WC_RDMA_WRITE,
		.operation = { HCA_OP_WRITE_FIRST, HCA_OP_WRITE_MIDDLE, HCA_OP_WRITE_LAST,
			       HCA_OP_WRITE_ONLY },
	},
	[IB_UVERBS_WR_RDMA_WRITE_WITH_IMM] = {
		.types = BIT(HCA_QPT_RC),
		.flags = HCA_WR_RDMA | HCA_WR_IMM,
		.wc_opcode = IB_UVERBS_WC_RDMA_WRITE,
		.operation = { HCA_OP_WRITE_FIRST, HCA_OP_WRITE_MIDDLE, HCA_OP_WRITE_LAST_IMM,
			       HCA_OP_WRITE_ONLY_IMM },
	},
	[IB_UVERBS_WR_SEND] = {
		.types = BIT(HCA_QPT_RC) | DATAGRAMS,
		.wc_opcode = IB_UVERBS_WC_SEND,
		.operation = { HCA_OP_SEND_FIRST, HCA_OP_SEND_MIDDLE, HCA_OP_SEND_LAST,
			       HCA_OP_SEND_ONLY },
	},
	[IB_UVERBS_WR_SEND_WITH_IMM] = {
		.types = BIT(HCA_QPT_RC) | DATAGRAMS,
		.flags = HCA_WR_IMM,
		.wc_opcode = IB_UVERBS_WC_SEND,
		.operation = { HCA_OP_SEND_FIRST, HCA_OP_SEND_MIDDLE, HCA_OP_SEND_LAST_IMM,
			       HCA_OP_SEND_ONLY_IMM },
	},
	[IB_UVERBS_WR_RDMA_READ] = {
		.types = BIT(HCA_QPT_RC),
		.flags = HCA_WR_RDMA | HCA_WR_READ,
		.wc_opcode = IB_UVERBS_WC_RDMA_READ,
		.operation = { HCA_OP_READ_REQUEST, HCA_OP_READ_REQUEST, HCA_OP_READ_REQUEST,
			       HCA_OP_READ_REQUEST },
	},
};
