// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Completion queues. Only creation and destruction call the kernel. */
#include <errno.h>
#include <stdlib.h>
#include "libhca.h"

#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #ours)
SAME(IB_UVERBS_WC_SEND, IBV_WC_SEND);
SAME(IB_UVERBS_WC_RDMA_WRITE, IBV_WC_RDMA_WRITE);
SAME(IB_UVERBS_WC_RDMA_READ, IBV_WC_RDMA_READ);
SAME(IB_UVERBS_WC_COMP_SWAP, IBV_WC_COMP_SWAP);
SAME(IB_UVERBS_WC_FETCH_ADD, IBV_WC_FETCH_ADD);
SAME(IB_UVERBS_WC_BIND_MW, IBV_WC_BIND_MW);
SAME(IB_UVERBS_WC_LOCAL_INV, IBV_WC_LOCAL_INV);
SAME(HCA_CQE_GRH, IBV_WC_GRH);
SAME(HCA_CQE_WITH_IMM, IBV_WC_WITH_IMM);
#undef SAME
/* The uverbs interface has no codes of receives; hca.ko uses these values. */
_Static_assert(IBV_WC_RECV == 128 && IBV_WC_RECV_RDMA_WITH_IMM == 129, "receive opcodes");
_Static_assert(sizeof(struct hca_cqe) == 64, "a cache line");

/* Maps the ring. If that fails, the CQ of the kernel is destroyed. */
static int map(struct hca_cq *cq, const struct hca_create_cq_resp *resp)
{
	int ret = hca_queue_map(&cq->queue, cq->cq.context, resp->offset, resp->size, resp->entries,
				sizeof(struct hca_cqe));

	if (!ret)
		return 0;
	/* libibverbs initialises these only later, and ibv_cmd_destroy_cq() needs them. */
	pthread_mutex_init(&cq->cq.mutex, NULL);
	pthread_cond_init(&cq->cq.cond, NULL);
	ibv_cmd_destroy_cq(&cq->cq);
	return ret;
}

static int create(struct hca_cq *cq, struct ibv_context *context, int cqe,
		  struct ibv_comp_channel *channel, int comp_vector)
{
	VERBS_COMMAND(struct ib_uverbs_create_cq) cmd = {};
	struct {
		struct ib_uverbs_create_cq_resp core;
		struct hca_create_cq_resp hca;
	} resp = {};
	int ret;

	ret = ibv_cmd_create_cq(context, cqe, channel, comp_vector, &cq->cq, &cmd, sizeof(cmd),
				&resp.core, sizeof(resp));
	return ret ? ret : map(cq, &resp.hca);
}

struct ibv_cq *hca_create_cq(struct ibv_context *context, int cqe, struct ibv_comp_channel *channel,
			     int comp_vector)
{
	struct hca_cq *cq;
	int ret;

	cq = calloc(1, sizeof(*cq));
	if (!cq)
		return NULL;
	ret = create(cq, context, cqe, channel, comp_vector);
	if (ret) {
		free(cq);
		errno = ret;
		return NULL;
	}
	return &cq->cq;
}

int hca_destroy_cq(struct ibv_cq *ibv)
{
	struct hca_cq *cq = to_hca_cq(ibv);
	int ret;

	ret = ibv_cmd_destroy_cq(ibv);
	if (ret)
		return ret;
	hca_queue_unmap(&cq->queue);
	free(cq);
	return 0;
}

/* Converts CQE flags; HCA_CQE_WITH_INV is the only one whose value differs in libibverbs. */
static unsigned int wc_flags(uint8_t flags)
{
	unsigned int same = flags & (HCA_CQE_GRH | HCA_CQE_WITH_IMM);

	return flags & HCA_CQE_WITH_INV ? same | IBV_WC_WITH_INV : same;
}

/*
 * A CQE contains the whole completion: its queue pair may not exist any more (req V3-189, V3-275).
 */
static void wc_fill(struct ibv_wc *wc, const struct hca_cqe *cqe)
{
	wc->wr_id = cqe->wr_id;
	wc->status = cqe->status;
	wc->opcode = cqe->opcode;
	wc->vendor_err = cqe->vendor_err;
	wc->byte_len = cqe->byte_len;
	wc->imm_data = cqe->imm_data; /* or invalidated_rkey: unions both */
	wc->qp_num = cqe->qp_num;
	wc->src_qp = cqe->src_qp;
	wc->wc_flags = wc_flags(cqe->flags);
	wc->pkey_index = cqe->pkey_index;
	wc->slid = cqe->slid;
	wc->sl = cqe->sl;
	wc->dlid_path_bits = cqe->dlid_path_bits;
}

