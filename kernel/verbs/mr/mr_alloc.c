// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Memory regions as objects: allocation, entry into the translation table, release. */
#include "verbs/mr/mr_alloc.h"
#include <linux/slab.h>
#include <rdma/ib_umem.h>
#include "compat.h"
#include "qp/ci.h"
#include "verbs/core/context.h"
#include "verbs/core/hca_device.h"
#include "verbs/core/objects.h"
#include "verbs/core/pd.h"
#include "verbs/core/track.h"

/*
 * Access rights that are stored. Optional flags, such as relaxed ordering, may be ignored, and this
 * driver ignores them. hca_mr_set_persistent() adds the right to a Flush that makes data persist.
 */
#define ACCESS_RIGHTS                                                                         \
	(IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE | IB_ACCESS_REMOTE_READ |              \
	 IB_ACCESS_REMOTE_ATOMIC | IB_ACCESS_MW_BIND | IB_ZERO_BASED |                         \
	 IB_UVERBS_ACCESS_FLUSH_GLOBAL)
/* Supported flags. Pages may be of any size, so huge pages need no special treatment. */
#define ACCESS_SUPPORTED (ACCESS_RIGHTS | IB_ACCESS_HUGETLB | IB_ACCESS_OPTIONAL)

struct hca_ib_mr *hca_mr_alloc(struct ib_pd *pd, int access)
{
	struct hca_ib_context *context = hca_pd_context(pd);
	struct hca_ib_mr *mr;

	if (access & ~ACCESS_SUPPORTED)
		return ERR_PTR(-EOPNOTSUPP);
	if (hca_context_object_add(pd->device, context, HCA_OBJ_MR))
		return ERR_PTR(-ENOMEM);
	mr = kzalloc(sizeof(*mr), GFP_KERNEL_ACCOUNT);
	if (mr)
		mr->entry = kzalloc(sizeof(*mr->entry), GFP_KERNEL_ACCOUNT);
	if (!mr || !mr->entry) {
		kfree(mr);
		hca_context_object_del(pd->device, context, HCA_OBJ_MR);
		return ERR_PTR(-ENOMEM);
	}
	mr->context = context;
	mr->entry->pd = pd;
	mr->entry->access = access & ACCESS_RIGHTS;
	return mr;
}

int hca_mr_set_pages(struct hca_ib_mr *mr, void *memory, u64 offset, u64 length)
{
	u8 *first = (u8 *)memory + round_down(offset, PAGE_SIZE);
	size_t i, pages = DIV_ROUND_UP(offset_in_page(offset) + length, PAGE_SIZE);

	mr->page = kvmalloc_array(pages, sizeof(*mr->page), GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!mr->page)
		return -ENOMEM;
	for (i = 0; i < pages; i++)
		mr->page[i] = first + i * PAGE_SIZE;
	mr->entry->page = mr->page;
	mr->entry->first_offset = offset_in_page(offset);
	return 0;
}

/* Drops an MR's reference to @pinned. The last one unpins the pages (req V3-256, V3-257). */
static void mr_unpin(struct hca_pinned *pinned)
{
	if (!refcount_dec_and_test(&pinned->users))
		return;
	if (pinned->umem)
		ib_umem_release(pinned->umem);
	kvfree(pinned->page);
	kfree(pinned);
}

/* Frees an MR except for mr->entry, which the translation table owns after hca_mr_publish(). */
void hca_mr_release(struct ib_device *ib, struct hca_ib_mr *mr)
{
	if (mr->pinned)
		mr_unpin(mr->pinned);
	if (mr->ops)
		mr->ops->free(mr);
	kvfree(mr->page);
	kvfree(mr->next_page);
	hca_context_object_del(ib, mr->context, HCA_OBJ_MR);
	kfree(mr);
}

static int mr_publish(struct ib_device *ib, struct hca_ib_mr *mr)
{
	int ret = hca_tpt_entry_add(&to_hca_device(ib)->ci->tpt, mr->entry);

	if (ret)
		return ret;
	mr->ib.lkey = mr->entry->key;
	mr->ib.rkey = mr->entry->key;
	mr->ib.iova = mr->entry->iova;
	mr->ib.length = mr->entry->length;
	hca_track(ib, HCA_RESOURCE_MR, &mr->tracked,
		  mr->context ? NULL : &((const struct ib_pd *)mr->entry->pd)->res);
	return 0;
}

struct ib_mr *hca_mr_publish(struct ib_device *ib, struct hca_ib_mr *mr)
{
	int ret = mr_publish(ib, mr);

	if (!ret)
		return &mr->ib;
	kfree(mr->entry);
	hca_mr_release(ib, mr);
	return ERR_PTR(ret);
}

/* Addresses of a zero-based MR begin at 0 (req R0-287, R0-331). */
void hca_mr_set_base(struct hca_ib_mr *mr, u64 iova)
{
	mr->va = iova;
	mr->entry->iova = mr->entry->access & IB_ZERO_BASED ? 0 : iova;
}
