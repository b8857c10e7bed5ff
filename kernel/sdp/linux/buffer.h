/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Private buffers: memory that messages are sent from and received into. */
#ifndef HCA_SDP_LINUX_BUFFER_H
#define HCA_SDP_LINUX_BUFFER_H

#include <linux/list.h>
#include <linux/mm.h>
#include <rdma/ib_verbs.h>
#include "sdp/linux/memory.h"

struct sdp_sock;

/* For memory of connections: where the cgroup's limit is reached nobody is killed for it. */
#define SDP_GFP (GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)
/* ... in the CM's handlers, and as messages are received: neither it nor a cgroup is waited for. */
#define SDP_GFP_NOWAIT (GFP_NOWAIT | __GFP_ACCOUNT | __GFP_NOWARN)

#define SDP_BUF_SIZE (16 * PAGE_SIZE) /* octets of a private buffer for much payload */

struct sdp_buf {
	struct list_head list; /* where it waits: to be sent, read, processed, or used again */
	struct list_head all; /* in the link, as long as it is mapped for its device */
	struct list_head sent; /* in the link, while the message is on its way */
	struct ib_cqe cqe; /* of the request that uses it */
	struct ib_sge sge; /* all of it */
	struct page *page;
	struct ib_mr *mr; /* that has it, or NULL: then the L_Key is that of all kernel memory */
	u32 size; /* octets */
	enum sdp_memory use; /* what it is counted as */
	u32 offset; /* of payload that is not sent or read */
	u32 len; /* octets of payload from there */
	bool receives; /* was posted to receive into */
	bool kept; /* stays when the link goes: payload to read, or to send after a suspension */
	bool oob; /* the last octet of the payload is out of band */
	/* Of a completion that waits to be processed. */
	enum ib_wc_status status;
	u32 received;
	bool invalidates; /* the message has invalidated an MR of this end */
	u32 rkey; /* which */
};

static inline void *sdp_buf_data(const struct sdp_buf *buf)
{
	return page_address(buf->page);
}

/**
 * sdp_buf_alloc() - allocate a buffer, and map it for a device
 * @ssk: the socket, whose lock is held
 * @use: SDP_MEMORY_RECEIVE or SDP_MEMORY_SEND
 * @pd: protection domain
 * @size: octets, a power of two of at least a page
 * @gfp: SDP_GFP or SDP_GFP_NOWAIT
 *
 * Its memory is charged to the memory cgroup of the caller, and counted by sdp_memory_charge().
 *
 * Context: process, may sleep; with SDP_GFP_NOWAIT any.
 * Return: the buffer, or NULL.
 */
struct sdp_buf *sdp_buf_alloc(struct sdp_sock *ssk, enum sdp_memory use, struct ib_pd *pd, u32 size,
			      gfp_t gfp);

/**
 * sdp_buf_map() - map a buffer that is not mapped
 * @pd: protection domain of its connection
 * @buf: the buffer
 *
 * Context: any.
 * Return: whether it is mapped.
 */
bool sdp_buf_map(struct ib_pd *pd, struct sdp_buf *buf);

/**
 * sdp_buf_register() - make a buffer a memory region of its own
 * @qp: queue pair that sends from it, in state RTS
 * @buf: the buffer, new
 * @cqe: of the request, which completes only if it fails
 *
 * A device in software need not copy what it sends from a memory region, since it knows how long
 * that is there. Where this fails the buffer is used as it is.
 *
 * Context: process; may sleep.
 */
void sdp_buf_register(struct ib_qp *qp, struct sdp_buf *buf, struct ib_cqe *cqe);

/**
 * sdp_buf_unmap() - unmap a buffer, whose device goes away
 * @pd: protection domain
 * @buf: the buffer
 *
 * Context: any.
 */
void sdp_buf_unmap(struct ib_pd *pd, struct sdp_buf *buf);

/**
 * sdp_buf_discard() - unmap a buffer of a link, and free it
 * @ssk: the socket, whose lock is held
 * @pd: protection domain
 * @buf: the buffer, in no list but that of all
 *
 * Context: any; process, if it is a memory region.
 */
void sdp_buf_discard(struct sdp_sock *ssk, struct ib_pd *pd, struct sdp_buf *buf);

/**
 * sdp_buf_free() - free a buffer that is not mapped
 * @ssk: the socket, whose lock is held, or which nobody has
 * @buf: the buffer
 *
 * Context: any.
 */
void sdp_buf_free(struct sdp_sock *ssk, struct sdp_buf *buf);

#endif
