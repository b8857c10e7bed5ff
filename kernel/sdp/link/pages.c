// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Pinning and registration of program memory for RDMA operations. */
#include "sdp/link/pages.h"
#include <linux/bvec.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <linux/uio.h>
#include "compat.h"
#include "sdp/link/link.h"

#define MOST (SDP_PAGES_OCTETS / PAGE_SIZE + 1) /* maximum pages; the first may be used in part */

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

/* After a failed request the queue pair is in error, and its destruction ends the wait. */
static void pages_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct sdp_pages *pages = container_of(wc->wr_cqe, struct sdp_pages, cqe);
	const struct sdp_link *link = cq->cq_context;

	if (wc->status != IB_WC_SUCCESS)
		return;
	pages->good = true;
	/*
	 * Completion and queueing are one step under the spinlock. Otherwise the task, running for
	 * another reason, could release its reference to the socket before it is queued here.
	 */
	bh_lock_sock(link->sk);
	complete(&pages->done);
	if (pages->task)
		sdp_task_queue(pages->task);
	bh_unlock_sock(link->sk);
}

static struct sdp_pages *pages_alloc(u32 most)
{
	struct sdp_pages *pages = kzalloc(sizeof(*pages), GFP_KERNEL_ACCOUNT);

	if (!pages)
		return NULL;
	pages->most = most;
	pages->page = kvcalloc(most, sizeof(*pages->page), GFP_KERNEL_ACCOUNT);
	pages->sg = kvcalloc(most, sizeof(*pages->sg), GFP_KERNEL_ACCOUNT);
	pages->cqe.done = pages_done;
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

/* Return: maximum number of pages of an MR of the device, limited to the size of our tables. */
static u32 pages_most_of(const struct ib_device *device)
{
	return min_t(u32, MOST, device->attrs.max_fast_reg_page_list_len);
}

u32 sdp_pages_limit(const struct ib_device *device)
{
	u32 pages = pages_most_of(device);

	return pages ? (pages - 1) * PAGE_SIZE : 0;
}

u32 sdp_pages_octets(const struct sdp_ep *ep)
{
	return ep->link ? ep->link->pages_octets : 0;
}

static bool pages_get_mr(struct ib_pd *pd, struct sdp_pages **pages)
{
	struct ib_mr *mr;

	if (!(pd->device->attrs.device_cap_flags & IB_DEVICE_MEM_MGT_EXTENSIONS))
		return false;
	if (!*pages)
		*pages = pages_alloc(MOST);
	if (!*pages || (*pages)->busy)
		return false;
	if ((*pages)->mr)
		return true;
	mr = ib_alloc_mr(pd, IB_MR_TYPE_MEM_REG, pages_most_of(pd->device));
	if (IS_ERR(mr))
		return false;
	(*pages)->mr = mr;
	return true;
}

bool sdp_pages_get(struct sdp_ep *ep, struct sdp_pages **pages)
{
	struct sdp_link *link = ep->link;
	bool got;

	if (!sdp_gate_get(&link->objects))
		return false;
	got = pages_get_mr(link->pd, pages);
	sdp_gate_put(&link->objects);
	return got;
}

void sdp_pages_unpin(struct sdp_pages *pages)
{
	unpin_user_pages_dirty_lock(pages->page, pages->pinned,
				    pages->direction == DMA_FROM_DEVICE);
	pages->pinned = 0;
	if (pages->charged)
		account_locked_vm(current->mm, pages->charged, false);
	pages->charged = 0;
	pages->task = NULL;
	pages->busy = false;
}

static bool pages_is_written(enum sdp_pages_use use)
{
	return use == SDP_PAGES_READ_INTO || use == SDP_PAGES_WRITTEN_BY_PEER ||
	       use == SDP_PAGES_FILLED_LATER;
}

/* Return whether the peer determines how long the pages stay pinned. */
static bool pages_is_for_long(enum sdp_pages_use use)
{
	return use == SDP_PAGES_WRITTEN_BY_PEER || use == SDP_PAGES_READ_LATER ||
	       use == SDP_PAGES_FILLED_LATER;
}

/*
 * Return whether the pages are charged here to RLIMIT_MEMLOCK. Pages for SDP_PAGES_READ_LATER and
 * SDP_PAGES_FILLED_LATER are charged by the caller.
 */
static bool pages_is_charged(enum sdp_pages_use use)
{
	return use == SDP_PAGES_WRITTEN_BY_PEER;
}

static bool pages_charge(struct sdp_pages *pages, u32 count)
{
	if (account_locked_vm(current->mm, count, true))
		return false;
	pages->charged = count;
	return true;
}

/*
 * Return whether pages belong to a file. set_page_dirty_lock() waits for the lock of such a page,
 * and the file system determines how long.
 */
static bool pages_are_of_files(const struct sdp_pages *pages)
{
	u32 i;

	for (i = 0; i < pages->pinned; i++) {
		struct folio *folio = page_folio(pages->page[i]);

		if (!folio_test_anon(folio) && !folio_test_swapbacked(folio))
			return true;
	}
	return false;
}

bool sdp_pages_pin(struct sdp_pages *pages, unsigned long addr, u32 octets,
		   enum sdp_pages_use use)
{
	unsigned int flags = (pages_is_written(use) ? FOLL_WRITE : 0) |
			     (pages_is_for_long(use) ? FOLL_LONGTERM : 0);
	u32 count = DIV_ROUND_UP(offset_in_page(addr) + octets, PAGE_SIZE);
	int pinned;

