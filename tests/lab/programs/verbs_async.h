/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Asynchronous events of one end (V3-217). */
#ifndef HCA_TESTS_VERBS_ASYNC_H
#define HCA_TESTS_VERBS_ASYNC_H

#include "verbs_pair.h"
#include <poll.h>

static inline bool readable(int fd, unsigned int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, ms) == 1;
}

static inline void poll_async(struct end *end)
{
	struct ibv_async_event event;

	while (readable(end->context->async_fd, 0) && !ibv_get_async_event(end->context, &event))
		ibv_ack_async_event(&event);
}

/*
 * Waits for an event of this type; other types may arrive before it. Sets the object of the event.
 */
static inline bool async_within(struct end *end, enum ibv_event_type type, unsigned int ms,
				const void **object)
{
	uint64_t deadline = now_ms() + ms, now;
	struct ibv_async_event event;

	*object = NULL;
	while ((now = now_ms()) <= deadline) {
		if (!readable(end->context->async_fd, deadline - now))
			return false;
		if (ibv_get_async_event(end->context, &event))
			return false;
		*object = event.element.qp;
		ibv_ack_async_event(&event);
		if (event.event_type == type)
			return true;
	}
	return false;
}

/* Expects an event of this type of this object. */
static inline bool expect_async(struct end *end, enum ibv_event_type type, const void *object)
{
	const void *of;

	return expect(async_within(end, type, PATIENCE_MS, &of), "no event: %s",
		      ibv_event_type_str(type)) &&
	       expect(of == object, "%s of something else", ibv_event_type_str(type));
}

static inline bool expect_no_async(struct end *end, enum ibv_event_type type, const char *when)
{
	const void *of;

	return expect(!async_within(end, type, SILENCE_MS, &of), "an event %s: %s", when,
		      ibv_event_type_str(type));
}

#endif
