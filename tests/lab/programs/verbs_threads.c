// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_threads [DEVICE [DEVICE]]
 * Several threads use the same queues: every request must be carried out once, and every completion
 * polled once. Runs in the guest with Active ports.
 */
#include "verbs_pair.h"
#include <pthread.h>

#define SOURCE 0u
#define DEST (2u << 20)

static struct pair pair;

/* Several threads post to one queue pair and poll one completion queue. */

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
		struct ibv_sge sge = sge_of(&pair.a, SOURCE, 16);
		struct ibv_send_wr wr = rdma_wr(i, IBV_WR_RDMA_WRITE, &sge, &pair.b, DEST), *bad;
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
 * The threads race without the engine between them: the peer has no receives, so both queues fill;
 * then all requests are flushed, and all threads poll.
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
	struct ibv_sge sge = sge_of(&pair.a, SOURCE, 16);

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

/* V3-077, V3-174 */
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

int main(int argc, char **argv)
{
	pair_open(&pair, argc, argv);
	crowded();
	crowded_queues();
	pair_close(&pair);
	return lab_status();
}
