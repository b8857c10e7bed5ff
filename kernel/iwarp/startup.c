// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* MPA's start-up: request and reply frames, what they negotiate, and the first FPDU. */
#include "iwarp/startup.h"
#include <linux/errno.h>
#include <linux/hca_tap.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "compat.h"
#include "iwarp/attach.h"
#include "iwarp/negotiate.h"
#include "iwarp/state.h"
#include "iwarp/tap.h"
#include "iwarp/terminate.h"

enum startup_event {
	STARTUP_SENT, /* the stream has the frame of this end */
	STARTUP_FRAME, /* the frame of the peer is there */
	STARTUP_BAD, /* what has arrived is not such a frame */
	STARTUP_ENDED, /* the peer sends no more, or the stream has gone */
	STARTUP_EXPIRED,
	STARTUP_CANCELED, /* the queue pair is in Error, or the device is being removed */
	STARTUP_EVENTS,
};

/* Tell the consumer that a live stream has ended in start-up, unless its own modify was first. */
static void startup_fail_live(struct hca_iwarp_qp *it)
{
	hca_terminate_keep(it, HCA_ERR_MPA_LOST);
	if (it->qp.common.state == IB_QPS_ERR)
		return;
	hca_qp_common_raise(&it->qp.common, HCA_QP_FATAL);
	hca_state_set(it, IB_QPS_ERR);
}

void hca_startup_end(struct hca_endpoint *ep)
{
	if (ep->qp && ep->live)
		startup_fail_live(ep->qp);
	if (ep->qp)
		hca_iwarp_detach(ep->qp);
	ep->state = HCA_STARTUP_ENDING;
	hca_endpoint_start_timer(ep, ep->rnic->options.timeout);
	hca_endpoint_use(ep, &ep->run);
	hca_run_schedule(&ep->run);
}

void hca_startup_abort(struct hca_endpoint *ep)
{
	if (ep->is_aborted)
		return;
	hca_startup_end(ep);
	ep->is_frame_due = false;
	ep->is_aborted = true;
	if (!ep->is_lost)
		ep->stream->ops->reset(ep->stream);
}

static void startup_lost(struct hca_endpoint *ep)
{
	hca_terminate_keep(ep->qp, HCA_ERR_MPA_LOST);
	hca_endpoint_reply(ep, ep->stream->error ? ep->stream->error : -ECONNRESET);
	hca_startup_abort(ep);
}

static void startup_cancel(struct hca_endpoint *ep)
{
	hca_endpoint_reply(ep, -ECONNRESET);
	hca_startup_abort(ep);
}

static void startup_timeout(struct hca_endpoint *ep)
{
	hca_rnic_count(ep->rnic, HCA_RNIC_STARTUP_TIMEOUTS, 1);
	hca_endpoint_reply(ep, -ETIMEDOUT);
	hca_startup_abort(ep);
}

static void startup_bad_reply(struct hca_endpoint *ep)
{
	hca_terminate_keep(ep->qp, HCA_ERR_MPA_FRAME);
	hca_rnic_count(ep->rnic, HCA_RNIC_STARTUP_ERRORS, 1);
	hca_endpoint_reply(ep, -EPROTO);
	hca_startup_abort(ep);
}

/* Octets that are not a request are answered by the end of the stream alone. */
static void startup_bad_request(struct hca_endpoint *ep)
{
	if (ep->qp)
		hca_terminate_keep(ep->qp, HCA_ERR_MPA_FRAME);
	hca_rnic_count(ep->rnic, HCA_RNIC_STARTUP_ERRORS, 1);
	hca_startup_abort(ep);
}

static void startup_request_timeout(struct hca_endpoint *ep)
{
	hca_rnic_count(ep->rnic, HCA_RNIC_STARTUP_TIMEOUTS, 1);
	hca_startup_abort(ep);
}

static void startup_await_reply(struct hca_endpoint *ep)
{
	ep->state = HCA_STARTUP_REQ_SENT;
}

static void startup_request(struct hca_endpoint *ep)
{
	hca_endpoint_stop_timer(ep);
	ep->state = HCA_STARTUP_WAIT_ULP;
	hca_endpoint_raise(ep, HCA_ENDPOINT_CONNECT_REQUEST);
	if (ep->live)
		ep->live->answer(ep);
}

void hca_startup_turn_down(struct hca_endpoint *ep)
{
	hca_rnic_count(ep->rnic, HCA_RNIC_REJECTS, 1);
	hca_startup_end(ep);
}

/*
 * The responder is established when it has sent the reply, unless an RTR message is due, for which
 * time is limited. The first FPDU of other initiators may come at any time.
 */
