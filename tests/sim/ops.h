/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What can be asked for, on which services. */
#ifndef HCA_TESTS_SIM_OPS_H
#define HCA_TESTS_SIM_OPS_H

#include <linux/types.h>

enum sim_op_flags {
	SIM_SENDS = 1 << 0, /* brings its data to a receive request's memory */
	SIM_WRITES = 1 << 1, /* to memory that it names */
	SIM_READS = 1 << 2, /* fetches data from memory that it names */
	SIM_ATOMIC = 1 << 3, /* both, on 8 octets */
	SIM_IMM = 1 << 4,
	SIM_TAKES_RECV = 1 << 5,
	SIM_INVALIDATES = 1 << 6, /* a key of the receiver's */
};

struct sim_op_kind {
	const char *name;
	u8 opcode; /* enum ib_uverbs_wr_opcode */
	u8 wc_opcode; /* enum ib_uverbs_wc_opcode */
	u8 flags; /* enum sim_op_flags */
	u8 weight;
	u32 types; /* bits: enum ib_qp_type */
	u32 remote_access; /* enum ib_uverbs_access_flags, of the memory that it names */
	void (*result)(u64 old, u64 *compare_add, u64 *swap, u64 *become); /* atomics */
};

/* One that the core has for this type of queue pair, at random; NULL: there is none. */
const struct sim_op_kind *sim_op_pick(u8 type);

#endif
