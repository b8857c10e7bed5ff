// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Memory regions (req V3-244, V3-340, V3-343). The umem pins the pages; the entry of the
 * translation and protection table only refers to them.
 */
#include "verbs/mr/mr.h"
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <rdma/hca-abi.h>
#include <rdma/ib_umem.h>
#include "compat.h"
#include "qp/ci.h"
#include "verbs/core/hca_device.h"
#include "verbs/core/track.h"
#include "verbs/mr/mr_alloc.h"
#include "verbs/mr/odp.h"

#ifndef CONFIG_64BIT
#error "hca needs a 64-bit kernel: it accesses all pages by their kernel addresses"
#endif

#define SAME(ours, theirs) static_assert((int)(ours) == (int)(theirs))
SAME(IB_UVERBS_ACCESS_LOCAL_WRITE, IB_ACCESS_LOCAL_WRITE);
SAME(IB_UVERBS_ACCESS_REMOTE_WRITE, IB_ACCESS_REMOTE_WRITE);
SAME(IB_UVERBS_ACCESS_REMOTE_READ, IB_ACCESS_REMOTE_READ);
SAME(IB_UVERBS_ACCESS_REMOTE_ATOMIC, IB_ACCESS_REMOTE_ATOMIC);
SAME(IB_UVERBS_ACCESS_MW_BIND, IB_ACCESS_MW_BIND);
SAME(IB_UVERBS_ACCESS_ZERO_BASED, IB_ZERO_BASED);
#ifdef HCA_PLACEMENT
SAME(IB_UVERBS_ACCESS_FLUSH_GLOBAL, IB_ACCESS_FLUSH_GLOBAL);
SAME(IB_UVERBS_ACCESS_FLUSH_PERSISTENT, IB_ACCESS_FLUSH_PERSISTENT);
#endif
SAME(HCA_NULL_KEY, HCA_NULL_LKEY);
#undef SAME

/* Registers all memory. Addresses in the MR are kernel virtual addresses (req V3-078). */
struct ib_mr *hca_ib_get_dma_mr(struct ib_pd *pd, int access)
{
	struct hca_ib_mr *mr = hca_mr_alloc(pd, access);

	if (IS_ERR(mr))
		return ERR_CAST(mr);
	mr->entry->length = U64_MAX;
	return hca_mr_publish(pd->device, mr);
}

/* Number of pages that are stored between calls of cond_resched(). An MR may have 2^28 pages. */
#define RESCHED_PAGES 65536

/* Stores the kernel addresses of the pinned pages in @pinned. */
static int mr_store_pages(struct hca_pinned *pinned)
{
	struct sg_page_iter iter;
	size_t i = 0;

	pinned->page = kvmalloc_array(ib_umem_num_pages(pinned->umem), sizeof(*pinned->page),
				      GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!pinned->page)
		return -ENOMEM;
	for_each_sgtable_page(&pinned->umem->sgt_append.sgt, &iter, 0) {
		pinned->page[i++] = page_address(sg_page_iter_page(&iter));
		if (i % RESCHED_PAGES == 0)
			cond_resched();
	}
	return 0;
}

/* Pins the pages and stores their addresses (req V3-076). */
static int mr_pin(struct ib_device *ib, struct hca_ib_mr *mr, u64 start, u64 length, int access)
{
	struct ib_umem *umem;

	mr->pinned = kzalloc(sizeof(*mr->pinned), GFP_KERNEL_ACCOUNT);
	if (!mr->pinned)
		return -ENOMEM;
	refcount_set(&mr->pinned->users, 1);
	umem = ib_umem_get_va(ib, start, length, access);
	if (IS_ERR(umem))
		return PTR_ERR(umem);
	mr->pinned->umem = umem;
	return mr_store_pages(mr->pinned);
}

/* The length must be 1 to HCA_MAX_MR_BYTES, and the addresses must not wrap (req V3-243). */
static bool mr_range_valid(u64 iova, u64 length)
{
	u64 last;

	return length && length <= HCA_MAX_MR_BYTES && !check_add_overflow(iova, length - 1, &last);
}

static void mr_translate(struct hca_ib_mr *mr, u64 iova, u64 length)
{
	hca_mr_set_base(mr, iova);
	mr->entry->length = length;
	mr->entry->page = mr->pinned->page;
	mr->entry->first_offset = ib_umem_offset(mr->pinned->umem);
}

/* Returns an MR with pinned pages and without a key. */
static struct hca_ib_mr *mr_make(struct ib_pd *pd, u64 start, u64 length, u64 iova, int access)
{
	struct hca_ib_mr *mr;
	int ret;

	if (!mr_range_valid(iova, length))
		return ERR_PTR(-EINVAL);
	mr = hca_mr_alloc(pd, access & ~IB_UVERBS_ACCESS_FLUSH_PERSISTENT);
	if (IS_ERR(mr))
		return mr;
	ret = mr_pin(pd->device, mr, start, length, access);
	if (!ret)
		ret = hca_mr_set_persistent(mr, mr->pinned, access);
	if (ret) {
		kfree(mr->entry);
		hca_mr_release(pd->device, mr);
		return ERR_PTR(ret);
	}
	mr_translate(mr, iova, length);
	return mr;
}

