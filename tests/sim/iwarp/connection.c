// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Connections: their queue pairs and endpoints, start-up, and the order of their events. */
#include <stdlib.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "tests/consumer/consumer.h"
#include "tests/sim/iwarp/iwsim.h"

#define REMOTE_RIGHTS (IB_UVERBS_ACCESS_REMOTE_WRITE | IB_UVERBS_ACCESS_REMOTE_READ)

static const char *const event_names[IWSIM_EVENTS] = {
	[HCA_ENDPOINT_CONNECT_REQUEST] = "CONNECT_REQUEST",
	[HCA_ENDPOINT_CONNECT_REPLY] = "CONNECT_REPLY",
	[HCA_ENDPOINT_ESTABLISHED] = "ESTABLISHED",
	[HCA_ENDPOINT_DISCONNECT] = "DISCONNECT",
	[HCA_ENDPOINT_CLOSE] = "CLOSE",
};

void iwsim_trouble(struct iwsim_connection *conn, u32 trouble)
{
	conn->trouble |= trouble;
	conn->troubles++;
}

u8 iwsim_state(const struct iwsim_end *end)
{
	return end->qp ? end->qp->common.state : IB_QPS_RESET;
}

bool iwsim_is_up(const struct iwsim_end *end)
{
	return end->qp && end->qp->common.state == IB_QPS_RTS;
}

bool iwsim_is_over(const struct iwsim_connection *conn)
{
	return conn->end[0].is_over && conn->end[1].is_over;
}

/* --- events */

static struct iwsim_end *connection_end_of(struct hca_endpoint *ep)
{
	int i;

	for (i = 0; i < iwsim.conns; i++)
		if (ep == iwsim.conn[i].end[0].ep || ep == iwsim.conn[i].end[1].ep)
			return &iwsim.conn[i].end[ep - iwsim.conn[i].ep];
	sim_fail("an endpoint that is not there reports an event");
}

/* Whether an event may follow those that an initiator has reported. */
static bool connection_initiator_may(const struct iwsim_end *end, enum hca_endpoint_event event)
{
	switch (event) {
	case HCA_ENDPOINT_CONNECT_REPLY:
		return !end->events[event] && !end->events[HCA_ENDPOINT_DISCONNECT];
	case HCA_ENDPOINT_DISCONNECT:
		return !end->events[event] && end->events[HCA_ENDPOINT_CONNECT_REPLY] &&
		       !end->ep->reply_status;
	case HCA_ENDPOINT_CLOSE:
		return end->events[HCA_ENDPOINT_CONNECT_REPLY];
	default:
		return false;
	}
}

static bool connection_responder_may(const struct iwsim_end *end, enum hca_endpoint_event event)
{
	switch (event) {
	case HCA_ENDPOINT_CONNECT_REQUEST:
		return !end->events[event];
	case HCA_ENDPOINT_ESTABLISHED:
		return !end->events[event] && end->may_be_accepted;
	case HCA_ENDPOINT_DISCONNECT:
		return !end->events[event] && end->events[HCA_ENDPOINT_ESTABLISHED];
	case HCA_ENDPOINT_CLOSE:
		return !end->is_accepted || end->events[HCA_ENDPOINT_ESTABLISHED];
	default:
		return false;
	}
}

/* The private data are those of the peer. */
static void connection_check_private(const struct iwsim_end *end)
{
	const struct hca_mpa_frame *frame = &end->ep->peer;

	if (frame->private_length != end->peer->connect.private_length ||
	    memcmp(frame->private_data, end->peer->private_data, frame->private_length))
		sim_fail("node%d: the private data are not those of the peer", end->node->index);
}

