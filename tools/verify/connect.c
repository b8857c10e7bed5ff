// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Creates the objects of an iteration, and moves its queue pairs to Ready To Send. */
#include <errno.h>
#include <string.h>
#include "iteration.h"
#include "outcome.h"

#define RNR_TIMER 1 /* timer code of 10 us */
/*
 * Number of completion queue entries beyond the expected ones, so that excess completions are seen.
 */
#define MORE_ENTRIES 16

/* Returns whether @error is one that drivers return for an unsupported operation. */
static bool is_lack(int error)
{
	return error == EOPNOTSUPP || error == ENOSYS || error == ENOTSUP;
}

static bool not_made(const struct iteration *iteration, const struct end *end, const char *what)
{
	int error = errno;

	if (is_lack(error))
		return lacking(OUTCOME_NO_SERVICE, "%s: %s: %s", end->name, what,
			       error_name(error));
	return wrong("%s: %s (%u connections, depth %u, %u segments): %s", end->label, what,
		     iteration->shape.connections, iteration->task->options->depth,
		     iteration->shape.max_sge, error_name(error));
}

/* --- completion queues and shared receive queues ------------------------------------------- */

static unsigned int receives_at_a_time(const struct iteration *iteration)
{
	return iteration->task->options->depth;
}

static bool open_srq(struct iteration *iteration, struct cq_set *cq_set, struct end *end,
		     struct ibv_srq **srq)
{
	struct ibv_srq_init_attr init = {
		.attr = {
			.max_wr = receives_at_a_time(iteration) * iteration->shape.connections,
			.max_sge = iteration->shape.max_sge,
		},
	};

	if (!end->attr.max_srq)
		return lacking(OUTCOME_NO_SERVICE, "%s has no shared receive queues", end->name);
	*srq = is_xrc(iteration) ? xrc_create_srq(end, cq_set, &init.attr) :
				   ibv_create_srq(end->pd, &init);
	return *srq || not_made(iteration, end, "create_srq");
}

static bool open_xrc(struct iteration *iteration, struct cq_set *cq_set, struct end *end)
{
	cq_set->xrcd = xrc_open_domain(end);
	if (!cq_set->xrcd)
		return not_made(iteration, end, "open_xrcd");
	return open_srq(iteration, cq_set, end, &cq_set->srq[1]);
}

static bool open_cq_set(struct iteration *iteration, struct cq_set *cq_set, struct end *end)
{
	int entries = iteration->shape.connections * iteration->task->options->depth + MORE_ENTRIES;

	cq_set->channel = ibv_create_comp_channel(end->context);
	if (!cq_set->channel)
		return not_made(iteration, end, "create_comp_channel");
	cq_set->send_cq = ibv_create_cq(end->context, entries, NULL, cq_set->channel, 0);
	if (!cq_set->send_cq)
		return not_made(iteration, end, "create_cq");
	cq_set->recv_cq = ibv_create_cq(end->context, entries, NULL, cq_set->channel, 0);
	if (!cq_set->recv_cq)
		return not_made(iteration, end, "create_cq");
	if (is_xrc(iteration) && !open_xrc(iteration, cq_set, end))
		return false;
	return !(iteration->task->service->flags & SERVICE_SRQ) ||
	       open_srq(iteration, cq_set, end, &cq_set->srq[0]);
}

static void close_cq_set(struct cq_set *cq_set)
{
	int i;

	for (i = 0; i < SRQS; i++)
		if (cq_set->srq[i] && ibv_destroy_srq(cq_set->srq[i]))
			wrong("destroy_srq: %s", error_name(errno));
	if (cq_set->xrcd && ibv_close_xrcd(cq_set->xrcd))
		wrong("close_xrcd: %s", error_name(errno));
	if (cq_set->recv_cq && ibv_destroy_cq(cq_set->recv_cq))
		wrong("destroy_cq: %s", error_name(errno));
	if (cq_set->send_cq && ibv_destroy_cq(cq_set->send_cq))
		wrong("destroy_cq: %s", error_name(errno));
	if (cq_set->channel && ibv_destroy_comp_channel(cq_set->channel))
		wrong("destroy_comp_channel: %s", error_name(errno));
}

