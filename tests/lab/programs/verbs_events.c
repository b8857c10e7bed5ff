// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_events [DEVICE [DEVICE]]
 * Checks when a process receives events: completion events depending on how the queue was armed,
 * and asynchronous events. Runs in the guest with Active ports.
 */
#include "verbs_async.h"
#include <pthread.h>

#define SOURCE 0u
#define DEST (2u << 20)

static struct pair pair;

/* Reads and acknowledges one completion event of b's receive queue. */
static bool expect_event(const char *when)
{
	struct ibv_cq *cq;
	void *context;

	if (!expect(readable(pair.b.channel->fd, PATIENCE_MS), "no event %s", when) ||
	    !expect_ok(ibv_get_cq_event(pair.b.channel, &cq, &context) ? errno : 0, "get_cq_event"))
		return false;
	ibv_ack_cq_events(cq, 1);
	/* R0-108 */
	return expect(cq == pair.b.recv_cq && context == &pair.b, "an event of something else");
}

static bool expect_no_event(const char *when)
{
	return expect(!readable(pair.b.channel->fd, SILENCE_MS), "an event %s", when);
}

static bool arm(int solicited_only)
{
	return expect_ok(ibv_req_notify_cq(pair.b.recv_cq, solicited_only), "req_notify_cq");
}

/* Sends a message from a to b, and polls its completions if @poll. */
static void message(unsigned int flags, bool poll)
{
	struct ibv_sge sge = sge_of(&pair.a, SOURCE, 10);
	struct ibv_send_wr wr = send_wr(1, &sge);
	struct ibv_wc wc;

	wr.send_flags |= flags;
	post_recv(&pair.b, 2, DEST, 100);
	post_wr(&pair.a, &wr);
	completes(pair.a.send_cq, 1, IBV_WC_SUCCESS, &wc);
	if (poll)
		completes(pair.b.recv_cq, 2, IBV_WC_SUCCESS, &wc);
}

static void case_begin(void)
{
	pair_connect(&pair, &default_setup);
	while (readable(pair.b.channel->fd, 0) && expect_event("left over"))
		;
}

/* Ends a case: a queue that stayed armed would disturb the next one. */
static void case_end(const char *name)
{
	if (!lab_reason[0]) {
		arm(0);
		message(0, true);
		expect_event("after being armed for any completion, at the end");
	}
	pair_disconnect(&pair);
	verdict("%s", name);
}

/* V3-228, V3-356 */
static void next_completion(void)
{
	case_begin();
	message(0, true);
	expect_no_event("though never armed"); /* R0-111 */
	arm(0);
	expect_no_event("though nothing was sent");
	message(0, true);
	expect_event("after a completion"); /* R0-105, R0-506, V3-282 */
	message(0, true);
	expect_no_event("though not armed again"); /* R0-100, V3-290 */
	case_end("armed for any completion: one event, for the next one");
}

static void solicited_only(void)
{
	case_begin();
	arm(1);
	message(0, true);
	expect_no_event("for an unsolicited message");
	message(IBV_SEND_SOLICITED, true);
	expect_event("for a solicited message");
	message(IBV_SEND_SOLICITED, true);
	expect_no_event("though not armed again");
	case_end("armed for solicited ones: one event, for the next solicited one (V3-282, R0-103, R0-506)");
}

static void solicited_write(void)
{
	struct ibv_send_wr wr;
	struct ibv_wc wc;

	case_begin();
	arm(1);
	if (!lab_reason[0]) {
		wr = rdma_wr(1, IBV_WR_RDMA_WRITE_WITH_IMM, NULL, &pair.b, DEST);
		wr.send_flags |= IBV_SEND_SOLICITED;
		post_recv(&pair.b, 2, DEST, 0);
		post_wr(&pair.a, &wr);
		expect_event("for a solicited RDMA WRITE with immediate");
		completes(pair.b.recv_cq, 2, IBV_WC_SUCCESS, &wc);
	}
	case_end("a solicited RDMA WRITE with immediate");
}

