// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Completion queues. Only creation, modification, resizing and destruction call the kernel. cq_ex.c
 * contains the additional functions for completion queues of ibv_create_cq_ex().
 */
#include <errno.h>
#include <stdlib.h>
#include "completion.h"

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
/* The uverbs interface has no opcodes for receives; hca.ko uses these values. */
_Static_assert(IBV_WC_RECV == 128 && IBV_WC_RECV_RDMA_WITH_IMM == 129, "receive opcodes");
_Static_assert(sizeof(struct hca_cqe) == 64, "a cache line");

int hca_cq_map(struct hca_cq *cq, const struct hca_create_cq_resp *resp)
{
	struct ibv_cq *ibv = &cq->verbs.cq;
	int ret = hca_queue_map(&cq->queue, ibv->context, resp->offset, resp->size, resp->entries,
				sizeof(struct hca_cqe));

	if (!ret)
		return pthread_mutex_init(&cq->resize_lock, NULL); /* never fails */
	/* ibv_cmd_destroy_cq() needs these members, which libibverbs initializes only later. */
	pthread_mutex_init(&ibv->mutex, NULL);
	pthread_cond_init(&ibv->cond, NULL);
	ibv_cmd_destroy_cq(ibv);
	return ret;
}

static int cq_create(struct hca_cq *cq, struct ibv_context *context, int cqe,
		     struct ibv_comp_channel *channel, int comp_vector)
{
	VERBS_COMMAND(struct ib_uverbs_create_cq) cmd = {};
	struct {
		struct ib_uverbs_create_cq_resp core;
		struct hca_create_cq_resp hca;
	} resp = {};
	int ret;

	ret = ibv_cmd_create_cq(context, cqe, channel, comp_vector, &cq->verbs.cq, &cmd,
				sizeof(cmd), &resp.core, sizeof(resp));
	return ret ? ret : hca_cq_map(cq, &resp.hca);
}

struct ibv_cq *hca_create_cq(struct ibv_context *context, int cqe, struct ibv_comp_channel *channel,
			     int comp_vector)
{
	struct hca_cq *cq;
	int ret;

	cq = calloc(1, sizeof(*cq));
	if (!cq)
		return NULL;
	ret = cq_create(cq, context, cqe, channel, comp_vector);
	if (ret) {
		free(cq);
		errno = ret;
		return NULL;
	}
	return &cq->verbs.cq;
}

int hca_modify_cq(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr)
{
	VERBS_COMMAND_EX(struct ib_uverbs_ex_modify_cq) cmd = {};

	return ibv_cmd_modify_cq(cq, attr, &cmd, sizeof(cmd));
}

int hca_destroy_cq(struct ibv_cq *ibv)
{
	struct hca_cq *cq = to_hca_cq(ibv);
	int ret;

	ret = ibv_cmd_destroy_cq(ibv);
	if (ret)
		return ret;
	hca_queue_unmap(&cq->queue);
	hca_queue_free_retired(cq->retired);
	pthread_mutex_destroy(&cq->resize_lock);
	free(cq);
	return 0;
}

/*
 * A CQE contains the whole completion, because the queue pair may not exist any more (req V3-189,
 * V3-275).
 */
static void wc_fill(struct ibv_wc *wc, const struct hca_cqe *cqe)
{
	wc->wr_id = cqe->wr_id;
	wc->status = cqe->status;
	wc->opcode = cqe->opcode;
	wc->vendor_err = cqe->vendor_err;
	wc->byte_len = cqe->byte_len;
	wc->imm_data = cqe->imm_data; /* shares a union with invalidated_rkey in both structures */
	wc->qp_num = cqe->qp_num;
	wc->src_qp = cqe->src_qp;
	wc->wc_flags = hca_wc_flags(cqe->flags);
	wc->pkey_index = cqe->pkey_index;
	wc->slid = cqe->slid;
	wc->sl = cqe->sl;
	wc->dlid_path_bits = cqe->dlid_path_bits;
}

uint32_t hca_cq_first(const struct hca_cq *cq, uint32_t filled)
{
	uint32_t consumer = hca_ring_consumer(cq->queue.ring);

	return cq->ignore_overrun && filled - consumer >= cq->queue.entries ?
		       filled - cq->queue.entries + 1 : consumer;
}

