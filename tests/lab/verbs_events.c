// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_events [DEVICE [DEVICE]]
 *
 * When a process is told of something: completion events by how the queue was armed,
 * asynchronous events, and several threads at one queue. Runs in the guest with Active ports.
 */
#include "verbs_pair.h"
#include <poll.h>
#include <pthread.h>

#define SOURCE 0u
#define TARGET (2u << 20)

static struct pair pair;

static bool readable(int fd, unsigned int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, ms) == 1;
}

/* One completion event of b's receive queue, taken and acknowledged. */
static bool expect_event(const char *when)
{
	struct ibv_cq *cq;
	void *context;

	if (!expect(readable(pair.b.channel->fd, PATIENCE_MS), "no event %s", when) ||
	    !expect_ok(ibv_get_cq_event(pair.b.channel, &cq, &context) ? errno : 0, "get_cq_event"))
		return false;
	ibv_ack_cq_events(cq, 1);
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

/* A message from a to b, and its completions taken if @poll. */
static void message(unsigned int flags, bool poll)
{
	struct ibv_sge sge = piece_of(&pair.a, SOURCE, 10);
	struct ibv_send_wr wr = send_wr(1, &sge);
	struct ibv_wc wc;

	wr.send_flags |= flags;
	post_recv(&pair.b, 2, TARGET, 100);
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

/* A queue that stays armed would disturb the next case. */
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

static void next_completion(void)
{
	case_begin();
	message(0, true);
	expect_no_event("though never armed");
	arm(0);
	expect_no_event("though nothing was sent");
	message(0, true);
	expect_event("after a completion");
	message(0, true);
	expect_no_event("though not armed again");
	case_end("armed for any completion: one event, for the next one (V3-282, V3-290)");
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
	case_end("armed for solicited ones: one event, for the next solicited one (V3-282)");
}

static void solicited_write(void)
{
	struct ibv_send_wr wr;
	struct ibv_wc wc;

	case_begin();
	arm(1);
	if (!lab_reason[0]) {
		wr = rdma_wr(1, IBV_WR_RDMA_WRITE_WITH_IMM, NULL, &pair.b, TARGET);
		wr.send_flags |= IBV_SEND_SOLICITED;
		post_recv(&pair.b, 2, TARGET, 0);
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
	case_end("completions from before arming make no event (V3-281)");
}

static void not_downgraded(void)
{
	case_begin();
	arm(0);
	arm(1);
	message(0, true);
	expect_event("for an unsolicited message");
	case_end("armed for any, then for solicited ones: any counts (V3-282)");

	case_begin();
	arm(1);
	arm(0);
	message(0, true);
	expect_event("for an unsolicited message");
	case_end("armed for solicited ones, then for any: any counts (V3-282)");
}

static void errors_are_solicited(void)
{
	struct ibv_wc wc;

	case_begin();
	arm(1);
	if (!lab_reason[0]) {
		post_recv(&pair.b, 1, TARGET, 100);
		expect_ok(to_error(pair.b.qp), "to ERR");
		expect_event("for a flushed receive");
		completes(pair.b.recv_cq, 1, IBV_WC_WR_FLUSH_ERR, &wc);
	}
	pair_disconnect(&pair);
	verdict("an error counts as solicited (V3-282)");
}

/* A consumer that sleeps: nothing is lost between its last look and its being armed. */

enum { RACE_MESSAGES = 2000, RACE_WINDOW = 32 };

static void *race_sender(void *arg)
{
	uint32_t *failed = arg, x = 1;
	int i, ret;

	for (i = 0; i < RACE_MESSAGES; i++) {
		struct ibv_sge sge = piece_of(&pair.a, SOURCE, 8);
		struct ibv_send_wr wr = send_wr(i, &sge), *bad;

		while ((ret = ibv_post_send(pair.a.qp, &wr, &bad)) == ENOMEM)
			usleep(100);
		if (ret) {
			*failed = ret;
			break;
		}
		x = x * 1664525 + 1013904223;
		if (x >> 30 == 0)
			usleep(x >> 16 & 255);
		drain(pair.a.send_cq);
	}
	return NULL;
}

static int race_drain(int received)
{
	struct ibv_wc wc[4];
	int n, i;

	while ((n = ibv_poll_cq(pair.b.recv_cq, COUNT(wc), wc)) > 0)
		for (i = 0; i < n; i++, received++) {
			expect_wc(&wc[i], received, IBV_WC_SUCCESS);
			if (received + RACE_WINDOW < RACE_MESSAGES)
				post_recv(&pair.b, received + RACE_WINDOW, TARGET, 8);
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
		post_recv(&pair.b, i, TARGET, 8);
	arm(0);
	if (!lab_reason[0] && expect_ok(pthread_create(&thread, NULL, race_sender, &failed),
					"pthread_create")) {
		while (received < RACE_MESSAGES && expect_event("though messages are missing")) {
			received = race_drain(received);
			arm(0);
			received = race_drain(received);
		}
		pthread_join(thread, NULL);
		expect_ok(failed, "post_send");
	}
	expect_value(received, RACE_MESSAGES, "messages received");
	/* Armed still; the event for this one may come before or after the last look. */
	pair_disconnect(&pair);
	while (readable(pair.b.channel->fd, SILENCE_MS) && expect_event("left over"))
		;
	verdict("sleep, drain, arm, drain: no message is slept through (V3-287, V3-288)");
}

/* Threads that post to one queue pair and poll one completion queue. */

enum { POSTERS = 4, POLLERS = 2, EACH = 300 };

static struct crowd {
	uint8_t seen[POSTERS * EACH];
	unsigned int total, twice, wrong;
	bool over;
} crowd;

static void *crowd_poster(void *arg)
{
	uint64_t first = (uintptr_t)arg * EACH, i;

	for (i = first; i < first + EACH; i++) {
		struct ibv_sge sge = piece_of(&pair.a, SOURCE, 16);
		struct ibv_send_wr wr = rdma_wr(i, IBV_WR_RDMA_WRITE, &sge, &pair.b, TARGET), *bad;
		int ret;

		while ((ret = ibv_post_send(pair.a.qp, &wr, &bad)) == ENOMEM)
			usleep(100);
		if (ret)
			__atomic_fetch_add(&crowd.wrong, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static void *crowd_poller(void *arg)
{
	struct ibv_wc wc[3];
	int n, i;

	(void)arg;
	while (!__atomic_load_n(&crowd.over, __ATOMIC_RELAXED)) {
		n = ibv_poll_cq(pair.a.send_cq, COUNT(wc), wc);
		for (i = 0; i < n; i++) {
			if (wc[i].status || wc[i].wr_id >= COUNT(crowd.seen))
				__atomic_fetch_add(&crowd.wrong, 1, __ATOMIC_RELAXED);
			else if (__atomic_fetch_add(&crowd.seen[wc[i].wr_id], 1, __ATOMIC_RELAXED))
				__atomic_fetch_add(&crowd.twice, 1, __ATOMIC_RELAXED);
			__atomic_fetch_add(&crowd.total, 1, __ATOMIC_RELAXED);
		}
		if (!n)
			usleep(50);
	}
	return NULL;
}

static void crowded(void)
{
	pthread_t thread[POSTERS + POLLERS];
	struct setup setup = default_setup;
	uint64_t deadline = now_ms() + PATIENCE_MS;
	uintptr_t i;

	setup.max_wr = 32;
	if (pair_connect(&pair, &setup)) {
		for (i = 0; i < POSTERS + POLLERS; i++)
			if (pthread_create(&thread[i], NULL,
					   i < POSTERS ? crowd_poster : crowd_poller, (void *)i))
				give_up("threads");
		for (i = 0; i < POSTERS; i++)
			pthread_join(thread[i], NULL);
		while (__atomic_load_n(&crowd.total, __ATOMIC_RELAXED) < COUNT(crowd.seen) &&
		       now_ms() < deadline)
			usleep(100);
		__atomic_store_n(&crowd.over, true, __ATOMIC_RELAXED);
		for (; i < POSTERS + POLLERS; i++)
			pthread_join(thread[i], NULL);
		expect_value(crowd.total, COUNT(crowd.seen), "completions");
		expect_value(crowd.twice, 0, "completions seen twice");
		expect_value(crowd.wrong, 0, "errors");
	}
	pair_disconnect(&pair);
	verdict("4 threads post to one queue pair, 2 poll: every request completes once (V3-273)");
}

/*
 * The same without the kernel between them: the peer has no receives, so that the engine waits
 * and both queues fill; then all is flushed, and all threads poll.
 */

enum { HORDE = 4, DEPTH = CQ_ENTRIES, PART = DEPTH / HORDE };

static struct horde {
	pthread_barrier_t begin;
	uint8_t seen[2][DEPTH]; /* sends, receives */
	unsigned int total, wrong;
} horde;

static void *horde_poster(void *arg)
{
	uint64_t first = (uintptr_t)arg * PART, i;
	struct ibv_sge sge = piece_of(&pair.a, SOURCE, 16);

	pthread_barrier_wait(&horde.begin);
	for (i = first; i < first + PART; i++) {
		struct ibv_send_wr send = send_wr(i, &sge), *bad_send;
		struct ibv_recv_wr recv = { .wr_id = i, .sg_list = &sge, .num_sge = 1 }, *bad_recv;

		if (ibv_post_send(pair.a.qp, &send, &bad_send) ||
		    ibv_post_recv(pair.a.qp, &recv, &bad_recv))
			__atomic_fetch_add(&horde.wrong, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static int horde_poll(struct ibv_cq *cq, uint8_t *seen)
{
	struct ibv_wc wc[5];
	int n = ibv_poll_cq(cq, COUNT(wc), wc), i;

	for (i = 0; i < n; i++)
		if (wc[i].status != IBV_WC_WR_FLUSH_ERR || wc[i].wr_id >= DEPTH ||
		    __atomic_fetch_add(&seen[wc[i].wr_id], 1, __ATOMIC_RELAXED))
			__atomic_fetch_add(&horde.wrong, 1, __ATOMIC_RELAXED);
	return n;
}

static void *horde_poller(void *arg)
{
	uint64_t deadline = now_ms() + PATIENCE_MS;
	int n;

	(void)arg;
	pthread_barrier_wait(&horde.begin);
	do {
		n = horde_poll(pair.a.send_cq, horde.seen[0]) +
		    horde_poll(pair.a.recv_cq, horde.seen[1]);
		if (!n)
			usleep(100);
	} while (__atomic_add_fetch(&horde.total, n, __ATOMIC_RELAXED) < 2 * DEPTH &&
		 now_ms() < deadline);
	return NULL;
}

static void horde_run(void *(*what)(void *))
{
	pthread_t thread[HORDE];
	uintptr_t i;

	for (i = 0; i < HORDE; i++)
		if (pthread_create(&thread[i], NULL, what, (void *)i))
			give_up("threads");
	for (i = 0; i < HORDE; i++)
		pthread_join(thread[i], NULL);
}

static void crowded_queues(void)
{
	struct setup setup = default_setup;

	setup.max_wr = DEPTH;
	setup.rnr_timer = 0; /* 655 ms */
	pthread_barrier_init(&horde.begin, NULL, HORDE);
	if (pair_connect(&pair, &setup)) {
		horde_run(horde_poster);
		expect_value(horde.wrong, 0, "errors of posting");
		expect_ok(to_error(pair.a.qp), "to ERR");
		horde_run(horde_poller);
		expect_value(horde.total, 2 * DEPTH, "completions");
		expect_value(horde.wrong, 0, "completions that are wrong, or seen twice");
	}
	pair_disconnect(&pair);
	pthread_barrier_destroy(&horde.begin);
	verdict("4 threads fill both queues, and poll 32768 flushed requests, each once (V3-273)");
}

/* Asynchronous events (V3-217). */

static void drain_async(struct end *end)
{
	struct ibv_async_event event;

	while (readable(end->context->async_fd, 0) && !ibv_get_async_event(end->context, &event))
		ibv_ack_async_event(&event);
}

/* Wait for one of this type, of this object; others may come before. */
static bool expect_async(struct end *end, enum ibv_event_type type, const void *object)
{
	uint64_t deadline = now_ms() + PATIENCE_MS;
	struct ibv_async_event event;
	const void *element;

	while (readable(end->context->async_fd, 100) || now_ms() < deadline) {
		if (!readable(end->context->async_fd, 0))
			continue;
		if (ibv_get_async_event(end->context, &event))
			break;
		element = event.element.qp;
		ibv_ack_async_event(&event);
		if (event.event_type == type)
			return expect(element == object, "%s of something else",
				      ibv_event_type_str(type));
	}
	return expect(false, "no event: %s", ibv_event_type_str(type));
}

static void access_error(void)
{
	struct ibv_sge sge = piece_of(&pair.a, SOURCE, 100);
	struct ibv_send_wr wr = rdma_wr(1, IBV_WR_RDMA_WRITE, &sge, &pair.b, TARGET);
	struct ibv_wc wc;

	wr.wr.rdma.rkey ^= 0x55;
	if (pair_connect(&pair, &default_setup)) {
		drain_async(&pair.b);
		post_wr(&pair.a, &wr);
		completes(pair.a.send_cq, 1, IBV_WC_REM_ACCESS_ERR, &wc);
		expect_async(&pair.b, IBV_EVENT_QP_ACCESS_ERR, pair.b.qp);
	}
	pair_disconnect(&pair);
	verdict("a peer that violates access rights: QP_ACCESS_ERR (V3-217)");
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
		drain_async(&pair.b);
		post_recv(&pair.b, 1, TARGET, 100);
		post_send(&pair.a, 2, SOURCE, 100);
		completes(pair.b.recv_cq, 1, IBV_WC_SUCCESS, &wc);
		expect_async(&pair.b, IBV_EVENT_COMM_EST, pair.b.qp);
		expect_state(pair.b.qp, IBV_QPS_RTR);
		expect_ok(to_rts(pair.b.qp, setup), "to RTS");
	}
	pair_disconnect(&pair);
	verdict("the first packet in RTR: COMM_EST (V3-217)");
}

/* More completions than the queue holds: it is lost, but not what is in it (V3-284). */
static void overflow(void)
{
	struct setup setup = default_setup;
	struct ibv_cq *whole = pair.b.recv_cq, *small = ibv_create_cq(pair.b.context, 4, NULL, NULL, 0);
	struct ibv_wc wc;
	int i, room;

	if (!expect_made(small, "create_cq"))
		give_up("a completion queue of 4");
	room = small->cqe;
	pair.b.recv_cq = small;
	if (pair_connect(&pair, &setup)) {
		drain_async(&pair.b);
		for (i = 0; i < room + 2; i++)
			post_recv(&pair.b, i, TARGET, 100);
		for (i = 0; i < room + 2; i++)
			post_send(&pair.a, i, SOURCE, 100);
		expect_async(&pair.b, IBV_EVENT_CQ_ERR, small);
		await_state(pair.b.qp, IBV_QPS_ERR);
		for (i = 0; i < room; i++)
			completes(small, i, IBV_WC_SUCCESS, &wc);
		expect(!drain(small), "more completions than there is room for");
	}
	pair_disconnect(&pair);
	pair.b.recv_cq = whole;
	expect_ok(ibv_destroy_cq(small), "destroy_cq");
	verdict("a completion queue overflows: CQ_ERR, and it keeps what it has (V3-284)");
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
	crowded();
	crowded_queues();
	access_error();
	established();
	overflow();
	pair_close(&pair);
	return lab_status();
}
