// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Waits for completions, by polling or by events. */
#include <errno.h>
#include <poll.h>
#include <rdma/rdma_cma.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "iteration.h"
#include "outcome.h"

#define BATCH 16
#define NAP 20000 /* time in ns between two polls */

#define PATIENCE 10000000 /* time in us after which a wait fails */
#define SHORT_NAP 100 /* time in us between two looks */

typedef bool (*judge_t)(struct iteration *iteration, unsigned int end, const struct ibv_wc *wc);

static bool poll_cq(struct iteration *iteration, unsigned int end, struct ibv_cq *cq, judge_t judge,
		    bool *progress)
{
	struct ibv_wc wc[BATCH];
	int i, n;

	do {
		/*
		 * A field that the driver does not fill in keeps a value that is certainly wrong.
		 */
		memset(wc, 0xee, sizeof(wc));
		n = ibv_poll_cq(cq, BATCH, wc);
		if (n < 0 || n > BATCH)
			return wrong("%s: poll_cq returns %d", iteration->task->ends[end].label, n);
		for (i = 0; i < n; i++)
			if (!judge(iteration, end, &wc[i]))
				return false;
		*progress |= n > 0;
	} while (n == BATCH);
	return true;
}

bool iteration_poll(struct iteration *iteration, bool *progress)
{
	unsigned int end;

	/*
	 * Receive completions are polled first, because the receive of a message on a reliable
	 * connection completes before its send does.
	 */
	for (end = 0; end < 2; end++)
		if (!poll_cq(iteration, end, iteration->cq_sets[end].recv_cq, complete_receive,
			     progress))
			return false;
	for (end = 0; end < 2; end++)
		if (!poll_cq(iteration, end, iteration->cq_sets[end].send_cq, complete_request,
			     progress))
			return false;
	return true;
}

bool iteration_arm(struct iteration *iteration)
{
	unsigned int end;
	int error;

	for (end = 0; end < 2 && iteration->shape.waiting != WAIT_POLL; end++) {
		error = ibv_req_notify_cq(iteration->cq_sets[end].send_cq, 0) ?:
				ibv_req_notify_cq(iteration->cq_sets[end].recv_cq,
						  iteration->shape.waiting == WAIT_SOLICITED);
		if (error)
			return wrong("%s: req_notify_cq: %s", iteration->task->ends[end].label,
				     error_name(error));
	}
	return true;
}

/* Reads one event of each completion channel that has events. */
static bool get_events(struct iteration *iteration, const struct pollfd *ready)
{
	struct ibv_cq *cq;
	unsigned int end;
	void *context;

	for (end = 0; end < 2; end++) {
		const struct cq_set *cq_set = &iteration->cq_sets[end];

		if (!ready[end].revents)
			continue;
		if (ibv_get_cq_event(cq_set->channel, &cq, &context))
			return wrong("%s: get_cq_event: %s", iteration->task->ends[end].label,
				     error_name(errno));
		ibv_ack_cq_events(cq, 1);
		if (cq != cq_set->send_cq && cq != cq_set->recv_cq)
			return wrong("%s: an event is of no completion queue that there is",
				     iteration->task->ends[end].label);
	}
	return true;
}

/* Returns the file descriptor of rdma_cm's events of an end; -1: it has none. */
static int cm_fd(const struct end *end)
{
	return end->channel ? end->channel->fd : -1;
}

static bool wait_event(struct iteration *iteration, unsigned int ms)
{
	struct pollfd ready[4] = {
		{ .fd = iteration->cq_sets[0].channel->fd, .events = POLLIN },
		{ .fd = iteration->cq_sets[1].channel->fd, .events = POLLIN },
		{ .fd = cm_fd(&iteration->task->ends[0]), .events = POLLIN },
		{ .fd = cm_fd(&iteration->task->ends[1]), .events = POLLIN },
	};
	int n = poll(ready, 4, ms);

	if (n < 0 && errno != EINTR)
		return wrong("poll: %s", error_name(errno));
	if (n > 0)
		return get_events(iteration, ready);
	/* If the wait timed out, a completion that is found afterwards did not raise an event. */
	iteration->no_event = !n;
	return true;
}

bool iteration_wait(struct iteration *iteration, unsigned int ms)
{
	const struct timespec nap = { .tv_nsec = NAP };

	if (iteration->shape.waiting != WAIT_POLL)
		return wait_event(iteration, ms);
	nanosleep(&nap, NULL);
	return true;
}

bool await_completion(struct ibv_cq *cq, struct ibv_wc *wc, const char *what)
{
	unsigned int us = 0;
	int n;

	while (!(n = ibv_poll_cq(cq, 1, wc)) && us < PATIENCE) {
		usleep(SHORT_NAP);
		us += SHORT_NAP;
	}
	return n == 1 || wrong("%s: no completion", what);
}

bool is_in_error(struct ibv_qp *qp)
{
	struct ibv_qp_attr attr;
	struct ibv_qp_init_attr init;

	return !ibv_query_qp(qp, &attr, IBV_QP_STATE, &init) && attr.qp_state == IBV_QPS_ERR;
}
