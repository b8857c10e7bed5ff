// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Endpoints: their timers, and the events of their streams and for their users. */
#include "iwarp/endpoint.h"
#include <linux/jiffies.h>
#include "compat.h"

#define ENDPOINT_RETRY_MS 10

/* The stream may have gone when a timer expires. */
static void endpoint_schedule(struct hca_endpoint *ep)
{
	struct hca_runnable *user = READ_ONCE(ep->user);

	if (user)
		hca_run_schedule(user);
	hca_engine_raise();
}

static void endpoint_expired(struct timer_list *timer)
{
	struct hca_endpoint *ep = timer_container_of(ep, timer, timer);

	atomic_set(&ep->expired, 1);
	endpoint_schedule(ep);
}

static void endpoint_retries(struct timer_list *timer)
{
	struct hca_endpoint *ep = timer_container_of(ep, timer, retry);

	endpoint_schedule(ep);
}

void hca_endpoint_init(struct hca_endpoint *ep, struct hca_rnic *rnic, struct hca_stream *stream,
		       void (*event)(struct hca_endpoint *ep, enum hca_endpoint_event event))
{
	ep->rnic = rnic;
	ep->stream = stream;
	ep->event = event;
	spin_lock_init(&ep->lock);
	timer_setup(&ep->timer, endpoint_expired, 0);
	timer_setup(&ep->retry, endpoint_retries, 0);
}

void hca_endpoint_destroy(struct hca_endpoint *ep)
{
	timer_delete_sync(&ep->timer);
	timer_delete_sync(&ep->retry);
	if (ep->run.run)
		hca_run_stop(&ep->run);
}

void hca_endpoint_use(struct hca_endpoint *ep, struct hca_runnable *user)
{
	WRITE_ONCE(ep->user, user);
	WRITE_ONCE(ep->stream->run, user);
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
	atomic_set(&ep->expired, 0);
	mod_timer(&ep->timer, jiffies + msecs_to_jiffies(seconds * 1000));
}

void hca_endpoint_stop_timer(struct hca_endpoint *ep)
{
	timer_delete(&ep->timer);
	atomic_set(&ep->expired, 0);
}

void hca_endpoint_retry(struct hca_endpoint *ep)
{
	mod_timer(&ep->retry, jiffies + msecs_to_jiffies(ENDPOINT_RETRY_MS));
}

int hca_endpoint_poll(struct hca_endpoint *ep)
{
	int events = atomic_xchg(&ep->stream->events, 0);

	ep->is_peer_closed |= !!(events & HCA_STREAM_PEER_CLOSED);
	ep->is_lost |= !!(events & (HCA_STREAM_CLOSED | HCA_STREAM_LOST));
	return events;
}

void hca_endpoint_gone(struct hca_endpoint *ep, int status)
{
	hca_endpoint_use(ep, NULL);
	hca_endpoint_stop_timer(ep);
	timer_delete(&ep->retry);
	ep->stream->ops->release(ep->stream);
	ep->state = HCA_STARTUP_CLOSED;
	ep->close_status = status;
	hca_endpoint_raise(ep, HCA_ENDPOINT_CLOSE);
}
