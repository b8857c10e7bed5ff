// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Posting. Requests are written in place into the rings. Each call rings the doorbell at most
 * once, and only if the engine sleeps (req V3-186, V3-267). The provider reports immediate errors,
 * completions report all other errors. Requests before an invalid one stay posted (req V3-269 to
 * V3-276).
 */
#include <errno.h>
#include <string.h>
#include "libhca.h"

#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #ours)
SAME(HCA_WQE_FENCE, IBV_SEND_FENCE);
SAME(HCA_WQE_SIGNALED, IBV_SEND_SIGNALED);
SAME(HCA_WQE_SOLICITED, IBV_SEND_SOLICITED);
SAME(HCA_WQE_INLINE, IBV_SEND_INLINE);
SAME(IB_UVERBS_WR_RDMA_WRITE, IBV_WR_RDMA_WRITE);
SAME(IB_UVERBS_WR_RDMA_WRITE_WITH_IMM, IBV_WR_RDMA_WRITE_WITH_IMM);
SAME(IB_UVERBS_WR_SEND, IBV_WR_SEND);
SAME(IB_UVERBS_WR_SEND_WITH_IMM, IBV_WR_SEND_WITH_IMM);
SAME(IB_UVERBS_WR_RDMA_READ, IBV_WR_RDMA_READ);
SAME(IB_UVERBS_WR_ATOMIC_CMP_AND_SWP, IBV_WR_ATOMIC_CMP_AND_SWP);
SAME(IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, IBV_WR_ATOMIC_FETCH_AND_ADD);
SAME(IB_UVERBS_WR_SEND_WITH_INV, IBV_WR_SEND_WITH_INV);
SAME(IB_UVERBS_WR_LOCAL_INV, IBV_WR_LOCAL_INV);
SAME(IB_UVERBS_WR_BIND_MW, IBV_WR_BIND_MW);
SAME(IB_UVERBS_ACCESS_ZERO_BASED, IBV_ACCESS_ZERO_BASED);
SAME(sizeof(struct hca_sge), sizeof(struct ibv_sge));
SAME(offsetof(struct hca_sge, addr), offsetof(struct ibv_sge, addr));
SAME(offsetof(struct hca_sge, length), offsetof(struct ibv_sge, length));
SAME(offsetof(struct hca_sge, lkey), offsetof(struct ibv_sge, lkey));
SAME(sizeof(struct hca_send_wqe), HCA_SEND_WQE_HEADER);
SAME(sizeof(struct hca_recv_wqe), HCA_RECV_WQE_HEADER);
#undef SAME

#define SEND_FLAGS (HCA_WQE_FENCE | HCA_WQE_SIGNALED | HCA_WQE_SOLICITED | HCA_WQE_INLINE)
#define MAX_MESSAGE (1u << 31) /* octets */

/* Properties of the opcodes. */
static const struct send_kind {
	bool rdma; /* the request has a remote address and an R_Key */
	bool atomic; /* the request has the operands of an atomic operation */
	bool read; /* the SGEs of the request receive data */
	bool invalidate; /* the request has a key to invalidate */
	bool bind; /* the request has a memory window and its bind information */
	bool local; /* the request has no data and no packets */
} kinds[] = {
	[IBV_WR_RDMA_WRITE] = { .rdma = true },
	[IBV_WR_RDMA_WRITE_WITH_IMM] = { .rdma = true },
	[IBV_WR_RDMA_READ] = { .rdma = true, .read = true },
	[IBV_WR_ATOMIC_CMP_AND_SWP] = { .atomic = true, .read = true },
	[IBV_WR_ATOMIC_FETCH_AND_ADD] = { .atomic = true, .read = true },
	[IBV_WR_LOCAL_INV] = { .invalidate = true, .local = true },
	[IBV_WR_BIND_MW] = { .bind = true, .local = true },
	[IBV_WR_SEND_WITH_INV] = { .invalidate = true },
	[VERBS_WR_ATOMIC_WRITE] = { .rdma = true },
};

#define NUM_KINDS (sizeof(kinds) / sizeof(kinds[0]))

static bool may_post(const struct ibv_qp *qp, uint8_t states)
{
	return states >> qp->state & 1;
}

/* Copy SGEs. Return: their total length, octets. */
static uint64_t copy_sges(struct hca_sge *to, const struct ibv_sge *from, uint32_t n)
{
	uint64_t length = 0;
	uint32_t i;

	for (i = 0; i < n; i++) {
		to[i] = (struct hca_sge){ from[i].addr, from[i].length, from[i].lkey };
		length += from[i].length;
	}
	return length;
}

