// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Completions, polled for or announced by events. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include "round.h"
#include "verdict.h"

#define BATCH 16
#define NAP 20000 /* ns */

typedef bool (*judge_t)(struct round *round, unsigned int end, const struct ibv_wc *wc);

static bool poll_cq(struct round *round, unsigned int end, struct ibv_cq *cq, judge_t judge,
		    bool *progress)
{
	struct ibv_wc wc[BATCH];
	int i, n;

	do {
		/* What a driver does not fill in should not be right by chance. */
		memset(wc, 0xee, sizeof(wc));
		n = ibv_poll_cq(cq, BATCH, wc);
		if (n < 0 || n > BATCH)
			return wrong("%s: poll_cq returns %d", round->task->ends[end].label, n);
		for (i = 0; i < n; i++)
			if (!judge(round, end, &wc[i]))
				return false;
		*progress |= n > 0;
	} while (n == BATCH);
	return true;
}

bool round_poll(struct round *round, bool *progress)
{
	unsigned int end;

	/*
	 * A message is received before it is known to have been: so what was received first is seen
	 * first.
	 */
	for (end = 0; end < 2; end++)
		if (!poll_cq(round, end, round->desks[end].recv_cq, complete_receive, progress))
			return false;
	for (end = 0; end < 2; end++)
		if (!poll_cq(round, end, round->desks[end].send_cq, complete_request, progress))
			return false;
	return true;
}

bool round_arm(struct round *round)
{
	unsigned int end;
	int error;

	for (end = 0; end < 2 && round->shape.waiting != WAIT_POLL; end++) {
		error = ibv_req_notify_cq(round->desks[end].send_cq, 0) ?:
				ibv_req_notify_cq(round->desks[end].recv_cq,
						  round->shape.waiting == WAIT_SOLICITED);
		if (error)
			return wrong("%s: req_notify_cq: %s", round->task->ends[end].label,
				     error_name(error));
	}
	return true;
}

/* Take one event of each channel that has some. */
static bool take_events(struct round *round, const struct pollfd *ready)
{
	struct ibv_cq *cq;
	unsigned int end;
	void *context;

	for (end = 0; end < 2; end++) {
		const struct desk *desk = &round->desks[end];

		if (!ready[end].revents)
			continue;
		if (ibv_get_cq_event(desk->channel, &cq, &context))
			return wrong("%s: get_cq_event: %s", round->task->ends[end].label,
				     error_name(errno));
		ibv_ack_cq_events(cq, 1);
		if (cq != desk->send_cq && cq != desk->recv_cq)
			return wrong("%s: an event is of no completion queue that there is",
				     round->task->ends[end].label);
	}
	return true;
}

static bool wait_event(struct round *round, unsigned int ms)
{
	struct pollfd ready[2] = {
		{ .fd = round->desks[0].channel->fd, .events = POLLIN },
		{ .fd = round->desks[1].channel->fd, .events = POLLIN },
	};
	int n = poll(ready, 2, ms);

	if (n < 0 && errno != EINTR)
		return wrong("poll: %s", error_name(errno));
	if (n > 0)
		return take_events(round, ready);
	/* What is found now has come, and nobody was told. */
	round->no_event = !n;
	return true;
}

bool round_wait(struct round *round, unsigned int ms)
{
	const struct timespec nap = { .tv_nsec = NAP };

	if (round->shape.waiting != WAIT_POLL)
		return wait_event(round, ms);
	nanosleep(&nap, NULL);
	return true;
}
