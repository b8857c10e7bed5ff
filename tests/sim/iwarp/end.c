// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The end of a program: what must hold when nothing happens any more, and how connections end. */
#include <linux/kernel.h>
#include "tests/sim/iwarp/iwsim.h"

#define END_MILLISECONDS 30000 /* more than any timer takes */
#define END_ATTEMPTS 20 /* to find memory */
#define END_ROUNDS 4 /* of the answers to requests that are due */

/* Let all happen that is to happen without a consumer's doing. */
static void end_rest(void)
{
	iwsim_settle();
	iwsim_wait(END_MILLISECONDS);
	iwsim_settle();
}

static void end_answer(void)
{
	int i;

	for (i = 0; i < iwsim.conns; i++)
		if (iwsim.conn[i].pair && iwsim.conn[i].end[1].is_answer_due)
			iwsim_connection_answer(&iwsim.conn[i].end[1], true);
}

static void end_ring(void)
{
	int i, side;

	for (i = 0; i < iwsim.conns; i++)
		for (side = 0; side < 2; side++)
			iwsim_ring(&iwsim.conn[i].end[side]);
}

/* A responder may only send when an FPDU has come, which an initiator need not send by itself. */
static void end_begin(struct iwsim_connection *conn)
{
	struct iwsim_end *end = &conn->end[0];
	struct iwsim_op *op = NULL;
	int i;

	if (!conn->pair || !iwsim_is_up(end) || iwsim_state(&conn->end[1]) != IB_QPS_RTR)
		return;
	/* Other requests may use the memory that an attempt has chosen. */
	for (i = 0; i < END_ATTEMPTS && !op; i++)
		op = iwsim_op_new(end, IB_UVERBS_WR_RDMA_WRITE, 0, HCA_WQE_SIGNALED);
	if (op && iwsim_op_post(end, op))
		iwsim_ring(end);
}

/* Whether a FIN or a RST of a fault has taken place. */
static bool end_is_cut(const struct iwsim_connection *conn)
{
	const struct sim_stream *s = conn->pair->end;

	return s[0].carried == s[0].fin_at || s[0].carried == s[0].reset_at ||
	       s[1].carried == s[1].fin_at || s[1].carried == s[1].reset_at;
}

/* Whether the device of a queue pair of a process was removed, which ends its connection. */
static bool end_is_removed(const struct iwsim_connection *conn)
{
	int side;

	for (side = 0; side < 2; side++) {
		const struct iwsim_end *end = &conn->end[side];

		if (end->node->is_removed && end->qp && !end->qp->kernel)
			return true;
	}
	return false;
}

/* Whether the trouble of a connection ends it. */
static bool end_is_sure(const struct iwsim_connection *conn)
{
	return (conn->trouble & (IWSIM_T_MODIFY | IWSIM_T_DESTROY | IWSIM_T_REFUSED)) ||
	       ((conn->trouble & IWSIM_T_SPOILED) && iwsim_spoiler_is_sure(conn)) ||
	       end_is_cut(conn) || end_is_removed(conn);
}

/* A connection that nothing has troubled is established, and idle. */
static void end_check_up(struct iwsim_connection *conn)
{
	int side;

	for (side = 0; side < 2; side++) {
		struct iwsim_end *end = &conn->end[side];
		enum hca_endpoint_event event = side ? HCA_ENDPOINT_ESTABLISHED :
						       HCA_ENDPOINT_CONNECT_REPLY;

		if (!end->events[event] || !iwsim_is_up(end))
			sim_fail("node%d qp %06x: not established, but in state %s",
				 end->node->index, end->qpn, sim_state_name(iwsim_state(end)));
		iwsim_check_complete(end);
	}
}

static void end_check_over(const struct iwsim_connection *conn)
{
	int side;

	for (side = 0; side < 2; side++)
		if (!conn->end[side].is_over)
			sim_fail("node%d qp %06x: the end of the connection is not reported, state %s",
				 conn->end[side].node->index, conn->end[side].qpn,
				 sim_state_name(iwsim_state(&conn->end[side])));
}

static void end_check(struct iwsim_connection *conn)
{
	if (!conn->pair)
		return;
	if (!conn->trouble || (conn->trouble == IWSIM_T_STREAM && !end_is_cut(conn)))
		end_check_up(conn);
	else if (end_is_sure(conn))
		end_check_over(conn);
	if (conn->trouble == IWSIM_T_SPOILED && iwsim_spoiler_is_sure(conn))
		iwsim_spoiler_check(conn);
}

