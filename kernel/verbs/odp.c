// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * On-demand paging: MRs whose pages are those that the process has, at each time. An access that
 * finds a page absent has it fetched by a work; an MMU notifier takes pages away before the process
 * loses them, and waits for accesses in progress.
 */
#include "verbs/verbs.h"

#ifdef HCA_ODP

#include <linux/hmm.h>
#include <linux/mmu_notifier.h>
#include <linux/overflow.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>
#include <net/netlink.h>
#include <rdma/rdma_netlink.h>
#include <rdma/restrack.h>

#define BATCH_PAGES 64 /* fetched at a time, and beyond what an access needs */
#define TRIES 100 /* of one batch, while the process changes its memory */

struct hca_ib_odp {
	struct hca_odp core;
	struct mmu_interval_notifier notifier;
	struct mem_cgroup *memcg; /* of the owner, which chunks are charged to */
	struct work_struct work;
	struct mutex lock; /* guards the chunks of core; nothing is allocated under it */
	/* Pages that accesses have waited for, that were taken away, that advice has brought. */
	atomic64_t faults, invalidations, prefetches;
};

static struct hca_ib_odp *to_odp(struct hca_odp *core)
{
	return container_of(core, struct hca_ib_odp, core);
}

/* Pages that are not writable may be shared with other processes, so they were not written. */
static void written(void *page)
{
	folio_mark_dirty(virt_to_folio(page));
}

/*
 * Makes pages absent, and waits for accesses in progress. The lock is held for as long as that
 * takes: another notification for the same pages must not return before.
 */
static void clear(struct hca_ib_odp *odp, u64 first, u64 last)
{
	u64 pages = hca_odp_clear(&odp->core, first, last);

	if (!pages)
		return;
	atomic64_add(pages, &odp->invalidations);
	synchronize_rcu_expedited();
}

static bool invalidate(struct mmu_interval_notifier *notifier,
		       const struct mmu_notifier_range *range, unsigned long seq)
{
	struct hca_ib_odp *odp = container_of(notifier, struct hca_ib_odp, notifier);

	if (!mmu_notifier_range_blockable(range))
		return false;
	mutex_lock(&odp->lock);
	mmu_interval_set_seq(notifier, seq);
	clear(odp, range->start, range->end - 1);
	mutex_unlock(&odp->lock);
	return true;
}

static const struct mmu_interval_notifier_ops notifier_ops = { .invalidate = invalidate };

/* A chunk that is charged to the owner, although another thread allocates it. */
static struct hca_odp_chunk *alloc_chunk(struct hca_ib_odp *odp)
{
	struct mem_cgroup *old = set_active_memcg(odp->memcg);
	struct hca_odp_chunk *chunk = kzalloc(sizeof(*chunk), GFP_KERNEL_ACCOUNT);

	set_active_memcg(old);
	return chunk;
}

/*
 * Return whether the kernel can access the pages that were found. Those of memfd_secret(), which
 * are not in its direct map, it cannot, and they never become accessible while a process has them.
 */
static bool accessible(const unsigned long *pfns, u32 pages)
{
	u8 octet;
	u32 i;

	for (i = 0; i < pages; i++)
		if (pfns[i] & HMM_PFN_VALID &&
		    copy_from_kernel_nofault(&octet, page_address(hmm_pfn_to_page(pfns[i])), 1))
			return false;
	return true;
}

/* Enters pages that were found. The lock is held. A batch is in two chunks at most. */
static void enter(struct hca_ib_odp *odp, u64 addr, const unsigned long *pfns, u32 pages,
		  struct hca_odp_chunk **spares)
{
	u32 i;

	for (i = 0; i < pages; i++) {
		if (!(pfns[i] & HMM_PFN_VALID))
			continue;
		hca_odp_set(&odp->core, addr + i * PAGE_SIZE,
			    page_address(hmm_pfn_to_page(pfns[i])), pfns[i] & HMM_PFN_WRITE,
			    *spares ? spares : spares + 1);
	}
}

/*
 * Finds the pages of a range, at most a batch, faulting them in according to @flags. Return: 0;
 * -EAGAIN if they have changed meanwhile; -ENOMEM; -EFAULT if the process has no such memory, or if
 * the kernel cannot access it.
 */
