/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Memory of a program for RDMA operations: its pinned pages, and a memory region of exactly the
 * octets to transfer. The pages stay pinned until the transfer has ended. The program's system call
 * waits for that; with MSG_ZEROCOPY, a task (lock.h) unpins the pages after the call.
 */
#ifndef HCA_SDP_LINK_PAGES_H
#define HCA_SDP_LINK_PAGES_H

#include <linux/completion.h>
#include <linux/dma-direction.h>
#include <rdma/ib_verbs.h>

struct bio_vec;
struct iov_iter;
struct sdp_ep;
struct sdp_task;

#define SDP_PAGES_OCTETS (1u << 20) /* maximum octets of pinned memory */

/* Uses of pinned memory. The use determines the access rights of the MR. */
enum sdp_pages_use {
	SDP_PAGES_READ_BY_PEER, /* the peer reads the memory while the program's call waits */
	SDP_PAGES_READ_LATER, /* the peer reads the memory after the call has returned */
	SDP_PAGES_READ_INTO, /* this end posts an RDMA Read whose destination is the memory */
	SDP_PAGES_WRITTEN_BY_PEER, /* the peer writes into the memory */
	SDP_PAGES_FILLED_LATER, /* the memory is filled after the call has returned */
	SDP_PAGES_WRITE_FROM, /* this end posts an RDMA Write whose source is the memory */
};

/*
 * The socket lock protects all members except @done. The call that has pinned the pages waits for
 * @done, without the lock, and then unpins the pages. @done is completed when the last request, for
 * example invalidation of the MR, has completed, or when the queue pair is destroyed. If @task is
 * not NULL, no call waits. Instead, @task is queued when @done is completed.
 */
struct sdp_pages {
	/* MR of the present link, or NULL; freed by the worker that destroys the link */
	struct ib_mr *mr;
	/* The keys and the address of the MR, as registered last. */
	u32 lkey;
	u32 rkey;
	u64 iova;
	struct page **page;
	struct scatterlist *sg;
	u32 most; /* number of entries of @page and of @sg */
	u32 pinned; /* number of pinned pages */
	u32 first; /* offset of the first octet in the first page */
	u32 entries; /* number of entries of @sg for the pinned pages */
	u32 mapped; /* number of entries of @sg that are mapped for the device */
	u32 charged; /* number of pages charged to RLIMIT_MEMLOCK */
	enum dma_data_direction direction;
	struct ib_cqe cqe; /* completion handler of the last request */
	struct completion done;
	bool good; /* all requests up to the last one have succeeded */
	bool invalid; /* the peer has invalidated the MR */
	bool busy; /* a call or @task uses the pages */
	struct sdp_task *task; /* queued when a request completes @done; or NULL */
};

/**
 * sdp_pages_segment() - contiguous program memory at the position of an iterator
 * @iter: iterator of a message
 * @addr: set to the address of the next octet
 *
 * Context: any.
 * Return: contiguous octets from @addr on; 0 if the memory does not belong to a program.
 */
size_t sdp_pages_segment(const struct iov_iter *iter, unsigned long *addr);

/**
 * sdp_pages_limit() - maximum octets of program memory in an MR of a device
 * @device: device
 *
 * Context: any.
 * Return: octets, at most SDP_PAGES_OCTETS; fewer if the device has shorter page lists; 0 if the
 * device does not have page lists.
 */
u32 sdp_pages_limit(const struct ib_device *device);

/**
 * sdp_pages_octets() - maximum octets of program memory in an MR of a socket
 * @ep: the endpoint, whose lock is held
 *
 * The function uses a stored value, because the device may have been removed.
 *
 * Context: any.
 * Return: sdp_pages_limit() of the link's device; 0 if the socket does not have a link.
 */
u32 sdp_pages_octets(const struct sdp_ep *ep);

/**
 * sdp_pages_get() - allocate the structure and the MR for pinned pages, unless they exist
 * @ep: connected socket, whose lock is held; it has a link
 * @pages: address of source_pages or sink_pages of the socket; if *@pages is NULL, it is set
 *
 * The memory is charged to the memory cgroup of the caller.
 *
 * Context: process; may sleep.
 * Return: true if the structure is ready and not in use; false if the caller is to copy payload.
 */
bool sdp_pages_get(struct sdp_ep *ep, struct sdp_pages **pages);

/**
 * sdp_pages_pin() - pin pages
 * @pages: structure from sdp_pages_get()
 * @addr: address of the first octet, in the memory of the current process
 * @octets: number of octets, 1 to sdp_pages_octets()
 * @use: use of the memory
 *
 * Pages of files are not pinned for SDP_PAGES_FILLED_LATER: a task unpins the pages, and a file
 * system of user space could let the task wait for a page.
 *
 * Context: process; may sleep.
 * Return: true if sdp_pages_unpin() is to follow; false if no page is pinned.
 */
bool sdp_pages_pin(struct sdp_pages *pages, unsigned long addr, u32 octets,
		   enum sdp_pages_use use);

