// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The table of operations and their services. */
#include <linux/bits.h>
#include <linux/kernel.h>
#include "compat.h"
#include "ops.h"
#include "sim.h"
#include "transport/qp_type.h"

/* All that reliable connections do, extended ones do. */
#define RC (BIT(IB_QPT_RC) | BIT(IB_QPT_XRC_INI))
#define UC BIT(IB_QPT_UC)
#define UD BIT(IB_QPT_UD)
#define RD BIT(HCA_QPT_RD)

static void compare_swap(u64 old, u64 *compare_add, u64 *swap, u64 *become)
{
	if (sim_chance(1, 2))
		*compare_add = old;
	*become = old == *compare_add ? *swap : old;
}

static void fetch_add(u64 old, u64 *compare_add, u64 *swap, u64 *become)
{
	(void)swap;
	*become = old + *compare_add;
}

static const struct sim_op_kind kinds[] = {
	{ .name = "SEND", .opcode = IB_UVERBS_WR_SEND, .wc_opcode = IB_UVERBS_WC_SEND,
	  .flags = SIM_SENDS | SIM_CONSUMES_RECV, .weight = 4, .types = RC | UC | UD | RD },
	{ .name = "SEND with immediate", .opcode = IB_UVERBS_WR_SEND_WITH_IMM,
	  .wc_opcode = IB_UVERBS_WC_SEND, .flags = SIM_SENDS | SIM_CONSUMES_RECV | SIM_IMM,
	  .weight = 3, .types = RC | UC | UD | RD },
	{ .name = "SEND with invalidate", .opcode = IB_UVERBS_WR_SEND_WITH_INV,
	  .wc_opcode = IB_UVERBS_WC_SEND, .flags = SIM_SENDS | SIM_CONSUMES_RECV | SIM_INVALIDATES,
	  .weight = 2, .types = RC },
	{ .name = "RDMA WRITE", .opcode = IB_UVERBS_WR_RDMA_WRITE,
	  .wc_opcode = IB_UVERBS_WC_RDMA_WRITE, .flags = SIM_WRITES, .weight = 4,
	  .types = RC | UC | RD, .remote_access = IB_UVERBS_ACCESS_REMOTE_WRITE },
	{ .name = "RDMA WRITE with immediate", .opcode = IB_UVERBS_WR_RDMA_WRITE_WITH_IMM,
	  .wc_opcode = IB_UVERBS_WC_RDMA_WRITE, .flags = SIM_WRITES | SIM_CONSUMES_RECV | SIM_IMM,
	  .weight = 3, .types = RC | UC | RD, .remote_access = IB_UVERBS_ACCESS_REMOTE_WRITE },
	{ .name = "RDMA READ", .opcode = IB_UVERBS_WR_RDMA_READ,
	  .wc_opcode = IB_UVERBS_WC_RDMA_READ, .flags = SIM_READS, .weight = 4, .types = RC | RD,
	  .remote_access = IB_UVERBS_ACCESS_REMOTE_READ },
	{ .name = "compare and swap", .opcode = IB_UVERBS_WR_ATOMIC_CMP_AND_SWP,
	  .wc_opcode = IB_UVERBS_WC_COMP_SWAP, .flags = SIM_ATOMIC, .weight = 3, .types = RC | RD,
	  .remote_access = IB_UVERBS_ACCESS_REMOTE_ATOMIC, .result = compare_swap },
	{ .name = "fetch and add", .opcode = IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD,
	  .wc_opcode = IB_UVERBS_WC_FETCH_ADD, .flags = SIM_ATOMIC, .weight = 3, .types = RC | RD,
	  .remote_access = IB_UVERBS_ACCESS_REMOTE_ATOMIC, .result = fetch_add },
	{ .name = "FLUSH", .opcode = IB_UVERBS_WR_FLUSH, .wc_opcode = IB_UVERBS_WC_FLUSH,
	  .flags = SIM_FLUSHES, .weight = 2, .types = RC,
	  .remote_access = IB_UVERBS_ACCESS_FLUSH_GLOBAL },
	{ .name = "FLUSH to persistence", .opcode = IB_UVERBS_WR_FLUSH,
	  .wc_opcode = IB_UVERBS_WC_FLUSH, .flags = SIM_FLUSHES, .weight = 1, .types = RC,
	  .remote_access = IB_UVERBS_ACCESS_FLUSH_PERSISTENT },
	{ .name = "ATOMIC WRITE", .opcode = IB_UVERBS_WR_ATOMIC_WRITE,
	  .wc_opcode = IB_UVERBS_WC_ATOMIC_WRITE, .flags = SIM_WRITES | SIM_ATOMIC_WRITES,
	  .weight = 3, .types = RC, .remote_access = IB_UVERBS_ACCESS_REMOTE_WRITE },
};

/* Operations that the core does not implement are not used. */
static u32 weight(const struct sim_op_kind *kind, u8 type)
{
	return (kind->types & BIT(type)) &&
	       (hca_iba_type(type)->type.opcodes & BIT_ULL(kind->opcode)) ? kind->weight : 0;
}

const struct sim_op_kind *sim_op_pick(u8 type)
{
	u32 total = 0, i, at;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		total += weight(&kinds[i], type);
	if (!total)
		return NULL;
	at = sim_below(total);
	for (i = 0; at >= weight(&kinds[i], type); i++)
		at -= weight(&kinds[i], type);
	return &kinds[i];
}
