// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Mapping of rings and device memory into a process. A mapping can be used only by the context that
 * it was made for (req V3-136).
 *
 * The VMA is VM_PFNMAP and its page table entries are special. get_user_pages() refuses such pages,
 * so a ring can be neither pinned nor registered. A VM_PFNMAP VMA holds no reference to its pages.
 * Instead, each copy and each part of the VMA holds a reference to its vm_file. vm_file is a file
 * of this driver, which holds a reference to the ring's memory and, by its operations, to the
 * module.
 */
#include "verbs/core/mapping.h"
#include <linux/anon_inodes.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/vmalloc.h>
#include "compat.h"
#include "qp/ring.h"

/**
 * hca_mapping_add() - allow a process to map memory
 * @mapping: zeroed mapping, or one that was removed
 * @context: context of the process
 * @memory: memory of a ring, or device memory; NULL: nothing is done
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int hca_mapping_add(struct hca_mapping *mapping, struct ib_ucontext *context,
		    struct hca_ring_memory *memory)
{
	int ret;

	if (!memory)
		return 0;
	*mapping = (struct hca_mapping){ .memory = memory };
	init_completion(&mapping->unused);
	ret = rdma_user_mmap_entry_insert(context, &mapping->entry, memory->size);
	if (ret)
		mapping->memory = NULL;
	return ret;
}

/* Prevents further mmap() calls and waits for running ones. Context: process, may sleep. */
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

/* Drops the reference to the ring's memory, because the last VMA of the ring was unmapped. */
static int mapping_release_ring(struct inode *inode, struct file *file)
{
	hca_ring_memory_put(file->private_data);
	return 0;
}

static const struct file_operations ring_fops = {
	.owner = THIS_MODULE,
	.release = mapping_release_ring,
};

/* Replaces the operations of ib_uverbs, which expect that vm_file is a file of ib_uverbs. */
static const struct vm_operations_struct ring_vm_ops = {};

/* Makes the VMA hold a reference to the memory, even if a later step of mmap() fails. */
static int mapping_get_vma(struct vm_area_struct *vma, struct hca_ring_memory *memory)
{
	struct file *file = anon_inode_getfile("[hca_ring]", &ring_fops, memory, O_RDWR);

	if (IS_ERR(file))
		return PTR_ERR(file);
	hca_ring_memory_get(memory);
	vma_set_file(vma, file);
	fput(file);
	vma->vm_ops = &ring_vm_ops;
	return 0;
}

/*
 * Maps the memory. On failure the function clears the page table entries that it has set, because
 * mmap() clears them only after it has dropped the reference to vm_file.
 */
static int mapping_fill_vma(struct vm_area_struct *vma, const struct hca_ring_memory *memory)
{
	const u8 *page = (const u8 *)memory->ring;
	unsigned long addr;
	int ret;

	for (addr = vma->vm_start; addr < vma->vm_end; addr += PAGE_SIZE, page += PAGE_SIZE) {
		ret = remap_pfn_range(vma, addr, vmalloc_to_pfn(page), PAGE_SIZE,
				      vma->vm_page_prot);
		if (ret) {
			zap_special_vma_range(vma, vma->vm_start,
					      vma->vm_end - vma->vm_start);
			return ret;
		}
	}
	return 0;
}

int hca_ib_mmap(struct ib_ucontext *context, struct vm_area_struct *vma)
{
	struct rdma_user_mmap_entry *entry;
	struct hca_ring_memory *memory;
	int ret;

	if (vma->vm_flags & VM_EXEC)
		return -EPERM;
	entry = rdma_user_mmap_entry_get(context, vma); /* checks VM_SHARED and the exact size */
	if (!entry)
		return -EINVAL;
	vm_flags_clear(vma, VM_MAYEXEC);
	memory = container_of(entry, struct hca_mapping, entry)->memory;
	ret = mapping_get_vma(vma, memory);
	if (!ret)
		ret = mapping_fill_vma(vma, memory);
	rdma_user_mmap_entry_put(entry);
	return ret;
}