static void startup_reply_sent(struct hca_endpoint *ep)
{
	if (ep->qp->rtr_expected)
		return;
	hca_endpoint_raise(ep, HCA_ENDPOINT_ESTABLISHED);
	if (ep->qp->qp.common.state == IB_QPS_RTR)
		hca_endpoint_stop_timer(ep);
}

/* The reply cannot be sent, or the RTR message does not come. */
static void startup_reply_timeout(struct hca_endpoint *ep)
{
	if (ep->qp->qp.common.state == IB_QPS_RTR)
		hca_rnic_count(ep->rnic, HCA_RNIC_STARTUP_TIMEOUTS, 1);
	hca_state_event(ep->qp, HCA_IWARP_EXPIRED);
}

struct hca_read *hca_startup_alloc_reads(const struct hca_endpoint *ep, u16 *size)
{
	*size = max_t(u16, ep->ird, 1);
	return kcalloc(*size, sizeof(struct hca_read), GFP_ATOMIC | __GFP_NOWARN);
}

bool hca_startup_grow_reads(struct hca_iwarp_qp *it)
{
	struct hca_read *read;
	u16 size;

	if (it->ep->ird <= it->responder.size)
		return true;
	read = hca_startup_alloc_reads(it->ep, &size);
	if (!read)
		return false;
	kfree(it->responder.read);
	it->responder.read = read;
	it->responder.size = size;
	return true;
}

/* Begin Full Operation as the initiator. */
static void startup_full(struct hca_iwarp_qp *it)
{
	struct hca_endpoint *ep = it->ep;
	enum hca_iwarp_error error;
	u8 rtr;

	error = hca_negotiate_reply(ep, &rtr);
	if (error == HCA_IWARP_OK && !hca_startup_grow_reads(it))
		error = HCA_ERR_MPA_LOCAL;
	hca_iwarp_establish(it, IB_QPS_RTS);
	if (!rtr)
		hca_endpoint_stop_timer(ep);
	ep->state = rtr && error == HCA_IWARP_OK ? HCA_STARTUP_RTR_DUE : HCA_STARTUP_FULL;
	if (error != HCA_IWARP_OK) {
		hca_endpoint_reply(ep, error == HCA_ERR_MPA_RTR ? -EPROTO : -ENOMEM);
		hca_terminate_raise(it, error, NULL, !ep->live);
		return;
	}
	hca_rnic_count(ep->rnic, HCA_RNIC_CONNECTS, 1);
	it->requester.rtr = rtr;
	if (!rtr)
		hca_endpoint_reply(ep, 0);
}

/* Begin Full Operation without frames: both ends know what they would agree. */
static void startup_immediate(struct hca_endpoint *ep)
{
	hca_endpoint_stop_timer(ep);
	ep->state = HCA_STARTUP_FULL;
	hca_rnic_count(ep->rnic, HCA_RNIC_CONNECTS, 1);
	hca_iwarp_establish(ep->qp, IB_QPS_RTS);
	hca_endpoint_reply(ep, 0);
}

static void startup_reply(struct hca_endpoint *ep)
{
	if (ep->peer.rejected) {
		hca_endpoint_reply(ep, -ECONNREFUSED);
		hca_startup_end(ep);
		ep->stream->ops->close(ep->stream);
	} else if (ep->peer.enhanced != ep->own.enhanced) {
		startup_bad_reply(ep);
	} else {
		startup_full(ep->qp);
	}
}

/* A rejection was sent: the ULP has no other use of the stream. */
static void startup_close(struct hca_endpoint *ep)
{
	ep->stream->ops->close(ep->stream);
}

/* RFC 5044, 7.1.2, and RFC 6581, 5. What has no rule means nothing in the state. */
static void (*const startup_rules[][STARTUP_EVENTS])(struct hca_endpoint *ep) = {
	[HCA_STARTUP_CONNECTING] = {
		[STARTUP_SENT] = startup_await_reply,
		[STARTUP_ENDED] = startup_lost,
		[STARTUP_EXPIRED] = startup_timeout,
		[STARTUP_CANCELED] = startup_cancel,
	},
	[HCA_STARTUP_STREAMING] = {
		[STARTUP_SENT] = startup_immediate,
		[STARTUP_ENDED] = startup_lost,
		[STARTUP_EXPIRED] = startup_timeout,
		[STARTUP_CANCELED] = startup_cancel,
	},
	[HCA_STARTUP_REQ_SENT] = {
		[STARTUP_FRAME] = startup_reply,
		[STARTUP_BAD] = startup_bad_reply,
		[STARTUP_ENDED] = startup_lost,
		[STARTUP_EXPIRED] = startup_timeout,
		[STARTUP_CANCELED] = startup_cancel,
	},
	[HCA_STARTUP_WAIT_REQ] = {
		[STARTUP_FRAME] = startup_request,
		[STARTUP_BAD] = startup_bad_request,
		[STARTUP_ENDED] = hca_startup_abort,
		[STARTUP_EXPIRED] = startup_request_timeout,
		[STARTUP_CANCELED] = hca_startup_abort,
	},
	[HCA_STARTUP_WAIT_ULP] = {
		[STARTUP_CANCELED] = hca_startup_abort,
	},
	[HCA_STARTUP_REP_SENT] = {
		[STARTUP_SENT] = startup_reply_sent,
		[STARTUP_EXPIRED] = startup_reply_timeout,
	},
	[HCA_STARTUP_ENDING] = {
		[STARTUP_SENT] = startup_close,
		[STARTUP_EXPIRED] = hca_startup_abort,
		[STARTUP_CANCELED] = hca_startup_abort,
	},
	[HCA_STARTUP_CLOSED] = { NULL },
};

