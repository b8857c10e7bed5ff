// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Memory regions for fast registration by kernel consumers (req R0-305 to R0-311). ib_map_mr_sg()
 * stores the new pages separately from the pages in use, because the MR may still be valid: its
 * invalidation may be posted but not executed. The registration request installs the new pages.
 */
#include "verbs/mr/fast_mr.h"
#include <linux/mm.h>
#include <linux/slab.h>
#include "qp/ci.h"
#include "qp/limits.h"
#include "verbs/mr/mr_alloc.h"

static bool fast_mr_alloc_pages(struct hca_ib_mr *mr, u32 max_pages)
{
	mr->page = kvcalloc(max_pages, sizeof(*mr->page), GFP_KERNEL);
	mr->next_page = kvcalloc(max_pages, sizeof(*mr->next_page), GFP_KERNEL);
	return mr->page && mr->next_page;
}

struct ib_mr *hca_ib_alloc_mr(struct ib_pd *pd, enum ib_mr_type type, u32 max_pages)
{
	struct hca_ib_mr *mr;

	if (type != IB_MR_TYPE_MEM_REG)
		return ERR_PTR(-EOPNOTSUPP);
	if (!max_pages || max_pages > HCA_MAX_FAST_PAGES)
		return ERR_PTR(-EINVAL);
	mr = hca_mr_alloc(pd, 0);
	if (IS_ERR(mr))
		return ERR_CAST(mr);
	if (!fast_mr_alloc_pages(mr, max_pages)) {
		kfree(mr->entry);
		hca_mr_release(pd->device, mr);
		return ERR_PTR(-ENOMEM);
	}
	mr->max_pages = max_pages;
	mr->entry->kind = HCA_TPT_FAST_MR;
	mr->entry->page = mr->page;
	mr->entry->next_page = mr->next_page;
	return hca_mr_publish(pd->device, mr);
}

/* Without a DMA device, DMA addresses are kernel virtual addresses. */
static int fast_mr_map_page(struct ib_mr *ib, u64 addr)
{
	struct hca_ib_mr *mr = to_hca_ib_mr(ib);

	if (mr->entry->num_next_pages == mr->max_pages)
		return -ENOMEM;
	mr->next_page[mr->entry->num_next_pages++] = (void *)(uintptr_t)addr;
	return 0;
}

int hca_ib_map_mr_sg(struct ib_mr *ib, struct scatterlist *sg, int n, unsigned int *offset)
{
	struct hca_ib_mr *mr = to_hca_ib_mr(ib);

	if (!mr->next_page || ib->page_size != PAGE_SIZE)
		return -EINVAL;
	mr->entry->num_next_pages = 0;
	return ib_sg_to_pages(ib, sg, n, offset, fast_mr_map_page);
}
