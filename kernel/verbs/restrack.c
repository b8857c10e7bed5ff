// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * What `rdma res show ... -dd` says of queue pairs, CQs, MRs and SRQs beyond what the RDMA core
 * knows. Some releases of Linux show an object while it is being destroyed, so that each function
 * finds out by the object's lock, or a reference, what is left of it.
 */
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <net/netlink.h>
#include <rdma/rdma_netlink.h>
#include <rdma/restrack.h>
#include "qp/recv_wqe.h"
#include "transport/iba_qp.h"
#include "verbs/verbs.h"

#define MAX_DETAILS 32

struct details {
	unsigned int n;
	struct {
		const char *name;
		u64 value;
	} detail[MAX_DETAILS];
};

static void add(struct details *details, const char *name, u64 value)
{
	if (WARN_ON_ONCE(details->n == MAX_DETAILS))
		return;
	details->detail[details->n].name = name;
	details->detail[details->n++].value = value;
}

/* Numbers that fit into 32 bits are sent as such. */
static int put_one(struct sk_buff *msg, const char *name, u64 value)
{
	return value == (u32)value ? rdma_nl_put_driver_u32(msg, name, value) :
				     rdma_nl_put_driver_u64(msg, name, value);
}

static int put(struct sk_buff *msg, const struct details *details)
{
	struct nlattr *table = nla_nest_start(msg, RDMA_NLDEV_ATTR_DRIVER);
	unsigned int i;

	if (!table)
		return -EMSGSIZE;
	for (i = 0; i < details->n; i++) {
		if (put_one(msg, details->detail[i].name, details->detail[i].value)) {
			nla_nest_cancel(msg, table);
			return -EMSGSIZE;
		}
	}
	nla_nest_end(msg, table);
	return 0;
}

/* Requests that are posted and were not fetched; if the index is invalid, none is. */
static u32 sends_posted(const struct hca_qp *qp)
{
	return max(hca_queue_posted(&qp->sq, qp->sq_fetched, qp->sq_fetched - qp->sq_done), 0);
}

/* Milliseconds until the ACK timeout, or the RNR wait, that is in progress ends; else 0. */
static u32 timer_left(const struct hca_eec *eec)
{
	long left = eec->timer_armed ? (long)(eec->deadline - jiffies) : 0;

	return left > 0 ? jiffies_to_msecs(left) : 0;
}

/* send_lock is held. */
static void add_send_queue(struct details *details, const struct hca_qp *qp)
{
	if (!qp->sq.size)
		return;
	add(details, "sq_entries", qp->sq.entries);
	add(details, "sq_posted", sends_posted(qp));
	add(details, "sq_fetched", qp->sq_fetched);
	add(details, "sq_current", qp->sq_current);
	add(details, "sq_done", qp->sq_done);
}

/* send_lock is held. */
static void add_requester(struct details *details, const struct hca_eec *eec)
{
	add(details, "una_psn", eec->una_psn);
	add(details, "next_psn", eec->next_psn);
	add(details, "sent_psn", eec->sent_psn);
	add(details, "window", eec->window);
	add(details, "retries_left", eec->retries_left);
	add(details, "rnr_left", eec->rnr_left);
	add(details, "reads_outstanding", eec->reads_outstanding);
	add(details, "rnr_wait", eec->rnr_wait);
	add(details, "timer_ms", timer_left(eec));
	add(details, "credited", eec->credited);
	add(details, "credits", eec->credited ? eec->recvs_allowed - eec->recvs_begun : 0);
}

/* recv_lock is held. */
static void add_responder(struct details *details, const struct hca_qp *qp,
			  const struct hca_eec *eec)
{
	if (qp->rq.size) {
		add(details, "rq_entries", qp->rq.entries);
		add(details, "rq_posted", hca_recvs_posted(&qp->rq, qp->rq_consumed));
		add(details, "rq_consumed", qp->rq_consumed);
	}
	add(details, "recv_in_progress", qp->recv.valid);
	add(details, "expected_psn", eec->expected_psn);
	add(details, "msn", eec->msn);
	add(details, "nak_sent", eec->nak_sent);
	add(details, "responses_pending", READ_ONCE(eec->pending));
}

