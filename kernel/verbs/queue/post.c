// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Posting by kernel consumers (req V3-265, V3-353, V3-354). A consumer may hold locks and have
 * interrupts disabled, so these functions only write the request into the ring and schedule the
 * engine. Requests before an invalid one stay posted (req V3-269).
 */
#include "verbs/queue/post.h"
#include <rdma/hca-abi.h>
#include "compat.h"
#include "engine/run.h"
#include "qp/ci.h"
#include "qp/request.h"
#include "verbs/core/ah.h"
#include "verbs/queue/ib_qp.h"
#include "verbs/queue/srq.h"

#define SAME(ours, theirs) static_assert((int)(ours) == (int)(theirs))
SAME(HCA_WQE_FENCE, IB_SEND_FENCE);
SAME(HCA_WQE_SIGNALED, IB_SEND_SIGNALED);
SAME(HCA_WQE_SOLICITED, IB_SEND_SOLICITED);
SAME(HCA_WQE_INLINE, IB_SEND_INLINE);
SAME(IB_UVERBS_WR_RDMA_WRITE, IB_WR_RDMA_WRITE);
SAME(IB_UVERBS_WR_RDMA_WRITE_WITH_IMM, IB_WR_RDMA_WRITE_WITH_IMM);
SAME(IB_UVERBS_WR_SEND, IB_WR_SEND);
SAME(IB_UVERBS_WR_SEND_WITH_IMM, IB_WR_SEND_WITH_IMM);
SAME(IB_UVERBS_WR_RDMA_READ, IB_WR_RDMA_READ);
SAME(IB_UVERBS_WR_ATOMIC_CMP_AND_SWP, IB_WR_ATOMIC_CMP_AND_SWP);
SAME(IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, IB_WR_ATOMIC_FETCH_AND_ADD);
SAME(IB_UVERBS_WR_SEND_WITH_INV, IB_WR_SEND_WITH_INV);
SAME(IB_UVERBS_WR_LOCAL_INV, IB_WR_LOCAL_INV);
#ifdef HCA_PLACEMENT
SAME(IB_UVERBS_WR_ATOMIC_WRITE, IB_WR_ATOMIC_WRITE);
#endif
SAME(sizeof(struct hca_sge), sizeof(struct ib_sge));
SAME(offsetof(struct hca_sge, addr), offsetof(struct ib_sge, addr));
SAME(offsetof(struct hca_sge, length), offsetof(struct ib_sge, length));
SAME(offsetof(struct hca_sge, lkey), offsetof(struct ib_sge, lkey));
SAME(sizeof(struct hca_send_wqe), HCA_SEND_WQE_HEADER);
SAME(sizeof(struct hca_recv_wqe), HCA_RECV_WQE_HEADER);
#undef SAME

#define WQE_FLAGS (HCA_WQE_FENCE | HCA_WQE_SIGNALED | HCA_WQE_SOLICITED | HCA_WQE_INLINE)

/*
 * Returns whether the queue has no free entry; a request is then refused and nothing changes (req
 * V3-272). Entries before @reaped were released by polled completions (req R0-408). @reaped is not
 * above the ring's consumer index, except if completions are polled while their queue pair is
 * reset. Therefore both are compared.
 */
static bool post_is_full(const struct hca_queue *q, u32 reaped, u32 producer)
{
	return producer - reaped >= q->entries ||
	       producer - smp_load_acquire(&q->ring->consumer) >= q->entries;
}

static u64 post_length(const struct ib_send_wr *wr)
{
	u64 total = 0;
	int i;

	for (i = 0; i < wr->num_sge; i++)
		total += wr->sg_list[i].length;
	return total;
}

/* Checks for errors that posting returns at once (req V3-271); completions report all others. */
static int post_check_send(const struct hca_qp *qp, const struct hca_wr_info *info,
			   const struct ib_send_wr *wr)
{
	if (wr->send_flags & ~WQE_FLAGS)
		return -EINVAL;
	if (info->flags & HCA_WR_LOCAL) /* kernel verbs have no bind request */
		return (u32)wr->opcode == IB_UVERBS_WR_BIND_MW || wr->num_sge ? -EINVAL : 0;
	/* struct ib_send_wr has no fields for the range of a Flush. */
	if (info->flags & HCA_WR_FLUSH)
		return -EINVAL;
	if (wr->num_sge < 0 ||
	    (!(wr->send_flags & IB_SEND_INLINE) && wr->num_sge > qp->max_send_sge) ||
	    post_length(wr) > qp->ci->max_message)
		return -EINVAL;
	if (qp->addressed && ud_wr(wr)->ah->pd != qp->pd) /* req V3-081 */
		return -EINVAL;
	if (!(wr->send_flags & IB_SEND_INLINE))
		return 0;
	if ((info->flags & HCA_WR_FETCHES) || post_length(wr) > qp->max_inline)
		return -EINVAL;
	return 0;
}