static void startup_event(struct hca_endpoint *ep, enum startup_event event)
{
	void (*rule)(struct hca_endpoint *ep) = startup_rules[ep->state][event];

	if (rule)
		rule(ep);
}

/* Whether the last octets before MPA are still to be sent (req R0-149). */
static bool startup_has_message(const struct hca_endpoint *ep)
{
	return ep->live && ep->live->message;
}

/* Write octets that belong to no FPDU. Return: 0, or an error: nothing is sent yet. */
static int startup_write(struct hca_endpoint *ep, const void *octets, u32 length, bool more)
{
	struct hca_tx_buffer b;
	int ret;

	if (ep->is_lost || !ep->stream->ops->room(ep->stream))
		return -EAGAIN;
	if (!hca_tx_buffer_alloc(&b, length, length)) {
		hca_endpoint_retry(ep);
		return -ENOMEM;
	}
	memcpy(b.data + b.used, octets, length);
	b.used += length;
	ret = ep->stream->ops->send(ep->stream, &b, more);
	hca_tx_buffer_free(&b);
	return ret;
}

static void startup_send_message(struct hca_endpoint *ep)
{
	struct hca_live *live = ep->live;

	if (startup_write(ep, live->message, live->message_length, ep->is_frame_due))
		return;
	kfree(live->message);
	live->message = NULL;
}

static void startup_send_frame(struct hca_endpoint *ep)
{
	if (!ep->is_frame_due)
		return;
	if (!ep->is_frame_tried && ep->qp && ep->qp->fault)
		hca_iwarp_fault_frame(ep->qp->fault, ep->frame);
	ep->is_frame_tried = true;
	if (startup_write(ep, ep->frame, ep->frame_octets, false))
		return;
	ep->is_frame_due = false;
	ep->is_frame_sent = true;
	hca_iwarp_tap_frame(ep, HCA_TAP_OUT);
	startup_event(ep, STARTUP_SENT);
}

static void startup_send(struct hca_endpoint *ep)
{
	if (startup_has_message(ep))
		startup_send_message(ep);
	if (startup_has_message(ep))
		return;
	if (ep->state == HCA_STARTUP_STREAMING)
		startup_event(ep, STARTUP_SENT);
	else
		startup_send_frame(ep);
}

/* Copy what has arrived, up to the longest frame. Return: the octets copied. */
static u32 startup_peek(struct hca_endpoint *ep, u8 *frame)
{
	struct hca_octets range;
	u32 octets = 0, now;

	while (octets < HCA_MPA_FRAME_MAX &&
	       ep->stream->ops->peek(ep->stream, octets, &range, 1)) {
		now = min_t(u32, range.length, HCA_MPA_FRAME_MAX - octets);
		memcpy(frame + octets, range.data, now);
		octets += now;
	}
	return octets;
}

/* Keep the peer's frame, for the ULP and for captures that begin later. */
static void startup_keep(struct hca_endpoint *ep, const u8 *frame)
{
	ep->peer_head_octets = ep->peer.bytes - ep->peer.private_length;
	memcpy(ep->peer_head, frame, ep->peer_head_octets);
	memcpy(ep->peer_private, ep->peer.private_data, ep->peer.private_length);
	ep->peer.private_data = ep->peer_private;
	hca_iwarp_tap_frame(ep, HCA_TAP_IN);
}

/* Octets behind a frame stay in the stream, where they are the beginning of FPDUs (req R0-149). */
static void startup_receive(struct hca_endpoint *ep)
{
	u8 frame[HCA_MPA_FRAME_MAX];
	u32 octets = startup_peek(ep, frame);
	enum hca_mpa_result result;

	result = hca_mpa_parse(&ep->peer, frame, octets, ep->state == HCA_STARTUP_REQ_SENT);
	if (result == HCA_MPA_INCOMPLETE) {
		ep->stream->ops->want(ep->stream, octets + 1);
		return;
	}
	if (result == HCA_MPA_OK) {
		startup_keep(ep, frame);
		ep->stream->ops->consume(ep->stream, ep->peer.bytes);
	}
	startup_event(ep, result == HCA_MPA_OK ? STARTUP_FRAME : STARTUP_BAD);
}

