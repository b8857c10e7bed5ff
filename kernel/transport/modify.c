// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Queue pair states and attributes. Every change that a consumer asks for is here. */
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "transport/path.h"
#include "transport/recv.h"
#include "transport/send.h"

/* Values that are wrong in themselves, whatever the state. */
static bool hca_attr_valid(const struct hca_qp *qp, const struct hca_qp_attr *attr, int mask)
{
	const struct hca_node *node = &qp->ca->node;

	if ((mask & HCA_QP_PORT) && (!attr->port_num || attr->port_num > node->num_ports))
		return false;
	if ((mask & HCA_QP_PKEY_INDEX) && attr->pkey_index >= HCA_PKEYS)
		return false;
	if ((mask & HCA_QP_PATH_MTU) &&
	    (attr->path_mtu < HCA_MTU_256 || attr->path_mtu > HCA_MTU_4096))
		return false;
	if ((mask & HCA_QP_AV) && !hca_av_valid(&attr->av))
		return false;
	if ((mask & HCA_QP_MAX_QP_RD_ATOMIC) && attr->max_rd_atomic > HCA_MAX_RD_ATOMIC)
		return false;
	if ((mask & HCA_QP_MAX_DEST_RD_ATOMIC) && attr->max_dest_rd_atomic > HCA_MAX_RD_ATOMIC)
		return false;
	return !((mask & HCA_QP_TIMEOUT) && attr->timeout > 31) &&
	       !((mask & HCA_QP_RETRY_CNT) && attr->retry_cnt > 7) &&
	       !((mask & HCA_QP_RNR_RETRY) && attr->rnr_retry > 7) &&
	       !((mask & HCA_QP_MIN_RNR_TIMER) && attr->min_rnr_timer > 31) &&
	       !((mask & HCA_QP_DEST_QPN) && attr->dest_qpn > HCA_QPN_MASK);
}

static void hca_attr_take(struct hca_qp *qp, const struct hca_qp_attr *attr, int mask)
{
	struct hca_qp_attr *own = &qp->attr;
	struct hca_eec *eec = &qp->eec;

	if (mask & HCA_QP_PORT) {
		own->port_num = attr->port_num;
		qp->port = hca_node_port(&qp->ca->node, attr->port_num);
	}
	if (mask & HCA_QP_PKEY_INDEX)
		own->pkey_index = attr->pkey_index;
	if (mask & HCA_QP_QKEY)
		own->qkey = attr->qkey;
	if (mask & HCA_QP_ACCESS_FLAGS)
		own->access = attr->access;
	if (mask & HCA_QP_AV)
		own->av = attr->av;
	if (mask & HCA_QP_PATH_MTU) {
		own->path_mtu = attr->path_mtu;
		qp->mtu = hca_mtu_bytes(attr->path_mtu);
	}
	if (mask & HCA_QP_DEST_QPN)
		own->dest_qpn = attr->dest_qpn;
	if (mask & HCA_QP_TIMEOUT) {
		own->timeout = attr->timeout;
		/* Never too early: one for what the division cuts off, one for the tick under way (B4-339). */
		eec->ack_timeout =
			attr->timeout ? 2 + nsecs_to_jiffies(4096ull << attr->timeout) : 0;
	}
	if (mask & HCA_QP_RETRY_CNT)
		eec->retries_left = own->retry_cnt = attr->retry_cnt;
	if (mask & HCA_QP_RNR_RETRY)
		eec->rnr_left = own->rnr_retry = attr->rnr_retry;
	if (mask & HCA_QP_MIN_RNR_TIMER)
		own->min_rnr_timer = attr->min_rnr_timer;
	if (mask & HCA_QP_MAX_QP_RD_ATOMIC)
		own->max_rd_atomic = attr->max_rd_atomic;
	if (mask & HCA_QP_MAX_DEST_RD_ATOMIC)
		own->max_dest_rd_atomic = attr->max_dest_rd_atomic;
	if (mask & HCA_QP_RQ_PSN) {
		own->rq_psn = attr->rq_psn & HCA_PSN_MASK;
		eec->expected_psn = own->rq_psn;
	}
	if (mask & HCA_QP_SQ_PSN) {
		own->sq_psn = attr->sq_psn & HCA_PSN_MASK;
		eec->assigned_psn = own->sq_psn;
		eec->next_psn = own->sq_psn;
		eec->sent_psn = own->sq_psn;
		eec->una_psn = own->sq_psn;
	}
}

