// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * On-demand paging: an MR has the pages that the process has at the time of an access. If an access
 * finds a page absent, a worker fetches it (pager.h). An MMU notifier removes pages from the MR
 * before the process loses them, and waits for accesses in progress.
 *
 * The addresses of the pages are stored in chunks (tpt/odp.h), which are allocated as needed.
 *
 * The fetch of a page may wait forever: the server of its file system may be a process that does
 * not answer. The fetching thread then holds neither the process's mmap lock nor any lock of this
 * file, and no other thread waits for it.
 */
#include "verbs/mr/odp.h"
#include "compat.h"
#include "qp/ci.h"
#include "verbs/core/hca_device.h"
#include "verbs/mr/mr_alloc.h"
#include "verbs/mr/pager.h"

#ifdef HCA_ODP

#include <linux/hmm.h>
#include <linux/mmu_notifier.h>
#include <linux/moduleparam.h>
#include <linux/overflow.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <net/netlink.h>
#include <rdma/rdma_netlink.h>
#include <rdma/restrack.h>

#define BATCH_PAGES 64 /* maximum number of pages that are fetched at a time */
#define TRIES 100 /* attempts to fetch a batch while the process changes its memory */

static unsigned int user_chunks = 65536;
module_param_named(user_odp_chunks, user_chunks, uint, 0644);
MODULE_PARM_DESC(user_odp_chunks, "chunks of pages on demand of a user, at most (default 65536)");

struct hca_ib_odp {
	struct hca_odp core;
	refcount_t users; /* references of the MR, its job, and each ibv_advise_mr() in progress */
	struct mm_struct *mm; /* memory of the owner, which may have exited */
	struct mmu_interval_notifier notifier;
	struct mem_cgroup *memcg; /* memory cgroup of the owner, charged for the chunks */
	struct hca_pager *pager; /* workers of the owner's user */
	struct hca_pager_job job;
	/* guards @dead and the chunks in @core; no memory is allocated while it is held */
	struct mutex lock;
	bool dead; /* the MR is being removed; no page may be added any more */
	u32 counted; /* number of chunks that are counted for the user */
	/* numbers of pages: fetched for accesses, made absent, and prefetched */
	atomic64_t faults, invalidations, prefetches;
};

static struct hca_ib_odp *odp_of_core(struct hca_odp *core)
{
	return container_of(core, struct hca_ib_odp, core);
}

static void odp_put(struct hca_ib_odp *odp)
{
	if (!refcount_dec_and_test(&odp->users))
		return;
	mem_cgroup_put(odp->memcg);
	mmdrop(odp->mm);
	hca_pager_close(odp->pager);
	mutex_destroy(&odp->lock);
	kfree(odp);
}

/*
 * Implements hca_odp.written, which is called for writable pages only. Other pages, which may be
 * shared with other processes, cannot have been written.
 */
static void odp_page_written(void *page)
{
	folio_mark_dirty(virt_to_folio(page));
}

/*
 * Makes pages absent, and waits for accesses in progress. The lock is held until the wait ends:
 * another notification for these pages may not return before the accesses have ended, either.
 */
static void odp_clear_range(struct hca_ib_odp *odp, u64 first, u64 last)
{
	u64 pages = hca_odp_clear(&odp->core, first, last);

	if (!pages)
		return;
	atomic64_add(pages, &odp->invalidations);
	hca_odp_wait();
}

static bool odp_invalidate(struct mmu_interval_notifier *notifier,
			   const struct mmu_notifier_range *range, unsigned long seq)
{
	struct hca_ib_odp *odp = container_of(notifier, struct hca_ib_odp, notifier);

	if (!mmu_notifier_range_blockable(range))
		return false;
	mutex_lock(&odp->lock);
	mmu_interval_set_seq(notifier, seq);
	odp_clear_range(odp, range->start, range->end - 1);
	mutex_unlock(&odp->lock);
	return true;
}

static const struct mmu_interval_notifier_ops notifier_ops = { .invalidate = odp_invalidate };

