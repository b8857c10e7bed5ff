/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Rings and device memory that a process may map. */
#ifndef HCA_VERBS_CORE_MAPPING_H
#define HCA_VERBS_CORE_MAPPING_H

#include <linux/completion.h>
#include <rdma/ib_verbs.h>

struct hca_ring_memory;
struct vm_area_struct;

/* A ring or device memory that a process may map. */
struct hca_mapping {
	struct rdma_user_mmap_entry entry;
	struct hca_ring_memory *memory; /* NULL: there is nothing to map */
	struct completion unused; /* completed when no mmap() uses the entry any more */
};

int hca_mapping_add(struct hca_mapping *mapping, struct ib_ucontext *context,
		    struct hca_ring_memory *memory);
void hca_mapping_remove(struct hca_mapping *mapping);
u64 hca_mapping_offset(const struct hca_mapping *mapping);
int hca_ib_mmap(struct ib_ucontext *context, struct vm_area_struct *vma);
void hca_ib_mmap_free(struct rdma_user_mmap_entry *entry);

#endif