struct ib_mr *hca_ib_reg_user_mr(struct ib_pd *pd, u64 start, u64 length, u64 iova, int access,
				 HCA_DMAH_ARG struct ib_udata *udata)
{
	struct hca_ib_mr *mr;

	if (access & IB_ACCESS_ON_DEMAND)
		return hca_odp_reg(pd, start, length, iova, access);
	mr = mr_make(pd, start, length, iova, access);
	return IS_ERR(mr) ? ERR_CAST(mr) : hca_mr_publish(pd->device, mr);
}

/*
 * Returns whether the new rights need pages to be pinned. Pages that were pinned for reading only
 * must be pinned again before they can be written.
 */
static bool mr_must_pin(const struct hca_ib_mr *mr, int flags, int access)
{
	return flags & IB_MR_REREG_TRANS ||
	       (!mr->pinned->umem->writable && ib_access_writable(access));
}

/* Changes an MR as @to describes it. If @to has pinned pages, both exchange their pages. */
static int mr_change(struct hca_tpt *tpt, struct hca_ib_mr *mr, struct hca_ib_mr *to,
		     bool change_key)
{
	int ret = hca_tpt_entry_change(tpt, mr->entry, to->entry, change_key);

	if (ret)
		return ret;
	if (to->pinned)
		swap(mr->pinned, to->pinned);
	mr->va = to->va;
	mr->ib.lkey = mr->entry->key;
	mr->ib.rkey = mr->entry->key;
	mr->ib.iova = mr->entry->iova;
	mr->ib.length = mr->entry->length;
	return 0;
}

/*
 * Returns an MR without a key that describes @mr after the change. It has newly pinned pages unless
 * @mr keeps its pages.
 */
static struct hca_ib_mr *mr_describe(const struct hca_ib_mr *mr, int flags, u64 start, u64 length,
				     u64 iova, int access, struct ib_pd *pd)
{
	const struct hca_tpt_entry *entry = mr->entry;
	struct hca_ib_mr *to;
	int ret;

	if (!(flags & IB_MR_REREG_TRANS)) {
		start = mr->pinned->umem->address;
		length = entry->length;
		iova = mr->va;
	}
	if (mr_must_pin(mr, flags, access))
		return mr_make(pd, start, length, iova, access);
	to = hca_mr_alloc(pd, access & ~IB_UVERBS_ACCESS_FLUSH_PERSISTENT);
	if (IS_ERR(to))
		return to;
	ret = hca_mr_set_persistent(to, mr->pinned, access);
	if (ret) {
		kfree(to->entry);
		hca_mr_release(pd->device, to);
		return ERR_PTR(ret);
	}
	hca_mr_set_base(to, iova);
	to->entry->length = length;
	to->entry->page = entry->page;
	to->entry->first_offset = entry->first_offset;
	return to;
}

/* Returns whether addresses refer to other octets after the change. */
static bool mr_addresses_change(const struct hca_ib_mr *mr, const struct hca_ib_mr *to, int flags)
{
	return flags & IB_MR_REREG_TRANS || (mr->entry->access ^ to->entry->access) & IB_ZERO_BASED;
}

/*
 * The MR keeps its keys, as programs expect, unless the addresses change. In that case it gets new
 * keys: requests with the former keys mean other memory, and are refused (req R0-299). On failure
 * nothing has changed. The RDMA core counts the users of the protection domains (req V3-251).
 * Return: NULL, because the MR remains this object; or ERR_PTR.
 */
struct ib_mr *hca_ib_rereg_user_mr(struct ib_mr *ib, int flags, u64 start, u64 length, u64 iova,
				   int access, struct ib_pd *pd, struct ib_udata *udata)
{
	struct hca_ib_mr *to, *mr = to_hca_ib_mr(ib);
	int ret;

	if (!mr->pinned)
		return ERR_PTR(-EOPNOTSUPP);
	if (mr->shared)
		return ERR_PTR(-EINVAL); /* req R0-284, R0-294 */
	if (!(flags & IB_MR_REREG_ACCESS))
		access = mr->entry->access;
	/*
	 * ib_umem_get() would pin pages of the calling process. A process that has received the
	 * uverbs file from another process does not have the pages of the MR.
	 */
	if (!(flags & IB_MR_REREG_TRANS) && mr_must_pin(mr, flags, access) &&
	    mr->pinned->umem->owning_mm != current->mm)
		return ERR_PTR(-EPERM);
	to = mr_describe(mr, flags, start, length, iova, access, pd);
	if (IS_ERR(to))
		return ERR_CAST(to);
	ret = mr_change(&to_hca_device(ib->device)->ci->tpt, mr, to,
			mr_addresses_change(mr, to, flags));
	kfree(to->entry);
	hca_mr_release(ib->device, to);
	return ret ? ERR_PTR(ret) : NULL;
}

/*
 * The pages are unpinned when no access to the MR is in progress any more. An MR with bound windows
 * cannot be deregistered (req V3-257).
 */
int hca_ib_dereg_mr(struct ib_mr *ib, struct ib_udata *udata)
{
	struct hca_ib_mr *mr = to_hca_ib_mr(ib);
	struct ib_device *dev = ib->device;
	int ret;

	if (mr->ops && mr->ops->detach)
		mr->ops->detach(mr);
	hca_track_hide(dev, HCA_RESOURCE_MR, &mr->tracked);
	ret = hca_tpt_entry_remove(&to_hca_device(dev)->ci->tpt, mr->entry);
	if (ret) {
		hca_track_show(dev, HCA_RESOURCE_MR, &mr->tracked);
		return ret;
	}
	put_pid(mr->tracked.owner);
	hca_mr_release(dev, mr);
	return 0;
}