/* Allocates a chunk, charged to the memory cgroup of the owner instead of the current one. */
static struct hca_odp_chunk *odp_alloc_chunk(struct hca_ib_odp *odp)
{
	struct mem_cgroup *old = set_active_memcg(odp->memcg);
	struct hca_odp_chunk *chunk = kzalloc(sizeof(*chunk), GFP_KERNEL_ACCOUNT);

	set_active_memcg(old);
	return chunk;
}

/*
 * Returns whether the kernel can access all found pages. It cannot access pages of memfd_secret(),
 * which are not in the kernel's direct map as long as a process has them.
 */
static bool odp_is_accessible(const unsigned long *pfns, u32 pages)
{
	u8 octet;
	u32 i;

	for (i = 0; i < pages; i++)
		if (pfns[i] & HMM_PFN_VALID &&
		    copy_from_kernel_nofault(&octet, page_address(hmm_pfn_to_page(pfns[i])), 1))
			return false;
	return true;
}

/* Updates the user's count of chunks. The lock is held. */
static void odp_count_chunks(struct hca_ib_odp *odp)
{
	atomic_add(odp->core.num_chunks - odp->counted, hca_pager_chunks(odp->pager));
	odp->counted = odp->core.num_chunks;
}

/*
 * Returns whether the MR may get @chunks (at most two) more chunks of page addresses (tpt/odp.h).
 * If the user's limit is reached, the oldest chunks of the MR are removed first. For an MR with
 * fewer than two chunks, the limit is a quarter higher, so that each MR can proceed. The lock is
 * held.
 */
static bool odp_has_room_for(struct hca_ib_odp *odp, u32 chunks)
{
	u32 limit = READ_ONCE(user_chunks);
	bool room = true;

	if (odp->core.num_chunks < 2)
		limit += limit / 4;
	if (atomic_read(hca_pager_chunks(odp->pager)) + chunks <= limit)
		return true;
	for (; room && chunks; chunks--)
		room = hca_odp_evict(&odp->core);
	odp_count_chunks(odp);
	return room;
}

/*
 * Allocates the chunks that the MR needs to add a batch of pages, two at most. Return: 0; -ENOMEM;
 * -EINTR if the MR is being removed.
 */
static int odp_get_spares(struct hca_ib_odp *odp, u64 addr, u32 pages,
			  struct hca_odp_chunk **spares)
{
	u32 missing = 0, i;
	int ret = 0;

	mutex_lock(&odp->lock);
	if (odp->dead)
		ret = -EINTR;
	else
		missing = hca_odp_missing(&odp->core, addr, pages);
	if (missing && !odp_has_room_for(odp, missing))
		ret = -ENOMEM;
	mutex_unlock(&odp->lock);
	for (i = 0; !ret && i < missing; i++) {
		if (!spares[i])
			spares[i] = odp_alloc_chunk(odp);
		if (!spares[i])
			ret = -ENOMEM;
	}
	return ret;
}

/*
 * Adds the pages that were found to the MR. The lock is held. Return: 0; -EAGAIN if a chunk was
 * removed after odp_get_spares().
 */
static int odp_enter_pages(struct hca_ib_odp *odp, u64 addr, const unsigned long *pfns, u32 pages,
			   struct hca_odp_chunk **spares)
{
	bool entered = true;
	u32 i;

	for (i = 0; entered && i < pages; i++)
		if (pfns[i] & HMM_PFN_VALID)
			entered = hca_odp_set(&odp->core, addr + i * PAGE_SIZE,
					      page_address(hmm_pfn_to_page(pfns[i])),
					      pfns[i] & HMM_PFN_WRITE,
					      *spares ? spares : spares + 1);
	odp_count_chunks(odp);
	return entered ? 0 : -EAGAIN;
}

/*
 * Finds the pages of a range that the process has, without faulting in others. Return: 0; -EAGAIN
 * if the pages changed during the search; -ENOMEM; -EINTR; -EFAULT if the process has no such
 * memory.
 */
static int odp_find_pages(struct hca_ib_odp *odp, struct hmm_range *range)
{
	int ret;

	range->notifier_seq = mmu_interval_read_begin(&odp->notifier);
	if (mmap_read_lock_killable(odp->mm))
		return -EINTR;
	ret = hmm_range_fault(range);
	mmap_read_unlock(odp->mm);
	if (ret)
		return ret == -EBUSY ? -EAGAIN : ret == -ENOMEM ? ret : -EFAULT;
	return 0;
}