static void hca_ring_reset(struct hca_queue *q, u32 need_wakeup)
{
	if (!q->size)
		return;
	q->ring->producer = 0;
	q->ring->consumer = 0;
	q->ring->need_wakeup = need_wakeup;
}

/* As created: nothing posted, nothing remembered; completions in CQs stay (V3-190). */
static void hca_qp_reset(struct hca_qp *qp)
{
	struct hca_eec *eec = &qp->eec;

	hca_ring_reset(&qp->sq, 1);
	hca_ring_reset(&qp->rq, 0);
	qp->sq_done = 0;
	qp->sq_current = 0;
	qp->sq_fetched = 0;
	qp->rq_taken = 0;
	qp->recv.valid = false;
	qp->established = false;
	qp->timed_out = false;
	eec->timer_on = false;
	eec->rnr_wait = false;
	eec->rewound = false;
	eec->reads_outstanding = 0;
	eec->nak_sent = false;
	eec->message = 0;
	eec->msn = 0;
	eec->response_head = 0;
	eec->response_tail = 0;
	memset(&qp->attr, 0, sizeof(qp->attr));
}

/* Kernel consumers post under post_lock: none of them may stand between check and ring. */
static void hca_state_take(struct hca_qp *qp, u8 state)
{
	spin_lock_irq(&qp->post_lock);
	if (state == HCA_QPS_RESET)
		hca_qp_reset(qp);
	WRITE_ONCE(qp->state, state);
	spin_unlock_irq(&qp->post_lock);
}

/* What only holds under the locks: the state is still that, the port has such an MTU. */
static bool hca_attr_timely(const struct hca_qp *qp, const struct hca_qp_attr *attr, int mask)
{
	bool leaves = (mask & HCA_QP_STATE) &&
		      (attr->state == HCA_QPS_RESET || attr->state == HCA_QPS_ERR);

	if (!leaves && attr->cur_state != qp->state)
		return false;
	return !(mask & HCA_QP_PATH_MTU) || !qp->port ||
	       attr->path_mtu <= READ_ONCE(qp->port->info.mtu_cap);
}

int hca_qp_modify(struct hca_qp *qp, const struct hca_qp_attr *attr, int mask)
{
	int ret = 0;

	if (mask & (HCA_QP_ALT_PATH | HCA_QP_EN_SQD_ASYNC_NOTIFY))
		return -EOPNOTSUPP;
	if ((mask & HCA_QP_STATE) &&
	    (attr->state == HCA_QPS_SQD || attr->state == HCA_QPS_SQE))
		return -EOPNOTSUPP;
	if (!hca_attr_valid(qp, attr, mask))
		return -EINVAL;

	spin_lock_bh(&qp->send_lock);
	spin_lock(&qp->recv_lock);
	if (hca_attr_timely(qp, attr, mask)) {
		hca_attr_take(qp, attr, mask);
		if (mask & HCA_QP_STATE)
			hca_state_take(qp, attr->state);
	} else {
		ret = -EINVAL;
	}
	spin_unlock(&qp->recv_lock);
	if (!ret)
		hca_qp_kick(qp);
	spin_unlock(&qp->send_lock);
	hca_engine_drain();
	local_bh_enable();
	return ret;
}

void hca_qp_query(struct hca_qp *qp, struct hca_qp_attr *attr)
{
	spin_lock_bh(&qp->send_lock);
	*attr = qp->attr;
	attr->state = qp->state;
	attr->sq_psn = qp->type == HCA_QPT_RC ? qp->eec.next_psn : qp->attr.sq_psn;
	attr->rq_psn = qp->eec.expected_psn;
	spin_unlock_bh(&qp->send_lock);
}
