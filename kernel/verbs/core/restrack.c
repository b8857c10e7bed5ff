// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Details of queue pairs, CQs, MRs and SRQs that `rdma res show ... -dd` shows in addition to those
 * of the RDMA core. Some releases of Linux show an object while it is being destroyed. Therefore
 * each function checks which parts of the object still exist, under a lock or with a reference.
 */
#include "verbs/core/restrack.h"
#include <linux/kernel.h>
#include <linux/time64.h>
#include <net/netlink.h>
#include <rdma/hca-abi.h>
#include <rdma/rdma_netlink.h>
#include <rdma/restrack.h>
#include "compat.h"
#include "qp/ci.h"
#include "qp/recv_wqe.h"
#include "qp/view.h"
#include "verbs/core/hca_device.h"
#include "verbs/core/kind.h"
#include "verbs/mr/mr_alloc.h"
#include "verbs/queue/cq.h"
#include "verbs/queue/ib_qp.h"
#include "verbs/queue/srq.h"

#define MAX_DETAILS 32

struct details {
	unsigned int n;
	struct {
		const char *name;
		u64 value;
	} detail[MAX_DETAILS];
};

static void restrack_add_detail(struct details *details, const char *name, u64 value)
{
	if (WARN_ON_ONCE(details->n == MAX_DETAILS))
		return;
	details->detail[details->n].name = name;
	details->detail[details->n++].value = value;
}

/* Adds a number to a message: with 32 bits if it fits, otherwise with 64 bits. */
static int restrack_put_one(struct sk_buff *msg, const char *name, u64 value)
{
	return value == (u32)value ? rdma_nl_put_driver_u32(msg, name, value) :
				     rdma_nl_put_driver_u64(msg, name, value);
}

static int restrack_put_all(struct sk_buff *msg, const struct details *details)
{
	int err = 0;
	unsigned int i;

	for (i = 0; !err && i < details->n; i++)
		err = restrack_put_one(msg, details->detail[i].name, details->detail[i].value);
	return err;
}

/* Adds details, and those that the carrier alone has of a queue pair, unless @qp is NULL. */
static int restrack_put_carrier(struct sk_buff *msg, const struct details *details,
				struct ib_device *ib, struct hca_qp *qp)
{
	struct nlattr *table = nla_nest_start(msg, RDMA_NLDEV_ATTR_DRIVER);
	const struct hca_device_kind *kind = to_hca_device(ib)->kind;

	if (!table)
		return -EMSGSIZE;
	if (restrack_put_all(msg, details) ||
	    (qp && kind->put_details && kind->put_details(msg, qp))) {
		nla_nest_cancel(msg, table);
		return -EMSGSIZE;
	}
	nla_nest_end(msg, table);
	return 0;
}

static int restrack_put_details(struct sk_buff *msg, const struct details *details,
				struct ib_device *ib)
{
	return restrack_put_carrier(msg, details, ib, NULL);
}