/* A consumer ends a connection, or its machine does. */
static void end_connection(struct iwsim_connection *conn)
{
	struct iwsim_end *end = &conn->end[sim_below(2)];
	u8 state = iwsim_state(end);

	if (!conn->pair || iwsim_is_over(conn))
		return;
	iwsim_trouble(conn, IWSIM_T_END);
	switch (sim_below(5)) {
	case 0:
		if (end->qp) {
			iwsim_qp_destroy(end);
			break;
		}
		/* fall through */
	case 1:
		sim_stream_reset_at(end->stream, end->stream->carried);
		break;
	case 2:
		if (state != IB_QPS_RESET) {
			iwsim_modify(end, IB_QPS_ERR);
			break;
		}
		/* fall through */
	case 3:
		sim_stream_fin_at(end->stream, end->stream->carried);
		break;
	default:
		if (state == IB_QPS_RTR || state == IB_QPS_RTS)
			iwsim_modify(end, sim_chance(1, 2) ? IB_QPS_SQD : IB_QPS_SQE);
		else
			sim_stream_reset_at(end->stream, end->stream->carried);
	}
}

static void end_check_state(const struct iwsim_end *end)
{
	u8 state = iwsim_state(end);
	bool idle = !end->events[HCA_ENDPOINT_ESTABLISHED] ||
		    end->node->rnic.options.idle_after_close;

	if (state != IB_QPS_ERR && !(state == IB_QPS_INIT && idle))
		sim_fail("node%d qp %06x: state %s after the connection", end->node->index,
			 end->qpn, sim_state_name(state));
}

/* A Terminate message of a removal alone says that all streams of the device end. */
static void end_check_removal(const struct iwsim_end *end)
{
	const struct hca_iwarp_qp *it = hca_iwarp_qp_of(end->qp);

	if (end->conn->trouble != IWSIM_T_REMOVE || (!end->is_initiator && !end->is_accepted) ||
	    (it->origin != HCA_TERMINATE_LOCAL && it->origin != HCA_TERMINATE_REMOTE))
		return;
	if (it->terminate.error != HCA_ERR_RDMAP_GLOBAL)
		sim_fail("node%d qp %06x: the Terminate message of a removal says %04x",
			 end->node->index, end->qpn, it->terminate.error);
}

void iwsim_conclude(struct iwsim_connection *conn)
{
	int side;

	for (side = 0; side < 2; side++) {
		struct iwsim_end *end = &conn->end[side];

		if (!end->qp)
			continue;
		iwsim_ring(end);
		end_check_state(end);
		end_check_removal(end);
		if (iwsim_modify(end, IB_QPS_ERR))
			sim_fail("node%d qp %06x: modify to Error fails", end->node->index,
				 end->qpn);
		shim_run_until_idle();
		iwsim_poll(end->node);
		if (end->with_srq && !end->qp_events[HCA_QP_LAST_WQE_REACHED])
			sim_fail("node%d qp %06x: the end of its use of the SRQ is not reported",
				 end->node->index, end->qpn);
	}
	iwsim_resolve(conn);
	iwsim_connection_free(conn);
}

void iwsim_end(void)
{
	int i, side;

	end_ring();
	for (i = 0; i < END_ROUNDS; i++) {
		iwsim_settle();
		end_answer();
	}
	for (i = 0; i < iwsim.conns; i++)
		end_begin(&iwsim.conn[i]);
	end_rest();
	for (i = 0; i < iwsim.conns; i++)
		end_check(&iwsim.conn[i]);
	for (i = 0; i < iwsim.conns; i++)
		end_connection(&iwsim.conn[i]);
	end_rest();
	for (i = 0; i < iwsim.conns; i++)
		if (iwsim.conn[i].pair) {
			end_check_over(&iwsim.conn[i]);
			iwsim_conclude(&iwsim.conn[i]);
		}
	for (i = 0; i < iwsim.conns; i++)
		for (side = 0; side < 2; side++)
			if (iwsim.conn[i].end[side].qp)
				iwsim_qp_destroy(&iwsim.conn[i].end[side]);
}