/*
 * A completion of a CQ that ignores overruns may be overwritten while it is copied. In this case
 * the oldest remaining completion is copied instead. The oldest entry of a full ring is skipped,
 * because the engine may be writing it.
 */
bool hca_cq_copy(const struct hca_cq *cq, uint32_t *index, struct hca_cqe *cqe)
{
	const struct hca_queue *queue = &cq->queue;
	uint32_t filled;

	for (;;) {
		filled = hca_ring_filled(queue->ring);
		if (cq->ignore_overrun && filled - *index >= queue->entries)
			*index = filled - queue->entries + 1;
		if (*index == filled)
			return false;
		*cqe = *(const struct hca_cqe *)hca_queue_entry(queue, *index);
		if (!cq->ignore_overrun)
			break;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (hca_ring_filled(queue->ring) - *index < queue->entries)
			break;
	}
	++*index;
	return true;
}

/* Consume up to @n completions of a CQ that ignores overruns. */
static int consume_newest(struct hca_cq *cq, int n, struct ibv_wc *wc)
{
	uint32_t next = hca_ring_consumer(cq->queue.ring);
	struct hca_qp *qp = NULL;
	struct hca_cqe cqe;
	int i;

	for (i = 0; i < n && hca_cq_copy(cq, &next, &cqe); i++) {
		wc_fill(&wc[i], &cqe);
		qp = hca_cq_reap(cq, qp, &cqe);
	}
	hca_ring_release(cq->queue.ring, next);
	return i;
}

/* Consume up to @n completions; the consumer index is written once (req V3-280). */
static int cq_consume(struct hca_cq *cq, int n, struct ibv_wc *wc)
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
		qp = hca_cq_reap(cq, qp, cqe);
	}
	hca_ring_release(queue->ring, consumer + n);
	return n;
}

bool hca_cq_empty(const struct hca_queue *queue)
{
	const struct hca_ring *ring = hca_queue_ring(queue);
	uint32_t filled = hca_ring_filled(ring);

	return hca_ring_consumer(ring) == filled;
}

/* Polling and posting have no lock in common (req V3-192, V3-273). */
int hca_poll_cq(struct ibv_cq *ibv, int n, struct ibv_wc *wc)
{
	struct hca_cq *cq = to_hca_cq(ibv);
	struct hca_queue *queue = &cq->queue;

	if (n <= 0 || hca_cq_empty(queue))
		return 0;
	pthread_spin_lock(&queue->lock);
	n = cq->ignore_overrun ? consume_newest(cq, n, wc) : cq_consume(cq, n, wc);
	pthread_spin_unlock(&queue->lock);
	return n;
}

int hcadv_poll_cq(struct ibv_cq *ibv, int n, struct hcadv_wc *wc)
{
	struct hca_qp *qp = NULL;
	struct hca_cqe cqe;
	struct hca_cq *cq;
	uint32_t next;
	int i;

	if (!hca_is_ours(ibv->context->device))
		return -EOPNOTSUPP;
	cq = to_hca_cq(ibv);
	pthread_spin_lock(&cq->queue.lock);
	next = hca_ring_consumer(cq->queue.ring);
	for (i = 0; i < n && hca_cq_copy(cq, &next, &cqe); i++) {
		wc_fill(&wc[i].wc, &cqe);
		qp = hca_cq_reap(cq, qp, &cqe);
		wc[i].eecn = cqe.eecn;
		wc[i].ethertype = cqe.ethertype;
	}
	hca_ring_release(cq->queue.ring, next);
	pthread_spin_unlock(&cq->queue.lock);
	return i;
}

int hcadv_query_cq(struct ibv_cq *ibv, struct hcadv_cq_attr *attr)
{
	struct hca_cq *cq = to_hca_cq(ibv);
	struct hca_queue *queue = &cq->queue;
	uint32_t filled;

	if (!hca_is_ours(ibv->context->device))
		return EOPNOTSUPP;
	if (attr->comp_mask)
		return EINVAL;
	pthread_spin_lock(&queue->lock);
	filled = hca_ring_filled(queue->ring);
	*attr = (struct hcadv_cq_attr){
		.cqe = queue->entries,
		.completions = filled - hca_cq_first(cq, filled),
	};
	pthread_spin_unlock(&queue->lock);
	return 0;
}

