// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Multicast groups: their members, and the members that must, or may, receive a message. */
#include <linux/kernel.h>
#include <linux/string.h>
#include "sim.h"

#define GROUPS 3
#define FIRST_MLID 0xc001

static union hca_gid gid_of(u32 group)
{
	return (union hca_gid){ .raw = { 0xff, 0x12, [15] = group } };
}

static u64 bit(const struct sim_qp *qp)
{
	return 1ull << qp->index;
}

/*
 * Membership has changed: the queue pair may or may not receive the messages in transit to the
 * group.
 */
static void revise(const struct sim_qp *qp, u32 groups, bool may, bool joins)
{
	struct sim_flow *flow;
	struct sim_op *op;

	list_for_each_entry(flow, &sim.flows, in_world)
		list_for_each_entry(op, &flow->ops, in_flow) {
			if (!(groups & BIT(op->group)))
				continue;
			op->sure &= ~bit(qp);
			if (joins)
				op->could |= bit(qp);
			else if (!may)
				op->could &= ~bit(qp);
		}
}

/* Attach to a group, or detach from one. */
void sim_group_act(struct sim_qp *qp)
{
	u32 group = 1 + sim_below(GROUPS);
	union hca_gid gid = gid_of(group);
	bool joins = !(qp->groups & BIT(group));
	int ret;

	sim_poll();
	sim_trace(qp->node->index, "qp %06x %s group %u", qp->qpn, joins ? "joins" : "leaves",
		  group);
	ret = joins ? hca_multicast_attach(qp->qp, &gid, FIRST_MLID + group, NULL) :
		      hca_multicast_detach(qp->qp, &gid, FIRST_MLID + group);
	if (ret)
		sim_fail("node%d qp %06x cannot change its groups: %d", qp->node->index, qp->qpn,
			 ret);
	qp->groups ^= BIT(group);
	revise(qp, BIT(group), false, joins);
}

/* The queue pair is destroyed; that produces no event. */
void sim_groups_detach(struct sim_qp *qp)
{
	revise(qp, ~1u, false, false);
	qp->groups = 0;
}

void sim_groups_unwell(const struct sim_qp *qp)
{
	revise(qp, ~1u, true, false);
}

void sim_group_address(struct sim_op *op, struct hca_send_wqe *wqe)
{
	union hca_gid gid;
	struct sim_qp *qp;

	op->group = 1 + sim_below(GROUPS);
	op->from_qpn = op->qp->qpn;
	op->grh = true;
	gid = gid_of(op->group);
	wqe->ud.av = (struct hca_av){ .dlid = FIRST_MLID + op->group, .sl = sim_below(8),
		.port_num = 1,
				      .has_grh = 1, .hop_limit = 1 };
	memcpy(wqe->ud.av.dgid, &gid, sizeof(gid));
	wqe->ud.remote_qpn = HCA_QPN_MULTICAST;
	wqe->ud.remote_qkey = op->qp->attr.iba.qkey;
	list_for_each_entry(qp, &sim.qps, in_world) {
		if (!qp->qp || !(qp->groups & BIT(op->group)) || (qp == op->qp && qp->blocks))
			continue;
		op->could |= bit(qp);
		if (!sim_datagram_slips(qp, op->length))
			op->sure |= bit(qp);
	}
}

bool sim_group_awaits(const struct sim_op *op, const struct sim_qp *qp)
{
	return op->group && (op->could & ~op->got & bit(qp));
}

void sim_group_got(struct sim_op *op, const struct sim_qp *qp)
{
	op->got |= bit(qp);
}