static int find(struct hca_ib_odp *odp, struct mm_struct *mm, u64 addr, u32 pages,
		unsigned long flags, struct hca_odp_chunk **spares)
{
	unsigned long pfns[BATCH_PAGES] = {};
	struct hmm_range range = {
		.notifier = &odp->notifier,
		.start = addr,
		.end = addr + (u64)pages * PAGE_SIZE,
		.hmm_pfns = pfns,
		.default_flags = flags,
	};
	int ret;

	range.notifier_seq = mmu_interval_read_begin(&odp->notifier);
	mmap_read_lock(mm);
	ret = hmm_range_fault(&range);
	mmap_read_unlock(mm);
	if (ret == -EBUSY)
		return -EAGAIN;
	if (ret)
		return ret == -ENOMEM ? ret : -EFAULT;
	if (!accessible(pfns, pages))
		return -EFAULT;
	mutex_lock(&odp->lock);
	if (mmu_interval_read_retry(&odp->notifier, range.notifier_seq))
		ret = -EAGAIN;
	else
		enter(odp, addr, pfns, pages, spares);
	mutex_unlock(&odp->lock);
	return ret;
}

/* Tells the next access that the process has no such page. */
static void refuse(struct hca_ib_odp *odp, const struct hca_odp_want *want, u64 addr,
		   struct hca_odp_chunk **spares)
{
	mutex_lock(&odp->lock);
	hca_odp_refuse(&odp->core, want, addr, *spares ? spares : spares + 1);
	mutex_unlock(&odp->lock);
}

/* As find(), until it succeeds or fails for good. @want: what asked for it, or NULL. */
static int fetch_batch(struct hca_ib_odp *odp, struct mm_struct *mm, u64 addr, u32 pages,
		       unsigned long flags, const struct hca_odp_want *want)
{
	struct hca_odp_chunk *spares[2] = { alloc_chunk(odp), alloc_chunk(odp) };
	int ret = -ENOMEM, i;

	for (i = 0; spares[0] && spares[1] && i < TRIES; i++) {
		ret = find(odp, mm, addr, pages, flags, spares);
		if (ret != -EAGAIN)
			break;
	}
	if (ret == -EFAULT && pages == 1 && want)
		refuse(odp, want, addr, spares);
	kfree(spares[0]);
	kfree(spares[1]);
	return ret;
}

/* Pages from @addr to the end of the MR. */
static u64 pages_left(const struct hca_ib_odp *odp, u64 addr)
{
	u64 end = odp->core.start + odp->core.length - 1;

	return (end - addr) / PAGE_SIZE + 1;
}

/* Fetches a batch that the process does not have as a whole. */
static int fetch_singly(struct hca_ib_odp *odp, struct mm_struct *mm, u64 addr, u32 pages,
			unsigned long flags, const struct hca_odp_want *want)
{
	int ret = 0;

	for (; !ret && pages; addr += PAGE_SIZE, pages--)
		ret = fetch_batch(odp, mm, addr, 1, flags, want);
	return ret;
}

/* Fetches a range. Return: 0 or the error of a page, behind which nothing was fetched. */
static int fetch(struct hca_ib_odp *odp, struct mm_struct *mm, u64 addr, u64 pages,
		 unsigned long flags, const struct hca_odp_want *want)
{
	int ret = 0;
	u32 n;

	for (; pages; addr += (u64)n * PAGE_SIZE, pages -= n) {
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
		n = min_t(u64, pages, BATCH_PAGES);
		ret = fetch_batch(odp, mm, addr, n, flags, want);
		if (ret == -EFAULT && n > 1)
			ret = fetch_singly(odp, mm, addr, n, flags, want);
		if (ret)
			return ret;
	}
	return 0;
}

static bool is_implicit(const struct hca_ib_odp *odp)
{
	return odp->core.length == U64_MAX;
}

static unsigned long fault_flags(bool write)
{
	return HMM_PFN_REQ_FAULT | (write ? HMM_PFN_REQ_WRITE : 0);
}

/*
 * Fetches what accesses have asked for, and what is likely to be needed next: of an MR that is the
 * whole address space only what the process has used already.
 */
