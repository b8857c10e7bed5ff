// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Memory of programs, pinned and registered. */
#include "sdp/linux/pages.h"
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <linux/uio.h>
#include "compat.h"
#include "sdp/linux/link.h"

#define MOST (SDP_PAGES_OCTETS / PAGE_SIZE + 1) /* pages: the first need not be used whole */
#define TIMEOUT (60 * HZ) /* for requests to complete */

size_t sdp_pages_segment(const struct iov_iter *iter, unsigned long *addr)
{
	if (iter_is_ubuf(iter))
		*addr = (unsigned long)iter->ubuf + iter->iov_offset;
	else if (iter_is_iovec(iter))
		*addr = (unsigned long)iter_iov(iter)->iov_base + iter->iov_offset;
	else
		return 0;
	return iov_iter_single_seg_count(iter);
}

/* Other completions tell of a queue pair that is in error; then its end ends the wait. */
static void done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct sdp_pages *pages = container_of(wc->wr_cqe, struct sdp_pages, cqe);
	const struct sdp_link *link = cq->cq_context;

	if (wc->status != IB_WC_SUCCESS)
		return;
	pages->good = true;
	/* Whoever has the lock sees both or none: the task is there until it has run. */
	bh_lock_sock(link->sk);
	complete(&pages->done);
	if (pages->task)
		sdp_task_queue(pages->task);
	bh_unlock_sock(link->sk);
}

static struct sdp_pages *alloc(u32 most)
{
	struct sdp_pages *pages = kzalloc(sizeof(*pages), GFP_KERNEL_ACCOUNT);

	if (!pages)
		return NULL;
	pages->most = most;
	pages->page = kvcalloc(most, sizeof(*pages->page), GFP_KERNEL_ACCOUNT);
	pages->sg = kvcalloc(most, sizeof(*pages->sg), GFP_KERNEL_ACCOUNT);
	pages->cqe.done = done;
	init_completion(&pages->done);
	if (pages->page && pages->sg)
		return pages;
	sdp_pages_free(pages);
	return NULL;
}

void sdp_pages_free(struct sdp_pages *pages)
{
	if (!pages)
		return;
	kvfree(pages->page);
	kvfree(pages->sg);
	kfree(pages);
}

/* Return: how many pages an MR of the device can have; the table has room for as many. */
static u32 most_of(const struct ib_device *device)
{
	return min_t(u32, MOST, device->attrs.max_fast_reg_page_list_len);
}

u32 sdp_pages_limit(const struct ib_device *device)
{
	u32 pages = most_of(device);

	return pages ? (pages - 1) * PAGE_SIZE : 0;
}

u32 sdp_pages_octets(const struct sdp_sock *ssk)
{
	return ssk->link ? ssk->link->pages_octets : 0;
}

static bool get(struct ib_pd *pd, struct sdp_pages **pages)
{
	struct ib_mr *mr;

	if (!(pd->device->attrs.device_cap_flags & IB_DEVICE_MEM_MGT_EXTENSIONS))
		return false;
	if (!*pages)
		*pages = alloc(MOST);
	if (!*pages || (*pages)->busy)
		return false;
	if ((*pages)->mr)
		return true;
	mr = ib_alloc_mr(pd, IB_MR_TYPE_MEM_REG, most_of(pd->device));
	if (IS_ERR(mr))
		return false;
	(*pages)->mr = mr;
	return true;
}

bool sdp_pages_get(struct sdp_sock *ssk, struct sdp_pages **pages)
{
	struct sdp_link *link = ssk->link;
	bool got;

	if (!sdp_gate_get(&link->objects))
		return false;
	got = get(link->pd, pages);
	sdp_gate_put(&link->objects);
	return got;
}

static void unpin(struct sdp_pages *pages)
{
	unpin_user_pages_dirty_lock(pages->page, pages->pinned,
				    pages->direction == DMA_FROM_DEVICE);
	pages->pinned = 0;
	if (pages->charged)
		account_locked_vm(current->mm, pages->charged, false);
	pages->charged = 0;
}

static bool is_written(enum sdp_pages_use use)
{
	return use == SDP_PAGES_READ_INTO || use == SDP_PAGES_WRITTEN_BY_PEER;
}

/* For as long as the peer likes. */
static bool is_for_long(enum sdp_pages_use use)
{
	return use == SDP_PAGES_WRITTEN_BY_PEER || use == SDP_PAGES_READ_LATER;
}

/* Whoever lets the peer read later has charged it. */
static bool is_charged(enum sdp_pages_use use)
{
	return use == SDP_PAGES_WRITTEN_BY_PEER;
}

static bool charge(struct sdp_pages *pages, u32 count)
{
	if (account_locked_vm(current->mm, count, true))
		return false;
	pages->charged = count;
	return true;
}

