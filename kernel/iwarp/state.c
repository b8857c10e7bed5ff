// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The states of a queue pair, and what each event of its stream does in them. */
#include "iwarp/state.h"
#include <linux/kernel.h>

/* Requests can be posted in each state but Reset. Those that are not processed are flushed. */
#define POSTS .post_send = true, .post_recv = true

const struct hca_state_kind hca_iwarp_states[HCA_NUM_QPS] = {
	[IB_QPS_INIT] = { POSTS },
	[IB_QPS_RTR] = { POSTS, .by_carrier = true },
	[IB_QPS_RTS] = { POSTS, .fetches = true, .sends = true, .by_carrier = true },
	[IB_QPS_SQD] = { POSTS, .flush_recvs = true, .by_carrier = true },
	[IB_QPS_SQE] = { POSTS, .flush_sends = true, .flush_recvs = true },
	[IB_QPS_ERR] = { POSTS, .flush_sends = true, .flush_recvs = true },
};

/* Actions of a rule, beside the bits of enum hca_ending. */
#define STATE_FATAL 0x100 /* report HCA_QP_FATAL */
#define STATE_FATAL_ONCE 0x200 /* the same, unless an event has told of the end */
#define STATE_DISCONNECT 0x400 /* tell the connection manager that the peer closes */
#define STATE_RULE 0x800 /* there is a rule */

#define STAY IB_QPS_RESET /* in place of the next state */
#define GRACEFUL IB_QPS_INIT /* the state after a close without errors */

#define RULE(next, does) { next, STATE_RULE | (does) }

struct hca_iwarp_rule {
	u8 next; /* enum ib_qp_state, or STAY */
	u16 does; /* 0: the event means nothing in the state */
};

/* Rules of RTR and of RTS. */
#define CONNECTED_RULES { \
	[HCA_IWARP_TERMINATE] = RULE(IB_QPS_SQE, STATE_FATAL), \
	[HCA_IWARP_FAILED] = RULE(IB_QPS_SQE, 0), \
	[HCA_IWARP_PEER_CLOSED] = RULE(IB_QPS_SQD, STATE_DISCONNECT), \
	[HCA_IWARP_CLOSED] = RULE(IB_QPS_ERR, STATE_FATAL_ONCE), \
	[HCA_IWARP_LOST] = RULE(IB_QPS_ERR, STATE_FATAL_ONCE), \
	[HCA_IWARP_EXPIRED] = RULE(STAY, HCA_END_RESET), \
}

/* RDMA verbs, figures 8 to 11 (req R0-165, R0-177, R0-186, R0-197). */
static const struct hca_iwarp_rule state_rules[HCA_NUM_QPS][HCA_IWARP_EVENTS] = {
	[IB_QPS_RTR] = CONNECTED_RULES,
	[IB_QPS_RTS] = CONNECTED_RULES,
	[IB_QPS_SQD] = {
		[HCA_IWARP_ENTERED] = RULE(STAY, HCA_END_CLOSE),
		[HCA_IWARP_BUSY] = RULE(STAY, HCA_END_RESET),
		[HCA_IWARP_SEGMENT] = RULE(STAY, HCA_END_RESET),
		[HCA_IWARP_TERMINATE] = RULE(STAY, HCA_END_RESET),
		[HCA_IWARP_FAILED] = RULE(STAY, HCA_END_RESET),
		[HCA_IWARP_CLOSED] = RULE(GRACEFUL, 0),
		[HCA_IWARP_LOST] = RULE(IB_QPS_ERR, STATE_FATAL_ONCE),
		[HCA_IWARP_EXPIRED] = RULE(STAY, HCA_END_RESET),
	},
	[IB_QPS_SQE] = {
		[HCA_IWARP_ENTERED] = RULE(STAY, HCA_END_TERMINATE | HCA_END_CLOSE),
		[HCA_IWARP_CLOSED] = RULE(IB_QPS_ERR, 0),
		[HCA_IWARP_LOST] = RULE(IB_QPS_ERR, STATE_FATAL_ONCE),
		[HCA_IWARP_EXPIRED] = RULE(STAY, HCA_END_RESET),
	},
	[IB_QPS_ERR] = {
		[HCA_IWARP_ENTERED] = RULE(STAY, HCA_END_TERMINATE | HCA_END_CLOSE),
		[HCA_IWARP_CLOSED] = RULE(STAY, 0),
		[HCA_IWARP_LOST] = RULE(STAY, 0),
		[HCA_IWARP_EXPIRED] = RULE(STAY, HCA_END_RESET),
	},
};

void hca_state_set(struct hca_iwarp_qp *it, enum ib_qp_state state)
{
	spin_lock(&it->qp.common.recv_lock);
	/* An error of a receive request may have set Error meanwhile, which nothing undoes. */
	if (it->qp.common.state != IB_QPS_ERR || state == IB_QPS_INIT)
		WRITE_ONCE(it->qp.common.state, state);
	if (state == IB_QPS_INIT)
		it->qp.last_wqe_reached = false;
	spin_unlock(&it->qp.common.recv_lock);
	hca_qp_kick(&it->qp);
}

bool hca_state_receives(const struct hca_iwarp_qp *it)
{
	u8 state = READ_ONCE(it->qp.common.state);

	return !(it->ending & (HCA_END_RESET | HCA_END_ABORTED)) &&
	       (state == IB_QPS_RTR || state == IB_QPS_RTS || state == IB_QPS_SQD);
}

/*
 * Return: the state after a close without errors. The RDMA verbs have Idle (req R0-196); programs
 * for Linux expect Error, as they know it from other drivers.
 */
static enum ib_qp_state state_after_close(const struct hca_iwarp_qp *it)
{
	return it->options.idle_after_close ? IB_QPS_INIT : IB_QPS_ERR;
}

static void state_raise(struct hca_iwarp_qp *it, u16 does)
{
	if ((does & STATE_FATAL) || ((does & STATE_FATAL_ONCE) && !it->is_notified)) {
		hca_qp_common_raise(&it->qp.common, HCA_QP_FATAL);
		it->is_notified = true;
	}
	if (does & STATE_DISCONNECT)
		hca_endpoint_raise(it->ep, HCA_ENDPOINT_DISCONNECT);
}

/*
 * Note what is to be done to the stream. A reset takes the place of all the rest. It takes that of
 * a Terminate message as well if the first FPDU has not come, before which a responder sends none
 * (RFC 5044, 7.1.2).
 */
static void state_end(struct hca_iwarp_qp *it, u16 does)
{
	it->ending |= does & (HCA_END_RESET | HCA_END_TERMINATE | HCA_END_CLOSE);
	if (it->origin != HCA_TERMINATE_UNSENT)
		it->ending &= ~HCA_END_TERMINATE;
	if ((it->ending & HCA_END_TERMINATE) && it->ep->state == HCA_STARTUP_REP_SENT)
		it->ending |= HCA_END_RESET;
	if (it->ending & HCA_END_RESET)
		it->ending &= ~(HCA_END_TERMINATE | HCA_END_CLOSE);
}

void hca_state_event(struct hca_iwarp_qp *it, enum hca_iwarp_event event)
{
	const struct hca_iwarp_rule *rule = &state_rules[it->qp.common.state][event];
	enum ib_qp_state next = rule->next;

	if (!(rule->does & STATE_RULE))
		return;
	if (next == GRACEFUL)
		next = state_after_close(it);
	state_raise(it, rule->does);
	state_end(it, rule->does);
	if (next != STAY)
		hca_state_set(it, next);
}
