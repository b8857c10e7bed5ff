// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Creation and destruction of the part of a queue pair that is common to all transports (qp.h). */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include "compat.h"
#include "qp/ci.h"
#include "qp/limits.h"
#include "qp/recv_wqe.h"
#include "qp/request.h"
#include "qp/srq.h"
#include "qp/type.h"
#include "tpt/key.h"

/*
 * Allocate memory for the requests that are fetched from the send ring. The memory is charged to
 * the memory cgroup, but not to RLIMIT_MEMLOCK, because programs such as Open MPI use up a limit of
 * 8 MiB with rings and buffers alone.
 */
static int qp_alloc_requests(struct hca_qp *qp, const struct hca_qp_init *init)
{
	qp->request_stride = hca_request_bytes(init->max_send_sge, qp->max_inline);
	qp->requests = kvcalloc(qp->sq.entries, qp->request_stride,
				GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	return qp->requests ? 0 : -ENOMEM;
}

static int qp_alloc_queues(struct hca_qp *qp, const struct hca_qp_init *init)
{
	int ret;

	qp->max_send_sge = init->max_send_sge;
	qp->max_recv_sge = init->srq ? 0 : init->max_recv_sge;
	if (init->max_send_wr) {
		u32 stride = hca_send_stride(init->max_send_sge, init->max_inline);

		/*
		 * Inline data may fill the whole entry, because some programs send more inline data
		 * than they requested.
		 */
		qp->max_inline = min_t(u32, stride - HCA_SEND_WQE_HEADER, HCA_MAX_INLINE);
		ret = hca_queue_alloc(&qp->sq, init->max_send_wr, stride, init->kernel);
		if (ret)
			return ret;
		ret = qp_alloc_requests(qp, init);
		if (ret)
			return ret;
	}
	if (init->max_recv_wr && !init->srq) {
		ret = hca_queue_alloc(&qp->rq, init->max_recv_wr,
				      hca_recv_stride(init->max_recv_sge), init->kernel);
		if (ret)
			return ret;
		/* no doorbell is needed: the responder reads the ring when a packet arrives */
		qp->rq.ring->need_wakeup = 0;
	}
	return 0;
}

static void qp_free_queues(struct hca_qp *qp)
{
	hca_queue_free(&qp->sq);
	hca_queue_free(&qp->rq);
	kvfree(qp->requests);
}

static void qp_setup(struct hca_qp *qp, const struct hca_qp_init *init)
{
	qp->type = init->type;
	qp->kernel = init->kernel;
	qp->signal_all = init->signal_all;
	qp->pd = init->pd;
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
}

static bool qp_init_valid(const struct hca_qp_init *init)
{
	return init->max_send_sge <= HCA_MAX_SGE && init->max_inline <= HCA_MAX_INLINE &&
	       init->max_send_wr <= HCA_MAX_QP_WR &&
	       /* With an SRQ, the sizes of the receive queue are ignored (req R0-220). */
	       (init->srq || (init->max_recv_sge <= HCA_MAX_SGE &&
			      init->max_recv_wr <= HCA_MAX_QP_WR));
}

static void qp_notify(struct hca_qp_common *common, enum hca_qp_event event)
{
	struct hca_qp *qp = container_of(common, struct hca_qp, common);

	qp->ci->qp_event(qp, event);
}

int hca_qp_init(struct hca_qp *qp, const struct hca_qp_type *type, struct hca_ci *ci,
		const struct hca_qp_init *init)
{
	int ret;

	if (!qp_init_valid(init))
		return -EINVAL;
	qp->ops = type->ops;
	qp->ci = ci;
	qp->opcodes = type->opcodes;
	qp->addressed = type->addressed;
	hca_qp_common_init(&qp->common, qp->ops->run, qp_notify);
	qp_setup(qp, init);
	ret = qp_alloc_queues(qp, init);
	if (ret)
		qp_free_queues(qp);
	return ret;
}

void hca_qp_free(struct hca_qp *qp)
{
	qp_free_queues(qp);
	kfree_rcu(qp, rcu);
}

/*
 * Set need_wakeup, because a process may have the ring mapped for longer than the device exists.
 * The process then rings the doorbell when it posts. The doorbell fails, which shows the process
 * that the device is gone.
 */
static void qp_abandon(struct hca_queue *q)
{
	if (q->size)
		WRITE_ONCE(q->ring->need_wakeup, 1);
}

void hca_qp_destroy(struct hca_qp *qp)
{
	qp->ops->withdraw(qp);
	/*
	 * No look-up finds the queue pair any more. The remaining references are released soon:
	 * their holders have BH disabled, modify the queue pair, or wait for the end of a stream,
	 * which withdraw() has reset.
	 */
	hca_qp_put(qp);
	wait_for_completion(&qp->unused);
	hca_run_stop(&qp->common.run);
	qp->ops->stop(qp);
	hca_keys_unbind(&qp->ci->tpt, &qp->windows);
	qp_abandon(&qp->sq);
	qp_abandon(&qp->rq);
	if (qp->send_cq)
		hca_cq_purge(qp->send_cq, qp->cookie);
	if (qp->recv_cq)
		hca_cq_purge(qp->recv_cq, qp->cookie);
	hca_qp_free(qp);
}