static void post_write_data(struct hca_send_wqe *wqe, const struct ib_send_wr *wr)
{
	u8 *tail = (u8 *)wqe + HCA_SEND_WQE_HEADER;
	int i;

	if (!(wr->send_flags & IB_SEND_INLINE)) {
		wqe->num_sge = wr->num_sge;
		memcpy(tail, wr->sg_list, wr->num_sge * sizeof(struct hca_sge));
		return;
	}
	wqe->inline_length = post_length(wr);
	for (i = 0; i < wr->num_sge; i++) {
		const struct ib_sge *sge = &wr->sg_list[i];

		memcpy(tail, (const void *)(uintptr_t)sge->addr, sge->length);
		tail += sge->length;
	}
}

static void post_write_datagram(struct hca_send_wqe *wqe, const struct ib_ud_wr *ud)
{
	wqe->ud.av = to_hca_ib_ah(ud->ah)->av;
	wqe->ud.remote_qpn = ud->remote_qpn;
	wqe->ud.remote_qkey = ud->remote_qkey;
	wqe->ud.pkey_index = ud->pkey_index;
}

static void post_write_atomic(struct hca_send_wqe *wqe, const struct ib_atomic_wr *atomic)
{
	wqe->rdma.remote_addr = atomic->remote_addr;
	wqe->rdma.rkey = atomic->rkey;
	wqe->rdma.compare_add = atomic->compare_add;
	wqe->rdma.swap = atomic->swap;
}

static void post_write_reg(struct hca_send_wqe *wqe, const struct ib_reg_wr *reg)
{
	wqe->memory.addr = reg->mr->iova;
	wqe->memory.length = reg->mr->length;
	wqe->memory.key = reg->key;
	wqe->memory.access = reg->access;
}

static int post_write_send(struct hca_qp *qp, const struct ib_send_wr *wr, u32 producer)
{
	const struct hca_wr_info *info = hca_wr_info_of(qp, wr->opcode);
	struct hca_send_wqe *wqe;
	u16 flags;
	int ret;

	ret = info ? post_check_send(qp, info, wr) : -EINVAL;
	if (ret)
		return ret;
	if (post_is_full(&qp->sq, atomic_read_acquire(&qp->sq_reaped), producer))
		return -ENOMEM;

	wqe = hca_queue_entry(&qp->sq, producer);
	memset(wqe, 0, sizeof(*wqe));
	wqe->wr_id = wr->wr_id;
	wqe->opcode = wr->opcode;
	wqe->flags = wr->send_flags;
	flags = info->flags;
	if (flags & HCA_WR_IMM)
		wqe->imm_data = wr->ex.imm_data;
	if ((flags & HCA_WR_INVALIDATE) || wr->opcode == IB_WR_LOCAL_INV)
		wqe->invalidate_rkey = wr->ex.invalidate_rkey;
	if (wr->opcode == IB_WR_REG_MR) {
		post_write_reg(wqe, reg_wr(wr));
	} else if (flags & HCA_WR_ATOMIC) {
		post_write_atomic(wqe, atomic_wr(wr));
	} else if (flags & HCA_WR_RDMA) {
		wqe->rdma.remote_addr = rdma_wr(wr)->remote_addr;
		wqe->rdma.rkey = rdma_wr(wr)->rkey;
	} else if (qp->addressed) {
		post_write_datagram(wqe, ud_wr(wr));
	}
	post_write_data(wqe, wr);
	return 0;
}

static int post_write_recv(struct hca_queue *rq, u32 reaped, u32 max_sge,
			   const struct ib_recv_wr *wr, u32 producer)
{
	struct hca_recv_wqe *wqe;

	if (wr->num_sge < 0 || wr->num_sge > max_sge)
		return -EINVAL;
	if (post_is_full(rq, reaped, producer))
		return -ENOMEM;

	wqe = hca_queue_entry(rq, producer);
	wqe->wr_id = wr->wr_id;
	wqe->num_sge = wr->num_sge;
	wqe->reserved = 0;
	memcpy(wqe->sge, wr->sg_list, wr->num_sge * sizeof(struct hca_sge));
	return 0;
}

