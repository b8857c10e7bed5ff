// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_atomics [DEVICE [DEVICE]]
 * Checks Compare and Swap and Fetch and Add: what they do, what they return, and what refuses them.
 * Runs in the guest with Active ports.
 */
#include "verbs_pair.h"

#define OTHER_RIGHTS (ALL_RIGHTS & ~IBV_ACCESS_REMOTE_ATOMIC)
#define RESULT 64u /* offsets in the memory of either end */
#define OPERAND 4096u

static struct pair pair;
static struct setup setup;

static uint64_t *value(struct end *end, uint32_t offset)
{
	return (uint64_t *)(end->memory + offset);
}

static void begin(void)
{
	memset(pair.a.memory, 0, 2 * OPERAND);
	memset(pair.b.memory, 0, 2 * OPERAND);
	pair_connect(&pair, &setup);
}

static void end(const char *name)
{
	pair_disconnect(&pair);
	verdict("%s", name);
}

static struct ibv_send_wr atomic_wr(enum ibv_wr_opcode opcode, struct ibv_sge *sge,
				    uint32_t offset, uint64_t compare_add, uint64_t swap)
{
	struct ibv_send_wr wr = send_wr(opcode, sge);

	wr.opcode = opcode;
	wr.wr.atomic.remote_addr = (uintptr_t)pair.b.memory + offset;
	wr.wr.atomic.rkey = pair.b.mr->rkey;
	wr.wr.atomic.compare_add = compare_add;
	wr.wr.atomic.swap = swap;
	return wr;
}

/* Carries out one operation of a on b's memory at @offset; the result goes to RESULT. */
static void operate(enum ibv_wr_opcode opcode, uint32_t offset, uint64_t compare_add,
		    uint64_t swap, enum ibv_wc_status status)
{
	struct ibv_sge sge = sge_of(&pair.a, RESULT, 8);
	struct ibv_send_wr wr = atomic_wr(opcode, &sge, offset, compare_add, swap);
	struct ibv_wc wc;

	if (!post_wr(&pair.a, &wr) || !completes(pair.a.send_cq, opcode, status, &wc) || status)
		return;
	expect_value(wc.opcode,
		     opcode == IBV_WR_ATOMIC_FETCH_AND_ADD ? IBV_WC_FETCH_ADD : IBV_WC_COMP_SWAP,
		     "the completion's opcode");
}

/* --- what they do ----------------------------------------------------------------------------- */

static const struct {
	const char *what;
	enum ibv_wr_opcode opcode;
	uint64_t before, compare_add, swap, after;
} operations[] = {
	{ "fetch and add", IBV_WR_ATOMIC_FETCH_AND_ADD, 5, 7, 0, 12 },
	{ "fetch and add, carrying over 32 bits", IBV_WR_ATOMIC_FETCH_AND_ADD, 0xffffffff, 1, 0,
	  0x100000000 },
	{ "fetch and add, wrapping", IBV_WR_ATOMIC_FETCH_AND_ADD, ~0ull, 2, 0, 1 },
	{ "compare and swap: equal", IBV_WR_ATOMIC_CMP_AND_SWP, 0x1122334455667788,
	  0x1122334455667788, 0x99aabbccddeeff00, 0x99aabbccddeeff00 },
	{ "compare and swap: not equal", IBV_WR_ATOMIC_CMP_AND_SWP, 0x1122334455667788,
	  0x1122334455667789, 1, 0x1122334455667788 },
};

static void operation(void)
{
	unsigned int i;

	for (i = 0; i < COUNT(operations); i++) {
		begin();
		*value(&pair.b, OPERAND) = operations[i].before;
		operate(operations[i].opcode, OPERAND, operations[i].compare_add,
			operations[i].swap,
			IBV_WC_SUCCESS);
		expect_value(*value(&pair.a, RESULT), operations[i].before, "what is returned");
		expect_value(*value(&pair.b, OPERAND), operations[i].after,
			     "what is there afterwards");
		expect_value(*value(&pair.b, OPERAND - 8) | *value(&pair.b, OPERAND + 8), 0,
			     "its surroundings");
		pair_disconnect(&pair);
		verdict("%s (B4-072, B4-078, B4-099)", operations[i].what);
	}
}