/* --- queue pairs --------------------------------------------------------------------------- */

static struct cq_set *cq_set_of(struct iteration *iteration, const struct end *end)
{
	return &iteration->cq_sets[end - iteration->task->ends];
}

static struct ibv_qp_init_attr qp_init(struct iteration *iteration, const struct end *end)
{
	struct cq_set *cq_set = cq_set_of(iteration, end);
	bool is_shared = cq_set->srq[0];

	return (struct ibv_qp_init_attr){
		.send_cq = cq_set->send_cq,
		.recv_cq = is_xrc(iteration) ? NULL : cq_set->recv_cq,
		.srq = is_xrc(iteration) ? NULL : cq_set->srq[0],
		.cap = {
			.max_send_wr = iteration->task->options->depth,
			.max_recv_wr = is_shared ? 0 : receives_at_a_time(iteration),
			.max_send_sge = iteration->shape.max_sge,
			.max_recv_sge = is_shared ? 0 : iteration->shape.max_sge,
			.max_inline_data = iteration->shape.max_inline,
		},
		.qp_type = iteration->task->service->type,
		.sq_sig_all = iteration->shape.signal_all,
	};
}

static struct ibv_qp *create_qp(struct iteration *iteration, struct end *end)
{
	struct ibv_qp_init_attr init = qp_init(iteration, end);
	struct ibv_qp *qp = ibv_create_qp(end->pd, &init);

	if (!qp)
		not_made(iteration, end, "create_qp");
	return qp;
}

static struct ibv_qp *create_recv_qp(struct iteration *iteration, struct end *end)
{
	struct ibv_qp *qp = xrc_create_recv_qp(end, cq_set_of(iteration, end));

	if (!qp)
		not_made(iteration, end, "create_qp_ex of a target");
	return qp;
}

/*
 * Sets the queue pair that receives @flow, and the QP and SRQ of the flow's receive queues. The
 * receiving queue pair is a new target for XRC. Otherwise it is the queue pair that sends @other.
 */
static bool set_peer(struct iteration *iteration, struct flow *flow, const struct flow *other)
{
	int i;

	flow->peer = is_xrc(iteration) ? create_recv_qp(iteration, flow->to) : other->qp;
	for (i = 0; i < SRQS && flow->rq[i]; i++) {
		flow->rq[i]->qp = flow->peer;
		flow->rq[i]->srq = cq_set_of(iteration, flow->to)->srq[i];
		if (is_xrc(iteration) && ibv_get_srq_num(flow->rq[i]->srq, &flow->rq[i]->srq_num))
			return wrong("%s: get_srq_num fails", flow->to->label);
	}
	return flow->peer;
}

/* Creates the queue pairs of a connection. A connection has two flows, one in each direction. */
static bool create_pair(struct iteration *iteration, struct flow *there, struct flow *back)
{
	there->qp = create_qp(iteration, there->from);
	if (!there->qp)
		return false;
	back->qp = create_qp(iteration, back->from);
	return back->qp && set_peer(iteration, there, back) && set_peer(iteration, back, there);
}

/* Creates the queue pairs of a connection, and connects them. */
static bool connect_pair(struct iteration *iteration, struct flow *there, struct flow *back)
{
	const struct ibv_qp_init_attr inits[2] = {
		qp_init(iteration, there->from), qp_init(iteration, back->from),
	};

	return cm_connect(iteration, there, back, inits) && set_peer(iteration, there, back) &&
	       set_peer(iteration, back, there);
}

static struct ibv_ah_attr connect_path(const struct iteration *iteration, const struct flow *flow,
				       bool is_global)
{
	bool is_group = iteration->task->service->flags & SERVICE_MULTICAST;
	struct ibv_ah_attr attr = {
		.dlid = is_group ? iteration->group_lid : flow->to->port.lid,
		.port_num = flow->from->port_num,
	};

	if (is_global)
		grh_fill(&attr, flow->from, is_group ? &iteration->group : &flow->to->gid);
	return attr;
}