static void fetch_wanted(struct hca_ib_odp *odp, struct mm_struct *mm)
{
	struct hca_odp_want want;
	unsigned long flags;
	u64 ahead;

	while (hca_odp_next(&odp->core, &want)) {
		flags = fault_flags(want.write);
		if (fetch(odp, mm, want.addr, want.pages, flags, &want))
			continue;
		atomic64_add(want.pages, &odp->faults);
		ahead = min_t(u64, pages_left(odp, want.addr) - want.pages, BATCH_PAGES);
		if (ahead)
			fetch_batch(odp, mm, want.addr + want.pages * PAGE_SIZE, ahead,
				    is_implicit(odp) ? 0 : flags, NULL);
	}
}

static void work(struct work_struct *work)
{
	struct hca_ib_odp *odp = container_of(work, struct hca_ib_odp, work);
	struct mm_struct *mm = odp->notifier.mm;
	struct hca_odp_want want;

	if (mmget_not_zero(mm)) {
		fetch_wanted(odp, mm);
		mmput(mm);
		return;
	}
	/* The process has gone, and its queue pairs with it. */
	while (hca_odp_next(&odp->core, &want))
		;
}

static void ask(struct hca_odp *core)
{
	queue_work(system_unbound_wq, &to_odp(core)->work);
}

static struct hca_ib_odp *make(u64 start, u64 length)
{
	u64 first = round_down(start, PAGE_SIZE);
	u64 octets = length == U64_MAX ? ULONG_MAX : round_up(start + length, PAGE_SIZE) - first;
	struct hca_ib_odp *odp = kzalloc(sizeof(*odp), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!odp)
		return ERR_PTR(-ENOMEM);
	odp->core.ask = ask;
	odp->core.written = written;
	odp->core.start = start;
	odp->core.length = length;
	INIT_WORK(&odp->work, work);
	mutex_init(&odp->lock);
	ret = hca_odp_init(&odp->core);
	if (ret)
		goto free;
	ret = mmu_interval_notifier_insert(&odp->notifier, current->mm, first, octets,
					   &notifier_ops);
	if (ret)
		goto destroy;
	odp->memcg = get_mem_cgroup_from_mm(current->mm);
	return odp;

destroy:
	hca_odp_destroy(&odp->core);
free:
	kfree(odp);
	return ERR_PTR(ret);
}

void hca_odp_dereg(struct hca_ib_odp *odp)
{
	cancel_work_sync(&odp->work);
	/* While the notifier is there no page that is present can go. */
	mutex_lock(&odp->lock);
	clear(odp, 0, U64_MAX);
	mutex_unlock(&odp->lock);
	mmu_interval_notifier_remove(&odp->notifier);
	hca_odp_destroy(&odp->core);
	mem_cgroup_put(odp->memcg);
	mutex_destroy(&odp->lock);
	kfree(odp);
}

static bool range_valid(u64 start, u64 length, u64 iova)
{
	u64 last;

	if (length == U64_MAX)
		return !start && !iova;
	return length && length <= TASK_SIZE_MAX && start <= TASK_SIZE_MAX - length &&
	       !check_add_overflow(iova, length - 1, &last);
}

struct ib_mr *hca_odp_reg(struct ib_pd *pd, u64 start, u64 length, u64 iova, int access)
{
	struct hca_ib_odp *odp;
	struct hca_ib_mr *mr;

	if (access & IB_ACCESS_MW_BIND)
		return ERR_PTR(-EOPNOTSUPP);
	if (!range_valid(start, length, iova))
		return ERR_PTR(-EINVAL);
	mr = hca_mr_alloc(pd, access & ~(IB_ACCESS_ON_DEMAND | IB_ACCESS_HUGETLB));
	if (IS_ERR(mr))
		return ERR_CAST(mr);
	odp = make(start, length);
	if (IS_ERR(odp)) {
		kfree(mr->entry);
		hca_mr_release(pd->device, mr);
		return ERR_CAST(odp);
	}
	mr->odp = odp;
	mr->entry->odp = &odp->core;
	hca_mr_set_base(mr, iova);
	mr->entry->length = length;
	return hca_mr_publish(pd->device, mr);
}

/* --- prefetching */

