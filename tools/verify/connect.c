// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The objects of a round, and its queue pairs up to Ready To Send. */
#include <errno.h>
#include <string.h>
#include "round.h"
#include "verdict.h"

#define ACK_TIMEOUT 14 /* 67 ms */
#define RETRIES 7
#define FEW_RETRIES 2 /* when they are to be exceeded */
#define RNR_FOR_EVER 7
#define RNR_TIMER 1 /* 10 us */
#define MORE_ENTRIES 16 /* of completion queues, for what is too many to be seen */

/* What drivers answer when they do not know of such a thing. */
static bool is_lack(int error)
{
	return error == EOPNOTSUPP || error == ENOSYS || error == ENOTSUP;
}

static bool not_made(const struct round *round, const struct end *end, const char *what)
{
	int error = errno;

	if (is_lack(error))
		return lacking(VERDICT_NO_SERVICE, "%s: %s: %s", end->name, what,
			       error_name(error));
	return wrong("%s: %s (%u connections, depth %u, %u pieces): %s", end->label, what,
		     round->shape.connections, round->task->options->depth, round->shape.max_sge,
		     error_name(error));
}

/* --- completion queues and shared receive queues ------------------------------------------ */

static unsigned int receives_at_a_time(const struct round *round)
{
	return round->task->options->depth;
}

static bool open_srq(struct round *round, struct desk *desk, struct end *end)
{
	struct ibv_srq_init_attr init = {
		.attr = {
			.max_wr = receives_at_a_time(round) * round->shape.connections,
			.max_sge = round->shape.max_sge,
		},
	};

	if (!end->attr.max_srq)
		return lacking(VERDICT_NO_SERVICE, "%s has no shared receive queues", end->name);
	desk->srq = ibv_create_srq(end->pd, &init);
	return desk->srq || not_made(round, end, "create_srq");
}

static bool open_desk(struct round *round, struct desk *desk, struct end *end)
{
	int entries = round->shape.connections * round->task->options->depth + MORE_ENTRIES;

	desk->channel = ibv_create_comp_channel(end->context);
	if (!desk->channel)
		return not_made(round, end, "create_comp_channel");
	desk->send_cq = ibv_create_cq(end->context, entries, NULL, desk->channel, 0);
	if (!desk->send_cq)
		return not_made(round, end, "create_cq");
	desk->recv_cq = ibv_create_cq(end->context, entries, NULL, desk->channel, 0);
	if (!desk->recv_cq)
		return not_made(round, end, "create_cq");
	return !(round->task->service->flags & SERVICE_SRQ) || open_srq(round, desk, end);
}

static void close_desk(struct desk *desk)
{
	if (desk->srq && ibv_destroy_srq(desk->srq))
		wrong("destroy_srq: %s", error_name(errno));
	if (desk->recv_cq && ibv_destroy_cq(desk->recv_cq))
		wrong("destroy_cq: %s", error_name(errno));
	if (desk->send_cq && ibv_destroy_cq(desk->send_cq))
		wrong("destroy_cq: %s", error_name(errno));
	if (desk->channel && ibv_destroy_comp_channel(desk->channel))
		wrong("destroy_comp_channel: %s", error_name(errno));
}

/* --- queue pairs -------------------------------------------------------------------------- */

static struct desk *desk_of(struct round *round, const struct end *end)
{
	return &round->desks[end - round->task->ends];
}

static struct ibv_qp *create_qp(struct round *round, struct end *end)
{
	struct desk *desk = desk_of(round, end);
	struct ibv_qp_init_attr init = {
		.send_cq = desk->send_cq,
		.recv_cq = desk->recv_cq,
		.srq = desk->srq,
		.cap = {
			.max_send_wr = round->task->options->depth,
			.max_recv_wr = desk->srq ? 0 : receives_at_a_time(round),
			.max_send_sge = round->shape.max_sge,
			.max_recv_sge = desk->srq ? 0 : round->shape.max_sge,
			.max_inline_data = round->shape.max_inline,
		},
		.qp_type = round->task->service->type,
		.sq_sig_all = round->shape.signal_all,
	};
	struct ibv_qp *qp = ibv_create_qp(end->pd, &init);

	if (!qp)
		not_made(round, end, "create_qp");
	return qp;
}

/* One connection is two lanes: what is one's end is the other's peer. */
static bool create_pair(struct round *round, struct lane *there, struct lane *back)
{
	there->qp = back->peer = create_qp(round, there->from);
	if (!there->qp)
		return false;
	back->qp = there->peer = create_qp(round, back->from);
	if (!back->qp)
		return false;
	there->inbox->qp = there->peer;
	back->inbox->qp = back->peer;
	there->inbox->srq = desk_of(round, there->to)->srq;
	back->inbox->srq = desk_of(round, back->to)->srq;
	return true;
}

static struct ibv_ah_attr path(const struct round *round, const struct lane *lane, bool is_global)
{
	bool is_group = round->task->service->flags & SERVICE_MULTICAST;
	struct ibv_ah_attr attr = {
		.dlid = is_group ? round->group_lid : lane->to->port.lid,
		.port_num = lane->from->port_num,
	};

	if (is_global)
		grh_fill(&attr, lane->from, is_group ? &round->group : &lane->to->gid);
	return attr;
}

static int to_init(const struct round *round, const struct lane *lane)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = lane->from->port_num,
		.qkey = QKEY,
		.qp_access_flags = IBV_ACCESS_REMOTE_WRITE,
	};

	if (is_reliable(round)) {
		attr.qp_access_flags |= IBV_ACCESS_REMOTE_READ;
		if (end_has_atomics(lane->from))
			attr.qp_access_flags |= IBV_ACCESS_REMOTE_ATOMIC;
	}
	return ibv_modify_qp(lane->qp, &attr,
			     IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
				     (is_datagram(round) ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS));
}

