// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Snapshots of objects for netlink. The lock of the object's table keeps the object alive. */
#include "verbs/core/view.h"
#include <asm/byteorder.h>
#include <linux/hca_netlink.h>
#include <linux/minmax.h>
#include <rdma/hca-abi.h>
#include "compat.h"
#include "qp/ci.h"
#include "qp/view.h"
#include "verbs/core/hca_device.h"
#include "verbs/core/kind.h"
#include "verbs/core/track.h"
#include "verbs/mr/mr_alloc.h"
#include "verbs/mr/mw.h"
#include "verbs/queue/cq.h"
#include "verbs/queue/ib_qp.h"
#include "verbs/queue/srq.h"

static_assert(HCA_NL_QP_MAX < HCA_RESOURCE_VALUES);
static_assert((int)HCA_NL_TIMER_ACK == HCA_VIEW_TIMER_ACK);
static_assert((int)HCA_NL_TIMER_RNR == HCA_VIEW_TIMER_RNR);

/* --- queue pairs and EE contexts */

#define ROW(part, name, member) \
	{ HCA_VIEW_##part, HCA_NL_QP_##name, offsetof(struct hca_qp_view, member), \
	  sizeof_field(struct hca_qp_view, member) }

/* The values that are shown. A value is missing if the queue pair does not have its @part. */
static const struct {
	u32 part;
	u16 attr, offset, size;
} qp_rows[] = {
	ROW(ANY, STATE, state),
	ROW(PORT, PORT, port),
	ROW(CONNECTION, PEER_LID, attr.iba.av.dlid),
	ROW(CONNECTION, PEER_QPN, attr.iba.dest_qpn),
	ROW(CONNECTION, PATH_MTU, path_mtu),
	ROW(CONNECTION, MIGRATION, attr.iba.path_mig_state),
	ROW(SQ, SQ_ENTRIES, sq_entries),
	ROW(SQ, SQ_POSTED, sq_posted),
	ROW(SQ, SQ_OUTSTANDING, sq_outstanding),
	ROW(RQ, RQ_ENTRIES, rq_entries),
	ROW(RQ, RQ_POSTED, rq_posted),
	ROW(REQUESTER, NEXT_PSN, next_psn),
	ROW(RETRIES, SENT_PSN, sent_psn),
	ROW(RETRIES, UNACKED_PSN, una_psn),
	ROW(RETRIES, WINDOW, window),
	ROW(RETRIES, READS, reads_outstanding),
	ROW(RETRIES, MAX_READS, attr.max_rd_atomic),
	ROW(RETRIES, RETRY_CNT, attr.iba.retry_cnt),
	ROW(RETRIES, RETRIES_LEFT, retries_left),
	ROW(RETRIES, RNR_RETRY, attr.iba.rnr_retry),
	ROW(RETRIES, RNR_RETRIES_LEFT, rnr_left),
	ROW(CREDITS, CREDITS, credits),
	ROW(CREDITS, CREDIT_LIMIT, credit_limit),
	ROW(RETRIES, ACK_TIMEOUT, ack_timeout),
	ROW(TIMER, TIMER, timer),
	ROW(TIMER, TIMER_LEFT, timer_left),
	ROW(RESPONDER, EXPECTED_PSN, expected_psn),
	ROW(RESPONSES, MSN, msn),
	ROW(RESPONSES, NAK_SENT, nak_sent),
	ROW(RESPONSES, RESPONSES, responses),
	ROW(OFFER, CREDITS_OFFERED, credits_offered),
	ROW(OFFER, CREDIT_STALLED, credit_stalled),
	ROW(ERROR, VENDOR_ERR, vendor_err),
	ROW(NAK, NAK_REASON, nak_reason),
};

/* The attributes of the counters of losses and delays, in the order of enum hca_counter. */
static const u8 loss_attrs[] = {
	HCA_NL_QP_DUPLICATE_REQUESTS,
	HCA_NL_QP_OUT_OF_SEQUENCE,
	HCA_NL_QP_RNR_NAKS_SENT,
	HCA_NL_QP_RNR_NAKS_RCVD,
	HCA_NL_QP_SEQUENCE_NAKS_RCVD,
	HCA_NL_QP_IMPLIED_NAKS,
	HCA_NL_QP_ACK_TIMEOUTS,
	HCA_NL_QP_RETRANSMITTED_PACKETS,
	HCA_NL_QP_RETRIES_EXCEEDED,
	HCA_NL_QP_RNR_RETRIES_EXCEEDED,
	HCA_NL_QP_ODP_FAULTS,
	HCA_NL_QP_OUT_OF_BUFFER,
	HCA_NL_QP_RECV_TOO_SHORT,
};
static_assert(ARRAY_SIZE(loss_attrs) == HCA_NUM_QP_COUNTERS);

