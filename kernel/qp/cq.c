// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Completion queues: adding and polling completions, arming, notification and resizing. */
#include "qp/cq.h"
#include <linux/errno.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/string.h>
#include "qp/limits.h"

/* Maximum number of completions that a resize copies with interrupts disabled. */
#define CQ_COPY_LOCKED 1024
/* Maximum number of completions that a purge examines with interrupts disabled. */
#define PURGE_AT_ONCE 1024
/* Value of hca_cqe.kernel that marks a purged completion; no queue pair has this cookie. */
#define PURGED U64_MAX
/* A resize fails with -EBUSY after copying newly added completions this many times. */
#define CQ_COPY_TRIES 64

/* Disarm the queue, and return the flags that it was armed with. cq->lock is held. */
static u32 cq_disarm(struct hca_cq *cq)
{
	u32 arm = xchg(&cq->queue.ring->arm, 0);

	if (unlikely(cq->former))
		arm |= xchg(&cq->former->arm, 0);
	return arm;
}

/*
 * End the moderation of waiting completions. Return whether the consumer is to be notified of them,
 * in which case the queue has been disarmed.
 */
static bool cq_waited(struct hca_cq *cq)
{
	unsigned long flags;
	bool fire;

	if (!READ_ONCE(cq->moderation.waiting))
		return false;
	spin_lock_irqsave(&cq->lock, flags);
	fire = hca_moderation_end(&cq->moderation) && cq_disarm(cq);
	spin_unlock_irqrestore(&cq->lock, flags);
	return fire;
}

static bool cq_run(struct hca_runnable *r, int *budget)
{
	struct hca_cq *cq = container_of(r, struct hca_cq, run);
	bool fired = xchg(&cq->fired, false);

	if (cq_waited(cq) || fired)
		cq->notify(cq);
	if (READ_ONCE(cq->overflow) && !cq->error_raised) {
		cq->error_raised = true;
		cq->error(cq);
	}
	return false;
}

static __always_inline u32 cq_consumer(const struct hca_cq *cq)
{
	return cq->kernel ? cq->consumer : smp_load_acquire(&cq->queue.ring->consumer);
}

int hca_cq_init(struct hca_cq *cq, u32 cqe, bool kernel)
{
	int ret;

	if (!cqe || cqe > HCA_MAX_CQE)
		return -EINVAL;
	ret = hca_queue_alloc(&cq->queue, cqe + cq->ignore_overrun, sizeof(struct hca_cqe), kernel);
	if (ret)
		return ret;
	spin_lock_init(&cq->lock);
	hca_run_init(&cq->run, cq_run);
	hca_moderation_init(&cq->moderation, &cq->run);
	cq->kernel = kernel;
	cq->cqe = cq->queue.entries - cq->ignore_overrun;
	return 0;
}

/* Return the index of the oldest completion. cq->lock is held. */
static u32 cq_oldest(const struct hca_cq *cq)
{
	u32 consumer = cq_consumer(cq);

	return cq->ignore_overrun && cq->producer - consumer > cq->queue.entries ?
		       cq->producer - cq->queue.entries : consumer;
}

static void cq_copy(const struct hca_cq *cq, const struct hca_queue *to, u32 first, u32 end)
{
	for (; first != end; first++)
		memcpy(hca_queue_entry(to, first), hca_queue_entry(&cq->queue, first), to->stride);
}

/*
 * Replace the ring by @queue, which contains the completions before index @copied already. The
 * indices of the former ring are set as if it contained a completion. A thread of the process may
 * arm the former ring and then compare the indices without the lock of libhca. The thread therefore
 * finds a completion, takes the lock of libhca to poll it, and continues with the new ring.
 * cq->lock is held.
 */
static int cq_exchange(struct hca_cq *cq, struct hca_queue *queue, u32 copied)
{
	u32 consumer = cq_consumer(cq), oldest = cq_oldest(cq);
	u32 n = cq->producer - oldest;

	if (n > queue->entries || n > cq->queue.entries)
		return -EINVAL;
	if ((s32)(copied - oldest) < 0)
		copied = oldest;
	if (cq->producer - copied > CQ_COPY_LOCKED)
		return -EAGAIN;
	cq_copy(cq, queue, copied, cq->producer);
	queue->ring->consumer = oldest;
	queue->ring->producer = cq->producer;
	swap(cq->queue, *queue);
	cq->former = queue->ring;
	smp_store_release(&cq->former->producer, consumer + 1);
	cq->cqe = cq->queue.entries - cq->ignore_overrun;
	return 0;
}

/*
 * Completions are copied with interrupts enabled, and copying is repeated for newly added ones.
 * When at most CQ_COPY_LOCKED are left, they are copied with interrupts disabled. A completion that
 * is overwritten while it is copied is older than those that the new ring must contain.
 */
int hca_cq_resize(struct hca_cq *cq, struct hca_queue *queue)
{
	unsigned int tries = CQ_COPY_TRIES;
	u32 copied, oldest, end;
	unsigned long flags;
	int ret;

	spin_lock_irqsave(&cq->lock, flags);
	copied = cq_oldest(cq);
	do {
		oldest = cq_oldest(cq);
		end = cq->producer;
		spin_unlock_irqrestore(&cq->lock, flags);
		if (end - oldest > min(queue->entries, cq->queue.entries))
			return -EINVAL;
		cq_copy(cq, queue, (s32)(copied - oldest) < 0 ? oldest : copied, end);
		copied = end;
		cond_resched();
		spin_lock_irqsave(&cq->lock, flags);
		ret = cq_exchange(cq, queue, copied);
	} while (ret == -EAGAIN && --tries);
	spin_unlock_irqrestore(&cq->lock, flags);
	return ret == -EAGAIN ? -EBUSY : ret;
}