static void add_qp(struct details *details, struct hca_qp *qp)
{
	spin_lock_bh(&qp->common.send_lock);
	add_send_queue(details, qp);
	add_requester(details, hca_qp_eec(qp));
	spin_unlock_bh(&qp->common.send_lock);
	spin_lock_bh(&qp->common.recv_lock);
	add_responder(details, qp, hca_qp_eec(qp));
	spin_unlock_bh(&qp->common.recv_lock);
}

int hca_ib_fill_res_qp_entry(struct sk_buff *msg, struct ib_qp *ib)
{
	struct hca_ib_qp *qp = to_hca_ib_qp(ib);
	struct details details = {};

	mutex_lock(&qp->lock);
	if (qp->qp)
		add_qp(&details, qp->qp);
	mutex_unlock(&qp->lock);
	return details.n ? put(msg, &details) : 0;
}

int hca_ib_fill_res_cq_entry(struct sk_buff *msg, struct ib_cq *ib)
{
	struct hca_cq *cq = &to_hca_ib_cq(ib)->cq;
	const struct hca_ring *ring;
	struct details details = {};
	unsigned long flags;

	spin_lock_irqsave(&cq->lock, flags);
	ring = cq->queue.ring;
	if (ring) {
		add(&details, "entries", cq->queue.entries);
		add(&details, "producer", cq->producer);
		add(&details, "consumer", cq->kernel ? cq->consumer : READ_ONCE(ring->consumer));
		add(&details, "armed", READ_ONCE(ring->arm));
		add(&details, "overflow", cq->overflow);
		add(&details, "moderation_count", cq->moderation.count);
		add(&details, "moderation_usecs", cq->moderation.period);
	}
	spin_unlock_irqrestore(&cq->lock, flags);
	if (cq->run.cpu != HCA_ANY_CPU)
		add(&details, "cpu", cq->run.cpu);
	return put(msg, &details);
}

/* A key is shown by the RDMA core, to those who may see it. */
int hca_ib_fill_res_mr_entry(struct sk_buff *msg, struct ib_mr *ib)
{
	struct hca_tpt *tpt = &to_hca_device(ib->device)->ca.tpt;
	const struct hca_tpt_entry *entry = to_hca_ib_mr(ib)->entry;
	struct details details = {};

	spin_lock_bh(&tpt->lock);
	add(&details, "valid", !!entry->generation);
	add(&details, "access", entry->access);
	add(&details, "windows", entry->windows);
	add(&details, "fast_registration", entry->kind == HCA_TPT_FAST_MR);
	add(&details, "on_demand", !!entry->odp);
	if (entry->odp) {
		add(&details, "odp_chunks", READ_ONCE(entry->odp->num_chunks));
		add(&details, "odp_faults", READ_ONCE(entry->odp->faults));
	}
	spin_unlock_bh(&tpt->lock);
	return put(msg, &details);
}

#ifdef HCA_FILL_RES_SRQ
int hca_ib_fill_res_srq_entry(struct sk_buff *msg, struct ib_srq *ib)
{
	struct hca_srq *srq = &to_hca_ib_srq(ib)->srq;
	struct details details = {};

	spin_lock_bh(&srq->lock);
	if (srq->rq.size) {
		add(&details, "entries", srq->rq.entries);
		add(&details, "posted", hca_recvs_posted(&srq->rq, srq->consumed));
		add(&details, "consumed", srq->consumed);
		add(&details, "limit", srq->limit);
		add(&details, "failed", srq->failed);
	}
	spin_unlock_bh(&srq->lock);
	return put(msg, &details);
}
#endif
