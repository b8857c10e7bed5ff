/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Maps rings of the provider and opens doorbells, for programs that use them without the provider.
 */
#ifndef HCA_TESTS_VERBS_RING_H
#define HCA_TESTS_VERBS_RING_H

#include "verbs_lab.h"
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <rdma/hca-abi.h>

#define MAPPINGS 32

/* A ring, as /proc/self/maps shows it. */
struct mapping {
	uint8_t *start;
	size_t size;
	off_t offset;
};

/* Lists all rings that the process has mapped. */
static inline int mappings(struct mapping *m)
{
	unsigned long start, end, offset;
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	int n = 0;

	while (maps && fgets(line, sizeof(line), maps) && n < MAPPINGS)
		if (strstr(line, "[hca_ring]") &&
		    sscanf(line, "%lx-%lx %*s %lx", &start, &end, &offset) == 3)
			m[n++] = (struct mapping){ (uint8_t *)start, end - start, offset };
	if (maps)
		fclose(maps);
	return n;
}

/* Lists the rings that are mapped now and were not before. Return: their number. */
static inline int mappings_added(const struct mapping *before, int n, struct mapping *new)
{
	struct mapping now[MAPPINGS];
	int count = mappings(now), found = 0, i, j;

	for (i = 0; i < count; i++) {
		for (j = 0; j < n && before[j].start != now[i].start; j++)
			;
		if (j == n)
			new[found++] = now[i];
	}
	return found;
}

/* A ring of this process. */
struct queue {
	struct hca_ring *ring;
	uint8_t *entry;
	uint32_t entries, stride;
};

/* Returns the offset of an entry with this wr_id, which is an entry's first field; 0: none. */
static inline size_t offset_of(const struct mapping *m, size_t from, uint64_t wr_id)
{
	size_t i;

	for (i = from; i + sizeof(wr_id) <= m->size; i += sizeof(wr_id))
		if (!memcmp(m->start + i, &wr_id, sizeof(wr_id)))
			return i;
	return 0;
}

/* Finds the ring whose first two entries have @mark and the following wr_id. */
static inline bool queue_find(const struct mapping *m, int n, uint64_t mark, struct queue *queue)
{
	size_t first, second;

	for (; n; n--, m++) {
		first = offset_of(m, HCA_RING_ENTRIES, mark);
		second = first ? offset_of(m, first, mark + 1) : 0;
		if (first != HCA_RING_ENTRIES || !second)
			continue;
		queue->ring = (void *)m->start;
		queue->entry = m->start + first;
		queue->stride = second - first;
		for (queue->entries = 1;
		     2 * queue->entries * queue->stride <= m->size - HCA_RING_ENTRIES;
		     queue->entries *= 2)
			;
		return true;
	}
	return expect(false, "no ring with %#llx", (unsigned long long)mark);
}

static inline void *entry_at(const struct queue *queue, uint32_t index)
{
	return queue->entry + (size_t)(index & (queue->entries - 1)) * queue->stride;
}

static inline void producer_write(const struct queue *queue, uint32_t producer)
{
	__atomic_store_n(&queue->ring->producer, producer, __ATOMIC_RELEASE);
}

/* Opens a doorbell of the context. Return: a file descriptor, or -1 with errno. */
static inline int open_doorbell(const struct ibv_context *context)
{
	struct {
		struct ib_uverbs_ioctl_hdr header;
		struct ib_uverbs_attr fd;
	} cmd = {
		.header = {
			.length = sizeof(cmd),
			.object_id = HCA_OBJECT_DOORBELL,
			.method_id = HCA_METHOD_DOORBELL_ALLOC,
			.num_attrs = 1,
		},
		.fd = {
			.attr_id = HCA_ATTR_DOORBELL_ALLOC_FD,
			.flags = UVERBS_ATTR_F_MANDATORY,
		},
	};

	return ioctl(context->cmd_fd, RDMA_VERBS_IOCTL, &cmd) ? -1 : (int)cmd.fd.data_s64;
}

/*
 * Writes numbers to a doorbell by a system call, since the compiler checks the arguments of
 * write().
 * Return: 0 if all octets were written, an errno, or -1 if only a part was.
 */
static inline int ring(int doorbell, const void *numbers, size_t octets)
{
	ssize_t n = syscall(SYS_write, doorbell, numbers, octets);

	if (n < 0)
		return errno;
	return (size_t)n == octets ? 0 : -1;
}

static inline int ring_one(int doorbell, uint32_t number)
{
	return ring(doorbell, &number, sizeof(number));
}

#endif
