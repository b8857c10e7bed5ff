// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Modify and query of a queue pair, and the states in which requests may be posted. */
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "qp/request.h"

static void qp_ring_reset(struct hca_queue *q, u32 need_wakeup)
{
	if (!q->size)
		return;
	q->ring->producer = 0;
	q->ring->consumer = 0;
	q->ring->need_wakeup = need_wakeup;
}

void hca_qp_reap(struct hca_qp *qp, const struct hca_cqe *cqe)
{
	/* Release semantics: a poster that reads the count may overwrite the freed ring entries. */
	atomic_add_return_release(cqe->wqes, cqe->flags & HCA_CQE_RECV ? &qp->rq_reaped :
									 &qp->sq_reaped);
}

/* Reset a queue pair to its state after creation. */
static void qp_reset(struct hca_qp *qp)
{
	qp_ring_reset(&qp->sq, 1);
	qp_ring_reset(&qp->rq, 0);
	qp->sq_done = 0;
	qp->sq_current = 0;
	qp->sq_fetched = 0;
	qp->sq_flushing = false;
	qp->sq_flush_error = HCA_VENDOR_ERR_NONE;
	qp->sq_completed = 0;
	qp->rq_consumed = 0;
	qp->last_wqe_reached = false;
	qp->recv.valid = false;
	qp->last_error = HCA_VENDOR_ERR_NONE;
	hca_qp_common_reset(&qp->common);
	atomic_set(&qp->sq_reaped, 0);
	atomic_set(&qp->rq_reaped, 0);
	qp->ops->reset(qp);
}

/*
 * Make the run function flush the requests that were posted in a state that flushes requests, even
 * if the queue pair has left this state before the run function is called (IBA C10-42: from SQE to
 * RTS).
 */
static void qp_keep_flushing(struct hca_qp *qp)
{
	qp->sq_flushing = true;
	qp->sq_flush_end = hca_requests_end(qp);
}

/*
 * Set the state with post_lock held, because kernel consumers hold post_lock while they check the
 * state and post. A modify to Reset also removes the queue pair's completions from kernel CQs. For
 * a process, libhca removes them.
 */
static void qp_apply_state(struct hca_qp *qp, const struct hca_qp_attr *attr, int mask)
{
	const struct hca_state_kind *states = qp->ops->states;
	bool recovers = states[qp->common.state].flush_sends && states[attr->state].fetches;

	if (attr->state == IB_QPS_RESET) {
		if (qp->send_cq)
			hca_cq_purge(qp->send_cq, qp->cookie);
		if (qp->recv_cq)
			hca_cq_purge(qp->recv_cq, qp->cookie);
	}
	spin_lock_irq(&qp->post_lock);
	if (attr->state == IB_QPS_RESET)
		qp_reset(qp);
	hca_qp_common_modify(&qp->common, states, attr, mask);
	if (recovers)
		qp_keep_flushing(qp);
	spin_unlock_irq(&qp->post_lock);
}

/*
 * Set a queue pair to Reset and detach it from the RD EE contexts that use it. The caller then
 * resets the rest of the queue pair.
 */
static int qp_disconnect(struct hca_qp *qp, const struct hca_qp_attr *attr, int mask)
{
	int ret;

	spin_lock_bh(&qp->common.send_lock);
	spin_lock(&qp->common.recv_lock);
	ret = qp->ops->modify_check(qp, attr, mask);
	if (!ret)
		WRITE_ONCE(qp->common.state, IB_QPS_RESET);
	spin_unlock(&qp->common.recv_lock);
	spin_unlock_bh(&qp->common.send_lock);
	if (!ret)
		qp->ops->disconnect(qp);
	return ret;
}

int hca_qp_modify(struct hca_qp *qp, const struct hca_qp_attr *attr, int mask)
{
	int ret = 0;

	if (qp->ops->disconnect && (mask & IB_QP_STATE) && attr->state == IB_QPS_RESET)
		ret = qp_disconnect(qp, attr, mask);
	if (ret)
		return ret;
	spin_lock_bh(&qp->common.send_lock);
	spin_lock(&qp->common.recv_lock);
	ret = qp->ops->modify_check(qp, attr, mask);
	if (!ret) {
		qp->ops->modify_apply(qp, attr, mask);
		if ((mask & IB_QP_STATE) && !qp->ops->states[attr->state].by_carrier)
			qp_apply_state(qp, attr, mask);
	}
	spin_unlock(&qp->common.recv_lock);
	if (!ret)
		hca_qp_kick(qp);
	spin_unlock(&qp->common.send_lock);
	hca_engine_run();
	local_bh_enable();
	return ret;
}

void hca_qp_query(struct hca_qp *qp, struct hca_qp_attr *attr)
{
	spin_lock_bh(&qp->common.send_lock);
	qp->ops->query(qp, attr);
	hca_qp_common_query(&qp->common, attr);
	spin_unlock_bh(&qp->common.send_lock);
}

int hca_qp_post_send_ok(const struct hca_qp *qp)
{
	return qp->ops->states[READ_ONCE(qp->common.state)].post_send ? 0 : -EINVAL;
}

int hca_qp_post_recv_ok(const struct hca_qp *qp)
{
	return qp->ops->states[READ_ONCE(qp->common.state)].post_recv ? 0 : -EINVAL;
}
