// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Shared receive queues: several queue pairs consume the receive requests of one queue. */
#include "qp/srq.h"
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "qp/limits.h"
#include "qp/recv_wqe.h"

static bool srq_run(struct hca_runnable *r, int *budget)
{
	struct hca_srq *srq = container_of(r, struct hca_srq, run);

	int events = atomic_xchg(&srq->events, 0);
	int event;

	for (event = 0; events >> event; event++)
		if (events & 1 << event)
			srq->notify(srq, event);
	return false;
}

static void srq_raise(struct hca_srq *srq, enum hca_srq_event event)
{
	atomic_or(1 << event, &srq->events);
	hca_run_schedule(&srq->run);
}

int hca_srq_init(struct hca_srq *srq, u32 max_wr, u32 max_sge, u32 limit)
{
	int ret;

	if (max_wr > HCA_MAX_SRQ_WR || max_sge > HCA_MAX_SGE || limit > max_wr)
		return -EINVAL;
	ret = hca_queue_alloc(&srq->rq, max_wr, hca_recv_stride(max_sge), srq->kernel);
	if (ret)
		return ret;
	srq->rq.ring->need_wakeup = 0; /* responders read the ring when a packet arrives */
	srq->max_sge = max_sge;
	srq->limit = limit;
	spin_lock_init(&srq->lock);
	spin_lock_init(&srq->post_lock);
	hca_run_init(&srq->run, srq_run);
	return 0;
}

/* The ring is removed with srq->lock held, so that a later diagnostic query finds no ring. */
void hca_srq_destroy(struct hca_srq *srq)
{
	struct hca_queue rq = {};

	hca_run_stop(&srq->run);
	/*
	 * A process may have the ring mapped for longer than the device exists. With need_wakeup
	 * set, the process rings the doorbell when it posts. The doorbell fails, which shows the
	 * process that the device is gone.
	 */
	WRITE_ONCE(srq->rq.ring->need_wakeup, 1);
	spin_lock_bh(&srq->lock);
	swap(srq->rq, rq);
	spin_unlock_bh(&srq->lock);
	hca_queue_free(&rq);
}

/*
 * If fewer requests are posted than the limit, raise HCA_SRQ_LIMIT_REACHED and disarm the limit
 * (req R0-237). srq->lock is held.
 */
static void srq_check_limit(struct hca_srq *srq)
{
	if (srq->failed || hca_recvs_posted(&srq->rq, srq->consumed) >= srq->limit)
		return;
	srq->limit = 0;
	srq_raise(srq, HCA_SRQ_LIMIT_REACHED);
}

int hca_srq_arm(struct hca_srq *srq, u32 limit)
{
	int ret = -EINVAL;

	spin_lock_bh(&srq->lock);
	if (limit <= srq->rq.entries) {
		srq->limit = limit;
		srq_check_limit(srq);
		ret = 0;
	}
	spin_unlock(&srq->lock);
	hca_engine_run();
	local_bh_enable();
	return ret;
}

/*
 * Return the number of posted requests, or -EINVAL if the queue has failed. The queue fails if the
 * producer index in the ring is invalid. srq->lock is held.
 */
static int srq_posted_or_fail(struct hca_srq *srq)
{
	int posted;

	if (srq->failed)
		return -EINVAL;
	posted = hca_queue_posted(&srq->rq, srq->consumed, 0);
	if (posted < 0) {
		srq->failed = true;
		srq_raise(srq, HCA_SRQ_ERROR);
	}
	return posted;
}

int hca_srq_consume(struct hca_srq *srq, struct hca_recv *recv)
{
	int posted;

	spin_lock(&srq->lock);
	posted = srq_posted_or_fail(srq);
	if (posted > 0) {
		hca_recv_copy(recv, hca_queue_entry(&srq->rq, srq->consumed), srq->max_sge);
		srq->consumed++;
		smp_store_release(&srq->rq.ring->consumer, srq->consumed);
		srq_check_limit(srq);
	}
	spin_unlock(&srq->lock);
	return posted;
}

/*
 * Return the number of posted requests, or -EINVAL if the queue has failed, the producer index is
 * invalid, or the number is too large for the new ring. Set *first to the index of the first posted
 * request.
 */
static int srq_posted_for(struct hca_srq *srq, const struct hca_queue *next, u32 *first)
{
	int posted;

	spin_lock_bh(&srq->lock);
	*first = srq->consumed;
	posted = srq->failed ? -EINVAL : hca_queue_posted(&srq->rq, *first, 0);
	spin_unlock_bh(&srq->lock);
	return posted <= (int)next->entries ? posted : -EINVAL;
}

/*
 * Replace the ring by @next, to which the requests before index @end have been copied. The indices
 * in the rings are not trusted. If a process has written to them during the resize, either the
 * resize fails or the new ring contains exactly the copied requests. srq->lock is held.
 */
static int srq_exchange(struct hca_srq *srq, struct hca_queue *next, u32 end, u32 limit)
{
	if (srq->failed || limit > next->entries)
		return -EINVAL;
	if (READ_ONCE(srq->rq.ring->producer) != end || end - srq->consumed > next->entries)
		return -EBUSY;
	next->ring->consumer = srq->consumed;
	next->ring->producer = end;
	next->ring->need_wakeup = 0;
	swap(srq->rq, *next);
	return 0;
}

/*
 * The requests are copied without srq->lock, because there may be many. During the copy, responders
 * may consume requests and advance srq->consumed; the copies of these requests are not used.
 */
int hca_srq_resize(struct hca_srq *srq, struct hca_queue *next, const u32 *limit)
{
	u32 first, i;
	int posted = srq_posted_for(srq, next, &first);
	int ret;

	if (posted < 0)
		return posted;
	for (i = first; i != first + posted; i++)
		memcpy(hca_queue_entry(next, i), hca_queue_entry(&srq->rq, i), next->stride);
	spin_lock_bh(&srq->lock);
	ret = srq_exchange(srq, next, first + posted, limit ? *limit : srq->limit);
	if (!ret && limit) {
		srq->limit = *limit;
		srq_check_limit(srq);
	}
	spin_unlock(&srq->lock);
	hca_engine_run();
	local_bh_enable();
	return ret;
}
