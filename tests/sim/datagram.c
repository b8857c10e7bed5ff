// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Datagrams: the choice of the destination, and the prediction of their arrival. */
#include <linux/kernel.h>
#include "draft.h"

/* C4-043: each datagram has a destination of its own. */
static struct sim_qp *random_datagram_peer(void)
{
	struct sim_qp *qp, *found = NULL;
	u32 n = 0;

	list_for_each_entry(qp, &sim.qps, in_world)
		if (qp->type == IB_QPT_UD && qp->qp && !sim_below(++n))
			found = qp;
	return found;
}

/* The number of receive requests for each datagram in transit; 0 or less: too few. */
static int room_for(const struct sim_qp *to, u32 length)
{
	const struct sim_recv *recv;
	const struct sim_flow *flow;
	const struct sim_op *other;
	int room = 0;

	list_for_each_entry(recv, &to->recvs, in_queue) {
		if (recv->may || recv->capacity < HCA_GRH_BYTES + length)
			return 0;
		room++;
	}
	list_for_each_entry(flow, &sim.flows, in_world)
		list_for_each_entry(other, &flow->ops, in_flow)
			room -= (other->to == to && !other->executed) || sim_group_awaits(other,
											  to);
	return room;
}

static bool receives(const struct sim_qp *qp)
{
	return qp->state == IB_QPS_RTS || qp->state == IB_QPS_SQD;
}

/*
 * Whether a datagram may be lost although the network delivers it. If so, it may displace another
 * one.
 */
bool sim_datagram_slips(const struct sim_qp *to, u32 length)
{
	bool slips = to->srq || !receives(to) || to->may_error || room_for(to, length) <= 0;
	struct sim_flow *flow;
	struct sim_op *other;

	if (!slips)
		return false;
	list_for_each_entry(flow, &sim.flows, in_world)
		list_for_each_entry(other, &flow->ops, in_flow)
			other->slips |= other->to == to;
	sim_groups_unwell(to);
	return true;
}

void sim_fill_datagram(struct sim_draft *d)
{
	struct sim_op *op = d->op;

	if (sim_chance(1, 4)) {
		sim_group_address(op, d->wqe);
		return;
	}
	op->to = random_datagram_peer();
	op->to_qpn = op->to->qp->qpn;
	op->from_qpn = op->qp->qp->qpn;
	op->grh = sim_chance(1, 3);
	d->wqe->ud.av = (struct hca_av){ .dlid = sim_lid(op->to->node, 1),
					 .sl = sim_below(8), .port_num = 1, .hop_limit = 3 };
	sim_route(&d->wqe->ud.av, op->grh);
	d->wqe->ud.remote_qpn = op->to_qpn;
	d->wqe->ud.remote_qkey = op->to->attr.iba.qkey;
	op->slips = sim_datagram_slips(op->to, op->length) || sim_looks_like_others(op);
	if (sim_chance(1, 20)) {
		d->wqe->ud.remote_qkey ^= 1;
		op->slips = true;
		op->to_qpn = 0;
	}
}
