/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Private buffers: memory that messages are sent from and received into. */
#ifndef HCA_SDP_LINUX_BUFFER_H
#define HCA_SDP_LINUX_BUFFER_H

#include <linux/list.h>
#include <linux/mm.h>
#include <rdma/ib_verbs.h>
#include "sdp/linux/memory.h"

struct sdp_sock;

/* Memory of connections. At the cgroup's limit the allocation fails without the OOM killer. */
#define SDP_GFP (GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)
/* Memory of connections in the CM's handlers and on receipt of messages: without any wait. */
#define SDP_GFP_NOWAIT (GFP_NOWAIT | __GFP_ACCOUNT | __GFP_NOWARN)

#define SDP_BUF_SIZE (16 * PAGE_SIZE) /* octets of a private buffer for much payload */

struct sdp_buf {
	struct list_head list; /* list of buffers to be sent, read, processed, or used again */
	struct list_head all; /* list of the link's buffers that are mapped for its device */
	struct list_head sent; /* list of the link's messages that have not completed */
	struct ib_cqe cqe; /* completion handler of the work request that uses the buffer */
	struct ib_sge sge; /* the whole buffer */
	struct page *page;
	struct ib_mr *mr; /* MR of the buffer, or NULL: sge has the L_Key of all kernel memory */
	u32 size; /* octets */
	enum sdp_memory use; /* use for which the memory is charged */
	u32 offset; /* offset of payload that is not sent or read */
	u32 len; /* octets of payload that is not sent or read */
	bool receives; /* the buffer was posted as receive buffer */
	bool kept; /* the buffer outlives its link: unread payload, or unsent in a suspension */
	bool oob; /* the last octet of the payload is out of band */
	/* A completion to be processed. */
	enum ib_wc_status status;
	u32 received;
	bool invalidates; /* the message has invalidated an MR of this end */
	u32 rkey; /* R_Key of the invalidated MR */
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
 * The memory is charged to the memory cgroup of the caller, and counted by sdp_memory_charge().
 *
 * Context: process, may sleep; with SDP_GFP_NOWAIT any.
 * Return: the buffer, or NULL.
 */
struct sdp_buf *sdp_buf_alloc(struct sdp_sock *ssk, enum sdp_memory use, struct ib_pd *pd, u32 size,
			      gfp_t gfp);

/**
 * sdp_buf_map() - map a buffer that is not mapped
 * @pd: protection domain of the buffer's connection
 * @buf: the buffer
 *
 * Context: any.
 * Return: whether the buffer is mapped.
 */
bool sdp_buf_map(struct ib_pd *pd, struct sdp_buf *buf);

/**
 * sdp_buf_register() - register a buffer as an MR
 * @qp: queue pair that sends from the buffer, in state RTS
 * @buf: the buffer, new
 * @cqe: completion handler of the request, which completes only if it fails
 *
 * A software device need not copy data that it sends from an MR, since the MR keeps the memory. If
 * registration fails, the buffer is used without an MR.
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
 * @ssk: the socket, whose lock is held
 * @pd: protection domain
 * @buf: the buffer, which is only in the list of all mapped buffers
 *
 * Context: any; process, if the buffer has an MR.
 */
void sdp_buf_discard(struct sdp_sock *ssk, struct ib_pd *pd, struct sdp_buf *buf);

/**
 * sdp_buf_free() - free a buffer that is not mapped
 * @ssk: the socket, whose lock is held, or which has no reference left
 * @buf: the buffer
 *
 * Context: any.
 */
void sdp_buf_free(struct sdp_sock *ssk, struct sdp_buf *buf);

#endif