/**
 * sdp_pages_register() - post the request that registers pinned pages
 * @ep: the endpoint, whose lock is held; it has a link
 * @pages: pinned pages, which are not registered
 * @offset: offset of the first octet from the first pinned octet
 * @octets: number of octets
 * @use: use of the memory
 *
 * Context: any.
 * Return: true if sdp_pages_invalidate() and sdp_pages_unmap() are to follow; false if no request
 * is posted, for example because the link of the MR has ended or ends.
 */
bool sdp_pages_register(struct sdp_ep *ep, struct sdp_pages *pages, u32 offset, u32 octets,
			enum sdp_pages_use use);

/**
 * sdp_pages_begin() - pin pages, and post the request that registers them
 * @ep: the endpoint, whose lock is held
 * @pages: the structure, for which sdp_pages_get() has returned true
 * @addr: address of the first octet, in the memory of the current process
 * @octets: octets to pin, 1 to sdp_pages_octets()
 * @use: use of the memory
 *
 * Context: process; may sleep.
 * Return: true: the pages are pinned until sdp_pages_release(); false: no page is pinned.
 */
bool sdp_pages_begin(struct sdp_ep *ep, struct sdp_pages *pages, unsigned long addr, u32 octets,
		     enum sdp_pages_use use);

/**
 * sdp_pages_post() - post a request that uses the pages
 * @ep: the endpoint, whose lock is held
 * @pages: pages that sdp_pages_begin() has registered
 * @wr: the request; the function sets its completion handler and flags
 *
 * Context: any.
 * Return: true if the request was posted; otherwise the link is stopped.
 */
bool sdp_pages_post(struct sdp_ep *ep, struct sdp_pages *pages, struct ib_send_wr *wr);

/**
 * sdp_pages_is_done() - whether the last request has completed, or the queue pair is gone
 * @pages: the pages
 *
 * Context: any. The socket lock is held.
 */
bool sdp_pages_is_done(struct sdp_pages *pages);

/**
 * sdp_pages_invalidate() - make the memory region invalid
 * @ep: the endpoint, whose lock is held
 * @pages: the pages; no request that uses them is under way
 * @first: request to post before the invalidation, or NULL
 *
 * sdp_pages_is_done() returns true once the invalidation has completed, or the queue pair is gone.
 *
 * Context: any.
 */
void sdp_pages_invalidate(struct sdp_ep *ep, struct sdp_pages *pages, struct ib_send_wr *first);

/**
 * sdp_pages_invalidated() - note that the peer has invalidated the MR of pages
 * @pages: pages whose MR may have this R_Key, or NULL
 * @rkey: R_Key that the peer has invalidated
 *
 * A later sdp_pages_invalidate() with @first NULL then completes at once.
 *
 * Context: any.
 * Return: whether @rkey belongs to the MR of @pages.
 */
bool sdp_pages_invalidated(struct sdp_pages *pages, u32 rkey);

/**
 * sdp_pages_copy() - copy from pinned pages
 * @pages: the pages
 * @offset: octets between the first pinned octet and the first one to copy
 * @to: buffer of at least @octets
 * @octets: octets to copy
 *
 * Context: any.
 */
void sdp_pages_copy(const struct sdp_pages *pages, u32 offset, u8 *to, u32 octets);

/**
 * sdp_pages_at() - find pinned memory that the processor is to fill
 * @pages: pinned pages, which are not registered
 * @offset: offset of the first octet from the first pinned octet
 * @octets: number of octets from @offset on
 * @vec: set to the part of the octets that is in the page of the first one
 *
 * Context: any.
 */
void sdp_pages_at(const struct sdp_pages *pages, u32 offset, u32 octets, struct bio_vec *vec);

/**
 * sdp_pages_unmap() - unmap pages from the device, so that the processor may use them
 * @ep: the endpoint, whose lock is held
 * @pages: pages for which sdp_pages_is_done() is true after sdp_pages_invalidate()
 *
 * Context: process; may sleep.
 */
void sdp_pages_unmap(struct sdp_ep *ep, struct sdp_pages *pages);

/**
 * sdp_pages_unpin() - unpin pages
 * @pages: pinned pages, which are not registered
 *
 * Context: process; may sleep.
 */
void sdp_pages_unpin(struct sdp_pages *pages);

/**
 * sdp_pages_release() - unmap and unpin pages
 * @ep: the endpoint, whose lock is held
 * @pages: pages for which sdp_pages_is_done() is true after sdp_pages_invalidate()
 *
 * Context: process; may sleep.
 */
void sdp_pages_release(struct sdp_ep *ep, struct sdp_pages *pages);

/**
 * sdp_pages_detach() - free the MR and complete @done, after the queue pair was destroyed
 * @pages: source_pages or sink_pages of the socket, or NULL
 *
 * Context: process; may sleep. The gate of the link's objects is closed.
 */
void sdp_pages_detach(struct sdp_pages *pages);

/**
 * sdp_pages_free() - free the structure for pinned pages
 * @pages: structure without an MR, or NULL
 *
 * Context: any.
 */
void sdp_pages_free(struct sdp_pages *pages);

#endif