static void already_there(void)
{
	struct ibv_wc wc;

	case_begin();
	message(IBV_SEND_SOLICITED, false);
	arm(0);
	expect_no_event("for a completion from before");
	message(0, false);
	expect_event("for the next completion");
	completes(pair.b.recv_cq, 2, IBV_WC_SUCCESS, &wc);
	completes(pair.b.recv_cq, 2, IBV_WC_SUCCESS, &wc);
	case_end("completions from before arming make no event (V3-281, R0-102)");
}

static void not_downgraded(void)
{
	case_begin();
	arm(0);
	arm(1);
	message(0, true);
	expect_event("for an unsolicited message");
	case_end("armed for any, then for solicited ones: any counts (V3-282, R0-106)");

	case_begin();
	arm(1);
	arm(0);
	message(0, true);
	expect_event("for an unsolicited message");
	case_end("armed for solicited ones, then for any: any counts (V3-282, R0-106)");
}

static void errors_are_solicited(void)
{
	struct ibv_wc wc;

	case_begin();
	arm(1);
	if (!lab_reason[0]) {
		post_recv(&pair.b, 1, DEST, 100);
		expect_ok(to_error(pair.b.qp), "to ERR");
		expect_event("for a flushed receive");
		completes(pair.b.recv_cq, 1, IBV_WC_WR_FLUSH_ERR, &wc);
	}
	pair_disconnect(&pair);
	verdict("an error counts as solicited (V3-282, R0-104)");
}

/* A consumer that sleeps misses no completion between its last poll and arming. */

enum { RACE_MESSAGES = 2000, RACE_WINDOW = 32 };

static void *race_sender(void *arg)
{
	uint32_t *failed = arg, x = 1;
	int i, ret;

	for (i = 0; i < RACE_MESSAGES; i++) {
		struct ibv_sge sge = sge_of(&pair.a, SOURCE, 8);
		struct ibv_send_wr wr = send_wr(i, &sge), *bad;

		while ((ret = ibv_post_send(pair.a.qp, &wr, &bad)) == ENOMEM) {
			usleep(100);
			poll_all(pair.a.send_cq);
		}
		if (ret) {
			*failed = ret;
			break;
		}
		x = x * 1664525 + 1013904223;
		if (x >> 30 == 0)
			usleep(x >> 16 & 255);
		poll_all(pair.a.send_cq);
	}
	return NULL;
}

static int race_poll(int received)
{
	struct ibv_wc wc[4];
	int n, i;

	while ((n = ibv_poll_cq(pair.b.recv_cq, COUNT(wc), wc)) > 0)
		for (i = 0; i < n; i++, received++) {
			expect_wc(&wc[i], received, IBV_WC_SUCCESS);
			if (received + RACE_WINDOW < RACE_MESSAGES)
				post_recv(&pair.b, received + RACE_WINDOW, DEST, 8);
		}
	return received;
}

static void arming_race(void)
{
	uint32_t failed = 0;
	int received = 0, i;
	pthread_t thread;

	case_begin();
	for (i = 0; i < RACE_WINDOW; i++)
		post_recv(&pair.b, i, DEST, 8);
	arm(0);
	if (!lab_reason[0] && expect_ok(pthread_create(&thread, NULL, race_sender, &failed),
					"pthread_create")) {
		while (received < RACE_MESSAGES && expect_event("though messages are missing")) {
			received = race_poll(received);
			arm(0);
			received = race_poll(received);
		}
		pthread_join(thread, NULL);
		expect_ok(failed, "post_send");
	}
	expect_value(received, RACE_MESSAGES, "messages received");
	/*
	 * The queue is still armed; the event of this completion may occur before or after the last
	 * poll.
	 */
	pair_disconnect(&pair);
	while (readable(pair.b.channel->fd, SILENCE_MS) && expect_event("left over"))
		;
	verdict("sleep, drain, arm, drain: no message is slept through (V3-287, V3-288, R0-107)");
}