/*
 * Faults in a page of the process. The caller holds the mmap lock. handle_mm_fault() drops the lock
 * while it waits for the page, but only if FAULT_FLAG_TRIED is not set; therefore no try sets that
 * flag. Return: 0; -EAGAIN if the lock was dropped; -EFAULT; -ENOMEM.
 */
static int odp_fault_page(struct mm_struct *mm, u64 addr, bool write)
{
	unsigned int flags = FAULT_FLAG_REMOTE | FAULT_FLAG_ALLOW_RETRY | FAULT_FLAG_KILLABLE;
	struct vm_area_struct *vma = vma_lookup(mm, addr);
	vm_fault_t ret;

	if (!vma || vma->vm_flags & (VM_IO | VM_PFNMAP) || !(vma->vm_flags & VM_READ) ||
	    (write && !(vma->vm_flags & VM_WRITE)))
		return -EFAULT;
	ret = handle_mm_fault(vma, addr, flags | (write ? FAULT_FLAG_WRITE : 0), NULL);
	if (ret & (VM_FAULT_RETRY | VM_FAULT_COMPLETED))
		return -EAGAIN;
	if (ret & VM_FAULT_ERROR)
		return ret & VM_FAULT_OOM ? -ENOMEM : -EFAULT;
	return 0;
}

/* Returns whether a page was found that satisfies the requested access. */
static bool odp_page_is_found(unsigned long pfn, unsigned long flags)
{
	return pfn & HMM_PFN_VALID && (!(flags & HMM_PFN_REQ_WRITE) || pfn & HMM_PFN_WRITE);
}

/*
 * Faults in the pages of a range that were not found. Return: 0 if all pages were found; -EAGAIN if
 * pages were faulted in, so that the range has to be searched again; -EFAULT; -ENOMEM; -EINTR.
 */
static int odp_fault_range(struct hca_ib_odp *odp, const struct hmm_range *range,
			   unsigned long flags)
{
	const unsigned long *pfn = range->hmm_pfns;
	int ret = 0, error;
	u64 addr;

	if (mmap_read_lock_killable(odp->mm))
		return -EINTR;
	for (addr = range->start; addr < range->end; addr += PAGE_SIZE, pfn++) {
		if (odp_page_is_found(*pfn, flags))
			continue;
		if (*pfn & HMM_PFN_ERROR) { /* no memory, or memory without a struct page */
			ret = -EFAULT;
			break;
		}
		ret = -EAGAIN;
		error = READ_ONCE(odp->dead) || fatal_signal_pending(current) ?
				-EINTR :
				odp_fault_page(odp->mm, addr, flags & HMM_PFN_REQ_WRITE);
		if (error == -EAGAIN && mmap_read_lock_killable(odp->mm))
			return -EINTR;
		if (error && error != -EAGAIN) {
			ret = error;
			break;
		}
	}
	mmap_read_unlock(odp->mm);
	return ret;
}

/*
 * Adds the pages that the process has of a range to the MR. The range has at most BATCH_PAGES
 * pages. If @flags are not 0, the other pages are faulted in first. Return: 0; -EAGAIN if the pages
 * have changed meanwhile; -ENOMEM; -EINTR; -EFAULT if the process has no such memory, or if the
 * kernel cannot access it.
 */
static int odp_fetch_once(struct hca_ib_odp *odp, u64 addr, u32 pages, unsigned long flags,
			  struct hca_odp_chunk **spares)
{
	unsigned long pfns[BATCH_PAGES] = {};
	struct hmm_range range = {
		.notifier = &odp->notifier,
		.start = addr,
		.end = addr + (u64)pages * PAGE_SIZE,
		.hmm_pfns = pfns,
	};
	int ret = odp_find_pages(odp, &range);