/* A removal sets the queue pairs of processes to Error; kernel consumers end theirs themselves. */
static bool startup_is_canceled(const struct hca_endpoint *ep)
{
	return ep->qp ? READ_ONCE(ep->qp->qp.common.state) == IB_QPS_ERR :
			READ_ONCE(ep->rnic->removed);
}

/* A reply is read also if the stream was reset behind it; a request would have no answer. */
static bool startup_reads(const struct hca_endpoint *ep)
{
	return ep->state == HCA_STARTUP_REQ_SENT ||
	       (ep->state == HCA_STARTUP_WAIT_REQ && !ep->is_lost && !startup_has_message(ep));
}

void hca_startup_run(struct hca_endpoint *ep)
{
	startup_send(ep);
	if (startup_reads(ep))
		startup_receive(ep);
	if (ep->is_peer_closed || ep->is_lost)
		startup_event(ep, STARTUP_ENDED);
	if (hca_endpoint_has_expired(ep))
		startup_event(ep, STARTUP_EXPIRED);
	if (startup_is_canceled(ep))
		startup_event(ep, STARTUP_CANCELED);
}

static int startup_close_status(const struct hca_endpoint *ep)
{
	if (ep->is_closed)
		return 0;
	return ep->stream->error ? ep->stream->error : -ECONNRESET;
}

/* Serve an endpoint that has no queue pair. */
static void startup_serve(struct hca_endpoint *ep)
{
	hca_endpoint_poll(ep);
	hca_startup_run(ep);
	if (ep->state == HCA_STARTUP_ENDING && ep->is_lost)
		hca_endpoint_gone(ep, startup_close_status(ep));
}

bool hca_startup_run_alone(struct hca_runnable *r, int *budget)
{
	struct hca_endpoint *ep = container_of(r, struct hca_endpoint, run);
	int events = 0;

	spin_lock(&ep->lock);
	/* The stream was released, and its user reports the last events. */
	if (!ep->qp && ep->state != HCA_STARTUP_CLOSED) {
		startup_serve(ep);
		events = ep->pending;
		ep->pending = 0;
	}
	spin_unlock(&ep->lock);
	(*budget)--;
	hca_endpoint_notify(ep, events);
	return false;
}

static bool startup_is_empty_read(const struct hca_rx_segment *segment)
{
	struct hca_ulpdu place = segment->payload;
	u8 octets[HCA_READ_REQUEST_BYTES];
	struct hca_read_request read;

	hca_ulpdu_copy(&place, octets, sizeof(octets));
	hca_read_request_parse(&read, octets);
	return !read.size;
}

/* Return: the RTR message that a segment is; 0 if it is none. */
static u8 startup_rtr_of(const struct hca_rx_segment *segment)
{
	const struct hca_rdmap_segment *s = &segment->s;

	if (!s->ddp.last)
		return 0;
	switch (s->opcode) {
	case HCA_RDMAP_SEND:
		return s->length ? 0 : HCA_RTR_SEND;
	case HCA_RDMAP_WRITE:
		return s->length ? 0 : HCA_RTR_WRITE;
	case HCA_RDMAP_READ_REQUEST:
		return startup_is_empty_read(segment) ? HCA_RTR_READ : 0;
	default:
		return 0;
	}
}

bool hca_startup_first(struct hca_iwarp_qp *it, const struct hca_rx_segment *segment)
{
	struct hca_endpoint *ep = it->ep;
	u8 rtr = segment ? startup_rtr_of(segment) & it->rtr_expected : 0;

	if (it->qp.common.state != IB_QPS_RTR)
		return false;
	hca_endpoint_stop_timer(ep);
	if (it->rtr_expected) {
		hca_endpoint_raise(ep, HCA_ENDPOINT_ESTABLISHED);
		if (!rtr)
			hca_rnic_count(ep->rnic, HCA_RNIC_STARTUP_NO_RTR, 1);
	}
	it->rtr_expected = rtr;
	ep->state = HCA_STARTUP_FULL;
	hca_state_set(it, IB_QPS_RTS);
	/* RTR messages are not delivered: a Send takes no receive request (RFC 6581, 5). */
	return rtr & HCA_RTR_SEND;
}

void hca_startup_rtr_sent(struct hca_endpoint *ep)
{
	ep->state = HCA_STARTUP_FULL;
	hca_endpoint_stop_timer(ep);
	hca_endpoint_reply(ep, 0);
}