static int fetch_advised(struct hca_ib_odp *odp, u64 addr, u64 length, unsigned long flags)
{
	u64 first = round_down(addr, PAGE_SIZE);
	u64 pages = (round_up(addr + length, PAGE_SIZE) - first) / PAGE_SIZE;
	struct mm_struct *mm = odp->notifier.mm;
	int ret;

	if (!mmget_not_zero(mm))
		return -EFAULT;
	ret = fetch(odp, mm, first, pages, flags, NULL);
	mmput(mm);
	if (!ret)
		atomic64_add(pages, &odp->prefetches);
	return ret;
}

static const struct {
	unsigned long flags; /* for hmm_range_fault() */
	u32 access; /* rights that the MR must have */
} advices[] = {
	[IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH] = { HMM_PFN_REQ_FAULT, 0 },
	[IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_WRITE] = { HMM_PFN_REQ_FAULT | HMM_PFN_REQ_WRITE,
							IB_UVERBS_ACCESS_LOCAL_WRITE },
	[IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT] = { 0, 0 },
};

/*
 * Pages are prefetched before the call returns, whether IB_UVERBS_ADVISE_MR_FLAG_FLUSH asks for
 * that or not. Return: 0; -EOPNOTSUPP (advice or flags); -EINVAL (a range that is in no MR on
 * demand of the domain); -EFAULT (the process has no such memory); -ENOMEM; -EINTR.
 */
int hca_ib_advise_mr(struct ib_pd *pd, enum ib_uverbs_advise_mr_advice advice, u32 flags,
		     struct ib_sge *sg_list, u32 num_sge, struct uverbs_attr_bundle *attrs)
{
	struct hca_tpt *tpt = &to_hca_device(pd->device)->ca.tpt;
	u32 i;
	int ret = 0;

	if (advice >= ARRAY_SIZE(advices) || flags & ~IB_UVERBS_ADVISE_MR_FLAG_FLUSH)
		return -EOPNOTSUPP;
	for (i = 0; !ret && i < num_sge; i++) {
		const struct ib_sge *sge = &sg_list[i];
		struct hca_tpt_entry *entry;

		if (!sge->length)
			continue;
		entry = hca_tpt_entry_get_odp(tpt, sge->lkey, pd, advices[advice].access, sge->addr,
					   sge->length);
		if (!entry)
			return -EINVAL;
		ret = fetch_advised(to_odp(entry->odp),
			       entry->odp->start + (sge->addr - entry->iova), sge->length,
			       advices[advice].flags);
		hca_tpt_entry_put(entry);
	}
	return ret;
}

/* --- statistics */

/* Implements fill_stat_mr_entry: what rdma statistic shows of an MR, under mlx5's names. */
int hca_ib_fill_stat_mr_entry(struct sk_buff *msg, struct ib_mr *mr)
{
	struct hca_ib_odp *odp = to_hca_ib_mr(mr)->odp;
	struct nlattr *nest;

	if (!odp)
		return 0;
	nest = nla_nest_start(msg, RDMA_NLDEV_ATTR_STAT_HWCOUNTERS);
	if (!nest)
		return -EMSGSIZE;
	if (rdma_nl_stat_hwcounter_entry(msg, "page_faults", atomic64_read(&odp->faults)) ||
	    rdma_nl_stat_hwcounter_entry(msg, "page_invalidations",
					 atomic64_read(&odp->invalidations)) ||
	    rdma_nl_stat_hwcounter_entry(msg, "page_prefetch", atomic64_read(&odp->prefetches))) {
		nla_nest_cancel(msg, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(msg, nest);
	return 0;
}

#else

struct ib_mr *hca_odp_reg(struct ib_pd *pd, u64 start, u64 length, u64 iova, int access)
{
	return ERR_PTR(-EOPNOTSUPP);
}

void hca_odp_dereg(struct hca_ib_odp *odp)
{
}

int hca_ib_advise_mr(struct ib_pd *pd, enum ib_uverbs_advise_mr_advice advice, u32 flags,
		     struct ib_sge *sg_list, u32 num_sge, struct uverbs_attr_bundle *attrs)
{
	return -EOPNOTSUPP;
}

int hca_ib_fill_stat_mr_entry(struct sk_buff *msg, struct ib_mr *mr)
{
	return 0;
}

#endif
