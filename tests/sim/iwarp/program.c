// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A random program: who does what when. */
#include <stdio.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "tests/sim/iwarp/iwsim.h"

static struct {
	bool is_faultless;
	u32 laziness; /* reciprocal of the probability of polling */
} program;

static struct iwsim_end *program_end(struct iwsim_connection *conn)
{
	return &conn->end[sim_below(2)];
}

/* Most streams are of the usual kind, so that programs get on. */
static void program_stream(struct sim_stream_options *options)
{
	static const u32 windows[] = { 0, 0, 1, 100, 3000, 70000 };
	static const u32 buffers[] = { 0, 0, 1, 100, 5000 };
	bool is_usual = sim_chance(1, 3);

	memset(options, 0, sizeof(*options));
	options->seed = sim.how.seed * 64 + sim_below(64);
	options->mss = 128 + sim_below(1400);
	options->delay = sim_below(1 << sim_below(5));
	if (is_usual)
		return;
	options->segment = sim_chance(1, 2) ? 0 : 1 + sim_below(1 << sim_below(9));
	options->window = windows[sim_below(ARRAY_SIZE(windows))];
	options->buffer = buffers[sim_below(ARRAY_SIZE(buffers))];
	options->again = sim_chance(1, 2) ? 0 : 2 + sim_below(6);
	options->overtakes = sim_chance(1, 2);
	options->early = sim_chance(1, 2);
	options->contiguous = sim_chance(1, 2);
	options->keeps_more = sim_chance(1, 2);
	options->hides = sim_chance(1, 2) ? 0 : 2 + sim_below(6);
	options->late = sim_chance(1, 2) ? 0 : 2 + sim_below(6);
}

static void program_cut(struct iwsim_connection *conn)
{
	struct iwsim_end *end = program_end(conn);
	u64 at = end->stream->carried + sim_below(1 << sim_below(13));

	iwsim_trouble(conn, IWSIM_T_STREAM);
	sim_trace(end->node->index, "its stream is to be cut at octet %llu",
		  (unsigned long long)at);
	if (sim_chance(1, 2))
		sim_stream_fin_at(end->stream, at);
	else
		sim_stream_reset_at(end->stream, at);
}

/* --- actions */

static u32 program_length(void)
{
	switch (sim_below(16)) {
	case 0:
		return 0;
	case 1:
		return sim_below(20000);
	case 2:
	case 3:
		return sim_below(3000);
	default:
		return 1 + sim_below(300);
	}
}

static void action_open(struct iwsim_connection *conn)
{
	struct sim_stream_options options;

	if (conn->pair && !iwsim_is_over(conn))
		return;
	if (conn->pair) {
		iwsim_poll_all();
		iwsim_conclude(conn);
	}
	program_stream(&options);
	if (!iwsim_connection_new(conn, &options))
		return;
	iwsim_connection_begin(conn);
	if (!program.is_faultless && sim_chance(1, 5))
		program_cut(conn);
}

static void action_answer(struct iwsim_connection *conn)
{
	struct iwsim_end *end = &conn->end[1];

	if (conn->pair && end->is_answer_due)
		iwsim_connection_answer(end, program.is_faultless || !sim_chance(1, 16));
}

static void action_recvs(struct iwsim_connection *conn)
{
	struct iwsim_end *end = program_end(conn);
	u32 n = 1 + sim_below(5);

	if (conn->pair && end->qp)
		while (n-- && iwsim_post_recv(end, program_length()))
			;
}

/* One key at a time is made valid for the peer, so that it is known who uses it. */
static u8 program_local(const struct iwsim_end *end)
{
	if (end->is_granting || sim_chance(1, 4))
		return IB_UVERBS_WR_LOCAL_INV;
	return end->qp->kernel && sim_chance(1, 2) ? IB_WR_REG_MR : IB_UVERBS_WR_BIND_MW;
}