/* Copy inline data, and ignore L_Keys (req V3-271). Return: false if it exceeds @max octets. */
static bool copy_inline(struct hca_send_wqe *wqe, const struct ibv_send_wr *wr, uint32_t max)
{
	uint8_t *data = (uint8_t *)wqe + HCA_SEND_WQE_HEADER;
	uint32_t length = 0;
	int i;

	for (i = 0; i < wr->num_sge; i++) {
		const struct ibv_sge *sge = &wr->sg_list[i];

		if (sge->length > max - length)
			return false;
		memcpy(data + length, (const void *)(uintptr_t)sge->addr, sge->length);
		length += sge->length;
	}
	wqe->inline_length = length;
	wqe->num_sge = 0;
	return true;
}

static bool copy_list(struct hca_send_wqe *wqe, const struct ibv_send_wr *wr, uint32_t max)
{
	struct hca_sge *list = (struct hca_sge *)((uint8_t *)wqe + HCA_SEND_WQE_HEADER);

	if ((uint32_t)wr->num_sge > max)
		return false;
	wqe->inline_length = 0;
	wqe->num_sge = wr->num_sge;
	return copy_sges(list, wr->sg_list, wr->num_sge) <= MAX_MESSAGE;
}

/* A queue pair and its address handles must have one protection domain (req V3-134). */
static bool write_datagram(struct hca_send_wqe *wqe, const struct ibv_send_wr *wr,
			   const struct ibv_qp *qp)
{
	if (!hca_pd_same(wr->wr.ud.ah->pd, qp->pd))
		return false;
	wqe->ud.av = to_hca_ah(wr->wr.ud.ah)->av;
	wqe->ud.remote_qpn = wr->wr.ud.remote_qpn;
	wqe->ud.remote_qkey = wr->wr.ud.remote_qkey;
	wqe->ud.pkey_index = 0;
	return true;
}

static void write_rdma(struct hca_send_wqe *wqe, const struct ibv_send_wr *wr)
{
	wqe->rdma.remote_addr = wr->wr.rdma.remote_addr;
	wqe->rdma.rkey = wr->wr.rdma.rkey;
}

static void write_atomic(struct hca_send_wqe *wqe, const struct ibv_send_wr *wr)
{
	wqe->rdma.remote_addr = wr->wr.atomic.remote_addr;
	wqe->rdma.rkey = wr->wr.atomic.rkey;
	wqe->rdma.compare_add = wr->wr.atomic.compare_add;
	wqe->rdma.swap = wr->wr.atomic.swap;
}

void hca_write_bind(struct hca_send_wqe *wqe, const struct ibv_mw *mw, uint32_t rkey,
		    const struct ibv_mw_bind_info *info)
{
	wqe->memory.addr = info->addr;
	wqe->memory.length = info->length;
	wqe->memory.key = (mw->rkey & ~0xffu) | (rkey & 0xff);
	wqe->memory.lkey = info->mr ? info->mr->lkey : 0;
	wqe->memory.access = info->mw_access_flags;
	wqe->memory.reserved = 0;
}

/* Write a send WQE. Return: false if the request is invalid and must not be published. */
static bool write_send(const struct hca_qp *qp, struct hca_send_wqe *wqe,
		       const struct ibv_send_wr *wr)
{
	const struct ibv_qp *ibv = &qp->verbs.qp;
	const struct send_kind *kind;

	if (wr->opcode >= NUM_KINDS || wr->send_flags & ~SEND_FLAGS)
		return false;
	if (!(qp->opcodes >> wr->opcode & 1))
		return false;
	kind = &kinds[wr->opcode];
	wqe->wr_id = wr->wr_id;
	wqe->opcode = wr->opcode;
	wqe->flags = wr->send_flags;
	wqe->reserved = 0;
	wqe->imm_data = wr->imm_data; /* the engine ignores imm_data for other opcodes */
	wqe->invalidate_rkey = kind->invalidate ? wr->invalidate_rkey : 0;
	if (kind->atomic)
		write_atomic(wqe, wr);
	else if (kind->rdma)
		write_rdma(wqe, wr);
	else if (kind->bind)
		hca_write_bind(wqe, wr->bind_mw.mw, wr->bind_mw.rkey, &wr->bind_mw.bind_info);
	else if (ibv->qp_type == IBV_QPT_UD && !write_datagram(wqe, wr, ibv))
		return false;
	if (ibv->qp_type == IBV_QPT_XRC_SEND && !kind->local)
		wqe->rdma.remote_srqn = wr->qp_type.xrc.remote_srqn;
	if (kind->local) {
		wqe->inline_length = 0;
		wqe->num_sge = 0;
		return !(wr->send_flags & IBV_SEND_INLINE);
	}
	if (wr->send_flags & IBV_SEND_INLINE)
		return !kind->read && wr->num_sge >= 0 && copy_inline(wqe, wr, qp->max_inline);
	return copy_list(wqe, wr, qp->max_send_sge);
}

