/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Private buffers: memory that messages are sent from and received into. */
#ifndef HCA_SDP_LINK_BUFFER_H
#define HCA_SDP_LINK_BUFFER_H

#include <linux/list.h>
#include <linux/mm.h>
#include <rdma/ib_verbs.h>
#include "sdp/link/ep.h"

/* Allocation flags for connections. At the limit of a cgroup, the OOM killer is not invoked. */
#define SDP_GFP (GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)
/* Allocation flags for handlers of the CM and of completions, which must not wait for memory. */
#define SDP_GFP_NOWAIT (GFP_NOWAIT | __GFP_ACCOUNT | __GFP_NOWARN)

#define SDP_BUF_SIZE (16 * PAGE_SIZE) /* octets of a private buffer of full size */

struct sdp_buf {
	struct list_head list; /* entry in a list of buffers to send, read, process or reuse */
	struct list_head all; /* entry in @bufs of the link, if the buffer is mapped */
	struct list_head sent; /* entry in @sent of the link, until the message has completed */
	struct ib_cqe cqe; /* completion handler of the work request that uses the buffer */
	struct ib_sge sge; /* address, length and L_Key for work requests */
	struct page *page;
	struct ib_mr *mr; /* MR of the buffer; NULL: sge uses the PD's local_dma_lkey */
	u32 size; /* octets of the buffer */
	enum sdp_memory use; /* use for which the memory is charged */
	u32 offset; /* position in the buffer of the unread or unsent payload */
	u32 len; /* octets of the unread or unsent payload */
	bool receives; /* the buffer was posted as receive buffer */
	/* The buffer outlives its link, because it contains unread or unsent payload. */
	bool kept;
	bool oob; /* the last octet of the payload is out of band */
	/* Values of the buffer's work completion, until the completion is processed. */
	enum ib_wc_status status;
	u32 received;
	bool invalidates; /* the message has invalidated an MR of this end */
	u32 rkey; /* R_Key of the invalidated MR */
};

/**
 * sdp_buf_data() - address of a buffer's memory
 * @buf: the buffer
 *
 * Context: any.
 * Return: the address of the first octet.
 */
static inline void *sdp_buf_data(const struct sdp_buf *buf)
{
	return page_address(buf->page);
}

/**
 * sdp_buf_alloc() - allocate a buffer, and map it for a device
 * @ep: the endpoint, whose lock is held
 * @use: SDP_MEMORY_RECEIVE or SDP_MEMORY_SEND
 * @pd: protection domain
 * @size: octets, a power of two of at least a page
 * @gfp: SDP_GFP or SDP_GFP_NOWAIT
 *
 * The memory is charged to the memory cgroup of the caller, and counted by sdp_memory_charge().
 *
 * Context: process; may sleep. With SDP_GFP_NOWAIT: any.
 * Return: the buffer, or NULL.
 */
struct sdp_buf *sdp_buf_alloc(struct sdp_ep *ep, enum sdp_memory use, struct ib_pd *pd, u32 size,
			      gfp_t gfp);

/**
 * sdp_buf_map() - map a buffer for a device
 * @pd: protection domain of the buffer's connection
 * @buf: the buffer, which is not mapped
 *
 * Context: any.
 * Return: true; false if mapping has failed.
 */
bool sdp_buf_map(struct ib_pd *pd, struct sdp_buf *buf);

/**
 * sdp_buf_register() - register a buffer as an MR
 * @qp: queue pair in state RTS, which will send from the buffer
 * @buf: a new buffer, which is mapped
 * @cqe: completion handler of the registration request; it is called only if the request fails
 *
 * Registration allows a software device to send from the buffer without a copy, because the memory
 * of an MR cannot be freed during a transfer. If registration fails, the buffer is used without an
 * MR.
 *
 * Context: process; may sleep.
 */
void sdp_buf_register(struct ib_qp *qp, struct sdp_buf *buf, struct ib_cqe *cqe);

/**
 * sdp_buf_unmap() - unmap a buffer before its device is released
 * @pd: protection domain
 * @buf: the buffer
 *
 * Context: any.
 */
void sdp_buf_unmap(struct ib_pd *pd, struct sdp_buf *buf);

/**
 * sdp_buf_discard() - unmap a buffer of a link, and free it
 * @ep: the endpoint, whose lock is held
 * @pd: protection domain
 * @buf: the buffer, which is in no list except @bufs of the link
 *
 * Context: any; process only, if the buffer has an MR.
 */
void sdp_buf_discard(struct sdp_ep *ep, struct ib_pd *pd, struct sdp_buf *buf);

/**
 * sdp_buf_free() - free a buffer that is not mapped
 * @ep: the endpoint, whose lock is held, or which has no reference left
 * @buf: the buffer
 *
 * Context: any.
 */
void sdp_buf_free(struct sdp_ep *ep, struct sdp_buf *buf);

#endif
