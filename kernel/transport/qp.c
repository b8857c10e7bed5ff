// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Queue pairs come and go. */
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include "compat.h"
#include "transport/qp_table.h"
#include "transport/recv.h"
#include "transport/request.h"
#include "transport/send.h"
#include "transport/srq.h"

static int hca_qp_alloc_queues(struct hca_qp *qp, const struct hca_qp_init *init)
{
	int ret;

	qp->max_send_sge = init->max_send_sge;
	qp->max_recv_sge = init->srq ? 0 : init->max_recv_sge;
	qp->max_inline = init->max_inline;
	if (init->max_send_wr) {
		ret = hca_queue_alloc(&qp->sq, init->max_send_wr,
				      hca_send_stride(init->max_send_sge, init->max_inline));
		if (ret)
			return ret;
		qp->request_stride = hca_request_bytes(init->max_send_sge, init->max_inline);
		qp->requests = kvcalloc(qp->sq.entries, qp->request_stride, GFP_KERNEL);
		if (!qp->requests)
			return -ENOMEM;
	}
	if (init->max_recv_wr && !init->srq) {
		ret = hca_queue_alloc(&qp->rq, init->max_recv_wr,
				      hca_recv_stride(init->max_recv_sge));
		if (ret)
			return ret;
		qp->rq.ring->need_wakeup = 0; /* the responder looks when a packet comes */
	}
	return 0;
}

static void hca_qp_free(struct hca_qp *qp)
{
	hca_queue_free(&qp->sq);
	hca_queue_free(&qp->rq);
	kvfree(qp->requests);
	kfree_rcu(qp, rcu);
}

static void hca_qp_setup(struct hca_qp *qp, struct hca_ca *ca, const struct hca_qp_init *init)
{
	qp->ca = ca;
	qp->type = init->type;
	qp->kernel = init->kernel;
	qp->signal_all = init->signal_all;
	qp->block_loopback = init->block_loopback;
	qp->pd = init->pd;
	qp->owner = init->owner;
	qp->context = init->context;
	qp->cookie = init->cookie;
	qp->send_cq = init->send_cq;
	qp->recv_cq = init->recv_cq;
	qp->srq = init->srq;
	qp->recv_pd = init->srq ? init->srq->pd : init->pd;
	qp->mtu = HCA_MAX_MTU_BYTES;
	qp->state = HCA_QPS_RESET;
	refcount_set(&qp->users, 1);
	init_completion(&qp->unused);
	spin_lock_init(&qp->send_lock);
	spin_lock_init(&qp->recv_lock);
	spin_lock_init(&qp->post_lock);
	spin_lock_init(&qp->eec.response_lock);
	init_llist_head(&qp->responses);
	hca_run_init(&qp->run, hca_qp_run);
	INIT_LIST_HEAD(&qp->waiter.node);
	INIT_LIST_HEAD(&qp->groups);
	qp->waiter.runnable = &qp->run;
	timer_setup(&qp->timer, hca_retry_timer, 0);
	if (init->type == HCA_QPT_SMI || init->type == HCA_QPT_GSI)
		qp->port = hca_node_port(&ca->node, init->port_num);
}

static bool hca_qp_init_valid(const struct hca_qp_init *init)
{
	return init->max_send_sge <= HCA_MAX_SGE && init->max_inline <= HCA_MAX_INLINE &&
	       init->max_send_wr <= HCA_MAX_QP_WR &&
	       (init->srq || (init->max_recv_sge <= HCA_MAX_SGE &&
			      init->max_recv_wr <= HCA_MAX_QP_WR)); /* R0-220 */
}

struct hca_qp *hca_qp_create(struct hca_ca *ca, const struct hca_qp_init *init)
{
	struct hca_qp *qp;
	int ret;

	if (init->type == HCA_QPT_UC)
		return ERR_PTR(-EOPNOTSUPP);
	if (!hca_qp_init_valid(init))
		return ERR_PTR(-EINVAL);
	qp = kzalloc(sizeof(*qp), GFP_KERNEL);
	if (!qp)
		return ERR_PTR(-ENOMEM);
	hca_qp_setup(qp, ca, init);
	ret = hca_qp_alloc_queues(qp, init);
	if (!ret)
		ret = hca_qp_publish(qp, init->port_num);
	if (ret) {
		hca_qp_free(qp);
		return ERR_PTR(ret);
	}
	return qp;
}

static void hca_qp_drop_responses(struct hca_qp *qp)
{
	struct llist_node *node = llist_del_all(&qp->responses), *next;

	local_bh_disable();
	for (; node; node = next) {
		next = node->next;
		hca_packet_free(llist_entry(node, struct hca_packet, node));
	}
	local_bh_enable();
	atomic_set(&qp->num_responses, 0);
}

/* A process may map the ring for longer than there is a device: let it ring, and be told so. */
static void hca_qp_abandon(struct hca_queue *q)
{
	if (q->size)
		WRITE_ONCE(q->ring->need_wakeup, 1);
}

void hca_qp_destroy(struct hca_qp *qp)
{
	hca_multicast_leave(qp);
	hca_qp_withdraw(qp);
	/* No new user; those there are leave soon, they run with BH disabled. */
	hca_qp_put(qp);
	wait_for_completion(&qp->unused);
	hca_run_stop(&qp->run);
	del_timer_sync(&qp->timer);
	if (qp->port) {
		local_bh_disable();
		hca_port_cancel_wait(qp->port, &qp->waiter);
		local_bh_enable();
	}
	hca_qp_drop_responses(qp);
	hca_qp_abandon(&qp->sq);
	hca_qp_abandon(&qp->rq);
	hca_cq_forget(qp->send_cq, qp->cookie);
	hca_cq_forget(qp->recv_cq, qp->cookie);
	hca_qp_free(qp);
}

/* IBA C10-96 and 10.8.2: in which states work may be posted; in Error it is flushed. */
static const u8 hca_post_send_states = BIT(HCA_QPS_RTS) | BIT(HCA_QPS_SQD) | BIT(HCA_QPS_SQE) |
				       BIT(HCA_QPS_ERR);
static const u8 hca_post_recv_states = BIT(HCA_QPS_INIT) | BIT(HCA_QPS_RTR) | BIT(HCA_QPS_RTS) |
				       BIT(HCA_QPS_SQD) | BIT(HCA_QPS_SQE) | BIT(HCA_QPS_ERR);

int hca_qp_post_send_ok(const struct hca_qp *qp)
{
	return BIT(READ_ONCE(qp->state)) & hca_post_send_states ? 0 : -EINVAL;
}

int hca_qp_post_recv_ok(const struct hca_qp *qp)
{
	return BIT(READ_ONCE(qp->state)) & hca_post_recv_states ? 0 : -EINVAL;
}
