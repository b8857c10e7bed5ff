// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Endpoints: their timers, and the events of their streams and for their users. */
#include "iwarp/endpoint.h"
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "compat.h"
#include "iwarp/iwarp_qp.h"

#define ENDPOINT_RETRY_MS 10

/*
 * The stream may have gone meanwhile, and its user as well. A queue pair is not freed before an RCU
 * grace period, for which the caller's disabled BH count.
 */
void hca_endpoint_kick(struct hca_endpoint *ep)
{
	struct hca_runnable *user = READ_ONCE(ep->user);

	if (user)
		hca_run_schedule(user);
}

static void endpoint_expired(struct timer_list *timer)
{
	struct hca_endpoint *ep = timer_container_of(ep, timer, timer);

	hca_endpoint_kick(ep);
	hca_engine_raise();
}

static void endpoint_retries(struct timer_list *timer)
{
	struct hca_endpoint *ep = timer_container_of(ep, timer, retry);

	hca_endpoint_kick(ep);
	hca_engine_raise();
}

void hca_endpoint_init(struct hca_endpoint *ep, struct hca_rnic *rnic, struct hca_stream *stream,
		       void (*event)(struct hca_endpoint *ep, enum hca_endpoint_event event))
{
	ep->rnic = rnic;
	ep->stream = stream;
	ep->event = event;
	ep->is_readable = true;
	spin_lock_init(&ep->lock);
	timer_setup(&ep->timer, endpoint_expired, 0);
	timer_setup(&ep->retry, endpoint_retries, 0);
	spin_lock_bh(&rnic->lock);
	list_add_tail(&ep->node, &rnic->endpoints);
	spin_unlock_bh(&rnic->lock);
}

void hca_endpoint_destroy(struct hca_endpoint *ep)
{
	spin_lock_bh(&ep->rnic->lock);
	list_del(&ep->node);
	spin_unlock_bh(&ep->rnic->lock);
	timer_delete_sync(&ep->timer);
	timer_delete_sync(&ep->retry);
	if (ep->run.run)
		hca_run_stop(&ep->run);
	synchronize_rcu();
	if (ep->live)
		kfree(ep->live->message);
	kfree(ep->live);
}

void hca_endpoint_use(struct hca_endpoint *ep, struct hca_runnable *user)
{
	WRITE_ONCE(ep->user, user);
	WRITE_ONCE(ep->stream->run, user);
}

/* Whether an event would break the order that endpoint.h describes. */
static bool endpoint_has_no_place(const struct hca_endpoint *ep, enum hca_endpoint_event event)
{
	switch (event) {
	case HCA_ENDPOINT_CONNECT_REPLY:
	case HCA_ENDPOINT_ESTABLISHED:
		return !ep->is_result_due;
	case HCA_ENDPOINT_DISCONNECT:
		return !ep->is_connected;
	default:
		return false;
	}
}

static bool endpoint_is_result(enum hca_endpoint_event event)
{
	return event == HCA_ENDPOINT_CONNECT_REPLY || event == HCA_ENDPOINT_ESTABLISHED;
}

/* A live stream has no connection manager, so that an event of the queue pair tells. */
static void endpoint_established(struct hca_endpoint *ep)
{
	if (ep->live && ep->qp)
		hca_qp_common_raise(&ep->qp->qp.common, HCA_QP_COMM_ESTABLISHED);
}

void hca_endpoint_raise(struct hca_endpoint *ep, enum hca_endpoint_event event)
{
	if ((ep->raised & 1 << event) || endpoint_has_no_place(ep, event))
		return;
	ep->raised |= 1 << event;
	ep->pending |= 1 << event;
	if (!endpoint_is_result(event))
		return;
	ep->is_result_due = false;
	ep->is_connected = !ep->reply_status;
	if (ep->is_connected)
		endpoint_established(ep);
}

void hca_endpoint_reply(struct hca_endpoint *ep, int status)
{
	if (!ep->is_result_due)
		return;
	ep->reply_status = status;
	hca_endpoint_raise(ep, HCA_ENDPOINT_CONNECT_REPLY);
}

/* Raise the result of a connect or of an accept, for which the connection manager waits. */
static void endpoint_finish(struct hca_endpoint *ep, int status)
{
	if (ep->own.is_reply)
		hca_endpoint_raise(ep, HCA_ENDPOINT_ESTABLISHED);
	else
		hca_endpoint_reply(ep, status ? status : -ECONNRESET);
}

void hca_endpoint_notify(struct hca_endpoint *ep, int events)
{
	int event;

	for (event = 0; events >> event; event++)
		if (events & 1 << event)
			ep->event(ep, event);
}

void hca_endpoint_start_timer(struct hca_endpoint *ep, u32 seconds)
{
	ep->is_timed = true;
	ep->deadline = jiffies + msecs_to_jiffies(seconds * 1000);
	mod_timer(&ep->timer, ep->deadline);
}

void hca_endpoint_stop_timer(struct hca_endpoint *ep)
{
	ep->is_timed = false;
	timer_delete(&ep->timer);
}

/* The deadline is compared, because a handler of an earlier limit may still be running. */
bool hca_endpoint_has_expired(struct hca_endpoint *ep)
{
	if (!ep->is_timed || time_before(jiffies, ep->deadline))
		return false;
	ep->is_timed = false;
	return true;
}

void hca_endpoint_retry(struct hca_endpoint *ep)
{
	mod_timer(&ep->retry, jiffies + msecs_to_jiffies(ENDPOINT_RETRY_MS));
}

void hca_endpoint_poll(struct hca_endpoint *ep)
{
	int events = atomic_xchg(&ep->stream->events, 0);

	ep->is_readable |= !!(events & ~HCA_STREAM_WRITABLE);
	ep->is_peer_closed |= !!(events & HCA_STREAM_PEER_CLOSED);
	ep->is_closed |= !!(events & HCA_STREAM_CLOSED);
	ep->is_lost |= !!(events & (HCA_STREAM_CLOSED | HCA_STREAM_LOST));
}

void hca_endpoint_gone(struct hca_endpoint *ep, int status)
{
	hca_endpoint_use(ep, NULL);
	hca_endpoint_stop_timer(ep);
	timer_delete(&ep->retry);
	ep->stream->ops->release(ep->stream);
	ep->state = HCA_STARTUP_CLOSED;
	endpoint_finish(ep, status);
	ep->close_status = status;
	hca_endpoint_raise(ep, HCA_ENDPOINT_CLOSE);
}