static enum ibv_mtu mtu_code(uint32_t octets)
{
	int code = IBV_MTU_256;

	while (128u << code < octets)
		code++;
	return code;
}

static int to_rtr(const struct round *round, const struct lane *lane)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = mtu_code(round->shape.mtu),
		.dest_qp_num = lane->peer->qp_num,
		.rq_psn = round->shape.psn,
		.max_dest_rd_atomic = round->shape.reads,
		.min_rnr_timer = RNR_TIMER,
	};
	int mask = IBV_QP_STATE;

	if (!is_datagram(round)) {
		attr.ah_attr = path(round, lane, round->shape.grh);
		mask |= IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
	}
	if (is_reliable(round))
		mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
	return ibv_modify_qp(lane->qp, &attr, mask);
}

static int to_rts(const struct round *round, const struct lane *lane)
{
	bool must_fail = expected_status(round);
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTS,
		.sq_psn = round->shape.psn,
		.timeout = ACK_TIMEOUT,
		.retry_cnt = must_fail ? FEW_RETRIES : RETRIES,
		.rnr_retry = must_fail ? FEW_RETRIES : RNR_FOR_EVER,
		.max_rd_atomic = round->shape.reads,
	};
	int mask = IBV_QP_STATE | IBV_QP_SQ_PSN;

	if (is_reliable(round))
		mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
			IBV_QP_MAX_QP_RD_ATOMIC;
	return ibv_modify_qp(lane->qp, &attr, mask);
}

static const struct step {
	const char *name;
	int (*take)(const struct round *round, const struct lane *lane);
} steps[] = {
	{ "Init", to_init },
	{ "Ready To Receive", to_rtr },
	{ "Ready To Send", to_rts },
};

static bool take_steps(struct round *round)
{
	unsigned int i, lane;
	int error;

	for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		for (lane = 0; lane < round->num_lanes; lane++) {
			error = steps[i].take(round, &round->lanes[lane]);
			if (error)
				return wrong("%s: modify_qp to %s: %s",
					     round->lanes[lane].from->label, steps[i].name,
					     error_name(error));
		}
	}
	return true;
}

/* --- datagrams ---------------------------------------------------------------------------- */

static bool create_paths(struct round *round, struct lane *lane)
{
	bool only_global = lane->from->is_ethernet ||
			   round->task->service->flags & SERVICE_MULTICAST;
	struct ibv_ah_attr attr;
	int i;

	for (i = only_global; i < 2; i++) {
		attr = path(round, lane, i);
		lane->ah[i] = ibv_create_ah(lane->from->pd, &attr);
		if (!lane->ah[i])
			return not_made(round, lane->from, "create_ah");
	}
	return true;
}

/*
 * A group that nobody else will be in: transient, of this link. Behind RoCE it is one of IPv4, if
 * the ports are.
 */
static void choose_group(struct round *round)
{
	static const uint8_t mapped[16] = { [10] = 0xff, 0xff, 239, 'h', 'c', 'a' };
	static const uint8_t native[16] = { 0xff, 0x12, 0x40, 0x1b, [12] = 'h', 'c', 'a', 'v' };
	const struct end *end = &round->task->ends[0];
	bool is_ipv4 = end->is_ethernet && !memcmp(end->gid.raw, mapped, 12);

	memcpy(round->group.raw, is_ipv4 ? mapped : native, sizeof(round->group.raw));
	round->group_lid = end->is_ethernet ? 0 : 0xc0de;
}

static bool attach(struct round *round)
{
	struct lane *lane;
	int error;

	for (lane = round->lanes; lane < round->lanes + round->num_lanes; lane += 2) {
		error = ibv_attach_mcast(lane->peer, &round->group, round->group_lid);
		if (is_lack(error))
			return lacking(VERDICT_NO_SERVICE, "%s: attach_mcast: %s", lane->to->name,
				       error_name(error));
		if (error)
			return wrong("%s: attach_mcast: %s", lane->to->label, error_name(error));
		round->attached++;
	}
	return true;
}

static void detach(struct round *round)
{
	for (; round->attached; round->attached--)
		if (ibv_detach_mcast(round->lanes[2 * (round->attached - 1)].peer, &round->group,
				     round->group_lid))
			wrong("detach_mcast fails");
}

/* --- all of it ---------------------------------------------------------------------------- */

bool round_connect(struct round *round)
{
	struct end *ends = round->task->ends;
	unsigned int i;

	choose_group(round);
	for (i = 0; i < 2; i++)
		if (!open_desk(round, &round->desks[i], &ends[i]))
			return false;
	for (i = 0; i < round->num_lanes; i += 2)
		if (!create_pair(round, &round->lanes[i], &round->lanes[i + 1]))
			return false;
	if (!take_steps(round))
		return false;
	for (i = 0; is_datagram(round) && i < round->num_lanes; i++)
		if (!create_paths(round, &round->lanes[i]))
			return false;
	return !(round->task->service->flags & SERVICE_MULTICAST) || attach(round);
}

static void disconnect_lane(struct lane *lane)
{
	int i, error;

	for (i = 0; i < 2; i++)
		if (lane->ah[i] && ibv_destroy_ah(lane->ah[i]))
			wrong("%s: destroy_ah fails", lane->from->label);
	if (!lane->qp)
		return;
	error = ibv_destroy_qp(lane->qp);
	if (error)
		wrong("%s: destroy_qp: %s", lane->from->label, error_name(error));
}

void round_disconnect(struct round *round)
{
	unsigned int i;

	detach(round);
	for (i = 0; i < round->num_lanes; i++)
		disconnect_lane(&round->lanes[i]);
	for (i = 0; i < 2; i++)
		close_desk(&round->desks[i]);
}
