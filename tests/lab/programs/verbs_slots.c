// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_slots [DEVICE DEVICE]
 * Checks when an entry of a send or receive queue can be posted to again: when its completion, or a
 * later one of the queue, has been polled (R0-408, R0-409). Runs in the guest; ports are Active.
 */
#include "verbs_pair.h"

#define RING 16 /* entries of each queue: a power of two, so none are added */
#define FIRST_STALE 1000

static struct pair pair;
static struct setup setup;
static struct end *const a = &pair.a, *const b = &pair.b;

static int try_send(uint64_t wr_id, unsigned int flags)
{
	struct ibv_sge sge = sge_of(a, 0, 8);
	struct ibv_send_wr wr = send_wr(wr_id, &sge), *bad;

	wr.send_flags = flags;
	return ibv_post_send(a->qp, &wr, &bad);
}

static int try_recv(uint64_t wr_id)
{
	struct ibv_sge sge = sge_of(b, 0, 64);
	struct ibv_recv_wr wr = { .wr_id = wr_id, .sg_list = &sge, .num_sge = 1 }, *bad;

	return ibv_post_recv(b->qp, &wr, &bad);
}

static void connect(void)
{
	if (!pair_connect(&pair, &setup))
		give_up("a connection");
}

/* Posts messages 0 to RING - 1, each with a receive request; at least the last one is signaled. */
static void fill(uint64_t first, unsigned int flags)
{
	int i;

	for (i = 0; i < RING; i++) {
		expect_ok(try_recv(first + i), "post_recv");
		expect_ok(try_send(first + i, i == RING - 1 ? IBV_SEND_SIGNALED : flags),
			  "post_send");
	}
	expect_error(try_recv(99), ENOMEM, "a receive request too many");
	expect_error(try_send(99, IBV_SEND_SIGNALED), ENOMEM, "a send request too many");
}

/* Waits without polling until all requests have completed; no entry may be free then. */
static void wait_completed(void)
{
	sleep_ms(SILENCE_MS);
}

static void poll_some(struct ibv_cq *cq, uint64_t first, int n, enum ibv_wc_status status)
{
	struct ibv_wc wc[2 * RING];
	int i;

	if (!expect_value(collect(cq, wc, n, PATIENCE_MS), n, "completions"))
		return;
	for (i = 0; i < n; i++)
		expect_wc(&wc[i], first + i, status);
}

static void signaled(void)
{
	connect();
	fill(0, IBV_SEND_SIGNALED);
	wait_completed();
	expect_error(try_send(99, IBV_SEND_SIGNALED), ENOMEM, "none has been polled: post_send");
	expect_error(try_recv(99), ENOMEM, "none has been polled: post_recv");
	poll_some(b->recv_cq, 0, RING, IBV_WC_SUCCESS); /* no request waits for credit any more */
	expect_error(try_send(99, IBV_SEND_SIGNALED), ENOMEM, "the peer's have been polled");
	expect_ok(try_recv(RING), "all have been polled: post_recv");
	poll_some(a->send_cq, 0, 3, IBV_WC_SUCCESS);
	expect_ok(try_send(RING, 0), "after a poll of three: the first");
	expect_ok(try_send(RING + 1, 0), "after a poll of three: the second");
	expect_ok(try_send(RING + 2, 0), "after a poll of three: the third");
	expect_error(try_send(99, 0), ENOMEM, "after a poll of three: the fourth");
	pair_disconnect(&pair);
	verdict("RC: an entry is free when its completion has been polled (R0-408, R0-409, R0-011)");
}

static void unsignaled(void)
{
	int i;

	connect();
	fill(0, 0);
	wait_completed();
	expect_error(try_send(99, 0), ENOMEM, "all have ended, and none has been polled");
	poll_some(b->recv_cq, 0, RING, IBV_WC_SUCCESS);
	poll_some(a->send_cq, RING - 1, 1, IBV_WC_SUCCESS);
	for (i = 0; i < RING; i++) {
		expect_ok(try_recv(i), "post_recv");
		expect_ok(try_send(i, 0), "post_send");
	}
	poll_some(b->recv_cq, 0, RING, IBV_WC_SUCCESS);
	silent(a->send_cq, "an unsignaled request");
	expect_error(try_send(99, IBV_SEND_SIGNALED), ENOMEM, "after a ring of unsignaled ones");
	pair_disconnect(&pair);
	verdict("RC: unsignaled requests are freed by a later one's completion, and by nothing else (R0-408, R0-410)");
}

static void a_list(void)
{
	struct ibv_sge sge = sge_of(a, 0, 8);
	struct ibv_send_wr wr[RING + 2], *bad = NULL;
	unsigned int i;

	connect();
	for (i = 0; i < COUNT(wr); i++) {
		wr[i] = send_wr(i, &sge);
		wr[i].next = i + 1 < COUNT(wr) ? &wr[i + 1] : NULL;
		expect_error(try_recv(i), i < RING ? 0 : ENOMEM, "post_recv");
	}
	expect_error(ibv_post_send(a->qp, wr, &bad), ENOMEM, "a list that is too long");
	expect(bad == &wr[RING], "the first that is not posted is another");
	poll_some(a->send_cq, 0, RING, IBV_WC_SUCCESS);
	poll_some(b->recv_cq, 0, RING, IBV_WC_SUCCESS);
	silent(a->send_cq, "one that was not posted");
	pair_disconnect(&pair);
	verdict("RC: of a list, as much is posted as there is room for (R0-406)");
}