static void connection_check_event(const struct iwsim_end *end, enum hca_endpoint_event event)
{
	const struct hca_endpoint *ep = end->ep;
	bool ok = event == HCA_ENDPOINT_CONNECT_REPLY && !ep->reply_status;

	if (end->is_over || !(end->is_initiator ? connection_initiator_may(end, event) :
						  connection_responder_may(end, event)))
		sim_fail("node%d qp %06x: event %s comes in the wrong place", end->node->index,
			 end->qpn, event_names[event]);
	if (event == HCA_ENDPOINT_CONNECT_REQUEST || ok)
		connection_check_private(end);
	if (end->conn->trouble)
		return;
	if (event == HCA_ENDPOINT_DISCONNECT || event == HCA_ENDPOINT_CLOSE ||
	    (event == HCA_ENDPOINT_CONNECT_REPLY && ep->reply_status))
		sim_fail("node%d qp %06x: event %s without a cause", end->node->index, end->qpn,
			 event_names[event]);
}

static void connection_event(struct hca_endpoint *ep, enum hca_endpoint_event event)
{
	struct iwsim_end *end = connection_end_of(ep);

	sim_trace(end->node->index, "event qp %06x %s", end->qpn, event_names[event]);
	connection_check_event(end, event);
	end->events[event]++;
	if (event == HCA_ENDPOINT_CONNECT_REQUEST)
		end->is_answer_due = true;
	if (event != HCA_ENDPOINT_CLOSE)
		return;
	end->is_over = true;
	/* In Init, a queue pair uses its SRQ again. */
	if (iwsim_state(end) == IB_QPS_INIT)
		end->qp_events[HCA_QP_LAST_WQE_REACHED] = 0;
}

static struct iwsim_end *connection_end_of_qp(const struct hca_qp *qp)
{
	int i, side;

	for (i = 0; i < iwsim.conns; i++)
		for (side = 0; side < 2; side++)
			if (iwsim.conn[i].end[side].qp == qp)
				return &iwsim.conn[i].end[side];
	sim_fail("a queue pair that is not there reports an event");
}

/* The end of a stream is told by one event at most. */
void iwsim_qp_event(struct hca_qp *qp, enum hca_qp_event event)
{
	struct iwsim_end *end = connection_end_of_qp(qp);
	u32 *n = end->qp_events;

	sim_trace(end->node->index, "event qp %06x of the queue pair: %d", end->qpn, event);
	n[event]++;
	if (event == HCA_QP_LAST_WQE_REACHED ? n[event] > 1 || !end->with_srq :
	    n[HCA_QP_FATAL] + n[HCA_QP_ACCESS_ERROR] + n[HCA_QP_REQUEST_ERROR] > 1)
		sim_fail("node%d qp %06x: event %d is one too many", end->node->index, end->qpn,
			 event);
	if (!end->conn->trouble)
		sim_fail("node%d qp %06x: event %d without a cause", end->node->index, end->qpn,
			 event);
}

/* --- queue pairs */

static void connection_create_qp(struct iwsim_end *end)
{
	struct iwsim_node *node = end->node;
	int cqs[2] = { sim_below(IWSIM_CQS), sim_below(IWSIM_CQS) };
	struct hca_qp_init init = {
		.type = IB_QPT_RC,
		.max_send_wr = IWSIM_ENTRIES,
		.max_recv_wr = IWSIM_ENTRIES,
		.max_send_sge = IWSIM_SGES,
		.max_recv_sge = IWSIM_SGES,
		.max_inline = IWSIM_INLINE,
		.pd = node,
		.send_cq = &node->cq[cqs[0]],
		.recv_cq = &node->cq[cqs[1]],
		.owner = node,
		.cookie = sim.next_id++,
		.kernel = sim_chance(1, 3),
	};

	end->with_srq = node->has_srq && sim_chance(3, 4);
	init.srq = end->with_srq ? &node->srq : NULL;
	end->qp = consumer_create_qp(&node->rnic.ci, &init);
	if (IS_ERR(end->qp))
		sim_fail("no queue pair");
	end->qpn = end->qp->qpn;
	end->send_cq = init.send_cq;
	end->recv_cq = init.recv_cq;
}

int iwsim_modify(struct iwsim_end *end, enum ib_qp_state state)
{
	struct hca_qp_attr attr = { .state = state, .access = REMOTE_RIGHTS };
	int mask = IB_QP_STATE | (state == IB_QPS_INIT ? IB_QP_ACCESS_FLAGS : 0);

	sim_trace(end->node->index, "modify qp %06x to %s", end->qpn, sim_state_name(state));
	return hca_qp_modify(end->qp, &attr, mask);
}