	if (!ret && flags)
		ret = odp_fault_range(odp, &range, flags);
	if (ret)
		return ret;
	if (!odp_is_accessible(pfns, pages))
		return -EFAULT;
	mutex_lock(&odp->lock);
	if (odp->dead)
		ret = -EINTR;
	else if (mmu_interval_read_retry(&odp->notifier, range.notifier_seq))
		ret = -EAGAIN;
	else
		ret = odp_enter_pages(odp, addr, pfns, pages, spares);
	mutex_unlock(&odp->lock);
	return ret;
}

/* Notes that the process has no such page, so that the next access fails. */
static void odp_refuse_page(struct hca_ib_odp *odp, const struct hca_odp_want *want, u64 addr,
			    struct hca_odp_chunk **spares)
{
	mutex_lock(&odp->lock);
	if (!odp->dead)
		hca_odp_refuse(&odp->core, want, addr, *spares ? spares : spares + 1);
	odp_count_chunks(odp);
	mutex_unlock(&odp->lock);
}

/*
 * Calls odp_fetch_once() until it does not return -EAGAIN, at most TRIES times. @want is the
 * request for the pages by an access; NULL: no access has requested the pages. Return: 0; -EAGAIN;
 * -ENOMEM; -EINTR; -EFAULT.
 */
static int odp_fetch_batch(struct hca_ib_odp *odp, u64 addr, u32 pages, unsigned long flags,
			   const struct hca_odp_want *want)
{
	struct hca_odp_chunk *spares[2] = {};
	int ret = -EAGAIN, i;

	for (i = 0; ret == -EAGAIN && i < TRIES; i++) {
		ret = odp_get_spares(odp, addr, pages, spares);
		if (!ret)
			ret = odp_fetch_once(odp, addr, pages, flags, spares);
	}
	if (ret == -EFAULT && pages == 1 && want)
		odp_refuse_page(odp, want, addr, spares);
	kfree(spares[0]);
	kfree(spares[1]);
	return ret;
}

/* Returns the number of pages from @addr to the end of the MR. */
static u64 odp_pages_left(const struct hca_ib_odp *odp, u64 addr)
{
	u64 end = odp->core.start + odp->core.length - 1;

	return (end - addr) / PAGE_SIZE + 1;
}

/* Fetches the pages of a batch one by one, because some of them do not exist in the process. */
static int odp_fetch_singly(struct hca_ib_odp *odp, u64 addr, u32 pages, unsigned long flags,
			    const struct hca_odp_want *want)
{
	int ret = 0;

	for (; !ret && pages; addr += PAGE_SIZE, pages--)
		ret = odp_fetch_batch(odp, addr, 1, flags, want);
	return ret;
}

/* Fetches a range, until a page fails. Return: 0, or the error of the page that failed. */
static int odp_fetch_range(struct hca_ib_odp *odp, u64 addr, u64 pages, unsigned long flags,
			   const struct hca_odp_want *want)
{
	int ret = 0;
	u32 n;

	for (; pages; addr += (u64)n * PAGE_SIZE, pages -= n) {
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
		n = min_t(u64, pages, BATCH_PAGES);
		ret = odp_fetch_batch(odp, addr, n, flags, want);
		if (ret == -EFAULT && n > 1)
			ret = odp_fetch_singly(odp, addr, n, flags, want);
		if (ret)
			return ret;
	}
	return 0;
}

static bool odp_is_implicit(const struct hca_ib_odp *odp)
{
	return odp->core.length == U64_MAX;
}

static unsigned long odp_fault_flags(bool write)
{
	return HMM_PFN_REQ_FAULT | (write ? HMM_PFN_REQ_WRITE : 0);
}

/*
 * Fetches the pages that an access has requested, and the pages after them, which are likely to be
 * needed next. In an MR of the whole address space, the pages after them are fetched only if the
 * process has used them already.
 */
static void odp_fetch_wanted(struct hca_ib_odp *odp, const struct hca_odp_want *want)
{
	unsigned long flags = odp_fault_flags(want->write);
	u64 ahead;

	if (odp_fetch_range(odp, want->addr, want->pages, flags, want))
		return;
	atomic64_add(want->pages, &odp->faults);
	ahead = min_t(u64, odp_pages_left(odp, want->addr) - want->pages, BATCH_PAGES);
	if (ahead)
		odp_fetch_batch(odp, want->addr + want->pages * PAGE_SIZE, ahead,
				odp_is_implicit(odp) ? 0 : flags, NULL);
}