void hca_cq_resized(struct hca_cq *cq)
{
	unsigned long flags;

	spin_lock_irqsave(&cq->lock, flags);
	if (cq->former)
		atomic_or(xchg(&cq->former->arm, 0), (atomic_t *)&cq->queue.ring->arm);
	cq->former = NULL;
	spin_unlock_irqrestore(&cq->lock, flags);
}

void hca_cq_moderate(struct hca_cq *cq, u16 count, u16 period)
{
	unsigned long flags;

	spin_lock_irqsave(&cq->lock, flags);
	cq->moderation.count = period && count > 1 ? count : 0;
	cq->moderation.period = period;
	if (cq->moderation.waiting) {
		hca_run_schedule(&cq->run);
		hca_engine_raise();
	}
	spin_unlock_irqrestore(&cq->lock, flags);
}

/* The ring is removed with cq->lock held, so that a later diagnostic query finds no ring. */
void hca_cq_destroy(struct hca_cq *cq)
{
	struct hca_queue queue = {};
	unsigned long flags;

	hca_moderation_stop(&cq->moderation);
	hca_run_stop(&cq->run);
	spin_lock_irqsave(&cq->lock, flags);
	swap(cq->queue, queue);
	spin_unlock_irqrestore(&cq->lock, flags);
	hca_queue_free(&queue);
}

static bool cq_is_solicited(const struct hca_cqe *cqe)
{
	return (cqe->flags & HCA_CQE_SOLICITED) || cqe->status != IB_WC_SUCCESS;
}

/*
 * Return whether the consumer is to be notified of this completion now. If so, the queue is
 * disarmed. cq->lock is held; therefore an armed queue notifies only once.
 */
static __always_inline bool cq_fire(struct hca_cq *cq, const struct hca_cqe *cqe)
{
	u32 arm;

	smp_mb(); /* pairs with the consumer, which writes arm before it reads the producer index */
	arm = READ_ONCE(cq->queue.ring->arm);
	if (unlikely(cq->former))
		arm |= READ_ONCE(cq->former->arm);
	if (!arm || !(arm & HCA_CQ_ARM_NEXT || cq_is_solicited(cqe)))
		return false;
	return !hca_moderation_waits(&cq->moderation) && cq_disarm(cq);
}

static __always_inline bool cq_full(const struct hca_cq *cq)
{
	return unlikely(cq->producer - cq_consumer(cq) >= cq->queue.entries) &&
	       !cq->ignore_overrun;
}

static __always_inline void cq_write(struct hca_cq *cq, const struct hca_cqe *cqe)
{
	struct hca_cqe *entry = hca_queue_entry(&cq->queue, cq->producer);

	memcpy(entry, cqe, sizeof(*cqe));
	if (unlikely(cq->timestamps))
		entry->timestamp = ktime_get_raw_ns();
	cq->producer++;
}

bool hca_cq_push(struct hca_cq *cq, const struct hca_cqe *cqe)
{
	unsigned long flags;
	bool fire;

	spin_lock_irqsave(&cq->lock, flags);
	if (cq->overflow || cq_full(cq)) {
		WRITE_ONCE(cq->overflow, true);
		spin_unlock_irqrestore(&cq->lock, flags);
		hca_run_schedule(&cq->run);
		return false;
	}
	cq_write(cq, cqe);
	smp_store_release(&cq->queue.ring->producer, cq->producer);
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
	/*
	 * The loop visits @n completions, and HCA_MAX_CQE purged entries at most. The kernel
	 * consumer chooses @n and the size of the CQ.
	 */
	for (i = 0; i < n && cq->consumer != cq->producer;) {
		memcpy(&cqe[i], hca_queue_entry(&cq->queue, cq->consumer++), sizeof(*cqe));
		if (cqe[i].kernel == PURGED)
			continue;
		if (cqe[i].kernel && cq->reap)
			cq->reap(&cqe[i]);
		i++;
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

/*
 * Purge the completions with @cookie in the next PURGE_AT_ONCE entries from index *at on, and
 * advance *at. Return: whether entries are left.
 */
static bool cq_purge_some(struct hca_cq *cq, u32 *at, u64 cookie)
{
	u32 left = PURGE_AT_ONCE;
	unsigned long flags;
	bool more;

	spin_lock_irqsave(&cq->lock, flags);
	if ((s32)(cq->consumer - *at) > 0)
		*at = cq->consumer;
	for (; *at != cq->producer && left; ++*at, left--) {
		struct hca_cqe *cqe = hca_queue_entry(&cq->queue, *at);

		if (cqe->kernel == cookie)
			cqe->kernel = PURGED;
	}
	more = *at != cq->producer;
	spin_unlock_irqrestore(&cq->lock, flags);
	return more;
}

void hca_cq_purge(struct hca_cq *cq, u64 cookie)
{
	u32 at = READ_ONCE(cq->consumer), last = READ_ONCE(cq->producer);
	bool more;

	if (!cq->kernel)
		return;
	/*
	 * At most HCA_MAX_CQE entries are examined; the kernel consumer chooses the size. Newly
	 * added completions belong to other queue pairs, because this queue pair has stopped.
	 */
	do {
		more = cq_purge_some(cq, &at, cookie);
	} while (more && (s32)(last - at) > 0);
}