#define ROW(part, name, member) \
	{ name, offsetof(struct hca_qp_view, member), HCA_VIEW_##part }

/* The values that are shown. A value is missing if the queue pair does not have its @part. */
static const struct {
	const char *name;
	u32 offset, part;
} qp_rows[] = {
	ROW(SQ, "sq_entries", sq_entries),
	ROW(SQ, "sq_posted", sq_posted),
	ROW(SQ, "sq_fetched", sq_fetched),
	ROW(SQ, "sq_current", sq_current),
	ROW(SQ, "sq_done", sq_done),
	ROW(PACKETS, "una_psn", una_psn),
	ROW(PACKETS, "next_psn", next_psn),
	ROW(PACKETS, "sent_psn", sent_psn),
	ROW(PACKETS, "window", window),
	ROW(PACKETS, "retries_left", retries_left),
	ROW(PACKETS, "rnr_left", rnr_left),
	ROW(PACKETS, "reads_outstanding", reads_outstanding),
	ROW(PACKETS, "credited", credited),
	ROW(PACKETS, "credits", credits),
	ROW(RQ, "rq_entries", rq_entries),
	ROW(RQ, "rq_posted", rq_posted),
	ROW(RQ, "rq_consumed", rq_consumed),
	ROW(ANY, "recv_in_progress", recv_in_progress),
	ROW(PACKETS, "expected_psn", expected_psn),
	ROW(PACKETS, "msn", msn),
	ROW(PACKETS, "nak_sent", nak_sent),
	ROW(PACKETS, "responses_pending", responses),
};

static void restrack_add_qp(struct details *details, struct hca_qp *qp)
{
	struct hca_qp_view view;
	int i;

	qp->ci->ops->view(qp, &view);
	for (i = 0; i < ARRAY_SIZE(qp_rows); i++)
		if (view.parts & qp_rows[i].part)
			restrack_add_detail(details, qp_rows[i].name,
					    *(const u32 *)((const u8 *)&view + qp_rows[i].offset));
	if (!(view.parts & HCA_VIEW_PACKETS))
		return;
	restrack_add_detail(details, "rnr_wait", view.timer == HCA_VIEW_TIMER_RNR);
	restrack_add_detail(details, "timer_ms", DIV_ROUND_UP(view.timer_left, USEC_PER_MSEC));
}

int hca_ib_fill_res_qp_entry(struct sk_buff *msg, struct ib_qp *ib)
{
	struct hca_ib_qp *qp = to_hca_ib_qp(ib);
	struct details details = {};
	int err = 0;

	mutex_lock(&qp->lock);
	if (qp->qp) {
		restrack_add_qp(&details, qp->qp);
		err = restrack_put_carrier(msg, &details, ib->device, qp->qp);
	}
	mutex_unlock(&qp->lock);
	return err;
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
		restrack_add_detail(&details, "entries", cq->queue.entries);
		restrack_add_detail(&details, "producer", cq->producer);
		restrack_add_detail(&details, "consumer", cq->kernel ? cq->consumer :
				    READ_ONCE(ring->consumer));
		restrack_add_detail(&details, "armed", READ_ONCE(ring->arm));
		restrack_add_detail(&details, "overflow", cq->overflow);
		restrack_add_detail(&details, "moderation_count", cq->moderation.count);
		restrack_add_detail(&details, "moderation_usecs", cq->moderation.period);
	}
	spin_unlock_irqrestore(&cq->lock, flags);
	if (cq->run.cpu != HCA_ANY_CPU)
		restrack_add_detail(&details, "cpu", cq->run.cpu);
	return restrack_put_details(msg, &details, ib->device);
}

/* The details do not contain the keys. The RDMA core shows these, to privileged users only. */
int hca_ib_fill_res_mr_entry(struct sk_buff *msg, struct ib_mr *ib)
{
	struct hca_tpt *tpt = &to_hca_device(ib->device)->ci->tpt;
	const struct hca_tpt_entry *entry = to_hca_ib_mr(ib)->entry;
	struct details details = {};

	spin_lock_bh(&tpt->lock);
	restrack_add_detail(&details, "valid", !!entry->generation);
	restrack_add_detail(&details, "access", entry->access);
	restrack_add_detail(&details, "windows", entry->windows);
	restrack_add_detail(&details, "fast_registration", entry->kind == HCA_TPT_FAST_MR);
	restrack_add_detail(&details, "on_demand", !!entry->odp);
	if (entry->odp) {
		restrack_add_detail(&details, "odp_chunks", READ_ONCE(entry->odp->num_chunks));
		restrack_add_detail(&details, "odp_faults", READ_ONCE(entry->odp->faults));
	}
	spin_unlock_bh(&tpt->lock);
	return restrack_put_details(msg, &details, ib->device);
}

#ifdef HCA_FILL_RES_SRQ
int hca_ib_fill_res_srq_entry(struct sk_buff *msg, struct ib_srq *ib)
{
	struct hca_srq *srq = &to_hca_ib_srq(ib)->srq;
	struct details details = {};

	spin_lock_bh(&srq->lock);
	if (srq->rq.size) {
		restrack_add_detail(&details, "entries", srq->rq.entries);
		restrack_add_detail(&details, "posted", hca_recvs_posted(&srq->rq, srq->consumed));
		restrack_add_detail(&details, "consumed", srq->consumed);
		restrack_add_detail(&details, "limit", srq->limit);
		restrack_add_detail(&details, "failed", srq->failed);
	}
	spin_unlock_bh(&srq->lock);
	return restrack_put_details(msg, &details, ib->device);
}
#endif
