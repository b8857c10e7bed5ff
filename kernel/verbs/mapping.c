// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Rings in a process's memory. A mapping is found only in the context that it was made
 * for (V3-136). Its pages stay with the process as long as it wants; what must not
 * happen is that a ring goes while mmap() is at work on it.
 */
#include <linux/mm.h>
#include <linux/vmalloc.h>
#include "verbs/verbs.h"

/**
 * hca_mapping_add() - let a process map a ring
 * @mapping: zeroed
 * @context: the process's
 * @queue: the ring; may be one that there is not
 *
 * Context: process. Return: 0 or -ENOMEM.
 */
int hca_mapping_add(struct hca_mapping *mapping, struct ib_ucontext *context,
		    const struct hca_queue *queue)
{
	int ret;

	if (!queue->size)
		return 0;
	mapping->memory = queue->ring;
	init_completion(&mapping->unused);
	ret = rdma_user_mmap_entry_insert(context, &mapping->entry, queue->size);
	if (ret)
		mapping->memory = NULL;
	return ret;
}

/* No more mmap() of it, and none under way. Context: process, may sleep. */
void hca_mapping_remove(struct hca_mapping *mapping)
{
	if (!mapping->memory)
		return;
	rdma_user_mmap_entry_remove(&mapping->entry);
	wait_for_completion(&mapping->unused);
	mapping->memory = NULL;
}

u64 hca_mapping_offset(const struct hca_mapping *mapping)
{
	return mapping->memory ? rdma_user_mmap_get_offset(&mapping->entry) : 0;
}

void hca_ib_mmap_free(struct rdma_user_mmap_entry *entry)
{
	complete(&container_of(entry, struct hca_mapping, entry)->unused);
}

int hca_ib_mmap(struct ib_ucontext *context, struct vm_area_struct *vma)
{
	struct rdma_user_mmap_entry *entry;
	int ret;

	if (vma->vm_flags & VM_EXEC)
		return -EPERM;
	entry = rdma_user_mmap_entry_get(context, vma); /* shared, and of the very size */
	if (!entry)
		return -EINVAL;
	vm_flags_clear(vma, VM_MAYEXEC);
	ret = remap_vmalloc_range(vma, container_of(entry, struct hca_mapping, entry)->memory, 0);
	rdma_user_mmap_entry_put(entry);
	return ret;
}
