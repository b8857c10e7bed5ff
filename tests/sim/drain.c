// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Send queue drain: nothing begins, what has begun ends, and then that is told, if it is to be. */
#include <linux/kernel.h>
#include "sim.h"

static bool was_begun(const struct sim_op *op)
{
	const struct sim_flow *flow = op->qp->out;

	return flow->seen && hca_psn_diff(op->psn, flow->highest) <= 0;
}

/* Is every request that is known to have begun at its end? */
void sim_qp_drained(struct sim_qp *qp)
{
	const struct hca_ring *ring = qp->qp->sq.ring;
	struct sim_op *op;

	if (qp->state != HCA_QPS_SQD && !qp->may_error)
		sim_fail("node%d qp %06x has drained, but was not asked to", qp->node->index, qp->qpn);
	if (!qp->notify || qp->drained)
		sim_fail("node%d qp %06x tells that it has drained %s", qp->node->index, qp->qpn,
			 qp->drained ? "twice" : "though nobody wanted to know");
	qp->drained = true;
	list_for_each_entry(op, &qp->sends, in_queue)
		if (qp->type == HCA_QPT_RC && was_begun(op) && (s32)(ring->consumer - op->index) <= 0)
			sim_fail("node%d qp %06x has drained, but #%llu is under way", qp->node->index,
				 qp->qpn, (unsigned long long)op->wr_id);
}
