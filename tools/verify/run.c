// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Runs an iteration. */
#include <time.h>
#include "iteration.h"
#include "outcome.h"

#define PATIENCE 10000 /* ms without a completion after which the iteration fails */
#define LONELY 1000 /* ms without a completion after which unreliable messages count as lost */
/*
 * maximum time in ms to wait for data of unreliable services at the end of an iteration, because
 * the arrival of an RDMA Write does not cause a completion
 */
#define SETTLING 3000
#define NAP 1000000 /* time in ns between two checks */

static uint64_t run_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ull + t.tv_nsec / 1000000;
}

static bool has_ended(const struct iteration *iteration)
{
	const struct flow *flow;

	for (flow = iteration->flows; flow < iteration->flows + iteration->num_flows; flow++)
		if (flow->done < flow->num_requests || flow->receiving)
			return false;
	return true;
}

static bool post_all(struct iteration *iteration, bool *progress)
{
	unsigned int i;

	for (i = 0; i < iteration->num_flows; i++)
		if (!post_requests(iteration, &iteration->flows[i], progress))
			return false;
	return true;
}

static bool run_is_overdue(const struct iteration *iteration)
{
	const struct flow *flow;
	unsigned int i;

	for (flow = iteration->flows; flow < iteration->flows + iteration->num_flows; flow++) {
		if (flow->done < flow->posted)
			return wrong("%s: %u s without anything, and message %u is not complete",
				     flow->from->label, PATIENCE / 1000,
				     shown_number(&flow->requests[flow->done]));
		for (i = 0; i < flow->posted; i++)
			if (request_consumes_receive(&flow->requests[i]) &&
			    !flow->requests[i].is_received)
				return wrong(
					"%s: %u s without anything, and message %u is not received",
					flow->to->label, PATIENCE / 1000,
					shown_number(&flow->requests[i]));
	}
	return wrong("%u s without anything", PATIENCE / 1000);
}

/*
 * Marks each message as lost that has completed at the requester, but has not been received. If the
 * message arrives later, complete_receive() removes the mark.
 */
static void lose_outstanding(struct iteration *iteration)
{
	struct flow *flow;
	unsigned int i;

	for (flow = iteration->flows; flow < iteration->flows + iteration->num_flows; flow++)
		for (i = 0; i < flow->done; i++)
			if (request_consumes_receive(&flow->requests[i]) &&
			    !flow->requests[i].is_received) {
				flow->requests[i].is_overdue = true;
				lose(flow, &flow->requests[i]);
			}
}

/*
 * Posts requests and waits until all are done. If the iteration uses events, the completion queues
 * are armed before they are polled and before requests are posted, so that each later completion
 * raises an event.
 */
static bool run_exchange(struct iteration *iteration)
{
	unsigned int patience = may_lose(iteration) ? LONELY : PATIENCE;
	uint64_t last = run_now();
	bool progress;

	for (;;) {
		progress = false;
		cm_poll(iteration);
		if (!iteration_arm(iteration) || !iteration_poll(iteration, &progress) ||
		    !post_all(iteration, &progress))
			return false;
		if (has_ended(iteration))
			return true;
		if (progress)
			last = run_now();
		else if (run_now() - last >= patience) {
			if (!may_lose(iteration))
				return run_is_overdue(iteration);
			lose_outstanding(iteration);
			last = run_now();
		}
		iteration->no_event = false;
		if ((!progress || iteration->shape.waiting != WAIT_POLL) &&
		    !iteration_wait(iteration, patience))
			return false;
	}
}

/*
 * Returns whether an error has ended the connection of a flow. Over iWARP it can arrive after all
 * requests are complete.
 */
static bool flow_has_failed(struct iteration *iteration, const struct flow *flow)
{
	return flow->has_failed || (is_iwarp(iteration) && cm_await_end(iteration, flow));
}

/* Checks that each flow with requests has failed, as the option --expect requires. */
static bool all_failed(struct iteration *iteration)
{
	const struct flow *flow;

	for (flow = iteration->flows; flow < iteration->flows + iteration->num_flows; flow++)
		if (flow->num_requests && !flow_has_failed(iteration, flow))
			return wrong("%s: all %u requests succeed, and should end with '%s'",
				     flow->from->label, flow->num_requests,
				     status_name(expected_status(iteration)->status));
	return true;
}

/* Flushes the remaining receives, so that late or duplicate datagrams cannot use them. */
static bool close_receivers(struct iteration *iteration)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };
	const struct flow *flow;
	int error;

	iteration->is_closed = true;
	for (flow = iteration->flows; flow < iteration->flows + iteration->num_flows; flow++) {
		error = ibv_modify_qp(flow->peer, &attr, IBV_QP_STATE);
		if (error)
			return wrong("%s: modify_qp to ERR: %s", flow->to->label,
				     error_name(error));
	}
	return true;
}

static bool has_settled(const struct iteration *iteration)
{
	struct end *ends = iteration->task->ends;
	const struct flow *flow;

	for (flow = iteration->flows; flow < iteration->flows + iteration->num_flows; flow++)
		if (iteration->is_closed && flow->rq[0]->used < flow->rq[0]->posted)
			return false;
	return arena_check_all(&ends[0].arena, true) && arena_check_all(&ends[1].arena, true);
}

static bool run_settle(struct iteration *iteration)
{
	const struct timespec nap = { .tv_nsec = NAP };
	uint64_t until = run_now() + SETTLING;
	bool progress;

	if (may_lose(iteration) && is_datagram(iteration) && !close_receivers(iteration))
		return false;
	iteration->no_event = false;
	while (run_now() < until && !has_settled(iteration)) {
		nanosleep(&nap, NULL);
		if (iteration->is_closed && !iteration_poll(iteration, &progress))
			return false;
	}
	return true;
}

static bool run_judge(struct iteration *iteration)
{
	struct end *ends = iteration->task->ends;
	bool progress = false;

	if (expected_status(iteration) && !all_failed(iteration))
		return false;
	if (!is_reliable(iteration) && !run_settle(iteration))
		return false;
	if (is_iwarp(iteration) && !expected_status(iteration) && !cm_flush(iteration))
		return false;
	if (expected_status(iteration) || may_lose(iteration))
		allow_remains(iteration);
	/* The check of the whole memory finds writes that should not have happened. */
	return arena_check_all(&ends[0].arena, false) && arena_check_all(&ends[1].arena, false) &&
	       iteration_poll(iteration, &progress) &&
	       async_events(iteration, !expected_status(iteration)) && windows_check(iteration);
}

static void run_count(const struct iteration *iteration)
{
	const struct request *request;
	const struct flow *flow;

	for (flow = iteration->flows; flow < iteration->flows + iteration->num_flows; flow++) {
		for (request = flow->requests; request < flow->requests + flow->num_requests;
		     request++) {
			iteration->task->lost += request->is_lost && !request->has_failed;
			iteration->task->octets += request->is_lost ? 0 : request->length;
		}
	}
}

bool iteration_run(struct iteration *iteration)
{
	bool good = iteration_connect(iteration) && windows_bind(iteration) &&
		    run_exchange(iteration) && run_judge(iteration);

	if (good)
		run_count(iteration);
	async_events(iteration, false);
	windows_free(iteration);
	iteration_disconnect(iteration);
	return outcome() == OUTCOME_OK;
}