/*
 * Releases the work queue entries of a completion (req R0-408). @qp is the queue pair of the
 * previous completion, or NULL. Return: the queue pair of this completion, or NULL if it does not
 * exist any more.
 */
static struct hca_qp *reap(struct ibv_cq *cq, struct hca_qp *qp, const struct hca_cqe *cqe)
{
	if (!cqe->wqes)
		return qp;
	if (!qp || qp->verbs.qp.qp_num != cqe->qp_num)
		qp = hca_qp_table_find(to_hca_context(cq->context), cqe->qp_num);
	if (qp)
		hca_queue_reap(cqe->flags & HCA_CQE_RECV ? &qp->rq : &qp->sq, cqe->wqes);
	return qp;
}

/* Consumes up to @n completions; the consumer index is written once for all (req V3-280). */
static int consume(struct hca_cq *cq, int n, struct ibv_wc *wc)
{
	struct hca_queue *queue = &cq->queue;
	struct hca_qp *qp = NULL;
	const struct hca_cqe *cqe;
	uint32_t consumer = hca_ring_consumer(queue->ring);
	uint32_t filled = hca_ring_filled(queue->ring) - consumer;
	int i;

	if (filled < (uint32_t)n)
		n = filled;
	for (i = 0; i < n; i++) {
		cqe = hca_queue_entry(queue, consumer + i);
		wc_fill(&wc[i], cqe);
		qp = reap(&cq->cq, qp, cqe);
	}
	hca_ring_release(queue->ring, consumer + n);
	return n;
}

/*
 * Checks without the lock whether the ring is empty, which is the common case of busy polling. The
 * producer index is read first: if another thread polls as well, the result is true only if every
 * completion that was in the ring at the first read was consumed at the second.
 */
static bool empty(const struct hca_queue *queue)
{
	uint32_t filled = hca_ring_filled(queue->ring);

	return hca_ring_consumer(queue->ring) == filled;
}

/* Polling and posting have no lock in common (req V3-192, V3-273). */
int hca_poll_cq(struct ibv_cq *ibv, int n, struct ibv_wc *wc)
{
	struct hca_cq *cq = to_hca_cq(ibv);
	struct hca_queue *queue = &cq->queue;

	if (n <= 0 || empty(queue))
		return 0;
	pthread_spin_lock(&queue->lock);
	n = consume(cq, n, wc);
	pthread_spin_unlock(&queue->lock);
	return n;
}

int hcadv_poll_cq(struct ibv_cq *ibv, int n, struct hcadv_wc *wc)
{
	struct hca_queue *queue;
	const struct hca_cqe *cqe;
	struct hca_qp *qp = NULL;
	uint32_t consumer;
	int i;

	if (!hca_is_ours(ibv->context->device))
		return -EOPNOTSUPP;
	queue = &to_hca_cq(ibv)->queue;
	pthread_spin_lock(&queue->lock);
	consumer = hca_ring_consumer(queue->ring);
	for (i = 0; i < n && consumer != hca_ring_filled(queue->ring); i++) {
		cqe = hca_queue_entry(queue, consumer++);
		wc_fill(&wc[i].wc, cqe);
		qp = reap(ibv, qp, cqe);
		wc[i].eecn = cqe->eecn;
		wc[i].ethertype = cqe->ethertype;
	}
	hca_ring_release(queue->ring, consumer);
	pthread_spin_unlock(&queue->lock);
	return i;
}

void hca_cq_clean(struct ibv_cq *ibv, const struct hca_qp *qp)
{
	struct hca_queue *queue = &to_hca_cq(ibv)->queue;
	uint32_t i, end;

	pthread_spin_lock(&queue->lock);
	end = hca_ring_filled(queue->ring);
	for (i = hca_ring_consumer(queue->ring); i != end; i++) {
		struct hca_cqe *cqe = hca_queue_entry(queue, i);

		if (cqe->qp_num == qp->verbs.qp.qp_num)
			cqe->wqes = 0;
	}
	pthread_spin_unlock(&queue->lock);
}

/* Arms the CQ by a word of its ring (req V3-225, V3-281 to V3-283, V3-287). */
int hca_req_notify_cq(struct ibv_cq *ibv, int solicited_only)
{
	hca_ring_arm(to_hca_cq(ibv)->queue.ring,
		     solicited_only ? HCA_CQ_ARM_SOLICITED : HCA_CQ_ARM_NEXT);
	return 0;
}