static u8 program_opcode(const struct iwsim_end *end)
{
	bool may_read = iwsim_is_up(end) && hca_iwarp_qp_of(end->qp)->requester.ord;

	switch (sim_below(16)) {
	case 0:
		return program_local(end);
	case 1:
	case 2:
		return IB_UVERBS_WR_SEND_WITH_INV;
	case 3:
	case 4:
	case 5:
	case 6:
		return IB_UVERBS_WR_RDMA_WRITE;
	case 7:
		if (may_read && end->qp->kernel)
			return IB_UVERBS_WR_RDMA_READ_WITH_INV;
		/* fall through */
	case 8:
	case 9:
	case 10:
		if (may_read)
			return IB_UVERBS_WR_RDMA_READ;
		/* fall through */
	default:
		return IB_UVERBS_WR_SEND;
	}
}

static u8 program_flags(u8 opcode, u32 length)
{
	u8 flags = 0;

	if (sim_chance(3, 4))
		flags |= HCA_WQE_SIGNALED;
	if (sim_chance(1, 4))
		flags |= HCA_WQE_FENCE;
	if (sim_chance(1, 2) && iwsim_is_send(opcode))
		flags |= HCA_WQE_SOLICITED;
	if (length <= IWSIM_INLINE && !iwsim_is_read(opcode) &&
	    !iwsim_is_local(opcode) && sim_chance(1, 2))
		flags |= HCA_WQE_INLINE;
	return flags;
}

/* Only one request of a connection is wrong, so that it is known what comes of it. */
static bool program_send(struct iwsim_end *end)
{
	bool wrong = !program.is_faultless && !end->conn->spoiler && sim_chance(1, 40);
	u8 opcode = program_opcode(end);
	u32 length = iwsim_is_local(opcode) ? 0 : program_length();
	bool invalidates = opcode == IB_UVERBS_WR_RDMA_READ_WITH_INV;
	s64 capacity = iwsim_send_capacity(end);
	struct iwsim_op *op;

	/* A Send without a receive request of its own would take that of another connection. */
	if (iwsim_is_send(opcode) && capacity < 0 && (!wrong || end->peer->with_srq))
		return false;
	if (iwsim_is_send(opcode) && !wrong)
		length = min_t(s64, length, capacity);
	/* A sink without octets has no key, which could be invalidated. */
	length += invalidates && !length;
	op = iwsim_op_new(end, opcode, length, program_flags(opcode, length));
	if (op && wrong)
		op->spoiler = iwsim_spoiler_choose(end, op);
	return op && iwsim_op_post(end, op);
}

static void action_send(struct iwsim_connection *conn)
{
	struct iwsim_end *end = program_end(conn);
	u32 n = 1 + sim_below(4);

	if (!conn->pair || !end->qp || !end->peer->qp)
		return;
	while (n-- && program_send(end))
		;
	if (!sim_chance(1, 4))
		iwsim_ring(end);
}

static void action_steps(struct iwsim_connection *conn)
{
	u32 n = sim_below(1 << sim_below(8));

	while (n-- && iwsim_step(conn))
		;
}

/* Memory is short once. A start-up could fail for that. */
static void action_scarce(struct iwsim_connection *conn)
{
	int i;

	for (i = 0; i < iwsim.conns; i++)
		if (iwsim.conn[i].pair && !iwsim.conn[i].end[0].events[HCA_ENDPOINT_CONNECT_REPLY])
			return;
	shim_fail_alloc(1 + sim_below(3));
	action_steps(conn);
	shim_fail_alloc(0);
}

static void action_settle(struct iwsim_connection *conn)
{
	iwsim_settle();
}

static void action_wait(struct iwsim_connection *conn)
{
	iwsim_wait(sim_below(30));
}

static void action_modify(struct iwsim_connection *conn)
{
	static const u8 states[] = { IB_QPS_SQD, IB_QPS_SQE, IB_QPS_ERR };
	struct iwsim_end *end = program_end(conn);
	u8 from = iwsim_state(end), to = states[sim_below(ARRAY_SIZE(states))];
	bool ends = to == IB_QPS_ERR || from == IB_QPS_RTR || from == IB_QPS_RTS;
	/* A program may disconnect behind the end, which changes nothing. */
	bool ok = ends || (to == IB_QPS_SQD && (from == IB_QPS_SQD || from == IB_QPS_ERR));
	int ret;

	if (!conn->pair || !end->qp)
		return;
	if (ends)
		iwsim_trouble(conn, IWSIM_T_MODIFY);
	ret = iwsim_modify(end, to);
	if (ret != (ok ? 0 : -EINVAL))
		sim_fail("node%d qp %06x: modify from %s to %s returns %d", end->node->index,
			 end->qpn, sim_state_name(from), sim_state_name(to), ret);
}

