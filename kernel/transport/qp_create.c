// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Queue pairs: creation and destruction. */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include "tpt/key.h"
#include "compat.h"
#include "transport/qp_table.h"
#include "transport/raw.h"
#include "transport/rd_eec.h"
#include "transport/recv_wqe.h"
#include "transport/request.h"
#include "transport/send.h"
#include "transport/srq.h"

static int qp_alloc_queues(struct hca_qp *qp, const struct hca_qp_init *init)
{
	int ret;

	qp->max_send_sge = init->max_send_sge;
	qp->max_recv_sge = init->srq ? 0 : init->max_recv_sge;
	if (init->max_send_wr) {
		u32 stride = hca_send_stride(init->max_send_sge, init->max_inline);

		/*
		 * Inline data may fill the whole entry: some programs send more inline data than
		 * they requested.
		 */
		qp->max_inline = min_t(u32, stride - HCA_SEND_WQE_HEADER, HCA_MAX_INLINE);
		ret = hca_queue_alloc(&qp->sq, init->max_send_wr, stride, init->kernel);
		if (ret)
			return ret;
		qp->request_stride = hca_request_bytes(init->max_send_sge, qp->max_inline);
		qp->requests = kvcalloc(qp->sq.entries, qp->request_stride, GFP_KERNEL_ACCOUNT);
		if (!qp->requests)
			return -ENOMEM;
	}
	if (init->max_recv_wr && !init->srq) {
		ret = hca_queue_alloc(&qp->rq, init->max_recv_wr,
				      hca_recv_stride(init->max_recv_sge), init->kernel);
		if (ret)
			return ret;
		/* the responder reads the ring when a packet arrives */
		qp->rq.ring->need_wakeup = 0;
	}
	return 0;
}

static void qp_free(struct hca_qp *qp)
{
	hca_queue_free(&qp->sq);
	hca_queue_free(&qp->rq);
	kvfree(qp->requests);
	kfree_rcu(qp, rcu);
}

static const u8 hca_transport_of[] = {
	[IB_QPT_SMI] = HCA_TRANSPORT_UD,	[IB_QPT_GSI] = HCA_TRANSPORT_UD,
	[IB_QPT_RC] = HCA_TRANSPORT_RC,	[IB_QPT_UC] = HCA_TRANSPORT_UC,
	[IB_QPT_UD] = HCA_TRANSPORT_UD,	[HCA_QPT_RD] = HCA_TRANSPORT_RD,
	[IB_QPT_RAW_IPV6] = HCA_TRANSPORT_RAW, [IB_QPT_RAW_ETHERTYPE] = HCA_TRANSPORT_RAW,
};

static void qp_setup(struct hca_qp *qp, struct hca_ca *ca, const struct hca_qp_init *init)
{
	hca_eec_init(&qp->eec, ca, hca_transport_of[init->type], &hca_qp_eec_ops);
	qp->eec.qp = qp;
	qp->type = init->type;
	qp->kernel = init->kernel;
	qp->signal_all = init->signal_all;
	qp->block_loopback = init->block_loopback;
	qp->pd = init->pd;
	qp->rdd = init->rdd;
	qp->srq = init->srq;
	qp->owner = init->owner;
	qp->context = init->context;
	qp->cookie = init->cookie;
	qp->send_cq = init->send_cq;
	qp->recv_cq = init->recv_cq;
	qp->recv_pd = init->srq ? init->srq->pd : init->pd;
	refcount_set(&qp->users, 1);
	init_completion(&qp->unused);
	spin_lock_init(&qp->post_lock);
	INIT_LIST_HEAD(&qp->scheduled);
	INIT_LIST_HEAD(&qp->groups);
	if (init->type == IB_QPT_SMI || init->type == IB_QPT_GSI)
		qp->eec.port = hca_node_port(&ca->node, init->port_num);
}

static bool qp_init_valid(const struct hca_qp_init *init)
{
	return init->max_send_sge <= HCA_MAX_SGE && init->max_inline <= HCA_MAX_INLINE &&
	       init->max_send_wr <= HCA_MAX_QP_WR &&
	       (init->srq || (init->max_recv_sge <= HCA_MAX_SGE &&
			      init->max_recv_wr <= HCA_MAX_QP_WR)) && /* req R0-220 */
	       (init->type != HCA_QPT_RD || init->rdd);
}

struct hca_qp *hca_qp_create(struct hca_ca *ca, const struct hca_qp_init *init)
{
	struct hca_qp *qp;
	int ret;

	if (!qp_init_valid(init))
		return ERR_PTR(-EINVAL);
	qp = kzalloc(sizeof(*qp), GFP_KERNEL_ACCOUNT);
	if (!qp)
		return ERR_PTR(-ENOMEM);
	qp_setup(qp, ca, init);
	ret = qp_alloc_queues(qp, init);
	if (!ret)
		ret = hca_qp_publish(qp, init->port_num);
	if (ret) {
		qp_free(qp);
		return ERR_PTR(ret);
	}
	if (hca_qp_is_raw(qp))
		hca_raw_add(qp);
	return qp;
}

/*
 * A process may map the ring for longer than the device exists: it has to ring the doorbell, whose
 * failure tells it that the device is gone.
 */
static void qp_abandon(struct hca_queue *q)
{
	if (q->size)
		WRITE_ONCE(q->ring->need_wakeup, 1);
}

void hca_qp_destroy(struct hca_qp *qp)
{
	hca_multicast_detach_all(qp);
	if (hca_qp_is_raw(qp))
		hca_raw_del(qp);
	hca_qp_withdraw(qp);
	if (qp->type == HCA_QPT_RD) {
		WRITE_ONCE(qp->eec.state, IB_QPS_RESET);
		hca_rd_eec_disconnect(qp);
	}
	/*
	 * No new user follows; those that remain release it soon, because they run with BH
	 * disabled.
	 */
	hca_qp_put(qp);
	wait_for_completion(&qp->unused);
	hca_eec_stop(&qp->eec);
	hca_keys_unbind(&qp->eec.ca->tpt, &qp->windows);
	qp_abandon(&qp->sq);
	qp_abandon(&qp->rq);
	hca_cq_clean(qp->send_cq, qp->cookie, true);
	hca_cq_clean(qp->recv_cq, qp->cookie, true);
	qp_free(qp);
}