/* Returns the value of a member of 1, 2 or 4 octets. */
static u32 view_member(const struct hca_qp_view *qp, unsigned int offset, unsigned int size)
{
	const u8 *at = (const u8 *)qp + offset;

	return size == sizeof(u8) ? *at : size == sizeof(u16) ? *(const u16 *)at :
								*(const u32 *)at;
}

void hca_resource_view_qp(struct hca_resource_view *view, const struct hca_qp_view *qp)
{
	const struct hca_av *av = &qp->attr.iba.av;
	int i;

	for (i = 0; i < ARRAY_SIZE(qp_rows); i++)
		if (qp->parts & qp_rows[i].part)
			hca_resource_set(view, qp_rows[i].attr,
					 view_member(qp, qp_rows[i].offset, qp_rows[i].size));
	if ((qp->parts & HCA_VIEW_CONNECTION) && av->has_grh) {
		hca_resource_set(view, HCA_NL_QP_PEER_GID_PREFIX, get_unaligned_be64(av->dgid));
		hca_resource_set(view, HCA_NL_QP_PEER_GID_GUID,
				 get_unaligned_be64(av->dgid + sizeof(u64)));
	}
	for (i = 0; (qp->parts & HCA_VIEW_COUNTERS) && i < ARRAY_SIZE(loss_attrs); i++)
		hca_resource_set(view, loss_attrs[i], qp->counters[i]);
}

static void view_qp(const struct hca_tracked *tracked, bool admin, struct hca_resource_view *view)
{
	struct hca_ib_qp *qp = container_of(tracked, struct hca_ib_qp, tracked);
	const struct hca_device_kind *kind = to_hca_device(tracked->ib)->kind;
	const struct ib_qp *ib = &qp->ib;
	struct hca_qp_view of_qp;

	qp->qp->ci->ops->view(qp->qp, &of_qp);
	view->number = qp->qp->qpn;
	hca_resource_set(view, HCA_NL_QP_TYPE, qp->qp->type);
	if (ib->send_cq)
		hca_resource_set(view, HCA_NL_QP_SEND_CQ, READ_ONCE(ib->send_cq->res.id));
	if (ib->recv_cq)
		hca_resource_set(view, HCA_NL_QP_RECV_CQ, READ_ONCE(ib->recv_cq->res.id));
	if (ib->srq)
		hca_resource_set(view, HCA_NL_QP_SRQ, READ_ONCE(ib->srq->res.id));
	hca_resource_view_qp(view, &of_qp);
	if (kind->view)
		kind->view(qp->qp, view);
}

/* --- CQs and SRQs */

/*
 * Sets the values that are read from the ring. The consumer index of a process may be invalid, and
 * the process may have armed the former ring.
 */
static void view_set_ring(struct hca_resource_view *view, const struct hca_cq *cq)
{
	const struct hca_ring *ring = cq->queue.ring;
	u32 consumer = cq->kernel ? cq->consumer : READ_ONCE(ring->consumer);
	u32 arm = READ_ONCE(ring->arm) | (cq->former ? READ_ONCE(cq->former->arm) : 0);

	hca_resource_set(view, HCA_NL_CQ_USED, min(cq->producer - consumer, cq->queue.entries));
	hca_resource_set(view, HCA_NL_CQ_ARMED,
			 arm & HCA_CQ_ARM_NEXT      ? HCA_NL_ARMED_NEXT :
			 arm & HCA_CQ_ARM_SOLICITED ? HCA_NL_ARMED_SOLICITED :
						      HCA_NL_ARMED_NOT);
}

static void view_cq(const struct hca_tracked *tracked, bool admin, struct hca_resource_view *view)
{
	struct hca_ib_cq *ib = container_of(tracked, struct hca_ib_cq, tracked);
	struct hca_cq *cq = &ib->cq;
	unsigned long flags;

	view->number = READ_ONCE(ib->ib.res.id);
	spin_lock_irqsave(&cq->lock, flags);
	hca_resource_set(view, HCA_NL_CQ_ENTRIES, cq->cqe);
	view_set_ring(view, cq);
	hca_resource_set(view, HCA_NL_CQ_OVERFLOW, cq->overflow);
	hca_resource_set(view, HCA_NL_CQ_MODERATION_COUNT, cq->moderation.count);
	hca_resource_set(view, HCA_NL_CQ_MODERATION_USECS, cq->moderation.period);
	spin_unlock_irqrestore(&cq->lock, flags);
	hca_resource_set(view, HCA_NL_CQ_USERS, atomic_read(&ib->ib.usecnt));
}