/*
 * Writes requests, but stops at the first invalid one and sets *bad to it. If all are valid, *bad
 * stays unchanged, as RDS requires. *producer becomes the index after the last written request.
 */
static int post_write_recvs(struct hca_queue *rq, u32 reaped, u32 max_sge,
			    const struct ib_recv_wr *wr,
			    const struct ib_recv_wr **bad, u32 *producer)
{
	int ret;

	for (; wr; wr = wr->next) {
		ret = post_write_recv(rq, reaped, max_sge, wr, *producer);
		if (ret) {
			*bad = wr;
			return ret;
		}
		(*producer)++;
	}
	return 0;
}

/* Publishes written entries. Return: whether the engine needs a wakeup (req V3-276). */
static bool post_publish(struct hca_queue *q, u32 producer)
{
	smp_store_release(&q->ring->producer, producer);
	/* pairs with the engine's barrier between writing need_wakeup and reading producer */
	smp_mb();
	return READ_ONCE(q->ring->need_wakeup);
}

/*
 * Makes the engine process the queue pair on this CPU. The caller does not hold post_lock, because
 * the engine may run at once and may acquire post_lock.
 */
static void post_wake(struct hca_qp *qp)
{
	preempt_disable();
	hca_qp_kick(qp);
	hca_engine_raise();
	preempt_enable();
}

int hca_ib_post_send(struct ib_qp *ib, const struct ib_send_wr *wr, const struct ib_send_wr **bad)
{
	struct hca_qp *qp = to_hca_ib_qp(ib)->qp;
	unsigned long flags;
	u32 producer;
	bool sleeps;
	int ret;

	if (!qp->sq.size) {
		*bad = wr;
		return -EINVAL;
	}
	spin_lock_irqsave(&qp->post_lock, flags);
	ret = hca_qp_post_send_ok(qp); /* req V3-179, V3-270 */
	producer = qp->sq.ring->producer;
	while (!ret && wr) {
		ret = post_write_send(qp, wr, producer);
		if (!ret) {
			producer++;
			wr = wr->next;
		}
	}
	sleeps = post_publish(&qp->sq, producer);
	spin_unlock_irqrestore(&qp->post_lock, flags);
	if (sleeps)
		post_wake(qp);
	if (ret)
		*bad = wr;
	return ret;
}

int hca_ib_post_recv(struct ib_qp *ib, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad)
{
	struct hca_qp *qp = to_hca_ib_qp(ib)->qp;
	unsigned long flags;
	u32 producer;
	bool sleeps;
	int ret;

	if (!qp->rq.size) { /* a queue pair with an SRQ has no receive queue (req R0-213) */
		*bad = wr;
		return -EINVAL;
	}
	spin_lock_irqsave(&qp->post_lock, flags);
	ret = hca_qp_post_recv_ok(qp);
	producer = qp->rq.ring->producer;
	if (ret)
		*bad = wr;
	else
		ret = post_write_recvs(&qp->rq, atomic_read_acquire(&qp->rq_reaped),
				       qp->max_recv_sge, wr, bad, &producer);
	sleeps = post_publish(&qp->rq, producer);
	spin_unlock_irqrestore(&qp->post_lock, flags);
	if (sleeps)
		post_wake(qp);
	return ret;
}

/*
 * An SRQ entry is free as soon as a queue pair has dequeued its request. A wakeup is not needed: a
 * responder reads the ring when a packet arrives.
 */
int hca_ib_post_srq_recv(struct ib_srq *ib, const struct ib_recv_wr *wr,
			 const struct ib_recv_wr **bad)
{
	struct hca_srq *srq = &to_hca_ib_srq(ib)->srq;
	unsigned long flags;
	u32 producer;
	int ret;

	spin_lock_irqsave(&srq->post_lock, flags);
	producer = srq->rq.ring->producer;
	ret = post_write_recvs(&srq->rq, smp_load_acquire(&srq->rq.ring->consumer), srq->max_sge,
			       wr, bad, &producer);
	smp_store_release(&srq->rq.ring->producer, producer);
	spin_unlock_irqrestore(&srq->post_lock, flags);
	return ret;
}