	if (pages_is_charged(use) && !pages_charge(pages, count))
		return false;
	pinned = pin_user_pages_fast(addr & PAGE_MASK, count, flags, pages->page);
	pages->direction = pages_is_written(use) ? DMA_FROM_DEVICE : DMA_TO_DEVICE;
	pages->pinned = max(pinned, 0);
	pages->first = offset_in_page(addr);
	if (pages->pinned == count &&
	    !(use == SDP_PAGES_FILLED_LATER && pages_are_of_files(pages))) {
		pages->busy = true;
		return true;
	}
	sdp_pages_unpin(pages);
	return false;
}

static void pages_unmap(struct sdp_pages *pages, struct ib_device *device)
{
	if (pages->mapped)
		ib_dma_unmap_sg(device, pages->sg, pages->entries, pages->direction);
	pages->mapped = 0;
}

/* Return: number of physically contiguous pages at @page, at most @most. */
static u32 pages_run_of(struct page *const *page, u32 most)
{
	unsigned long pfn = page_to_pfn(*page);
	u32 n = 1;

	while (n < most && page_to_pfn(page[n]) == pfn + n)
		n++;
	return n;
}

/*
 * Fill @sg from @at octets behind the start of the first page. Contiguous pages share an entry,
 * which has at most @most octets.
 */
static void pages_fill_table(struct sdp_pages *pages, u32 at, u32 octets, u32 most)
{
	u32 i = at / PAGE_SIZE, offset = offset_in_page(at), n;
	struct scatterlist *sg = pages->sg;

	sg_init_table(sg, pages->pinned);
	for (; octets; i += n, sg++) {
		u32 len;

		n = pages_run_of(pages->page + i, min_t(u32, pages->pinned - i, most / PAGE_SIZE));
		len = min_t(u32, octets, n * PAGE_SIZE - offset);
		sg_set_page(sg, pages->page[i], len, offset);
		octets -= len;
		offset = 0;
	}
	sg_mark_end(sg - 1);
	pages->entries = sg - pages->sg;
}

static bool pages_map(struct sdp_pages *pages, u32 at, u32 octets)
{
	pages_fill_table(pages, at, octets, ib_dma_max_seg_size(pages->mr->device));
	pages->mapped = ib_dma_map_sg(pages->mr->device, pages->sg, pages->entries,
				      pages->direction);
	if (pages->mapped &&
	    ib_map_mr_sg(pages->mr, pages->sg, pages->mapped, NULL, PAGE_SIZE) == pages->mapped) {
		/*
		 * The peer gets a random address, which cannot be guessed and does not reveal an
		 * address of the kernel.
		 */
		pages->mr->iova = (get_random_u64() & PAGE_MASK & S64_MAX) |
				  offset_in_page(pages->mr->iova);
		return true;
	}
	pages_unmap(pages, pages->mr->device);
	return false;
}

static bool pages_post_registration(struct sdp_link *link, struct sdp_pages *pages,
				    enum sdp_pages_use use)
{
	const int rights[] = {
		[SDP_PAGES_READ_BY_PEER] = IB_ACCESS_REMOTE_READ,
		[SDP_PAGES_READ_LATER] = IB_ACCESS_REMOTE_READ,
		[SDP_PAGES_READ_INTO] = IB_ACCESS_LOCAL_WRITE | link->read_access,
		[SDP_PAGES_WRITTEN_BY_PEER] = IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE,
		[SDP_PAGES_FILLED_LATER] = 0,
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

static bool pages_register_mr(struct sdp_link *link, struct sdp_pages *pages, u32 offset,
			      u32 octets, enum sdp_pages_use use)
{
	if (!pages->mr || !pages_map(pages, pages->first + offset, octets))
		return false;
	if (!pages_post_registration(link, pages, use)) {
		pages_unmap(pages, pages->mr->device);
		return false;
	}
	pages->good = false;
	pages->invalid = false;
	reinit_completion(&pages->done);
	return true;
}

bool sdp_pages_register(struct sdp_ep *ep, struct sdp_pages *pages, u32 offset, u32 octets,
			enum sdp_pages_use use)
{
	struct sdp_gate *gate = &ep->link->objects;
	bool registered;

	if (!sdp_gate_get(gate))
		return false;
	registered = pages_register_mr(ep->link, pages, offset, octets, use);
	sdp_gate_put(gate);
	return registered;
}

/* Pinning may wait for pages of the program, so it is done outside of the gate. */
bool sdp_pages_begin(struct sdp_ep *ep, struct sdp_pages *pages, unsigned long addr, u32 octets,
		     enum sdp_pages_use use)
{
	if (!sdp_pages_pin(pages, addr, octets, use))
		return false;
	if (sdp_pages_register(ep, pages, 0, octets, use))
		return true;
	sdp_pages_unpin(pages);
	return false;
}

bool sdp_pages_post(struct sdp_ep *ep, struct sdp_pages *pages, struct ib_send_wr *wr)
{
	struct sdp_link *link = ep->link;
	bool posted = false;

	wr->wr_cqe = &pages->cqe;
	wr->send_flags = IB_SEND_SIGNALED;
	if (sdp_gate_get(&link->objects)) {
		reinit_completion(&pages->done);
		posted = !ib_post_send(link->qp, wr, NULL);
		sdp_gate_put(&link->objects);
	}
	if (!posted)
		sdp_link_stop(ep);
	return posted;
}

/* Without an MR the queue pair is gone, and requests need not be awaited. */
bool sdp_pages_is_done(struct sdp_pages *pages)
{
	return !READ_ONCE(pages->mr) || completion_done(&pages->done);
}

bool sdp_pages_invalidated(struct sdp_pages *pages, u32 rkey)
{
	if (!pages || !pages->mapped || !READ_ONCE(pages->mr) || pages->rkey != rkey)
		return false;
	pages->invalid = true;
	return true;
}

/* Complete @done as after a successful request, although no request was posted. */
static void pages_end_at_once(struct sdp_pages *pages)
{
	pages->good = true;
	complete(&pages->done);
	if (pages->task)
		sdp_task_queue(pages->task);
}

static void pages_invalidate_mr(struct sdp_ep *ep, struct sdp_pages *pages,
				struct ib_send_wr *first)
{
	struct ib_send_wr invalidate = {
		.opcode = IB_WR_LOCAL_INV,
		.wr_cqe = &pages->cqe,
		.send_flags = IB_SEND_SIGNALED | (first ? IB_SEND_FENCE : 0),
	};
	struct sdp_link *link = ep->link;

	reinit_completion(&pages->done);
	if (link->stopped)
		return;
	if (pages->invalid && !first) {
		pages_end_at_once(pages);
		return;
	}
	invalidate.ex.invalidate_rkey = pages->rkey;
	if (first)
		first->next = &invalidate;
	if (ib_post_send(link->qp, first ? first : &invalidate, NULL))
		sdp_link_stop(ep);
}

/* If the gate is closed, the end of the link frees the MR and completes @done. */
void sdp_pages_invalidate(struct sdp_ep *ep, struct sdp_pages *pages, struct ib_send_wr *first)
{
	struct sdp_link *link = ep->link;

	if (!READ_ONCE(pages->mr))
		return;
	pages->good = false;
	if (!sdp_gate_get(&link->objects))
		return;
	pages_invalidate_mr(ep, pages, first);
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

/* If the gate is closed, the end of the link unmaps the pages: wait until it has done so. */
static void pages_unmap_or_wait(struct sdp_link *link, struct sdp_pages *pages)
{
	if (!sdp_gate_get(&link->objects)) {
		wait_for_completion(&link->gone);
		return;
	}
	if (pages->mr)
		pages_unmap(pages, pages->mr->device);
	sdp_gate_put(&link->objects);
}

void sdp_pages_at(const struct sdp_pages *pages, u32 offset, u32 octets, struct bio_vec *vec)
{
	u32 at = pages->first + offset;

	vec->bv_page = pages->page[at / PAGE_SIZE];
	vec->bv_offset = offset_in_page(at);
	vec->bv_len = min_t(u32, octets, PAGE_SIZE - vec->bv_offset);
}

void sdp_pages_unmap(struct sdp_ep *ep, struct sdp_pages *pages)
{
	if (ep->link)
		pages_unmap_or_wait(ep->link, pages);
}

void sdp_pages_release(struct sdp_ep *ep, struct sdp_pages *pages)
{
	sdp_pages_unmap(ep, pages);
	sdp_pages_unpin(pages);
}

void sdp_pages_detach(struct sdp_pages *pages)
{
	struct ib_device *device;

	if (!pages || !pages->mr)
		return;
	device = pages->mr->device;
	ib_dereg_mr(pages->mr);
	WRITE_ONCE(pages->mr, NULL);
	pages_unmap(pages, device);
	complete_all(&pages->done);
}