static void action_destroy(struct iwsim_connection *conn)
{
	struct iwsim_end *end = program_end(conn);

	if (!conn->pair || !end->qp)
		return;
	iwsim_trouble(conn, IWSIM_T_DESTROY);
	iwsim_qp_destroy(end);
}

/* ORD can be lowered in RTS, but not raised. A Read that is posted needs one. */
static void action_ord(struct iwsim_connection *conn)
{
	struct iwsim_end *end = program_end(conn);
	struct hca_qp_attr attr = { 0 };
	bool raises = sim_chance(1, 4);
	int ret;
	u8 ord;

	if (!conn->pair || !iwsim_is_up(end) || !hca_iwarp_qp_of(end->qp)->requester.ord)
		return;
	ord = hca_iwarp_qp_of(end->qp)->requester.ord;
	attr.max_rd_atomic = raises ? ord + 1 : 1 + sim_below(ord);
	sim_trace(end->node->index, "modify qp %06x to an ORD of %u", end->qpn,
		  attr.max_rd_atomic);
	ret = hca_qp_modify(end->qp, &attr, IB_QP_MAX_QP_RD_ATOMIC);
	if (ret != (raises ? -EINVAL : 0))
		sim_fail("node%d qp %06x: modify of ORD from %u to %u returns %d",
			 end->node->index, end->qpn, ord, attr.max_rd_atomic, ret);
}

static void action_remove(struct iwsim_connection *conn)
{
	struct iwsim_node *node = program_end(conn)->node;

	if (conn->pair && !node->is_removed && sim_chance(1, 2))
		iwsim_remove(node);
}

static void action_cut(struct iwsim_connection *conn)
{
	if (conn->pair && !(conn->trouble & IWSIM_T_STREAM))
		program_cut(conn);
}

static const struct {
	void (*act)(struct iwsim_connection *conn);
	u32 weight;
	bool is_trouble;
} actions[] = {
	{ action_open, 6 },
	{ action_answer, 6 },
	{ action_recvs, 10 },
	{ action_send, 20 },
	{ action_steps, 20 },
	{ action_scarce, 2 },
	{ action_settle, 2 },
	{ action_wait, 2 },
	{ action_ord, 1 },
	{ action_modify, 1, true },
	{ action_destroy, 1, true },
	{ action_cut, 1, true },
	{ action_remove, 1, true },
};

static void program_act(void)
{
	u32 total = 0, i, n;

	for (i = 0; i < ARRAY_SIZE(actions); i++)
		total += actions[i].weight;
	n = sim_below(total);
	for (i = 0; n >= actions[i].weight; i++)
		n -= actions[i].weight;
	if (actions[i].is_trouble && (program.is_faultless || sim_chance(1, 2)))
		return;
	actions[i].act(&iwsim.conn[sim_below(iwsim.conns)]);
	if (!program.laziness || !sim_below(program.laziness))
		iwsim_poll_all();
}

void iwsim_run(void)
{
	s32 n;

	memset(&iwsim, 0, sizeof(iwsim));
	program.is_faultless = sim_chance(1, 3);
	program.laziness = sim_chance(1, 2) ? 0 : 1 + sim_below(6);
	sim.next_id = 1;
	iwsim_nodes_new(sim.how.nodes);
	iwsim.conns = 1 + sim_below(IWSIM_CONNECTIONS);
	for (n = 0; n < sim.how.ops; n++)
		program_act();
	iwsim_end();
	iwsim_nodes_free();
}

void iwsim_print(void)
{
	printf("%d nodes, %d connections at a time%s\n", iwsim.nodes, iwsim.conns,
	       program.is_faultless ? ", without troubles" : "");
}
