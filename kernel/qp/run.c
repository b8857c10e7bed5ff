// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The parts of a queue pair's run function that flush requests and end the draining. */
#include "qp/run.h"
#include "qp/recv.h"

/*
 * Flush the posted send requests (IBA C10-42). need_wakeup is set, so that the poster of a later
 * request rings the doorbell and that request is flushed, too. No request is missed, because either
 * the poster sees need_wakeup or the flush sees the poster's producer index.
 */
static enum hca_progress qp_flush_sends(struct hca_qp *qp, int *budget)
{
	if (!qp->sq.size)
		return HCA_DONE;
	if (!qp->ops->stop_sends(qp))
		return HCA_WAITING;
	WRITE_ONCE(qp->sq.ring->need_wakeup, 1);
	smp_mb();
	return hca_requests_flush(qp, hca_requests_end(qp), budget) ? HCA_DONE : HCA_BUDGET;
}

static enum hca_progress qp_flush_recvs(struct hca_qp *qp, int *budget)
{
	bool done;

	if (qp->ops->stop_recvs)
		qp->ops->stop_recvs(qp);
	spin_lock(&qp->common.recv_lock);
	done = hca_recvs_flush(qp, budget);
	spin_unlock(&qp->common.recv_lock);
	return done ? HCA_DONE : HCA_BUDGET;
}

enum hca_progress hca_qp_flush(struct hca_qp *qp, int *budget, enum hca_progress progress)
{
	const struct hca_state_kind *kind = &qp->ops->states[READ_ONCE(qp->common.state)];

	if (kind->flush_sends && qp_flush_sends(qp, budget) == HCA_BUDGET)
		return HCA_BUDGET;
	if (kind->flush_recvs && qp_flush_recvs(qp, budget) == HCA_BUDGET)
		return HCA_BUDGET;
	return progress;
}

void hca_qp_check_drained(struct hca_qp *qp)
{
	if (hca_qp_common_draining(&qp->common) && qp->ops->drained(qp))
		hca_qp_common_drained(&qp->common);
}
