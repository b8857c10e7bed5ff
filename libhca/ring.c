// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Mapping rings (req V3-148, V3-224). */
#include <errno.h>
#include <sys/mman.h>
#include "ibverbs_abi.h"
#include "ring.h"

_Static_assert(sizeof(struct hca_ring) == 128, "two cache lines");
_Static_assert(sizeof(struct hca_ring) <= HCA_RING_ENTRIES, "indices before entries");
_Static_assert(offsetof(struct hca_ring, consumer) == 64, "a cache line for each writer");

/* After ibv_fork_init() a child of fork() does not inherit the mapping. */
static int map(struct hca_queue *queue, int fd, uint64_t offset)
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
	ret = map(queue, context->cmd_fd, offset);
	if (ret)
		pthread_spin_destroy(&queue->lock);
	return ret;
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