static bool pin(struct sdp_pages *pages, unsigned long addr, u32 octets, enum sdp_pages_use use)
{
	unsigned int flags = (is_written(use) ? FOLL_WRITE : 0) |
			     (is_for_long(use) ? FOLL_LONGTERM : 0);
	u32 count = DIV_ROUND_UP(offset_in_page(addr) + octets, PAGE_SIZE);
	int pinned;

	if (is_charged(use) && !charge(pages, count))
		return false;
	pinned = pin_user_pages_fast(addr & PAGE_MASK, count, flags, pages->page);
	pages->direction = is_written(use) ? DMA_FROM_DEVICE : DMA_TO_DEVICE;
	pages->pinned = max(pinned, 0);
	pages->first = offset_in_page(addr);
	if (pages->pinned == count)
		return true;
	unpin(pages);
	return false;
}

static void unmap(struct sdp_pages *pages, struct ib_device *device)
{
	if (pages->mapped)
		ib_dma_unmap_sg(device, pages->sg, pages->entries, pages->direction);
	pages->mapped = 0;
}

/* Return: how many pages, at most @most, are one behind the other in memory. */
static u32 run_of(struct page *const *page, u32 most)
{
	unsigned long pfn = page_to_pfn(*page);
	u32 n = 1;

	while (n < most && page_to_pfn(page[n]) == pfn + n)
		n++;
	return n;
}

/* Pages that are one behind the other share an entry, of @most octets at most. */
static void fill_table(struct sdp_pages *pages, u32 offset, u32 octets, u32 most)
{
	struct scatterlist *sg = pages->sg;
	u32 i, n;

	sg_init_table(sg, pages->pinned);
	for (i = 0; i < pages->pinned; i += n, sg++) {
		u32 len;

		n = run_of(pages->page + i, min_t(u32, pages->pinned - i, most / PAGE_SIZE));
		len = min_t(u32, octets, n * PAGE_SIZE - offset);
		sg_set_page(sg, pages->page[i], len, offset);
		octets -= len;
		offset = 0;
	}
	sg_mark_end(sg - 1);
	pages->entries = sg - pages->sg;
}

static bool map(struct sdp_pages *pages, u32 offset, u32 octets)
{
	fill_table(pages, offset, octets, ib_dma_max_seg_size(pages->mr->device));
	pages->mapped = ib_dma_map_sg(pages->mr->device, pages->sg, pages->entries,
				      pages->direction);
	if (pages->mapped &&
	    ib_map_mr_sg(pages->mr, pages->sg, pages->mapped, NULL, PAGE_SIZE) == pages->mapped) {
		/* What the peer is told is no address of the kernel, and cannot be guessed. */
		pages->mr->iova = (get_random_u64() & PAGE_MASK & S64_MAX) |
				  offset_in_page(pages->mr->iova);
		return true;
	}
	unmap(pages, pages->mr->device);
	return false;
}

static bool post_registration(struct sdp_link *link, struct sdp_pages *pages,
			      enum sdp_pages_use use)
{
	const int rights[] = {
		[SDP_PAGES_READ_BY_PEER] = IB_ACCESS_REMOTE_READ,
		[SDP_PAGES_READ_LATER] = IB_ACCESS_REMOTE_READ,
		[SDP_PAGES_READ_INTO] = IB_ACCESS_LOCAL_WRITE | link->read_access,
		[SDP_PAGES_WRITTEN_BY_PEER] = IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE,
		[SDP_PAGES_WRITE_FROM] = 0,
	};
	struct ib_reg_wr wr = {
		.wr = { .opcode = IB_WR_REG_MR, .wr_cqe = &link->reg_cqe },
		.mr = pages->mr,
		.access = rights[use],
	};

	ib_update_fast_reg_key(wr.mr, ib_inc_rkey(wr.mr->rkey));
	wr.key = wr.mr->rkey;
	pages->lkey = wr.mr->lkey;
	pages->rkey = wr.mr->rkey;
	pages->iova = wr.mr->iova;
	return !ib_post_send(link->qp, &wr.wr, NULL);
}

static bool register_pages(struct sdp_link *link, struct sdp_pages *pages, u32 octets,
			   enum sdp_pages_use use)
{
	if (!map(pages, pages->first, octets))
		return false;
	if (!post_registration(link, pages, use)) {
		unmap(pages, pages->mr->device);
		return false;
	}
	pages->busy = true;
	pages->good = false;
	pages->invalid = false;
	reinit_completion(&pages->done);
	return true;
}

/* The program's pages are waited for outside of the gate. */
bool sdp_pages_begin(struct sdp_sock *ssk, struct sdp_pages *pages, unsigned long addr, u32 octets,
		     enum sdp_pages_use use)
{
	struct sdp_gate *gate = &ssk->link->objects;
	bool begun;

	if (!pin(pages, addr, octets, use))
		return false;
	if (!sdp_gate_get(gate)) {
		unpin(pages);
		return false;
	}
	begun = register_pages(ssk->link, pages, octets, use);
	sdp_gate_put(gate);
	if (!begun)
		unpin(pages);
	return begun;
}