static void view_srq(const struct hca_tracked *tracked, bool admin, struct hca_resource_view *view)
{
	struct hca_ib_srq *ib = container_of(tracked, struct hca_ib_srq, tracked);
	struct hca_srq *srq = &ib->srq;

	view->number = READ_ONCE(ib->ib.res.id);
	spin_lock_bh(&srq->lock);
	hca_resource_set(view, HCA_NL_SRQ_ENTRIES, srq->rq.entries);
	hca_resource_set(view, HCA_NL_SRQ_POSTED, hca_recvs_posted(&srq->rq, srq->consumed));
	hca_resource_set(view, HCA_NL_SRQ_LIMIT, srq->limit);
	hca_resource_set(view, HCA_NL_SRQ_FAILED, srq->failed);
	spin_unlock_bh(&srq->lock);
	hca_resource_set(view, HCA_NL_SRQ_USERS, atomic_read(&ib->ib.usecnt));
	if (ib->xrc)
		hca_resource_set(view, HCA_NL_SRQ_XRC_SRQN, ib->ib.ext.xrc.srq_num);
}

/* --- memory */

static u32 view_mr_kind(const struct hca_ib_mr *mr)
{
	if (mr->pinned)
		return READ_ONCE(mr->shared) ? HCA_NL_MR_KIND_SHARED : HCA_NL_MR_KIND_PINNED;
	if (mr->odp)
		return HCA_NL_MR_KIND_ODP;
	if (mr->dmabuf)
		return HCA_NL_MR_KIND_DMABUF;
	if (mr->next_page)
		return HCA_NL_MR_KIND_FAST;
	return mr->page ? HCA_NL_MR_KIND_DM : HCA_NL_MR_KIND_ALL;
}

static void view_mr(const struct hca_tracked *tracked, bool admin, struct hca_resource_view *view)
{
	struct hca_ib_mr *mr = container_of(tracked, struct hca_ib_mr, tracked);
	struct hca_tpt_info info;

	hca_tpt_entry_query(&to_hca_device(tracked->ib)->ci->tpt, mr->entry, &info);
	view->number = READ_ONCE(mr->ib.res.id);
	hca_resource_set(view, HCA_NL_MR_KIND, view_mr_kind(mr));
	hca_resource_set(view, HCA_NL_MR_LENGTH, info.length);
	hca_resource_set(view, HCA_NL_MR_ACCESS, info.access);
	hca_resource_set(view, HCA_NL_MR_VALID, info.valid);
	hca_resource_set(view, HCA_NL_MR_WINDOWS, info.windows);
	if (mr->pinned)
		hca_resource_set(view, HCA_NL_MR_PAGES, info.pages);
	if (!admin)
		return;
	hca_resource_set(view, HCA_NL_MR_KEY, info.key);
	hca_resource_set(view, HCA_NL_MR_ADDRESS, info.iova);
}

static void view_mw(const struct hca_tracked *tracked, bool admin, struct hca_resource_view *view)
{
	struct hca_ib_mw *mw = container_of(tracked, struct hca_ib_mw, tracked);
	bool is_type_2 = mw->ib.type == IB_MW_TYPE_2;
	struct hca_tpt_info info;

	hca_tpt_entry_query(&to_hca_device(tracked->ib)->ci->tpt, mw->entry, &info);
	view->number = tracked->id;
	hca_resource_set(view, HCA_NL_MW_TYPE, is_type_2 ? 2 : 1);
	hca_resource_set(view, HCA_NL_MW_BOUND, info.valid);
	if (admin)
		hca_resource_set(view, HCA_NL_MW_KEY, info.key);
	if (!info.valid)
		return;
	hca_resource_set(view, HCA_NL_MW_LENGTH, info.length);
	hca_resource_set(view, HCA_NL_MW_ACCESS, info.access);
	if (is_type_2)
		hca_resource_set(view, HCA_NL_MW_QPN, info.qpn);
	if (!admin)
		return;
	hca_resource_set(view, HCA_NL_MW_MR_KEY, info.mr_key);
	hca_resource_set(view, HCA_NL_MW_ADDRESS, info.iova);
}

void (*const hca_tracked_views[HCA_NUM_RESOURCES])(const struct hca_tracked *tracked, bool admin,
						   struct hca_resource_view *view) = {
	[HCA_RESOURCE_QP] = view_qp,
	[HCA_RESOURCE_CQ] = view_cq,
	[HCA_RESOURCE_SRQ] = view_srq,
	[HCA_RESOURCE_MR] = view_mr,
	[HCA_RESOURCE_MW] = view_mw,
	[HCA_RESOURCE_EEC] = hca_resource_view_eec,
};
