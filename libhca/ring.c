// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Mapping of rings (req V3-148, V3-224). */
#define _GNU_SOURCE /* mremap() */
#include "ring.h"
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>
#include "ibverbs_abi.h"

_Static_assert(sizeof(struct hca_ring) == 128, "two cache lines");
_Static_assert(sizeof(struct hca_ring) <= HCA_RING_ENTRIES, "indices before entries");
_Static_assert(offsetof(struct hca_ring, consumer) == 64, "a cache line for each writer");

/* After ibv_fork_init() a child of fork() does not inherit the mapping. */
static int ring_map(struct hca_queue *queue, int fd, uint64_t offset)
{
	void *ring = mmap(NULL, queue->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
	int ret;

	if (ring == MAP_FAILED)
		return errno;
	if (ibv_dontfork_range(ring, queue->size)) {
		ret = errno;
		munmap(ring, queue->size);
		return ret;
	}
	queue->ring = ring;
	queue->entry = (uint8_t *)ring + HCA_RING_ENTRIES;
	return 0;
}

int hca_queue_map(struct hca_queue *queue, const struct ibv_context *context, uint64_t offset,
		  uint64_t size, uint32_t entries, uint32_t stride)
{
	int ret;

	if (!size)
		return 0;
	queue->size = size;
	queue->entries = entries;
	queue->stride = stride;
	ret = pthread_spin_init(&queue->lock, PTHREAD_PROCESS_PRIVATE);
	if (ret)
		return ret;
	ret = ring_map(queue, context->cmd_fd, offset);
	if (ret)
		pthread_spin_destroy(&queue->lock);
	return ret;
}

/* A page that replaces a former ring. It begins with indices, as the ring did. */
struct retired {
	struct hca_ring ring;
	void *next;
	size_t size; /* octets mapped */
};

/* Map a new page, because mremap() may have removed the former mapping before it failed. */
static size_t replace_removed(struct hca_ring *former, size_t page)
{
	if (mmap(former, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		 0) == MAP_FAILED)
		return 0;
	former->producer = 1;
	return page;
}

/*
 * Replace the first page of the former ring by a page with the indices of a ring that is not empty.
 * The replacement is one step, therefore a thread that reads the indices always finds a page. If
 * memory is exhausted, the former ring stays mapped. Return: octets that stay mapped at @former.
 */
static size_t replace_indices(struct hca_ring *former, size_t size)
{
	size_t page = sysconf(_SC_PAGESIZE);
	struct hca_ring *indices = mmap(NULL, page, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	__atomic_store_n(&former->producer, hca_ring_consumer(former) + 1, __ATOMIC_RELEASE);
	if (indices == MAP_FAILED)
		return size;
	indices->producer = 1;
	if (mremap(indices, page, page, MREMAP_MAYMOVE | MREMAP_FIXED, former) == MAP_FAILED) {
		munmap(indices, page);
		page = replace_removed(former, page);
	}
	if (size > page && page)
		munmap((uint8_t *)former + page, size - page);
	return page;
}

void hca_queue_replace(struct hca_queue *queue, struct hca_queue *next)
{
	struct hca_queue former = *queue;

	queue->size = next->size;
	queue->entry = next->entry;
	queue->entries = next->entries;
	__atomic_store_n(&queue->ring, next->ring, __ATOMIC_SEQ_CST);
	next->size = former.size;
	next->ring = former.ring;
}

void hca_queue_retire(struct hca_queue *former, void **retired)
{
	struct retired *page = (struct retired *)former->ring;
	size_t size;

	ibv_dofork_range(former->ring, former->size);
	pthread_spin_destroy(&former->lock);
	size = replace_indices(former->ring, former->size);
	if (!size)
		return;
	page->size = size;
	page->next = *retired;
	*retired = page;
}

void hca_queue_free_retired(void *retired)
{
	while (retired) {
		struct retired *first = retired;

		retired = first->next;
		munmap(first, first->size);
	}
}

void hca_queue_unmap(struct hca_queue *queue)
{
	if (!queue->ring)
		return;
	ibv_dofork_range(queue->ring, queue->size);
	munmap(queue->ring, queue->size);
	pthread_spin_destroy(&queue->lock);
	queue->ring = NULL;
}
