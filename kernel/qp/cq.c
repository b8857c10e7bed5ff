// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Completion queues: adding and polling completions, arming, notification. */
#include <linux/errno.h>
#include <linux/string.h>
#include "qp/cq.h"
#include "qp/limits.h"

static bool cq_run(struct hca_runnable *r, int *budget)
{
	struct hca_cq *cq = container_of(r, struct hca_cq, run);

	if (xchg(&cq->fired, false))
		cq->notify(cq);
	if (READ_ONCE(cq->overflow) && !cq->error_raised) {
		cq->error_raised = true;
		cq->error(cq);
	}
	return false;
}

int hca_cq_init(struct hca_cq *cq, u32 cqe, bool kernel)
{
	int ret;

	if (!cqe || cqe > HCA_MAX_CQE)
		return -EINVAL;
	ret = hca_queue_alloc(&cq->queue, cqe, sizeof(struct hca_cqe), kernel);
	if (ret)
		return ret;
	spin_lock_init(&cq->lock);
	hca_run_init(&cq->run, cq_run);
	cq->kernel = kernel;
	cq->cqe = cq->queue.entries;
	return 0;
}

void hca_cq_destroy(struct hca_cq *cq)
{
	hca_run_stop(&cq->run);
	hca_queue_free(&cq->queue);
}

static u32 cq_consumer(const struct hca_cq *cq)
{
	return cq->kernel ? cq->consumer : smp_load_acquire(&cq->queue.ring->consumer);
}

/*
 * Return whether the queue is armed for this completion, and disarm it. The lock is held, so that
 * one arming notifies once.
 */
static bool cq_fire(struct hca_cq *cq, const struct hca_cqe *cqe)
{
	struct hca_ring *ring = cq->queue.ring;
	bool solicited = (cqe->flags & HCA_CQE_SOLICITED) || cqe->status != IB_WC_SUCCESS;
	u32 arm;

	smp_mb(); /* pairs with the consumer, which writes arm before it reads the producer index */
	arm = READ_ONCE(ring->arm);
	if (!(arm & HCA_CQ_ARM_NEXT) && !(solicited && (arm & HCA_CQ_ARM_SOLICITED)))
		return false;
	return xchg(&ring->arm, 0) != 0;
}

bool hca_cq_push(struct hca_cq *cq, const struct hca_cqe *cqe)
{
	struct hca_ring *ring = cq->queue.ring;
	unsigned long flags;
	bool fire;

	spin_lock_irqsave(&cq->lock, flags);
	if (cq->overflow || cq->producer - cq_consumer(cq) >= cq->queue.entries) {
		WRITE_ONCE(cq->overflow, true);
		spin_unlock_irqrestore(&cq->lock, flags);
		hca_run_schedule(&cq->run);
		return false;
	}
	memcpy(hca_queue_entry(&cq->queue, cq->producer), cqe, sizeof(*cqe));
	cq->producer++;
	smp_store_release(&ring->producer, cq->producer);
	fire = cq_fire(cq, cqe);
	spin_unlock_irqrestore(&cq->lock, flags);

	if (fire && cq->kernel) {
		WRITE_ONCE(cq->fired, true);
		hca_run_schedule(&cq->run);
	} else if (fire) {
		cq->notify(cq);
	}
	return true;
}

int hca_cq_poll(struct hca_cq *cq, struct hca_cqe *cqe, int n)
{
	unsigned long flags;
	int i;

	spin_lock_irqsave(&cq->lock, flags);
	for (i = 0; i < n && cq->consumer != cq->producer; i++) {
		memcpy(&cqe[i], hca_queue_entry(&cq->queue, cq->consumer++), sizeof(*cqe));
		if (cqe[i].kernel && cq->reap)
			cq->reap(&cqe[i]);
	}
	spin_unlock_irqrestore(&cq->lock, flags);
	return i;
}

bool hca_cq_arm(struct hca_cq *cq, u32 arm)
{
	unsigned long flags;
	bool pending;

	spin_lock_irqsave(&cq->lock, flags);
	cq->queue.ring->arm |= arm;
	pending = cq->consumer != cq->producer;
	spin_unlock_irqrestore(&cq->lock, flags);
	return pending;
}

void hca_cq_clean(struct hca_cq *cq, u64 cookie, bool gone)
{
	unsigned long flags;
	u32 i;

	if (!cq->kernel)
		return;
	spin_lock_irqsave(&cq->lock, flags);
	for (i = cq->consumer; i != cq->producer; i++) {
		struct hca_cqe *cqe = hca_queue_entry(&cq->queue, i);

		if (cqe->kernel != cookie)
			continue;
		cqe->wqes = 0;
		if (gone)
			cqe->kernel = 0;
	}
	spin_unlock_irqrestore(&cq->lock, flags);
}