static int to_init(const struct iteration *iteration, const struct flow *flow)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = flow->from->port_num,
		.qkey = QKEY,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE,
	};

	if (is_reliable(iteration)) {
		attr.qp_access_flags |= IBV_ACCESS_REMOTE_READ;
		if (end_has_atomics(flow->from))
			attr.qp_access_flags |= IBV_ACCESS_REMOTE_ATOMIC;
	}
	return ibv_modify_qp(flow->qp, &attr,
			     IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
				     (is_datagram(iteration) ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS));
}

static enum ibv_mtu mtu_code(uint32_t octets)
{
	int code = IBV_MTU_256;

	while (128u << code < octets)
		code++;
	return code;
}

static int to_rtr(const struct iteration *iteration, const struct flow *flow)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = mtu_code(iteration->shape.mtu),
		.dest_qp_num = flow->peer->qp_num,
		.rq_psn = iteration->shape.psn,
		.max_dest_rd_atomic = iteration->shape.reads,
		.min_rnr_timer = RNR_TIMER,
	};
	int mask = IBV_QP_STATE;

	if (!is_datagram(iteration)) {
		attr.ah_attr = connect_path(iteration, flow, iteration->shape.grh);
		mask |= IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
	}
	if (is_reliable(iteration) && flow->qp->qp_type != IBV_QPT_XRC_SEND)
		mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
	return ibv_modify_qp(flow->qp, &attr, mask);
}

static int to_rts(const struct iteration *iteration, const struct flow *flow)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTS,
		.sq_psn = iteration->shape.psn,
		.timeout = iteration->task->options->ack_timeout,
		.retry_cnt = retries_of(iteration),
		.rnr_retry = retries_of(iteration),
		.max_rd_atomic = iteration->shape.reads,
	};
	int mask = IBV_QP_STATE | IBV_QP_SQ_PSN;

	if (is_reliable(iteration))
		mask |= IBV_QP_TIMEOUT;
	if (is_reliable(iteration) && flow->qp->qp_type != IBV_QPT_XRC_RECV)
		mask |= IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
	return ibv_modify_qp(flow->qp, &attr, mask);
}

static const struct step {
	const char *name;
	int (*modify)(const struct iteration *iteration, const struct flow *flow);
} steps[] = {
	{ "Init", to_init },
	{ "Ready To Receive", to_rtr },
	{ "Ready To Send", to_rts },
};

static bool modify_send_qp(const struct iteration *iteration, const struct flow *flow,
			   const struct step *step)
{
	int error = step->modify(iteration, flow);

	return !error || wrong("%s: modify_qp to %s: %s", flow->from->label, step->name,
			       error_name(error));
}

/*
 * Modifies the XRC target of @flow. A temporary flow in the opposite direction has the target as
 * its sending queue pair.
 */
static bool modify_recv_qp(const struct iteration *iteration, const struct flow *flow,
			   const struct step *step)
{
	const struct flow back = {
		.from = flow->to,
		.to = flow->from,
		.qp = flow->peer,
		.peer = flow->qp,
	};

	return modify_send_qp(iteration, &back, step);
}

static bool modify_all(struct iteration *iteration)
{
	const struct step *step;
	const struct flow *flow;

	for (step = steps; step < steps + sizeof(steps) / sizeof(steps[0]); step++)
		for (flow = iteration->flows; flow < iteration->flows + iteration->num_flows;
		     flow++)
			if (!modify_send_qp(iteration, flow, step) ||
			    (is_xrc(iteration) && !modify_recv_qp(iteration, flow, step)))
				return false;
	return true;
}

/* --- datagrams ----------------------------------------------------------------------------- */

static bool create_paths(struct iteration *iteration, struct flow *flow)
{
	bool only_global = flow->from->is_ethernet ||
			   iteration->task->service->flags & SERVICE_MULTICAST;
	struct ibv_ah_attr attr;
	int i;

	for (i = only_global; i < 2; i++) {
		attr = connect_path(iteration, flow, i);
		flow->ah[i] = ibv_create_ah(flow->from->pd, &attr);
		if (!flow->ah[i])
			return not_made(iteration, flow->from, "create_ah");
	}
	return true;
}