static void connection_load(struct iwsim_end *end)
{
	struct iwsim_node *node = end->node;
	struct iwsim_recv *recv;
	struct iwsim_op *op;

	list_for_each_entry(op, &end->ops, in_flow) {
		if (op->is_done)
			continue;
		node->cq_load[end->send_cq - node->cq]--;
		op->is_done = true;
		op->status = IB_WC_WR_FLUSH_ERR;
	}
	list_for_each_entry(recv, &end->recvs, in_queue)
		node->cq_load[end->recv_cq - node->cq]--;
}

/* The request of an SRQ that was being filled has ended with its queue pair. */
static void connection_lose_recv(struct iwsim_end *end, u64 id)
{
	struct iwsim_recv *recv;
	int i;

	list_for_each_entry(recv, &end->node->srq_recvs, in_queue)
		if (recv->id == id)
			break;
	if (list_entry_is_head(recv, &end->node->srq_recvs, in_queue))
		return;
	end->node->srq_posted--;
	for (i = 0; i < IWSIM_CQS; i++)
		end->node->cq_load[i]--;
	list_move(&recv->in_queue, &end->recvs);
}

/* Completions in the CQs of a process stay, those in CQs of the kernel are removed. */
void iwsim_qp_destroy(struct iwsim_end *end)
{
	bool is_filling = end->with_srq && end->qp->recv.valid;
	u64 id = end->qp->recv.wr_id;

	sim_trace(end->node->index, "destroy qp %06x", end->qpn);
	iwsim_poll(end->node);
	hca_qp_destroy(end->qp);
	iwsim_poll(end->node);
	end->qp = NULL;
	connection_load(end);
	if (is_filling)
		connection_lose_recv(end, id);
}

/* A queue pair that has had a connection can have another one. */
static void connection_init_qp(struct iwsim_end *end)
{
	INIT_LIST_HEAD(&end->ops);
	INIT_LIST_HEAD(&end->recvs);
	if (!end->qp) {
		connection_create_qp(end);
	} else if (iwsim_modify(end, IB_QPS_RESET)) {
		sim_fail("node%d qp %06x: modify to Reset fails", end->node->index, end->qpn);
	}
	if (iwsim_modify(end, IB_QPS_INIT))
		sim_fail("node%d qp %06x: modify to Init fails", end->node->index, end->qpn);
}

/* --- connections */

static void connection_init_end(struct iwsim_connection *conn, int side)
{
	struct iwsim_end *end = &conn->end[side], old = *end;

	*end = (struct iwsim_end){
		.node = old.node, .qp = old.qp, .qpn = old.qpn, .send_cq = old.send_cq,
		.recv_cq = old.recv_cq, .with_srq = old.with_srq,
	};
	end->conn = conn;
	end->peer = &conn->end[!side];
	end->is_initiator = !side;
	end->ep = &conn->ep[side];
	end->stream = &conn->pair->end[side];
	connection_init_qp(end);
	hca_endpoint_init(end->ep, &end->node->rnic, &end->stream->stream, connection_event);
	end->connect.private_length = sim_below(sizeof(end->private_data));
	end->connect.private_data = end->private_data;
	sim_fill(end->private_data, sizeof(end->private_data));
	end->connect.ird = sim_below(5);
	end->connect.ord = sim_below(5);
}

/* A consumer of a device that was removed destroys its queue pair, and goes on elsewhere. */
static bool connection_choose_node(struct iwsim_end *end)
{
	int first = sim_below(iwsim.nodes), i;

	if (end->qp && end->node->is_removed)
		iwsim_qp_destroy(end);
	if (end->qp)
		return true;
	for (i = 0; i < iwsim.nodes; i++) {
		end->node = iwsim.node[(first + i) % iwsim.nodes];
		if (!end->node->is_removed)
			return true;
	}
	return false;
}

