// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The state of a queue pair: modify, query, and the requests that may be posted in it. */
#include <linux/bits.h>
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "transport/rd_eec.h"
#include "transport/modify.h"
#include "transport/request.h"

static void ring_reset(struct hca_queue *q, u32 need_wakeup)
{
	if (!q->size)
		return;
	q->ring->producer = 0;
	q->ring->consumer = 0;
	q->ring->need_wakeup = need_wakeup;
}

void hca_qp_reap(struct hca_qp *qp, const struct hca_cqe *cqe)
{
	/* Release: whoever reads the count may overwrite the entries, which the engine has read. */
	atomic_add_return_release(cqe->wqes, cqe->flags & HCA_CQE_RECV ? &qp->rq_reaped :
									 &qp->sq_reaped);
}

/* Reset everything to the state after creation; completions in CQs stay (req V3-190). */
static void qp_reset(struct hca_qp *qp)
{
	ring_reset(&qp->sq, 1);
	ring_reset(&qp->rq, 0);
	qp->sq_done = 0;
	qp->sq_current = 0;
	qp->sq_fetched = 0;
	qp->sq_flushing = false;
	qp->sq_completed = 0;
	qp->rq_consumed = 0;
	qp->last_wqe_reached = false;
	atomic_set(&qp->sq_reaped, 0);
	atomic_set(&qp->rq_reaped, 0);
	hca_eec_reset(&qp->eec);
}

/* Requests posted in SQE are flushed even if the run finds the state RTS already (IBA C10-42). */
static void keep_flushing(struct hca_qp *qp)
{
	qp->sq_flushing = true;
	qp->sq_flush_end = hca_requests_end(qp);
}

/*
 * Set the state. Kernel consumers post under post_lock, so that the state does not change between
 * their check and the ring. Completions from before a Reset do not free entries posted after it.
 */
static void state_apply(struct hca_qp *qp, u8 state)
{
	bool recovers = qp->eec.state == IB_QPS_SQE && state == IB_QPS_RTS;

	if (state == IB_QPS_RESET) {
		hca_cq_clean(qp->send_cq, qp->cookie, false);
		hca_cq_clean(qp->recv_cq, qp->cookie, false);
	}
	spin_lock_irq(&qp->post_lock);
	if (state == IB_QPS_RESET)
		qp_reset(qp);
	WRITE_ONCE(qp->eec.state, state);
	if (recovers)
		keep_flushing(qp);
	spin_unlock_irq(&qp->post_lock);
}

static const u8 hca_kind_of[] = {
	[IB_QPT_SMI] = HCA_KIND_SPECIAL,  [IB_QPT_GSI] = HCA_KIND_SPECIAL,
	[IB_QPT_RC] = HCA_KIND_RC,	   [IB_QPT_UC] = HCA_KIND_UC,
	[IB_QPT_UD] = HCA_KIND_UD,	   [HCA_QPT_RD] = HCA_KIND_RD,
	[IB_QPT_RAW_IPV6] = HCA_KIND_RAW, [IB_QPT_RAW_ETHERTYPE] = HCA_KIND_RAW,
};

/*
 * Reset an RD queue pair. An RD EE context may be sending its request and has to stop before the
 * queue pair's state is cleared.
 */
static int qp_reset_rd(struct hca_qp *qp, const struct hca_qp_attr *attr, int mask)
{
	int ret;

	spin_lock_bh(&qp->eec.send_lock);
	spin_lock(&qp->eec.recv_lock);
	ret = hca_attr_check(&qp->eec, HCA_KIND_RD, attr, mask);
	if (!ret)
		WRITE_ONCE(qp->eec.state, IB_QPS_RESET);
	spin_unlock(&qp->eec.recv_lock);
	spin_unlock_bh(&qp->eec.send_lock);
	if (!ret)
		hca_rd_eec_disconnect(qp);
	return ret;
}

int hca_qp_modify(struct hca_qp *qp, const struct hca_qp_attr *attr, int mask)
{
	struct hca_eec *eec = &qp->eec;
	int ret = 0;

	if (qp->type == HCA_QPT_RD && (mask & IB_QP_STATE) && attr->state == IB_QPS_RESET)
		ret = qp_reset_rd(qp, attr, mask);
	if (ret)
		return ret;
	spin_lock_bh(&eec->send_lock);
	spin_lock(&eec->recv_lock);
	ret = hca_attr_check(eec, hca_kind_of[qp->type], attr, mask);
	if (!ret) {
		hca_attr_apply(eec, attr, mask);
		if (mask & IB_QP_STATE)
			state_apply(qp, attr->state);
	}
	spin_unlock(&eec->recv_lock);
	if (!ret)
		hca_eec_kick(eec);
	spin_unlock(&eec->send_lock);
	hca_engine_run();
	local_bh_enable();
	return ret;
}

void hca_qp_query(struct hca_qp *qp, struct hca_qp_attr *attr)
{
	spin_lock_bh(&qp->eec.send_lock);
	hca_attr_query(&qp->eec, attr);
	spin_unlock_bh(&qp->eec.send_lock);
}

/* States in which requests may be posted (IBA C10-96 and 10.8.2); in Error they are flushed. */
static const u8 hca_post_send_states = BIT(IB_QPS_RTS) | BIT(IB_QPS_SQD) | BIT(IB_QPS_SQE) |
				       BIT(IB_QPS_ERR);
static const u8 hca_post_recv_states = BIT(IB_QPS_INIT) | BIT(IB_QPS_RTR) | BIT(IB_QPS_RTS) |
				       BIT(IB_QPS_SQD) | BIT(IB_QPS_SQE) | BIT(IB_QPS_ERR);

int hca_qp_post_send_ok(const struct hca_qp *qp)
{
	return BIT(READ_ONCE(qp->eec.state)) & hca_post_send_states ? 0 : -EINVAL;
}

int hca_qp_post_recv_ok(const struct hca_qp *qp)
{
	return BIT(READ_ONCE(qp->eec.state)) & hca_post_recv_states ? 0 : -EINVAL;
}
