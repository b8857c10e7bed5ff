// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Short programs whose stream is cut at each octet of each way, by a FIN and by a RST. The runs are
 * numbered from 1; number 0 is that of all programs without a cut, which finds out how many there
 * are.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include "tests/sim/iwarp/iwsim.h"

#define CUT_MSS 160 /* small, so that messages have several segments */
#define CUT_OPS 8

struct cut_op {
	u8 side, opcode;
	u32 length;
};

/* Ends of a program. */
enum cut_ending {
	CUT_STAYS, /* it does not end by itself */
	CUT_CLOSE,
	CUT_TERMINATE,
	CUT_ABORT,
	CUT_DESTROY,
	CUT_REJECT, /* the connection is not accepted */
	CUT_WRONG, /* a request is wrong */
};

struct cut_program {
	struct hca_rnic_options options; /* of both RNICs, but for those that are the usual ones */
	u8 ending; /* enum cut_ending; of the initiator */
	struct cut_op op[CUT_OPS];
};

#define SEND(side, length) { side, IB_UVERBS_WR_SEND, length }
#define SEND_INV(side, length) { side, IB_UVERBS_WR_SEND_WITH_INV, length }
#define WRITE(side, length) { side, IB_UVERBS_WR_RDMA_WRITE, length }
#define READ(side, length) { side, IB_UVERBS_WR_RDMA_READ, length }
#define READ_INV(side, length) { side, IB_UVERBS_WR_RDMA_READ_WITH_INV, length }
#define LOCAL_INV(side) { side, IB_UVERBS_WR_LOCAL_INV, 0 }

#define PLAIN { .revision = 1 }
#define WITH_WRITE { .revision = 2, .rtr = HCA_RTR_WRITE }
#define WITH_READ { .revision = 2, .rtr = HCA_RTR_READ }
#define WITH_SEND { .revision = 2, .rtr = HCA_RTR_SEND }
#define WITH_CRC { .revision = 2, .rtr = HCA_RTR_WRITE, .crc = true }
#define WITH_ALL { .revision = 2, .rtr = HCA_RTR_READ, .crc = true, .markers = true, \
		   .strict = true }
#define WITH_IDLE { .revision = 2, .crc = true, .idle_after_close = true }

static const struct cut_program cut_programs[] = {
	{ WITH_CRC, CUT_STAYS, { SEND(0, 100), SEND(1, 90), SEND(0, 0) } },
	{ PLAIN, CUT_STAYS, { SEND(0, 300), SEND(1, 1) } },
	{ WITH_ALL, CUT_STAYS, { WRITE(0, 200), SEND(0, 33), WRITE(1, 170), WRITE(0, 0) } },
	{ WITH_READ, CUT_STAYS, { READ(0, 300), READ(1, 20), READ(0, 0), SEND(0, 1) } },
	{ WITH_ALL, CUT_STAYS, { READ(0, 250), WRITE(0, 20), READ(1, 190), SEND(1, 50) } },
	{ WITH_WRITE, CUT_STAYS, { SEND_INV(0, 40), READ_INV(0, 30), LOCAL_INV(1),
				   SEND_INV(1, 160) } },
	{ WITH_SEND, CUT_STAYS, { SEND(0, 10), READ(0, 10), LOCAL_INV(0), SEND(1, 10) } },
	{ WITH_CRC, CUT_CLOSE, { SEND(0, 20), READ(0, 20) } },
	{ WITH_IDLE, CUT_CLOSE, { SEND(0, 20), SEND(1, 20) } },
	{ WITH_ALL, CUT_TERMINATE, { WRITE(0, 20), SEND(1, 20) } },
	{ PLAIN, CUT_TERMINATE, { READ(1, 20) } },
	{ WITH_CRC, CUT_ABORT, { SEND(0, 20), READ(0, 20) } },
	{ WITH_CRC, CUT_DESTROY, { SEND(0, 20) } },
	{ WITH_CRC, CUT_REJECT, { SEND(0, 20) } },
	{ PLAIN, CUT_REJECT, { SEND(0, 20) } },
	{ WITH_CRC, CUT_WRONG, { SEND(0, 20), WRITE(0, 40), SEND(1, 20) } },
	{ WITH_ALL, CUT_WRONG, { WRITE(1, 20), READ(0, 200), SEND(0, 20) } },
	{ WITH_READ, CUT_WRONG, { SEND(1, 20), SEND_INV(0, 20) } },
};

/* Octets of each way of each program. */
static u64 cut_octets[ARRAY_SIZE(cut_programs)][2];

/* A cut: before the first octet, behind the last one, or anywhere between them. */
struct cut {
	u32 program;
	int way;
	bool is_reset;
	u64 octet;
};

static u64 cut_cases(u32 program, int way)
{
	return 2 * (cut_octets[program][way] + 1);
}

u64 iwsim_cut_count(void)
{
	u64 count = 0;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cut_programs); i++)
		count += cut_cases(i, 0) + cut_cases(i, 1);
	return count;
}

static struct cut cut_of(u64 number)
{
	struct cut cut = { 0 };