/*
 * Sets the multicast group, whose address is unlikely to be in use: an IPv4 group if the ports are
 * RoCE ports with IPv4 addresses, otherwise a transient, link-local MGID.
 */
static void choose_group(struct iteration *iteration)
{
	static const uint8_t mapped[16] = { [10] = 0xff, 0xff, 239, 'h', 'c', 'a' };
	static const uint8_t native[16] = { 0xff, 0x12, 0x40, 0x1b, [12] = 'h', 'c', 'a', 'v' };
	const struct end *end = &iteration->task->ends[0];
	bool is_ipv4 = end->is_ethernet && !memcmp(end->gid.raw, mapped, 12);

	memcpy(iteration->group.raw, is_ipv4 ? mapped : native, sizeof(iteration->group.raw));
	iteration->group_lid = end->is_ethernet ? 0 : 0xc0de;
}

static bool connect_attach(struct iteration *iteration)
{
	struct flow *flow;
	int error;

	for (flow = iteration->flows; flow < iteration->flows + iteration->num_flows; flow += 2) {
		error = ibv_attach_mcast(flow->peer, &iteration->group, iteration->group_lid);
		if (is_lack(error))
			return lacking(OUTCOME_NO_SERVICE, "%s: attach_mcast: %s", flow->to->name,
				       error_name(error));
		if (error)
			return wrong("%s: attach_mcast: %s", flow->to->label, error_name(error));
		iteration->attached++;
	}
	return true;
}

static void connect_detach(struct iteration *iteration)
{
	for (; iteration->attached; iteration->attached--)
		if (ibv_detach_mcast(iteration->flows[2 * (iteration->attached - 1)].peer,
				     &iteration->group, iteration->group_lid))
			wrong("detach_mcast fails");
}

/* --- all objects --------------------------------------------------------------------------- */

bool iteration_connect(struct iteration *iteration)
{
	struct end *ends = iteration->task->ends;
	unsigned int i;

	choose_group(iteration);
	for (i = 0; i < 2; i++)
		if (!open_cq_set(iteration, &iteration->cq_sets[i], &ends[i]))
			return false;
	for (i = 0; i < iteration->num_flows; i += 2) {
		struct flow *there = &iteration->flows[i], *back = there + 1;

		if (!(is_by_cm(iteration) ? connect_pair(iteration, there, back) :
					    create_pair(iteration, there, back)))
			return false;
	}
	if (!is_by_cm(iteration) && !modify_all(iteration))
		return false;
	for (i = 0; is_datagram(iteration) && i < iteration->num_flows; i++)
		if (!create_paths(iteration, &iteration->flows[i]))
			return false;
	return !(iteration->task->service->flags & SERVICE_MULTICAST) || connect_attach(iteration);
}

static void destroy_qp(const struct end *end, struct ibv_qp *qp)
{
	int error = qp ? ibv_destroy_qp(qp) : 0;

	if (error)
		wrong("%s: destroy_qp: %s", end->label, error_name(error));
}

static void disconnect_flow(const struct iteration *iteration, struct flow *flow)
{
	int i;

	for (i = 0; i < 2; i++)
		if (flow->ah[i] && ibv_destroy_ah(flow->ah[i]))
			wrong("%s: destroy_ah fails", flow->from->label);
	if (flow->id)
		cm_disconnect(flow);
	destroy_qp(flow->from, flow->qp);
	if (flow->id)
		cm_close(flow);
	if (is_xrc(iteration))
		destroy_qp(flow->to, flow->peer);
}

void iteration_disconnect(struct iteration *iteration)
{
	unsigned int i;

	connect_detach(iteration);
	for (i = 0; i < iteration->num_flows; i++)
		disconnect_flow(iteration, &iteration->flows[i]);
	for (i = 0; i < 2; i++)
		close_cq_set(&iteration->cq_sets[i]);
}
