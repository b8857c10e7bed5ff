// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reads asynchronous events. Only harmless ones may occur in a successful iteration. */
#include <poll.h>
#include "iteration.h"
#include "outcome.h"

static bool is_harmless(enum ibv_event_type type)
{
	switch (type) {
	case IBV_EVENT_COMM_EST:
	case IBV_EVENT_SQ_DRAINED:
	case IBV_EVENT_QP_LAST_WQE_REACHED:
	case IBV_EVENT_PORT_ACTIVE:
	case IBV_EVENT_LID_CHANGE:
	case IBV_EVENT_PKEY_CHANGE:
	case IBV_EVENT_GID_CHANGE:
	case IBV_EVENT_SM_CHANGE:
	case IBV_EVENT_CLIENT_REREGISTER:
		return true;
	default:
		return false;
	}
}

/*
 * Reads all pending events of an end. An event that is not harmless is an error if @judge is true.
 */
static bool get_events(const struct end *end, bool judge)
{
	struct pollfd ready = { .fd = end->context->async_fd, .events = POLLIN };
	struct ibv_async_event event;

	while (poll(&ready, 1, 0) == 1 && !ibv_get_async_event(end->context, &event)) {
		ibv_ack_async_event(&event);
		if (judge && !is_harmless(event.event_type))
			wrong("%s: there is an event: %s", end->label,
			      ibv_event_type_str(event.event_type));
	}
	return outcome() == OUTCOME_OK;
}

bool async_events(struct iteration *iteration, bool judge)
{
	struct end *ends = iteration->task->ends;

	return get_events(&ends[0], judge) && get_events(&ends[1], judge);
}