	number--;
	while (number >= cut_cases(cut.program, cut.way)) {
		number -= cut_cases(cut.program, cut.way);
		cut.program += cut.way;
		cut.way = !cut.way;
	}
	cut.is_reset = number & 1;
	cut.octet = number / 2;
	return cut;
}

static void cut_new(const struct cut_program *program)
{
	const struct sim_stream_options stream = { .seed = 1, .mss = CUT_MSS };
	struct iwsim_connection *conn = &iwsim.conn[0];
	int i;

	memset(&iwsim, 0, sizeof(iwsim));
	iwsim.is_small = true;
	sim.next_id = 1;
	iwsim_nodes_new(2);
	iwsim.conns = 1;
	for (i = 0; i < 2; i++) {
		u16 timeout = iwsim.node[i]->rnic.options.timeout;

		iwsim.node[i]->rnic.options = program->options;
		iwsim.node[i]->rnic.options.timeout = timeout;
	}
	if (!iwsim_connection_new(conn, &stream))
		sim_fail("no connection");
	for (i = 0; i < 2; i++) {
		conn->end[i].connect.ird = 2;
		conn->end[i].connect.ord = 2;
		conn->end[i].connect.private_length = 5;
	}
}

static void cut_recvs(const struct cut_program *program)
{
	const struct cut_op *op;

	for (op = program->op; op < &program->op[CUT_OPS] && op->opcode; op++)
		if (iwsim_is_send(op->opcode))
			iwsim_post_recv(&iwsim.conn[0].end[!op->side], op->length);
}

/* The first request of the initiator is wrong, if one is to be. */
static void cut_ops(const struct cut_program *program)
{
	bool wrong = program->ending == CUT_WRONG;
	const struct cut_op *step;
	struct iwsim_end *end;
	struct iwsim_op *op;
	u8 opcode;

	for (step = program->op; step < &program->op[CUT_OPS] && step->opcode; step++) {
		end = &iwsim.conn[0].end[step->side];
		if (!end->qp || !end->peer->qp)
			continue;
		opcode = step->opcode;
		if (opcode == IB_UVERBS_WR_RDMA_READ_WITH_INV && !end->qp->kernel)
			opcode = IB_UVERBS_WR_RDMA_READ;
		op = iwsim_op_new(end, opcode, step->length, HCA_WQE_SIGNALED);
		if (op && wrong && !step->side)
			op->spoiler = iwsim_spoiler_choose(end, op);
		wrong &= !op || !op->spoiler;
		if (op)
			iwsim_op_post(end, op);
	}
	iwsim_ring(&iwsim.conn[0].end[0]);
	iwsim_ring(&iwsim.conn[0].end[1]);
}

static void cut_modify(enum ib_qp_state state)
{
	struct iwsim_end *end = &iwsim.conn[0].end[0];

	if (state == IB_QPS_ERR || iwsim_is_up(end)) {
		iwsim_trouble(&iwsim.conn[0], IWSIM_T_MODIFY);
		iwsim_modify(end, state);
	}
}

static void cut_end(const struct cut_program *program)
{
	struct iwsim_connection *conn = &iwsim.conn[0];

	switch (program->ending) {
	case CUT_CLOSE:
		cut_modify(IB_QPS_SQD);
		break;
	case CUT_TERMINATE:
		cut_modify(IB_QPS_SQE);
		break;
	case CUT_ABORT:
		cut_modify(IB_QPS_ERR);
		break;
	case CUT_DESTROY:
		iwsim_trouble(conn, IWSIM_T_DESTROY);
		iwsim_qp_destroy(&conn->end[0]);
	}
}

static void cut_program(u32 number, const struct cut *cut)
{
	const struct cut_program *program = &cut_programs[number];
	struct iwsim_connection *conn = &iwsim.conn[0];
	struct sim_stream *s;

	cut_new(program);
	if (cut) {
		s = conn->end[cut->way].stream;
		iwsim_trouble(conn, IWSIM_T_STREAM);
		if (cut->is_reset)
			sim_stream_reset_at(s, cut->octet);
		else
			sim_stream_fin_at(s, cut->octet);
		sim_trace(cut->way, "program %u, %s behind octet %llu", number,
			  cut->is_reset ? "RST" : "FIN", (unsigned long long)cut->octet);
	}
	cut_recvs(program);
	iwsim_connection_begin(conn);
	iwsim_settle();
	if (conn->end[1].is_answer_due)
		iwsim_connection_answer(&conn->end[1], program->ending != CUT_REJECT);
	iwsim_settle();
	cut_ops(program);
	iwsim_settle();
	cut_end(program);
	iwsim_settle();
	if (!cut) {
		cut_octets[number][0] = conn->end[0].stream->sent;
		cut_octets[number][1] = conn->end[1].stream->sent;
	}
	iwsim_end();
	iwsim_nodes_free();
}

void iwsim_cut_run(u64 number)
{
	struct cut cut;
	u32 i;

	if (number) {
		cut = cut_of(number);
		cut_program(cut.program, &cut);
		return;
	}
	for (i = 0; i < ARRAY_SIZE(cut_programs); i++) {
		shim_reset(i);
		cut_program(i, NULL);
	}
}
