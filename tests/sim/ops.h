/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The operations of send requests, and the services that offer them. */
#ifndef HCA_TESTS_SIM_OPS_H
#define HCA_TESTS_SIM_OPS_H

#include <linux/types.h>

enum sim_op_flags {
	SIM_SENDS = 1 << 0, /* the message goes to the memory of a receive request */
	SIM_WRITES = 1 << 1, /* the message goes to the memory that the request names */
	SIM_READS = 1 << 2, /* the request fetches data from the memory that it names */
	SIM_ATOMIC = 1 << 3, /* the request does both, on 8 octets */
	SIM_IMM = 1 << 4,
	SIM_CONSUMES_RECV = 1 << 5,
	SIM_INVALIDATES = 1 << 6, /* the message invalidates a key of the receiver */
	SIM_FLUSHES = 1 << 7, /* the request has no data and names memory that it does not change */
	SIM_ATOMIC_WRITES = 1 << 8, /* the message is 8 octets at an address that they align with */
};

/* Requests that occupy a responder resource, and that wait for a response of their own. */
#define SIM_RESOURCE (SIM_READS | SIM_ATOMIC | SIM_FLUSHES | SIM_ATOMIC_WRITES)

struct sim_op_kind {
	const char *name;
	u8 opcode; /* enum ib_uverbs_wr_opcode */
	u8 wc_opcode; /* enum ib_uverbs_wc_opcode */
	u16 flags; /* enum sim_op_flags */
	u8 weight;
	u32 types; /* bits: enum ib_qp_type */
	u32 remote_access; /* enum ib_uverbs_access_flags, of the memory that it names */
	/* atomics: the result, from the memory's old value */
	void (*result)(u64 old, u64 *compare_add, u64 *swap, u64 *become);
};

/* A random operation that the core implements for this type of queue pair; NULL: there is none. */
const struct sim_op_kind *sim_op_pick(u8 type);

#endif
