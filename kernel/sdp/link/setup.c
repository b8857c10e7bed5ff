// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Setup of connections: the common part of both bindings. */
#include "sdp/link/setup.h"
#include "sdp/link/create.h"
#include "sdp/link/device.h"
#include "sdp/link/link.h"
#include "sdp/link/ops.h"
#include "sdp/link/resize.h"
#include "sdp/protocol/hello.h"

struct sdp_hello sdp_setup_hello(const struct sdp_ep *ep)
{
	struct sdp_hello hello = {
		.bufs = ep->link->recv_bufs,
		.max_adverts = SDP_ADVERTS,
		.size = ep->link->recv_size,
		.desired_size = SDP_BUF_SIZE,
		.ird = SDP_RDMA_READS,
		.ord = SDP_RDMA_READS,
		.port = ep->sport,
	};

	memcpy(hello.src, &ep->saddr, sizeof(hello.src));
	memcpy(hello.dst, &ep->daddr, sizeof(hello.dst));
	return hello;
}

void sdp_setup_begin(struct sdp_ep *ep, const struct sdp_hello *peer)
{
	struct sdp_link *link = ep->link;

	sdp_conn_init(&ep->conn, link->recv_bufs, link->recv_size, SDP_ADVERTS, peer->bufs,
		      peer->size, peer->max_adverts);
	ep->conn.resize.connects = sdp_ep_sock(ep)->sk_state == TCP_SYN_SENT;
	sdp_resize_limit(ep);
}

/* Return: false if the peer's buffers are smaller than before the suspension. */
static bool setup_resume(struct sdp_ep *ep, const struct sdp_hello *peer)
{
	struct sdp_link *link = ep->link;

	if (sdp_conn_resume(&ep->conn, link->recv_bufs, link->recv_size, SDP_ADVERTS, peer->bufs,
			    peer->size, peer->max_adverts))
		return false;
	sdp_resize_limit(ep);
	return true;
}

static void setup_answered(struct sdp_ep *ep)
{
	struct sdp_link *link = ep->link;
	bool resumes = ep->resume_port;
	struct sdp_hello ack;
	int err;

	if (sdp_ep_sock(ep)->sk_state != TCP_SYN_SENT && !resumes)
		return;
	err = sdp_hello_ack_parse(link->cm->binding, &ack, link->hello_ack, link->hello_ack_len);
	if (!err && resumes && !setup_resume(ep, &ack))
		err = -EPROTO;
	if (!err)
		err = sdp_link_connect(link);
	if (err) {
		link->cm->reject(link);
		sdp_link_ops->ended(ep, ECONNRESET);
		return;
	}
	if (!resumes)
		sdp_setup_begin(ep, &ack);
	err = link->cm->ready(link);
	if (err)
		sdp_link_ops->ended(ep, ECONNRESET);
	else if (resumes)
		sdp_link_ops->resumed(ep);
	else
		sdp_link_ops->established(ep);
}

static void setup_established(struct sdp_ep *ep)
{
	if (sdp_ep_sock(ep)->sk_state == TCP_SYN_RECV)
		sdp_link_ops->established(ep);
}

static void setup_refused(struct sdp_ep *ep)
{
	sdp_link_ops->ended(ep, ep->link->refusal);
}

static void setup_timed_out(struct sdp_ep *ep)
{
	sdp_link_ops->ended(ep, ETIMEDOUT);
}

/* The function for each event of the CM, in the order in which events occur. */
static void (*const processes[])(struct sdp_ep *ep) = {
	[SDP_CM_ANSWERED] = setup_answered, [SDP_CM_ESTABLISHED] = setup_established,
	[SDP_CM_REFUSED] = setup_refused,   [SDP_CM_TIMED_OUT] = setup_timed_out,
	[SDP_CM_ENDED] = sdp_link_stop,
};

/* A link that is stopped ignores its events. */
static void setup_process_events(struct work_struct *work)
{
	struct sdp_link *link = container_of(work, struct sdp_link, event_task.work);
	struct sdp_ep *ep = sdp_ep(link->sk);
	unsigned int i;

	if (!sdp_task_lock(ep, &link->event_task))
		return;
	if (sdp_gate_get(&link->setup)) {
		for (i = 0; i < ARRAY_SIZE(processes); i++) {
			if (test_and_clear_bit(i, &link->events) && ep->link == link &&
			    !link->stopped)
				processes[i](ep);
		}
		sdp_gate_put(&link->setup);
	}
	release_sock(link->sk);
}

int sdp_setup_link(struct sdp_ep *ep, struct ib_device *ib, const struct sdp_setup_ops *cm,
		   gfp_t gfp)
{
	int err = sdp_link_create(ep, ib, cm, gfp);

	if (!err)
		sdp_task_init(&ep->link->event_task, setup_process_events);
	return err;
}

void sdp_setup_answer(struct sdp_link *link, const void *data, u32 octets)
{
	link->hello_ack_len = min_t(u32, octets, sizeof(link->hello_ack));
	memcpy(link->hello_ack, data, link->hello_ack_len);
}

void sdp_setup_note(struct sdp_link *link, enum sdp_setup_event event)
{
	smp_mb__before_atomic(); /* data of the event is visible before its bit */
	set_bit(event, &link->events);
	queue_work(sdp_wq, &link->event_task.work);
}