bool iwsim_connection_new(struct iwsim_connection *conn,
			  const struct sim_stream_options *options)
{
	int side;

	for (side = 0; side < 2; side++)
		if (!connection_choose_node(&conn->end[side]))
			return false;
	conn->pair = calloc(1, sizeof(*conn->pair));
	conn->ep = calloc(2, sizeof(*conn->ep));
	conn->trouble = 0;
	conn->troubles = 0;
	conn->spoiler = NULL;
	sim_stream_open(conn->pair, options);
	for (side = 0; side < 2; side++)
		connection_init_end(conn, side);
	return true;
}

void iwsim_connection_begin(struct iwsim_connection *conn)
{
	struct iwsim_end *end = &conn->end[0];
	int ret;

	sim_trace(end->node->index, "connect qp %06x with %06x of node%d", end->qpn,
		  end->peer->qpn, end->peer->node->index);
	hca_startup_listen(end->peer->ep);
	ret = hca_startup_connect(end->ep, hca_iwarp_qp_of(end->qp), &end->connect);
	if (ret)
		sim_fail("node%d: connect returns %d", end->node->index, ret);
}

/* Without negotiation, the limits of Reads are agreed by other means. */
static void connection_choose_limits(struct iwsim_end *end)
{
	if (end->ep->peer.enhanced)
		return;
	end->connect.ird = end->peer->connect.ord;
	end->connect.ord = end->peer->connect.ird;
}

void iwsim_connection_answer(struct iwsim_end *end, bool accept)
{
	int ret;

	end->is_answer_due = false;
	connection_choose_limits(end);
	if (accept && iwsim_state(end) == IB_QPS_INIT) {
		end->may_be_accepted = true;
		ret = hca_startup_accept(end->ep, hca_iwarp_qp_of(end->qp), &end->connect);
		end->is_accepted = !ret;
		end->may_be_accepted = !ret;
	} else {
		iwsim_trouble(end->conn, IWSIM_T_REFUSED);
		ret = hca_startup_reject(end->ep, &end->connect);
	}
	sim_trace(end->node->index, "%s qp %06x: %d", end->is_accepted ? "accept" : "reject",
		  end->qpn, ret);
	if (end->is_over && !end->is_accepted != !end->events[HCA_ENDPOINT_ESTABLISHED])
		sim_fail("node%d qp %06x: the result of the accept is not reported",
			 end->node->index, end->qpn);
	/* The endpoint ends with its device. */
	if (ret == -EINVAL && end->node->is_removed)
		return;
	if (ret && (ret != -ECONNRESET || !end->conn->trouble))
		sim_fail("node%d: the answer to a request returns %d", end->node->index, ret);
}

void iwsim_connection_free(struct iwsim_connection *conn)
{
	int side;

	for (side = 0; side < 2; side++) {
		iwsim_key_free(&conn->end[side].grant);
		hca_endpoint_destroy(&conn->ep[side]);
		conn->end[side].ep = NULL;
	}
	shim_run_until_idle();
	sim_stream_free(conn->pair);
	free(conn->pair);
	free(conn->ep);
	conn->pair = NULL;
}

void iwsim_remove(struct iwsim_node *node)
{
	int i, side;

	sim_trace(node->index, "its device is removed");
	for (i = 0; i < iwsim.conns; i++)
		for (side = 0; side < 2; side++)
			if (iwsim.conn[i].pair && iwsim.conn[i].end[side].node == node)
				iwsim_trouble(&iwsim.conn[i], IWSIM_T_REMOVE);
	node->is_removed = true;
	hca_rnic_fail(&node->rnic);
}

void iwsim_check_reads(struct iwsim_end *end)
{
	const struct hca_requester *requester;

	if (!iwsim_is_up(end))
		return;
	requester = &hca_iwarp_qp_of(end->qp)->requester;
	if (requester->reads > end->reads && requester->reads > end->ord &&
	    !requester->is_rtr_read && end->ord)
		sim_fail("node%d qp %06x: %u Reads, though ORD is %u", end->node->index, end->qpn,
			 requester->reads, end->ord);
	end->reads = requester->reads;
	end->ord = requester->ord;
}
