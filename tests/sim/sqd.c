// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Send queue drain: no request begins, those that have begun end, and an event reports the end if
 * it was requested.
 */
#include <linux/kernel.h>
#include "sim.h"

static bool was_begun(const struct sim_op *op)
{
	const struct sim_flow *flow = op->qp->out;

	return flow->seen && hca_psn_diff(op->psn, flow->highest) <= 0;
}

/* Whether every request that is known to have begun has ended. */
void sim_qp_drained(struct sim_qp *qp)
{
	const struct hca_ring *ring = qp->qp->sq.ring;
	struct sim_op *op;

	if (qp->state != IB_QPS_SQD && !qp->may_error)
		sim_fail("node%d qp %06x has drained, but was not asked to", qp->node->index,
			 qp->qpn);
	if (!qp->notify || qp->drained)
		sim_fail("node%d qp %06x tells that it has drained %s", qp->node->index, qp->qpn,
			 qp->drained ? "twice" : "though nobody wanted to know");
	qp->drained = true;
	list_for_each_entry(op, &qp->sends, in_queue)
		if (sim_is_reliable(qp) && was_begun(op) &&
		    (s32)(ring->consumer - op->index) <= 0)
			sim_fail("node%d qp %06x has drained, but #%llu is under way",
				 qp->node->index,
				 qp->qpn, (unsigned long long)op->wr_id);
}

void sim_rd_eec_drain(struct sim_rd_eec *c)
{
	const struct hca_qp_attr attr = { .state = IB_QPS_SQD,
		.en_sqd_async_notify = sim_chance(2, 3) };

	sim_poll();
	c->notify = attr.en_sqd_async_notify;
	c->drained = false;
	c->begun = 0;
	c->changed_ns = shim_now_ns();
	sim_rd_eec_modify(c, &attr, IB_QP_STATE | IB_QP_EN_SQD_ASYNC_NOTIFY);
}

void sim_rd_eec_again(struct sim_rd_eec *c)
{
	const struct hca_qp_attr attr = { .state = IB_QPS_RTS };

	sim_rd_eec_modify(c, &attr, IB_QP_STATE);
}

void sim_rd_eec_drained(struct sim_rd_eec *c)
{
	if (sim_rd_eec_state(c) != IB_QPS_SQD && !c->rough)
		sim_fail("node%d eec %06x has drained, but was not asked to", c->node->index,
			 c->eecn);
	if (!c->notify || c->drained)
		sim_fail("node%d eec %06x tells that it has drained %s", c->node->index,
			 c->eecn,
			 c->drained ? "twice" : "though nobody wanted to know");
	c->drained = true;
	c->changed_ns = shim_now_ns();
}

/*
 * Check a request packet that leaves. A message that was begun before the drain may be seen only
 * now; a packet that waited at a port, and was sent @again meanwhile, possibly by another path, may
 * leave after the end of its message.
 */
void sim_rd_eec_leave(struct sim_rd_eec *c, bool begins, bool again)
{
	if (sim_rd_eec_state(c) != IB_QPS_SQD || shim_now_ns() == c->changed_ns ||
	    (again && shim_now_ns() == sim.hub.relieved_ns))
		return;
	c->begun += begins;
	if (c->begun > 1 || c->drained)
		sim_fail("node%d eec %06x %s", c->node->index, c->eecn,
			 c->drained ? "has drained, and sends" : "begins with messages in SQD");
}
