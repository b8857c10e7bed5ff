// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The work requests that a link posts, and the end of a link. */
#include "sdp/link/link.h"
#include <linux/cache.h>
#include "sdp/link/ops.h"

#define SIGNAL_EVERY SDP_SEND_BUFS_MIN /* number of messages of which at least one is signaled */

const struct sdp_link_ops *sdp_link_ops __ro_after_init;

static void link_queue_destroy(struct sdp_link *link)
{
	if (!test_and_set_bit(0, &link->ended))
		sdp_task_queue(&link->task);
}

void sdp_link_stop(struct sdp_ep *ep)
{
	struct sdp_link *link = ep->link;

	if (!link || link->stopped)
		return;
	link->stopped = true;
	link_queue_destroy(link);
}

void sdp_link_lose(struct sdp_link *link)
{
	WRITE_ONCE(link->lost, true);
	link_queue_destroy(link);
}

void sdp_link_stop_when_sent(struct sdp_ep *ep)
{
	struct sdp_link *link = ep->link;

	if (!link)
		return;
	link->stopping = true;
	if (!link->outstanding)
		sdp_link_stop(ep);
}

int sdp_link_post_recv(struct sdp_link *link, struct sdp_buf *buf)
{
	struct ib_recv_wr wr = { .wr_cqe = &buf->cqe, .sg_list = &buf->sge, .num_sge = 1 };

	buf->cqe.done = link->done;
	buf->sge.length = buf->size;
	buf->receives = true;
	buf->kept = false;
	ib_dma_sync_single_for_device(link->pd->device, buf->sge.addr, buf->size, DMA_FROM_DEVICE);
	return ib_post_recv(link->qp, &wr, NULL);
}

/*
 * Return whether a message may be unsignaled, if there are @unsignaled such messages in a row with
 * it. A completion implies completion of all earlier messages, so only some messages are signaled;
 * there are fewer unsignaled messages than buffers. From DisConn on, and for SuspCommAck, each
 * message is signaled, because the end of the link waits for completion. While memory is short,
 * each is signaled, because calls wait for a buffer. If no more payload may be sent, fewer messages
 * may be unsignaled, because no later completion would free their buffers.
 */
static bool link_may_be_unsignaled(const struct sdp_ep *ep, u32 unsignaled)
{
	if (ep->conn.end.disconn_sent || ep->conn.suspend.acked || ep->send_short)
		return false;
	return unsignaled < SIGNAL_EVERY - 1 ||
	       (unsignaled < SIGNAL_EVERY && sdp_conn_payload_max(&ep->conn));
}

static int link_send_flags(struct sdp_ep *ep, bool solicited)
{
	struct sdp_link *link = ep->link;
	int flags = solicited ? IB_SEND_SOLICITED : 0;

	if (link_may_be_unsignaled(ep, ++link->unsignaled))
		return flags;
	link->unsignaled = 0;
	return flags | IB_SEND_SIGNALED;
}

static void link_post(struct sdp_ep *ep, struct sdp_buf *buf, const struct ib_send_wr *wr)
{
	struct sdp_link *link = ep->link;

	buf->cqe.done = link->done;
	list_add_tail(&buf->sent, &link->sent);
	link->outstanding++;
	if (ib_post_send(link->qp, wr, NULL)) {
		list_del(&buf->sent);
		link->outstanding--;
		link->err = link->err ? link->err : ECONNRESET;
		sdp_link_stop(ep);
	}
}

void sdp_link_post_send(struct sdp_ep *ep, struct sdp_buf *buf, u32 length, bool solicited,
			const u32 *rkey)
{
	struct sdp_link *link = ep->link;
	const struct ib_send_wr wr = {
		.wr_cqe = &buf->cqe,
		.sg_list = &buf->sge,
		.num_sge = 1,
		.opcode = rkey ? IB_WR_SEND_WITH_INV : IB_WR_SEND,
		.send_flags = link_send_flags(ep, solicited),
		.ex.invalidate_rkey = rkey ? *rkey : 0,
	};

	if (!sdp_gate_get(&link->objects)) {
		sdp_link_stop(ep);
		return;
	}
	buf->sge.length = length;
	ib_dma_sync_single_for_device(link->pd->device, buf->sge.addr, length, DMA_TO_DEVICE);
	link_post(ep, buf, &wr);
	sdp_gate_put(&link->objects);
}

void sdp_link_probe(struct sdp_ep *ep)
{
	struct sdp_link *link = ep->link;
	struct sdp_buf *slot = list_first_entry_or_null(&link->control, struct sdp_buf, list);
	struct ib_rdma_wr wr = {
		.wr = { .opcode = IB_WR_RDMA_WRITE, .send_flags = IB_SEND_SIGNALED },
	};

	if (!slot || link->stopped || !sdp_gate_get(&link->objects))
		return;
	list_del_init(&slot->list);
	link->unsignaled = 0; /* completion of the probe covers all earlier requests */
	wr.wr.wr_cqe = &slot->cqe;
	link_post(ep, slot, &wr.wr);
	sdp_gate_put(&link->objects);
}
