// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Memory for rings. */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/vmalloc.h>
#include "transport/ring.h"

#define HCA_MAX_RING_ENTRIES (1u << 21)

int hca_queue_alloc(struct hca_queue *q, u32 entries, u32 stride)
{
	if (!entries || entries > HCA_MAX_RING_ENTRIES || !stride)
		return -EINVAL;
	q->entries = roundup_pow_of_two(entries);
	q->stride = stride;
	q->size = PAGE_ALIGN(HCA_RING_ENTRIES + (size_t)q->entries * stride);
	q->ring = vmalloc_user(q->size);
	if (!q->ring) {
		q->size = 0;
		return -ENOMEM;
	}
	q->ring->need_wakeup = 1;
	return 0;
}

int hca_queue_posted(const struct hca_queue *q, u32 fetched, u32 held)
{
	u32 n = smp_load_acquire(&q->ring->producer) - fetched;

	return n <= q->entries - held ? n : -EINVAL;
}

void hca_queue_free(struct hca_queue *q)
{
	vfree(q->ring);
	q->ring = NULL;
	q->size = 0;
}
