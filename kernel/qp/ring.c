// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The memory of rings: allocation, accounting and references. */
#include "qp/ring.h"
#include <asm/current.h>
#include <linux/capability.h>
#include <linux/container_of.h>
#include <linux/errno.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#define HCA_MAX_RING_ENTRIES (1u << 21)

/* ib_umem_get() also uses pinned_vm, RLIMIT_MEMLOCK and -ENOMEM. */
int hca_charge(struct hca_charge *charge, size_t octets)
{
	unsigned long limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
	unsigned long pages = PAGE_ALIGN(octets) >> PAGE_SHIFT;
	struct mm_struct *mm = current->mm;
	unsigned long pinned = atomic64_add_return(pages, &mm->pinned_vm);

	if (pinned > limit && !capable(CAP_IPC_LOCK)) {
		atomic64_sub(pages, &mm->pinned_vm);
		return -ENOMEM;
	}
	mmgrab(mm);
	charge->mm = mm;
	charge->pages = pages;
	return 0;
}

void hca_uncharge(struct hca_charge *charge)
{
	if (!charge->mm)
		return;
	atomic64_sub(charge->pages, &charge->mm->pinned_vm);
	mmdrop(charge->mm);
	charge->mm = NULL;
}

static struct hca_ring_memory *ring_memory_new(size_t size)
{
	struct hca_ring_memory *memory = kzalloc(sizeof(*memory), GFP_KERNEL_ACCOUNT);

	if (!memory)
		return NULL;
	kref_init(&memory->ref);
	memory->size = size;
	return memory;
}

/*
 * Allocate the memory of a kernel consumer's ring. The size is not rounded up to whole pages,
 * because small rings would then need three times as much memory.
 */
static struct hca_ring_memory *ring_memory_alloc_kernel(size_t size)
{
	struct hca_ring_memory *memory = ring_memory_new(size);

	if (!memory)
		return NULL;
	memory->ring = &memory->own;
	memory->entry = kvzalloc(size, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (memory->entry)
		return memory;
	kfree(memory);
	return NULL;
}

struct hca_ring_memory *hca_ring_memory_alloc(size_t size)
{
	struct hca_ring_memory *memory = ring_memory_new(size);

	if (!memory)
		return NULL;
	if (hca_charge(&memory->charge, size))
		goto err_charge;
	memory->ring = __vmalloc(size, GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NOWARN);
	if (!memory->ring)
		goto err_ring;
	return memory;

err_ring:
	hca_uncharge(&memory->charge);
err_charge:
	kfree(memory);
	return NULL;
}

static void ring_memory_free(struct kref *ref)
{
	struct hca_ring_memory *memory = container_of(ref, struct hca_ring_memory, ref);

	if (memory->entry)
		kvfree(memory->entry);
	else
		vfree(memory->ring);
	hca_uncharge(&memory->charge);
	kfree(memory);
}

void hca_ring_memory_put(struct hca_ring_memory *memory)
{
	kref_put(&memory->ref, ring_memory_free);
}

int hca_queue_alloc(struct hca_queue *q, u32 entries, u32 stride, bool kernel)
{
	size_t size;

	if (!entries || entries > HCA_MAX_RING_ENTRIES || !stride)
		return -EINVAL;
	entries = roundup_pow_of_two(entries);
	size = (size_t)entries * stride;
	q->memory = kernel ? ring_memory_alloc_kernel(size) :
			     hca_ring_memory_alloc(PAGE_ALIGN(HCA_RING_ENTRIES + size));
	if (!q->memory)
		return -ENOMEM;
	q->ring = q->memory->ring;
	q->entry = kernel ? q->memory->entry : (u8 *)q->ring + HCA_RING_ENTRIES;
	q->size = q->memory->size;
	q->entries = entries;
	q->stride = stride;
	q->ring->need_wakeup = 1;
	return 0;
}

void hca_queue_free(struct hca_queue *q)
{
	if (q->memory)
		hca_ring_memory_put(q->memory);
	q->memory = NULL;
	q->ring = NULL;
	q->entry = NULL;
	q->size = 0;
}
