// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A round from beginning to end. */
#include <time.h>
#include "round.h"
#include "verdict.h"

#define PATIENCE 10000 /* ms without anything new: nothing will come */
#define LONELY 1000 /* ms after which what has not come is lost, where it may be */
#define SETTLING 3000 /* ms for writes of which no completion tells when they are there */
#define NAP 1000000 /* ns */

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ull + t.tv_nsec / 1000000;
}

static bool has_ended(const struct round *round)
{
	const struct lane *lane;

	for (lane = round->lanes; lane < round->lanes + round->num_lanes; lane++)
		if (lane->done < lane->num_requests || lane->receiving)
			return false;
	return true;
}

static bool post_all(struct round *round, bool *progress)
{
	unsigned int i;

	for (i = 0; i < round->num_lanes; i++)
		if (!post_requests(round, &round->lanes[i], progress))
			return false;
	return true;
}

static bool overdue(const struct round *round)
{
	const struct lane *lane;
	unsigned int i;

	for (lane = round->lanes; lane < round->lanes + round->num_lanes; lane++) {
		if (lane->done < lane->posted)
			return wrong("%s: %u s without anything, and message %u is not complete",
				     lane->from->label, PATIENCE / 1000,
				     shown(&lane->requests[lane->done]));
		for (i = 0; i < lane->posted; i++)
			if (request_takes_receive(&lane->requests[i]) &&
			    !lane->requests[i].is_received)
				return wrong(
					"%s: %u s without anything, and message %u is not received",
					lane->to->label, PATIENCE / 1000,
					shown(&lane->requests[i]));
	}
	return wrong("%u s without anything", PATIENCE / 1000);
}

/* Of what is posted and complete, what has not been received is not going to be. */
static void lose_outstanding(struct round *round)
{
	struct lane *lane;
	unsigned int i;

	for (lane = round->lanes; lane < round->lanes + round->num_lanes; lane++)
		for (i = 0; i < lane->done; i++)
			if (request_takes_receive(&lane->requests[i]) &&
			    !lane->requests[i].is_received)
				lose(lane, &lane->requests[i]);
}

/*
 * With events, completion queues are armed before they are polled and before anything is posted: so
 * whatever is still to come will have one, and nothing is looked at before it has.
 */
static bool exchange(struct round *round)
{
	unsigned int patience = may_lose(round) ? LONELY : PATIENCE;
	uint64_t last = now();
	bool progress;

	for (;;) {
		progress = false;
		if (!round_arm(round) || !round_poll(round, &progress) ||
		    !post_all(round, &progress))
			return false;
		if (has_ended(round))
			return true;
		if (progress)
			last = now();
		else if (now() - last >= patience) {
			if (!may_lose(round))
				return overdue(round);
			lose_outstanding(round);
			last = now();
		}
		round->no_event = false;
		if ((!progress || round->shape.waiting != WAIT_POLL) &&
		    !round_wait(round, patience))
			return false;
	}
}

/* What was expected to fail must have failed. */
static bool all_failed(const struct round *round)
{
	const struct lane *lane;

	for (lane = round->lanes; lane < round->lanes + round->num_lanes; lane++)
		if (lane->num_requests && !lane->has_failed)
			return wrong("%s: all %u requests succeed, and should end with '%s'",
				     lane->from->label, lane->num_requests,
				     status_name(expected_status(round)->status));
	return true;
}

/* No datagram comes any more, late or once more, into a receive that is left. */
static bool close_receivers(struct round *round)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };
	const struct lane *lane;
	int error;

	round->is_closed = true;
	for (lane = round->lanes; lane < round->lanes + round->num_lanes; lane++) {
		error = ibv_modify_qp(lane->peer, &attr, IBV_QP_STATE);
		if (error)
			return wrong("%s: modify_qp to ERR: %s", lane->to->label, error_name(error));
	}
	return true;
}

static bool has_settled(const struct round *round)
{
	struct end *ends = round->task->ends;
	const struct lane *lane;

	for (lane = round->lanes; lane < round->lanes + round->num_lanes; lane++)
		if (round->is_closed && lane->inbox->used < lane->inbox->posted)
			return false;
	return arena_check_all(&ends[0].arena, true) && arena_check_all(&ends[1].arena, true);
}

static bool settle(struct round *round)
{
	const struct timespec nap = { .tv_nsec = NAP };
	uint64_t until = now() + SETTLING;
	bool progress;

	if (may_lose(round) && is_datagram(round) && !close_receivers(round))
		return false;
	round->no_event = false;
	while (now() < until && !has_settled(round)) {
		nanosleep(&nap, NULL);
		if (round->is_closed && !round_poll(round, &progress))
			return false;
	}
	return true;
}

static bool judge(struct round *round)
{
	struct end *ends = round->task->ends;
	bool progress = false;

	if (expected_status(round) && !all_failed(round))
		return false;
	if (!is_reliable(round) && !settle(round))
		return false;
	if (expected_status(round) || may_lose(round))
		allow_remains(round);
	/* Once more: nothing is to come any more. */
	return arena_check_all(&ends[0].arena, false) && arena_check_all(&ends[1].arena, false) &&
	       round_poll(round, &progress) && async_events(round, !expected_status(round)) &&
	       windows_check(round);
}

static void count(const struct round *round)
{
	const struct request *request;
	const struct lane *lane;

	for (lane = round->lanes; lane < round->lanes + round->num_lanes; lane++) {
		for (request = lane->requests; request < lane->requests + lane->num_requests;
		     request++) {
			round->task->lost += request->is_lost && !request->has_failed;
			round->task->octets += request->is_lost ? 0 : request->length;
		}
	}
}

bool round_run(struct round *round)
{
	bool good = round_connect(round) && windows_bind(round) && exchange(round) && judge(round);

	if (good)
		count(round);
	async_events(round, false);
	windows_free(round);
	round_disconnect(round);
	return verdict() == VERDICT_OK;
}