static bool write_recv(struct hca_recv_wqe *wqe, const struct ibv_recv_wr *wr, uint32_t max_sge)
{
	if ((uint32_t)wr->num_sge > max_sge)
		return false;
	wqe->wr_id = wr->wr_id;
	wqe->num_sge = wr->num_sge;
	wqe->reserved = 0;
	copy_sges(wqe->sge, wr->sg_list, wr->num_sge);
	return true;
}

/*
 * Write receive requests. The caller holds the queue's lock; entries before @freed may be
 * overwritten. Return: 0, or an errno with @wr set to the first request that was not posted.
 */
static int produce_recvs(struct hca_queue *rq, uint32_t freed, uint32_t max_sge,
			 struct ibv_recv_wr **wr)
{
	uint32_t producer = hca_ring_producer(rq->ring);
	int ret = 0;

	for (; *wr; *wr = (*wr)->next, producer++) {
		if (hca_queue_full(rq, freed, producer))
			ret = ENOMEM;
		else if (!write_recv(hca_queue_entry(rq, producer), *wr, max_sge))
			ret = EINVAL;
		if (ret)
			break;
	}
	hca_ring_publish(rq->ring, producer);
	return ret;
}

int hca_queue_wake(const struct hca_queue *queue, const struct ibv_qp *qp)
{
	if (!hca_ring_must_wake(queue->ring))
		return 0;
	return hca_doorbell_ring(to_hca_context(qp->context), qp->qp_num);
}

int hca_post_send(struct ibv_qp *ibv, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
	struct hca_qp *qp = to_hca_qp(ibv);
	struct ibv_send_wr *const first = wr;
	struct hca_queue *sq = &qp->sq;
	uint32_t producer, freed;
	int ret = 0, woken;

	if (!may_post(ibv, qp->send_states)) {
		*bad = wr;
		return EINVAL;
	}
	pthread_spin_lock(&sq->lock);
	producer = hca_ring_producer(sq->ring);
	freed = hca_queue_reaped(sq);
	for (; wr; wr = wr->next, producer++) {
		if (hca_queue_full(sq, freed, producer))
			ret = ENOMEM;
		else if (!write_send(qp, hca_queue_entry(sq, producer), wr))
			ret = EINVAL;
		if (ret)
			break;
	}
	hca_ring_publish(sq->ring, producer);
	pthread_spin_unlock(&sq->lock);

	if (ret)
		*bad = wr;
	if (wr == first)
		return ret;
	woken = hca_queue_wake(sq, ibv);
	if (woken)
		*bad = first;
	return woken ? woken : ret;
}

int hca_post_recv(struct ibv_qp *ibv, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	struct hca_qp *qp = to_hca_qp(ibv);
	struct ibv_recv_wr *const first = wr;
	int ret, woken;

	*bad = wr;
	if (!may_post(ibv, qp->recv_states))
		return EINVAL;
	pthread_spin_lock(&qp->rq.lock);
	ret = produce_recvs(&qp->rq, hca_queue_reaped(&qp->rq), qp->max_recv_sge, &wr);
	pthread_spin_unlock(&qp->rq.lock);
	if (ret)
		*bad = wr;
	if (wr == first)
		return ret;
	woken = hca_queue_wake(&qp->rq, ibv);
	if (woken)
		*bad = first;
	return woken ? woken : ret;
}

/*
 * An SRQ entry is free as soon as a queue pair has dequeued its request. An SRQ needs no doorbell:
 * a responder that needs a request reads the ring. The ring is accessed under the lock only,
 * because a resize may replace it.
 */
int hca_post_srq_recv(struct ibv_srq *ibv, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	struct hca_srq *srq = to_hca_srq(ibv);
	struct hca_queue *rq = &srq->queue;
	int ret;

	pthread_spin_lock(&rq->lock);
	if (hca_ring_must_wake(rq->ring)) /* need_wakeup is set only when the device was removed */
		ret = EIO;
	else
		ret = produce_recvs(rq, hca_ring_freed(rq->ring), srq->max_sge, &wr);
	pthread_spin_unlock(&rq->lock);
	if (ret)
		*bad = wr;
	return ret;
}