/* Asynchronous events (V3-217). */

/* V3-045 */
static void access_error(void)
{
	struct ibv_sge sge = sge_of(&pair.a, SOURCE, 100);
	struct ibv_send_wr wr = rdma_wr(1, IBV_WR_RDMA_WRITE, &sge, &pair.b, DEST);
	struct ibv_wc wc;

	wr.wr.rdma.rkey ^= 0x55;
	if (pair_connect(&pair, &default_setup)) {
		poll_async(&pair.b);
		post_wr(&pair.a, &wr);
		completes(pair.a.send_cq, 1, IBV_WC_REM_ACCESS_ERR, &wc);
		expect_async(&pair.b, IBV_EVENT_QP_ACCESS_ERR, pair.b.qp); /* B4-264 */
	}
	pair_disconnect(&pair);
	verdict("a peer that violates access rights: QP_ACCESS_ERR (V3-217, R0-459, R0-460, R0-465)");
}

static void established(void)
{
	const struct setup *setup = &default_setup;
	struct ibv_wc wc;

	pair.a.qp = end_create_qp(&pair.a, setup);
	pair.b.qp = end_create_qp(&pair.b, setup);
	if (expect_made(pair.a.qp, "create_qp") && expect_made(pair.b.qp, "create_qp") &&
	    end_ready(&pair.a, setup, &pair.b, pair.b.qp->qp_num) &&
	    expect_ok(to_init(pair.b.qp, setup), "to INIT") &&
	    expect_ok(to_rtr(pair.b.qp, setup, &pair.a, pair.a.qp->qp_num), "to RTR")) {
		poll_async(&pair.b);
		post_recv(&pair.b, 1, DEST, 100);
		post_send(&pair.a, 2, SOURCE, 100);
		completes(pair.b.recv_cq, 1, IBV_WC_SUCCESS, &wc);
		expect_async(&pair.b, IBV_EVENT_COMM_EST, pair.b.qp);
		expect_state(pair.b.qp, IBV_QPS_RTR);
		expect_ok(to_rts(pair.b.qp, setup), "to RTS");
	}
	pair_disconnect(&pair);
	verdict("the first packet in RTR: COMM_EST (V3-217)");
}

/* More completions than a queue holds end it, but those in it can be polled (V3-284). */
static void overflow(void)
{
	struct setup setup = default_setup;
	struct ibv_cq *whole = pair.b.recv_cq, *small = ibv_create_cq(pair.b.context, 4, NULL, NULL,
								      0);
	struct ibv_wc wc;
	int i, room;

	if (!expect_made(small, "create_cq"))
		give_up("a completion queue of 4");
	room = small->cqe;
	pair.b.recv_cq = small;
	if (pair_connect(&pair, &setup)) {
		poll_async(&pair.b);
		for (i = 0; i < room + 2; i++)
			post_recv(&pair.b, i, DEST, 100);
		for (i = 0; i < room + 2; i++)
			post_send(&pair.a, i, SOURCE, 100);
		expect_async(&pair.b, IBV_EVENT_CQ_ERR, small);
		await_state(pair.b.qp, IBV_QPS_ERR);
		for (i = 0; i < room; i++)
			completes(small, i, IBV_WC_SUCCESS, &wc);
		expect(!poll_all(small), "more completions than there is room for");
	}
	pair_disconnect(&pair);
	pair.b.recv_cq = whole;
	expect_ok(ibv_destroy_cq(small), "destroy_cq");
	verdict("a completion queue overflows: CQ_ERR, and it keeps what it has (V3-284, R0-070, R0-460, R0-472)");
}

int main(int argc, char **argv)
{
	pair_open(&pair, argc, argv);
	next_completion();
	solicited_only();
	solicited_write();
	already_there();
	not_downgraded();
	errors_are_solicited();
	arming_race();
	access_error();
	established();
	overflow();
	pair_close(&pair);
	return lab_status();
}
