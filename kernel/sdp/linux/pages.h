/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Memory of a program that the peer reads, or that is read into: pinned while a call of the program
 * waits, or until a task has seen to its end, and a memory region of just the octets in question.
 */
#ifndef HCA_SDP_LINUX_PAGES_H
#define HCA_SDP_LINUX_PAGES_H

#include <linux/completion.h>
#include <linux/dma-direction.h>
#include <rdma/ib_verbs.h>

struct iov_iter;
struct sdp_sock;
struct sdp_task;

#define SDP_PAGES_OCTETS (1u << 20) /* at a time, at most */

/* What memory is for, which decides what may be done with it. */
enum sdp_pages_use {
	SDP_PAGES_READ_BY_PEER,
	SDP_PAGES_READ_LATER, /* by the peer, when the call that has pinned them has returned */
	SDP_PAGES_READ_INTO, /* by this end's RDMA Read */
	SDP_PAGES_WRITTEN_BY_PEER,
	SDP_PAGES_WRITE_FROM, /* by this end's RDMA Write */
};

/*
 * The socket lock guards all of it but @done. The call that has pinned the pages waits for @done,
 * without the lock, before it unpins them: until the memory region is invalid, or the queue pair is
 * gone. If there is a task, no call waits.
 */
struct sdp_pages {
	/* NULL: the link for which it was made is gone. It can go while its gate is not entered. */
	struct ib_mr *mr;
	/* The keys and the address of the MR, as it is registered. */
	u32 lkey;
	u32 rkey;
	u64 iova;
	struct page **page;
	struct scatterlist *sg;
	u32 most; /* pages */
	u32 pinned;
	u32 first; /* offset of the first octet in the first page */
	u32 entries; /* of sg, that these are in */
	u32 mapped; /* of these, for the device */
	u32 charged; /* to RLIMIT_MEMLOCK */
	enum dma_data_direction direction;
	struct ib_cqe cqe; /* of the last request */
	struct completion done;
	bool good; /* all requests have succeeded */
	bool invalid; /* the peer has invalidated the MR */
	bool busy; /* a call has it, or the task */
	struct sdp_task *task; /* NULL, or queued when @done is completed by a request */
};

/**
 * sdp_pages_segment() - what of a program's memory is in one place
 * @iter: iterator
 * @addr: set to the address of its next octet
 *
 * Context: any.
 * Return: octets from there on; 0 if the memory is not a program's.
 */
size_t sdp_pages_segment(const struct iov_iter *iter, unsigned long *addr);

/**
 * sdp_pages_limit() - how much of a program's memory a device registers at a time
 * @device: device
 *
 * Context: any.
 * Return: octets, at most SDP_PAGES_OCTETS; less where it has shorter lists of pages; 0 if it has
 * none.
 */
u32 sdp_pages_limit(const struct ib_device *device);

/**
 * sdp_pages_octets() - how much of a program's memory can be registered at a time
 * @ssk: the socket, whose lock is held
 *
 * The device may be gone.
 *
 * Context: any.
 * Return: what sdp_pages_limit() has said of the device of its link; 0 if there is no link.
 */
u32 sdp_pages_octets(const struct sdp_sock *ssk);

/**
 * sdp_pages_get() - get what a socket pins pages with
 * @ssk: connected socket, whose lock is held; it has a link
 * @pages: where the socket keeps it, or NULL as long as it has none
 *
 * Its memory is charged to the memory cgroup of the caller.
 *
 * Context: process; may sleep.
 * Return: true if it is there now and nobody uses it; else payload is to be copied.
 */
bool sdp_pages_get(struct sdp_sock *ssk, struct sdp_pages **pages);

/**
 * sdp_pages_begin() - pin pages, and post the request that registers them
 * @ssk: the socket, whose lock is held
 * @pages: what sdp_pages_get() has found
 * @addr: address of the first octet, in the memory of the current process
 * @octets: 1 to sdp_pages_octets()
 * @use: what for
 *
 * Context: process; may sleep.
 * Return: true if sdp_pages_end() is to follow; false if nothing has happened.
 */
bool sdp_pages_begin(struct sdp_sock *ssk, struct sdp_pages *pages, unsigned long addr, u32 octets,
		     enum sdp_pages_use use);

/**
 * sdp_pages_post() - post a request that uses the pages
 * @ssk: the socket, whose lock is held
 * @pages: pages that sdp_pages_begin() has registered
 * @wr: the request; how it completes is set here
 *
 * Context: any.
 * Return: whether it was posted; else the link is stopped.
 */
bool sdp_pages_post(struct sdp_sock *ssk, struct sdp_pages *pages, struct ib_send_wr *wr);

/**
 * sdp_pages_wait() - wait until the request has completed, or the queue pair is gone
 * @ssk: the socket, whose lock is held, but not while this waits
 * @pages: the pages; sdp_pages_end() is to follow
 *
 * Context: process; may sleep.
 */
void sdp_pages_wait(struct sdp_sock *ssk, struct sdp_pages *pages);

/**
 * sdp_pages_is_done() - whether sdp_pages_wait() would not wait
 * @pages: the pages
 *
 * Context: any. The socket lock is held.
 */
bool sdp_pages_is_done(struct sdp_pages *pages);

/**
 * sdp_pages_invalidate() - make the memory region invalid
 * @ssk: the socket, whose lock is held
 * @pages: the pages; no request that uses them is under way
 * @first: request to post before, or NULL
 *
 * The pages are done once that has completed, or the queue pair is gone.
 *
 * Context: any.
 */
void sdp_pages_invalidate(struct sdp_sock *ssk, struct sdp_pages *pages, struct ib_send_wr *first);

/**
 * sdp_pages_invalidated() - note that the peer has invalidated an MR
 * @pages: may be NULL
 * @rkey: its R_Key
 *
 * sdp_pages_invalidate() has nothing to wait for then.
 *
 * Context: any.
 * Return: whether it is that of these pages.
 */
bool sdp_pages_invalidated(struct sdp_pages *pages, u32 rkey);

/**
 * sdp_pages_copy() - copy from pinned pages
 * @pages: the pages
 * @offset: of the first octet among those that were pinned
 * @to: where to
 * @octets: how many
 *
 * Context: any.
 */
void sdp_pages_copy(const struct sdp_pages *pages, u32 offset, u8 *to, u32 octets);

/**
 * sdp_pages_release() - unpin pages
 * @ssk: the socket, whose lock is held
 * @pages: pages that are done, after sdp_pages_invalidate()
 *
 * Context: process; may sleep.
 */
void sdp_pages_release(struct sdp_sock *ssk, struct sdp_pages *pages);

/**
 * sdp_pages_end() - make the memory region invalid, and unpin the pages once it is
 * @ssk: the socket, whose lock is held, but not while this waits
 * @pages: the pages
 * @first: request to post before, or NULL
 *
 * Whatever the peer does, this ends: if the process is killed, the connection is aborted.
 *
 * Context: process; may sleep.
 * Return: whether @first has succeeded.
 */
bool sdp_pages_end(struct sdp_sock *ssk, struct sdp_pages *pages, struct ib_send_wr *first);

/**
 * sdp_pages_detach() - the queue pair is gone
 * @pages: what the socket has, or NULL
 *
 * Context: process; may sleep. The gate of the link's objects is closed.
 */
void sdp_pages_detach(struct sdp_pages *pages);

/**
 * sdp_pages_free() - free what a socket has pinned pages with
 * @pages: detached, or NULL
 *
 * Context: any.
 */
void sdp_pages_free(struct sdp_pages *pages);

#endif
