// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Extended reliable connections: XRC SRQs, which packets address by number, and their use by target
 * queue pairs.
 */
#include "transport/xrc/xrc.h"
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include "qp/recv.h"
#include "qp/srq.h"

struct hca_xrc_srq *hca_xrc_srq_publish(struct hca_ca *ca, struct hca_srq *srq, struct hca_cq *cq,
					const void *xrcd)
{
	struct hca_xrc_srq *xrc = kzalloc(sizeof(*xrc), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!xrc)
		return ERR_PTR(-ENOMEM);
	xrc->srq = srq;
	xrc->cq = cq;
	xrc->xrcd = xrcd;
	refcount_set(&xrc->users, 1);
	init_completion(&xrc->unused);
	ret = hca_id_alloc(&ca->xrc_srqs, xrc, &xrc->srqn);
	if (ret) {
		kfree(xrc);
		return ERR_PTR(ret);
	}
	return xrc;
}

void hca_xrc_srq_withdraw(struct hca_ca *ca, struct hca_xrc_srq *xrc)
{
	hca_id_free(&ca->xrc_srqs, xrc->srqn);
	hca_xrc_srq_put(xrc);
	wait_for_completion(&xrc->unused);
	kfree_rcu(xrc, rcu);
}

void hca_xrc_srq_put(struct hca_xrc_srq *xrc)
{
	if (refcount_dec_and_test(&xrc->users))
		complete(&xrc->unused);
}

struct hca_xrc_srq *hca_xrc_srq_get(const struct hca_qp *qp, u32 srqn)
{
	struct hca_xrc_srq *xrc = hca_id_find(&hca_qp_eec(qp)->ca->xrc_srqs, srqn);

	if (!xrc || xrc->srqn != srqn || xrc->xrcd != hca_iba_qp(qp)->xrcd)
		return NULL;
	return refcount_inc_not_zero(&xrc->users) ? xrc : NULL;
}

/* Make the queue pair use the SRQ, its CQ and its PD until xrc_detach(). recv_lock is held. */
static void xrc_attach(struct hca_qp *qp, struct hca_xrc_srq *xrc)
{
	hca_iba_qp(qp)->xrc_srq = xrc;
	qp->srq = xrc->srq;
	qp->recv_cq = xrc->cq;
	qp->recv_pd = xrc->srq->pd;
	qp->pd = xrc->srq->pd;
}

static void xrc_detach(struct hca_qp *qp)
{
	struct hca_xrc_srq *xrc = hca_iba_qp(qp)->xrc_srq;

	hca_iba_qp(qp)->xrc_srq = NULL;
	qp->srq = NULL;
	qp->recv_cq = NULL;
	qp->recv_pd = NULL;
	qp->pd = NULL;
	hca_xrc_srq_put(xrc);
}

/* Return whether a message is being received. All packets of a message must name the same SRQ. */
static bool xrc_in_message(const struct hca_eec *eec)
{
	return eec->message || eec->recv->valid;
}

/* Return whether a packet is a duplicate. It may belong to an earlier message with another SRQ. */
static bool xrc_is_duplicate(const struct hca_eec *eec, const struct hca_packet *pkt)
{
	return hca_psn_diff(pkt->h.bth.psn, eec->expected_psn) < 0;
}

struct hca_qp *hca_xrc_dest_get(struct hca_eec *eec, const struct hca_packet *pkt)
{
	u32 srqn = pkt->h.xrceth_srqn;
	bool duplicate = xrc_is_duplicate(eec, pkt);
	struct hca_xrc_srq *xrc;

	if (!duplicate && xrc_in_message(eec) && srqn != eec->message_dest)
		return NULL;
	xrc = hca_xrc_srq_get(eec->qp, srqn);
	if (!xrc)
		return NULL;
	if (!duplicate)
		eec->message_dest = srqn;
	xrc_attach(eec->qp, xrc);
	return eec->qp;
}

void hca_xrc_dest_put(struct hca_eec *eec, struct hca_qp *qp)
{
	xrc_detach(qp);
}

/*
 * Flush the receive request being filled, or drop it if the SRQ has been destroyed. recv_lock is
 * held.
 */
static void xrc_flush_recv(struct hca_qp *qp)
{
	struct hca_xrc_srq *xrc = hca_xrc_srq_get(qp, hca_qp_eec(qp)->message_dest);

	if (xrc) {
		xrc_attach(qp, xrc);
		hca_recv_fail(qp, &qp->recv, HCA_VENDOR_ERR_FLUSH_ERROR);
		xrc_detach(qp);
	}
	qp->recv.valid = false;
}

void hca_xrc_stop_recvs(struct hca_qp *qp)
{
	spin_lock(&qp->common.recv_lock);
	if (qp->recv.valid)
		xrc_flush_recv(qp);
	if (!qp->last_wqe_reached) {
		qp->last_wqe_reached = true;
		hca_qp_common_raise(&qp->common, HCA_QP_LAST_WQE_REACHED);
	}
	spin_unlock(&qp->common.recv_lock);
}