/* Each flushed request has a completion, also an unsignaled one. */
static void flushed(void)
{
	int i;

	connect();
	fill(0, 0);
	poll_some(b->recv_cq, 0, RING, IBV_WC_SUCCESS);
	poll_some(a->send_cq, RING - 1, 1, IBV_WC_SUCCESS);
	expect_ok(to_error(a->qp), "to ERR");
	for (i = 0; i < RING; i++)
		expect_ok(try_send(i, 0), "post_send in Error");
	expect_error(try_send(99, 0), ENOMEM, "in Error, none polled");
	poll_some(a->send_cq, 0, 2, IBV_WC_WR_FLUSH_ERR);
	expect_ok(try_send(RING, 0), "after a poll of two: the first");
	expect_ok(try_send(RING + 1, 0), "after a poll of two: the second");
	expect_error(try_send(99, 0), ENOMEM, "after a poll of two: the third");
	poll_some(a->send_cq, 2, RING, IBV_WC_WR_FLUSH_ERR);
	pair_disconnect(&pair);
	verdict("RC: an entry that is flushed is free when that has been polled (R0-408)");
}

static void reconnect(void)
{
	struct ibv_qp_attr reset = { .qp_state = IBV_QPS_RESET };

	expect_ok(ibv_modify_qp(a->qp, &reset, IBV_QP_STATE), "to RESET");
	expect_ok(ibv_modify_qp(b->qp, &reset, IBV_QP_STATE), "to RESET");
	if (!end_ready(a, &setup, b, b->qp->qp_num) || !end_ready(b, &setup, a, a->qp->qp_num))
		give_up("the same connection again");
}

/* Kept completions from before a Reset, or of a destroyed queue pair, free no entries (V3-190). */
static void stale(void)
{
	connect();
	fill(FIRST_STALE, IBV_SEND_SIGNALED);
	wait_completed();
	reconnect();
	fill(0, IBV_SEND_SIGNALED);
	poll_some(a->send_cq, FIRST_STALE, RING, IBV_WC_SUCCESS);
	poll_some(b->recv_cq, FIRST_STALE, RING, IBV_WC_SUCCESS);
	expect_error(try_send(99, 0), ENOMEM, "post_send after a poll of what is stale");
	expect_error(try_recv(99), ENOMEM, "post_recv after a poll of what is stale");
	poll_some(a->send_cq, 0, RING, IBV_WC_SUCCESS);
	poll_some(b->recv_cq, 0, RING, IBV_WC_SUCCESS);
	fill(0, IBV_SEND_SIGNALED);
	poll_some(a->send_cq, 0, RING, IBV_WC_SUCCESS);
	poll_some(b->recv_cq, 0, RING, IBV_WC_SUCCESS);
	verdict("RC: completions of before a Reset free no entry of after (R0-408, V3-190)");

	fill(FIRST_STALE, IBV_SEND_SIGNALED);
	wait_completed();
	expect_ok(ibv_destroy_qp(a->qp), "destroy_qp");
	expect_ok(ibv_destroy_qp(b->qp), "destroy_qp");
	connect();
	fill(0, IBV_SEND_SIGNALED);
	poll_some(a->send_cq, FIRST_STALE, RING, IBV_WC_SUCCESS);
	poll_some(b->recv_cq, FIRST_STALE, RING, IBV_WC_SUCCESS);
	expect_error(try_send(99, 0), ENOMEM, "post_send after a poll of what is stale");
	expect_error(try_recv(99), ENOMEM, "post_recv after a poll of what is stale");
	pair_disconnect(&pair);
	verdict("RC: completions of a queue pair that has gone free nobody's entry (V3-189)");
}

/* V3-221: one completion queue serves both queues of both ends, which share a context. */
static void one_cq(void)
{
	struct pair saved = pair;
	struct ibv_wc wc[2 * RING];
	int round, i;

	a->recv_cq = a->send_cq;
	pair.b = pair.a;
	connect();
	for (round = 0; round < 3; round++) {
		fill(0, IBV_SEND_SIGNALED);
		if (!expect_value(collect(a->send_cq, wc, 2 * RING, PATIENCE_MS), 2 * RING,
				  "completions"))
			break;
		for (i = 0; i < 2 * RING; i++)
			expect_wc(&wc[i], wc[i].wr_id, IBV_WC_SUCCESS);
	}
	pair_disconnect(&pair);
	saved.a.qp = saved.b.qp = NULL;
	pair = saved;
	verdict("RC: one completion queue for two queue pairs (R0-408)");
}

/* An SRQ's entry is free when a queue pair has taken its request. */
static void shared(void)
{
	struct ibv_srq_init_attr init = { .attr = { .max_wr = RING, .max_sge = 1 } };
	int i;

	b->srq = ibv_create_srq(b->pd, &init);
	if (!expect_made(b->srq, "create_srq"))
		return;
	connect();
	for (i = 0; i < RING; i++)
		post_recv(b, i, 0, 64);
	for (i = 0; i < RING; i++)
		expect_ok(try_send(i, IBV_SEND_SIGNALED), "post_send");
	poll_some(a->send_cq, 0, RING, IBV_WC_SUCCESS);
	for (i = 0; i < RING; i++)
		post_recv(b, RING + i, 0, 64);
	poll_some(b->recv_cq, 0, RING, IBV_WC_SUCCESS);
	pair_disconnect(&pair);
	expect_ok(ibv_destroy_srq(b->srq), "destroy_srq");
	b->srq = NULL;
	verdict("SRQ: an entry is free when its request has been taken");
}

int main(int argc, char **argv)
{
	setup = default_setup;
	setup.max_wr = RING;
	pair_open(&pair, argc, argv);
	signaled();
	unsignaled();
	a_list();
	flushed();
	one_cq();
	shared();
	pair_close(&pair);

	setenv("HCA_KEEP_COMPLETIONS", "1", true);
	pair_open(&pair, argc, argv);
	stale();
	pair_close(&pair);
	return lab_status();
}