void hca_cq_release_none(struct ibv_cq *ibv, const struct hca_qp *qp)
{
	struct hca_queue *queue = &to_hca_cq(ibv)->queue;
	uint32_t i, end;

	pthread_spin_lock(&queue->lock);
	end = hca_ring_filled(queue->ring);
	for (i = hca_cq_first(to_hca_cq(ibv), end); i != end; i++) {
		struct hca_cqe *cqe = hca_queue_entry(queue, i);

		if (cqe->qp_num == qp->verbs.qp.qp_num)
			cqe->wqes = 0;
	}
	pthread_spin_unlock(&queue->lock);
}

/*
 * The completions of other queue pairs are kept. They move toward the producer index, and the
 * consumer index moves to the first of them. The producer index stays, because only the kernel may
 * change it.
 */
void hca_cq_purge(struct ibv_cq *ibv, const struct hca_qp *qp)
{
	struct hca_queue *queue = &to_hca_cq(ibv)->queue;
	uint32_t first, i, kept;

	pthread_spin_lock(&queue->lock);
	i = kept = hca_ring_filled(queue->ring);
	first = hca_cq_first(to_hca_cq(ibv), i);
	while (i-- != first) {
		const struct hca_cqe *cqe = hca_queue_entry(queue, i);

		if (cqe->qp_num != qp->verbs.qp.qp_num && --kept != i)
			*(struct hca_cqe *)hca_queue_entry(queue, kept) = *cqe;
	}
	if (kept != first)
		hca_ring_release(queue->ring, kept);
	pthread_spin_unlock(&queue->lock);
}

/*
 * Arm the CQ by a word of its ring (req V3-225, V3-281 to V3-283, V3-287). While another thread
 * resizes the CQ, the kernel copies the arm word of the former ring to the new ring. If the ring of
 * the queue has changed after arming, the new ring is armed as well.
 */
int hca_req_notify_cq(struct ibv_cq *ibv, int solicited_only)
{
	const struct hca_queue *queue = &to_hca_cq(ibv)->queue;
	struct hca_ring *ring;

	do {
		ring = hca_queue_ring(queue);
		hca_ring_arm(ring, solicited_only ? HCA_CQ_ARM_SOLICITED : HCA_CQ_ARM_NEXT);
	} while (ring != hca_queue_ring(queue));
	return 0;
}

static int resize_step(struct hca_cq *cq, int cqe, enum hca_resize_cq_step step,
		       struct hca_create_cq_resp *ring)
{
	struct {
		VERBS_COMMAND(struct ib_uverbs_resize_cq) verbs;
		struct hca_resize_cq_req hca;
	} cmd = { .hca.step = step };
	struct {
		struct ib_uverbs_resize_cq_resp core;
		struct hca_create_cq_resp hca;
	} resp = {};
	int ret = ibv_cmd_resize_cq(&cq->verbs.cq, cqe, &cmd, sizeof(cmd), &resp.core,
				    sizeof(resp));

	*ring = resp.hca;
	return ret;
}

/* Replace the present ring by a new one, which is mapped first. Polling waits, posting does not. */
static int cq_resize(struct hca_cq *cq, int cqe)
{
	struct hca_create_cq_resp ring;
	struct hca_queue next = {};
	int ret;

	ret = resize_step(cq, cqe, HCA_RESIZE_CQ_PREPARE, &ring);
	if (ret)
		return ret;
	ret = hca_queue_map(&next, cq->verbs.cq.context, ring.offset, ring.size, ring.entries,
			    sizeof(struct hca_cqe));
	if (!ret) {
		pthread_spin_lock(&cq->queue.lock);
		ret = resize_step(cq, cqe, HCA_RESIZE_CQ_COMMIT, &ring);
		if (!ret)
			hca_queue_replace(&cq->queue, &next);
		pthread_spin_unlock(&cq->queue.lock);
	}
	/* FINISH frees the other ring. If FINISH fails, the next resize frees that ring. */
	resize_step(cq, cqe, HCA_RESIZE_CQ_FINISH, &ring);
	if (ret)
		hca_queue_unmap(&next);
	else
		hca_queue_retire(&next, &cq->retired);
	return ret;
}

int hca_resize_cq(struct ibv_cq *ibv, int cqe)
{
	struct hca_cq *cq = to_hca_cq(ibv);
	int ret;

	pthread_mutex_lock(&cq->resize_lock);
	ret = cq_resize(cq, cqe);
	pthread_mutex_unlock(&cq->resize_lock);
	return ret;
}