static struct hca_ib_odp *odp_of_job(struct hca_pager_job *job)
{
	return container_of(job, struct hca_ib_odp, job);
}

/*
 * Implements hca_pager_job.run: serves requests of accesses. It serves at most HCA_ODP_WANTS
 * requests, because new ones may arrive all the time.
 */
static void odp_job_run(struct hca_pager_job *job, bool module_stays)
{
	struct hca_ib_odp *odp = odp_of_job(job);
	struct hca_odp_want want;
	/* If mmget_not_zero() fails, the process has exited and has no queue pairs any more. */
	bool stays = module_stays && mmget_not_zero(odp->mm);
	u32 i;

	for (i = 0; i < HCA_ODP_WANTS && hca_odp_next(&odp->core, &want); i++)
		if (stays && !READ_ONCE(odp->dead))
			odp_fetch_wanted(odp, &want);
	if (stays)
		mmput(odp->mm);
}

static void odp_job_get(struct hca_pager_job *job)
{
	refcount_inc(&odp_of_job(job)->users);
}

static void odp_job_put(struct hca_pager_job *job)
{
	odp_put(odp_of_job(job));
}

static void odp_ask_pager(struct hca_odp *core)
{
	struct hca_ib_odp *odp = odp_of_core(core);

	hca_pager_ask(odp->pager, &odp->job);
}

static struct hca_ib_odp *odp_make(u64 start, u64 length)
{
	u64 first = round_down(start, PAGE_SIZE);
	u64 octets = length == U64_MAX ? ULONG_MAX : round_up(start + length, PAGE_SIZE) - first;
	struct hca_ib_odp *odp = kzalloc(sizeof(*odp), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!odp)
		return ERR_PTR(-ENOMEM);
	odp->core.ask = odp_ask_pager;
	odp->core.written = odp_page_written;
	odp->core.start = start;
	odp->core.length = length;
	odp->job = (struct hca_pager_job){ .run = odp_job_run, .get = odp_job_get,
					   .put = odp_job_put };
	hca_pager_job_init(&odp->job);
	refcount_set(&odp->users, 1);
	mutex_init(&odp->lock);
	ret = -ENOMEM;
	odp->pager = hca_pager_open();
	if (!odp->pager)
		goto free;
	ret = hca_odp_init(&odp->core);
	if (ret)
		goto close;
	ret = mmu_interval_notifier_insert(&odp->notifier, current->mm, first, octets,
					   &notifier_ops);
	if (ret)
		goto destroy;
	odp->mm = current->mm;
	mmgrab(odp->mm);
	odp->memcg = get_mem_cgroup_from_mm(current->mm);
	return odp;

destroy:
	hca_odp_destroy(&odp->core);
close:
	hca_pager_close(odp->pager);
free:
	kfree(odp);
	return ERR_PTR(ret);
}

/*
 * A worker may be fetching pages of the MR, possibly forever. When it ends, it finds @dead set. All
 * pages are made absent before the notifier is removed, because without the notifier the process
 * could lose pages that are still in use.
 */
static void odp_free_mr(struct hca_ib_mr *mr)
{
	struct hca_ib_odp *odp = mr->odp;

	mutex_lock(&odp->lock);
	WRITE_ONCE(odp->dead, true);
	odp_clear_range(odp, 0, U64_MAX);
	mutex_unlock(&odp->lock);
	mmu_interval_notifier_remove(&odp->notifier);
	hca_odp_destroy(&odp->core);
	atomic_sub(odp->counted, hca_pager_chunks(odp->pager));
	hca_pager_cancel(odp->pager, &odp->job);
	odp_put(odp);
}

static const struct hca_mr_ops odp_ops = { .free = odp_free_mr };