/* Posts more atomics than may be outstanding, from both ends to one address. */
static void many(void)
{
	enum { N = 200 };
	struct ibv_sge at_a = sge_of(&pair.a, RESULT, 8), at_b = sge_of(&pair.b, RESULT, 8);
	struct ibv_send_wr wr = atomic_wr(IBV_WR_ATOMIC_FETCH_AND_ADD, &at_a, OPERAND, 1, 0);
	struct ibv_wc wc;
	unsigned int i;

	begin();
	for (i = 0; i < N && !lab_reason[0]; i++) {
		wr.sg_list = &at_a;
		post_wr(&pair.a, &wr);
		operate(IBV_WR_ATOMIC_FETCH_AND_ADD, OPERAND, 1, 0, IBV_WC_SUCCESS);
		completes(pair.a.send_cq, wr.wr_id, IBV_WC_SUCCESS, &wc);
	}
	expect_value(*value(&pair.b, OPERAND), 2 * N, "the sum");
	/* b has no queue pair to itself, but has one to a. */
	wr.sg_list = &at_b;
	wr.wr.atomic.remote_addr = (uintptr_t)pair.a.memory + OPERAND;
	wr.wr.atomic.rkey = pair.a.mr->rkey;
	for (i = 0; i < N && !lab_reason[0]; i++)
		post_wr(&pair.b, &wr);
	for (i = 0; i < N && !lab_reason[0]; i++)
		completes(pair.b.send_cq, wr.wr_id, IBV_WC_SUCCESS, &wc);
	expect_value(*value(&pair.a, OPERAND), N, "the sum of the other way");
	end("400 additions one way, 200 the other");
}

/* --- what refuses them ------------------------------------------------------------------------ */

static void refusals(void)
{
	struct ibv_sge sge = sge_of(&pair.a, RESULT, 8);
	struct ibv_send_wr wr, *bad;
	struct setup other = setup;
	struct ibv_mr *mr = pair.b.mr;
	struct ibv_wc wc;

	begin();
	operate(IBV_WR_ATOMIC_FETCH_AND_ADD, OPERAND + 4, 1, 0, IBV_WC_REM_INV_REQ_ERR);
	end("an address that 8 does not divide (B4-099, B4-348)");

	begin();
	pair.b.mr = ibv_reg_mr(pair.b.pd, pair.b.memory, MR_LENGTH, OTHER_RIGHTS);
	if (expect_made(pair.b.mr, "reg_mr")) {
		operate(IBV_WR_ATOMIC_FETCH_AND_ADD, OPERAND, 1, 0, IBV_WC_REM_ACCESS_ERR);
		expect_ok(ibv_dereg_mr(pair.b.mr), "dereg_mr");
	}
	pair.b.mr = mr;
	expect_value(*value(&pair.b, OPERAND), 0, "the value");
	end("an MR without the right (B4-347)");

	other.rights = OTHER_RIGHTS;
	pair_connect(&pair, &other);
	wr = atomic_wr(IBV_WR_ATOMIC_FETCH_AND_ADD, &sge, OPERAND, 1, 0);
	post_wr(&pair.a, &wr);
	if (expect(collect(pair.a.send_cq, &wc, 1, PATIENCE_MS) == 1, "no completion"))
		expect(wc.status == IBV_WC_REM_INV_REQ_ERR, "it says %s",
		       ibv_wc_status_str(wc.status));
	expect_value(*value(&pair.b, OPERAND), 0, "the value");
	end("a queue pair without the right");

	begin();
	wr = atomic_wr(IBV_WR_ATOMIC_FETCH_AND_ADD, &sge, OPERAND, 1, 0);
	wr.send_flags |= IBV_SEND_INLINE;
	expect_error(ibv_post_send(pair.a.qp, &wr, &bad), EINVAL, "post_send");
	end("inline");

	begin();
	sge.length = 7;
	wr = atomic_wr(IBV_WR_ATOMIC_FETCH_AND_ADD, &sge, OPERAND, 1, 0);
	if (post_wr(&pair.a, &wr) &&
	    expect(collect(pair.a.send_cq, &wc, 1, PATIENCE_MS) == 1, "no completion"))
		expect(wc.status != IBV_WC_SUCCESS, "it succeeds");
	expect_value(*value(&pair.b, OPERAND), 0, "the value");
	end("room for 7 octets of the result");

	other = setup;
	other.reads = 0;
	pair_connect(&pair, &other);
	operate(IBV_WR_ATOMIC_FETCH_AND_ADD, OPERAND, 1, 0, IBV_WC_LOC_QP_OP_ERR);
	end("no atomics outstanding allowed");
}

int main(int argc, char **argv)
{
	struct ibv_device_attr attr;

	setup = default_setup;
	pair_open(&pair, argc, argv);
	if (expect_ok(ibv_query_device(pair.a.context, &attr), "query_device"))
		expect_value(attr.atomic_cap, IBV_ATOMIC_HCA, "atomic_cap");
	verdict("query_device: atomic among the queue pairs of an adapter");
	operation();
	many();
	refusals();
	pair_close(&pair);
	return lab_status();
}