/*
 * Without the socket lock, which completions want, and the end of the queue pair. A peer can delay
 * requests as long as it likes by RNR NAKs.
 */
void sdp_pages_wait(struct sdp_sock *ssk, struct sdp_pages *pages)
{
	struct sock *sk = sdp_sock(ssk);
	long left;

	release_sock(sk);
	left = wait_for_completion_killable_timeout(&pages->done, TIMEOUT);
	lock_sock(sk);
	if (left > 0)
		return;
	sdp_sock_abort(ssk, left ? ECONNRESET : ETIMEDOUT);
	release_sock(sk);
	wait_for_completion(&pages->done);
	lock_sock(sk);
}

bool sdp_pages_post(struct sdp_sock *ssk, struct sdp_pages *pages, struct ib_send_wr *wr)
{
	struct sdp_link *link = ssk->link;
	bool posted = false;

	wr->wr_cqe = &pages->cqe;
	wr->send_flags = IB_SEND_SIGNALED;
	if (sdp_gate_get(&link->objects)) {
		reinit_completion(&pages->done);
		posted = !ib_post_send(link->qp, wr, NULL);
		sdp_gate_put(&link->objects);
	}
	if (!posted)
		sdp_link_stop(ssk);
	return posted;
}

/* Once the queue pair is gone there is nothing else to wait for. */
bool sdp_pages_is_done(struct sdp_pages *pages)
{
	return !READ_ONCE(pages->mr) || completion_done(&pages->done);
}

bool sdp_pages_invalidated(struct sdp_pages *pages, u32 rkey)
{
	if (!pages || !pages->busy || !READ_ONCE(pages->mr) || pages->rkey != rkey)
		return false;
	pages->invalid = true;
	return true;
}

/* As done(), without a request. */
static void end_at_once(struct sdp_pages *pages)
{
	pages->good = true;
	complete(&pages->done);
	if (pages->task)
		sdp_task_queue(pages->task);
}

static void invalidate(struct sdp_sock *ssk, struct sdp_pages *pages, struct ib_send_wr *first)
{
	struct ib_send_wr invalidate = {
		.opcode = IB_WR_LOCAL_INV,
		.wr_cqe = &pages->cqe,
		.send_flags = IB_SEND_SIGNALED | (first ? IB_SEND_FENCE : 0),
	};
	struct sdp_link *link = ssk->link;

	reinit_completion(&pages->done);
	if (link->stopped)
		return;
	if (pages->invalid && !first) {
		end_at_once(pages);
		return;
	}
	invalidate.ex.invalidate_rkey = pages->rkey;
	if (first)
		first->next = &invalidate;
	if (ib_post_send(link->qp, first ? first : &invalidate, NULL))
		sdp_link_stop(ssk);
}

/* Without the gate the end of the link does it, as it completes what is waited for. */
void sdp_pages_invalidate(struct sdp_sock *ssk, struct sdp_pages *pages, struct ib_send_wr *first)
{
	struct sdp_link *link = ssk->link;

	if (!READ_ONCE(pages->mr))
		return;
	pages->good = false;
	if (!sdp_gate_get(&link->objects))
		return;
	invalidate(ssk, pages, first);
	sdp_gate_put(&link->objects);
}

void sdp_pages_copy(const struct sdp_pages *pages, u32 offset, u8 *to, u32 octets)
{
	u32 some;

	for (offset += pages->first; octets; offset += some, to += some, octets -= some) {
		some = min_t(u32, octets, PAGE_SIZE - offset_in_page(offset));
		memcpy_from_page(to, pages->page[offset / PAGE_SIZE], offset_in_page(offset), some);
	}
}

/* The end of the link unmaps pages that are still mapped, and can be at it. */
static void unmap_or_wait(struct sdp_link *link, struct sdp_pages *pages)
{
	if (!sdp_gate_get(&link->objects)) {
		wait_for_completion(&link->gone);
		return;
	}
	if (pages->mr)
		unmap(pages, pages->mr->device);
	sdp_gate_put(&link->objects);
}

void sdp_pages_release(struct sdp_sock *ssk, struct sdp_pages *pages)
{
	if (ssk->link)
		unmap_or_wait(ssk->link, pages);
	unpin(pages);
	pages->task = NULL;
	pages->busy = false;
}

bool sdp_pages_end(struct sdp_sock *ssk, struct sdp_pages *pages, struct ib_send_wr *first)
{
	sdp_pages_invalidate(ssk, pages, first);
	if (READ_ONCE(pages->mr))
		sdp_pages_wait(ssk, pages);
	sdp_pages_release(ssk, pages);
	return pages->good;
}

void sdp_pages_detach(struct sdp_pages *pages)
{
	struct ib_device *device;

	if (!pages || !pages->mr)
		return;
	device = pages->mr->device;
	ib_dereg_mr(pages->mr);
	WRITE_ONCE(pages->mr, NULL);
	unmap(pages, device);
	complete_all(&pages->done);
}