static bool odp_range_valid(u64 start, u64 length, u64 iova)
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
	if (!odp_range_valid(start, length, iova))
		return ERR_PTR(-EINVAL);
	mr = hca_mr_alloc(pd, access & ~(IB_ACCESS_ON_DEMAND | IB_ACCESS_HUGETLB));
	if (IS_ERR(mr))
		return ERR_CAST(mr);
	odp = odp_make(start, length);
	if (IS_ERR(odp)) {
		kfree(mr->entry);
		hca_mr_release(pd->device, mr);
		return ERR_CAST(odp);
	}
	mr->odp = odp;
	mr->ops = &odp_ops;
	mr->entry->odp = &odp->core;
	hca_mr_set_base(mr, iova);
	mr->entry->length = length;
	return hca_mr_publish(pd->device, mr);
}

/* --- prefetching */

static int odp_fetch_advised(struct hca_ib_odp *odp, u64 addr, u64 length, unsigned long flags)
{
	u64 first = round_down(addr, PAGE_SIZE);
	u64 pages = (round_up(addr + length, PAGE_SIZE) - first) / PAGE_SIZE;
	int ret;

	if (!mmget_not_zero(odp->mm))
		return -EFAULT;
	ret = odp_fetch_range(odp, first, pages, flags, NULL);
	mmput(odp->mm);
	if (!ret)
		atomic64_add(pages, &odp->prefetches);
	return ret;
}

static const struct {
	unsigned long flags; /* flags for hmm_range_fault() */
	u32 access; /* rights that the MR must have */
} advices[] = {
	[IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH] = { HMM_PFN_REQ_FAULT, 0 },
	[IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_WRITE] = { HMM_PFN_REQ_FAULT | HMM_PFN_REQ_WRITE,
							IB_UVERBS_ACCESS_LOCAL_WRITE },
	[IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT] = { 0, 0 },
};

/*
 * Returns the MR on demand that contains @sge, with a reference; or NULL. The removal of the MR
 * does not wait for the reference. *addr is set to the address in the memory of the process.
 */
static struct hca_ib_odp *odp_find_advised(struct hca_tpt *tpt, const struct ib_sge *sge,
					   const struct ib_pd *pd, u32 access, u64 *addr)
{
	struct hca_tpt_entry *entry;
	struct hca_ib_odp *odp = NULL;

	local_bh_disable();
	entry = hca_tpt_entry_get_odp(tpt, sge->lkey, pd, access, sge->addr, sge->length);
	if (entry) {
		odp = odp_of_core(entry->odp);
		refcount_inc(&odp->users);
		*addr = entry->odp->start + (sge->addr - entry->iova);
		hca_tpt_entry_put(entry);
	}
	local_bh_enable();
	return odp;
}

/*
 * Pages are prefetched before the call returns, with or without IB_UVERBS_ADVISE_MR_FLAG_FLUSH.
 * Return: 0; -EOPNOTSUPP (advice or flags); -EINVAL (the range is not in an MR on demand of the
 * domain); -EFAULT (the process has no such memory); -ENOMEM; -EINTR.
 */
int hca_ib_advise_mr(struct ib_pd *pd, enum ib_uverbs_advise_mr_advice advice, u32 flags,
		     struct ib_sge *sg_list, u32 num_sge, struct uverbs_attr_bundle *attrs)
{
	struct hca_tpt *tpt = &to_hca_device(pd->device)->ci->tpt;
	u32 i, access;
	int ret = 0;

	if (advice >= ARRAY_SIZE(advices) || flags & ~IB_UVERBS_ADVISE_MR_FLAG_FLUSH)
		return -EOPNOTSUPP;
	access = advices[advice].access;
	for (i = 0; !ret && i < num_sge; i++) {
		const struct ib_sge *sge = &sg_list[i];
		struct hca_ib_odp *odp;
		u64 addr;

		if (!sge->length)
			continue;
		odp = odp_find_advised(tpt, sge, pd, access, &addr);
		if (!odp)
			return -EINVAL;
		ret = odp_fetch_advised(odp, addr, sge->length, advices[advice].flags);
		odp_put(odp);
	}
	return ret;
}

/* --- statistics */

/*
 * Implements fill_stat_mr_entry: adds the statistics of an MR that rdma-statistic(8) shows, under
 * the names that mlx5 uses.
 */
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
