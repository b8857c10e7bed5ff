// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_again [DEVICE [DEVICE]]
 * Two queue pairs are reset and connected to each other again, again and again, while packets of
 * the connection before are in flight, and others pass all the time. Runs in the guest with Active
 * ports, and with a time-wait (module parameter time_wait) of at least LONG_WAIT_MS.
 */
#include "verbs_pair.h"
#include <pthread.h>

#define LONG_WAIT_MS 60000

enum { ROUNDS = 10, LATE = 4, STREAM_DEPTH = 16, STREAM_OCTETS = 65536 };

/* Offsets in the memory of the ends. */
enum { GOOD = 0, STALE = 64, DEST = 1 << 20 };

static struct pair pair, other;

static struct stream {
	unsigned int rounds;
	bool over;
} stream;

/* Writes go on by another connection, so that there are always packets in flight. */
static void *stream_run(void *arg)
{
	struct ibv_sge sge = sge_of(&other.a, 0, STREAM_OCTETS);
	struct ibv_send_wr wr = rdma_wr(0, IBV_WR_RDMA_WRITE, &sge, &other.b, DEST), *bad;
	struct ibv_wc wc[STREAM_DEPTH];
	int i;

	while (!__atomic_load_n(&stream.over, __ATOMIC_RELAXED)) {
		for (i = 0; i < STREAM_DEPTH; i++)
			if (ibv_post_send(other.a.qp, &wr, &bad))
				return arg;
		if (collect(other.a.send_cq, wc, STREAM_DEPTH, PATIENCE_MS) != STREAM_DEPTH)
			return arg;
		__atomic_fetch_add(&stream.rounds, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static void reconnect(const struct setup *setup)
{
	struct ibv_qp_attr reset = { .qp_state = IBV_QPS_RESET };

	expect_ok(ibv_modify_qp(pair.a.qp, &reset, IBV_QP_STATE), "to RESET");
	expect_ok(ibv_modify_qp(pair.b.qp, &reset, IBV_QP_STATE), "to RESET");
	if (!end_ready(&pair.a, setup, &pair.b, pair.b.qp->qp_num) ||
	    !end_ready(&pair.b, setup, &pair.a, pair.a.qp->qp_num))
		give_up("the same connection again");
	poll_all(pair.a.send_cq);
}

/*
 * A connection ends with messages in flight, whose PSNs are those that the next one expects. What
 * that receives is its own message.
 */
static bool again(const struct setup *setup, uint64_t round)
{
	const uint64_t stale = ~round;
	struct ibv_wc wc;
	uint64_t got;
	int i;

	memcpy(pair.a.memory + STALE, &stale, sizeof(stale));
	memcpy(pair.a.memory + GOOD, &round, sizeof(round));
	for (i = 0; i < LATE; i++)
		post_send(&pair.a, i, STALE, sizeof(stale));
	reconnect(setup);
	post_recv(&pair.b, round, DEST, sizeof(got));
	post_send(&pair.a, round, GOOD, sizeof(round));
	if (!completes(pair.b.recv_cq, round, IBV_WC_SUCCESS, &wc) ||
	    !completes(pair.a.send_cq, round, IBV_WC_SUCCESS, &wc))
		return false;
	memcpy(&got, pair.b.memory + DEST, sizeof(got));
	if (!expect_value(got, round, "what is received"))
		return false;
	reconnect(setup);
	return true;
}

/* V3-180 */
static void many(void)
{
	const struct setup setup = default_setup;
	uint64_t begin = now_ms(), round = 100;
	unsigned int streamed;

	if (!pair_connect(&pair, &setup))
		give_up("a connection");
	streamed = __atomic_load_n(&stream.rounds, __ATOMIC_RELAXED);
	while (round < 100 + ROUNDS && again(&setup, round))
		round++;
	expect(now_ms() - begin < LONG_WAIT_MS, "they take %u ms",
	       (unsigned int)(now_ms() - begin));
	has_counted(&stream.rounds, streamed + 1, "rounds of the stream");
	pair_disconnect(&pair);
	verdict("RC: %u times from Reset to RTR towards the same port, with packets in flight",
		2 * ROUNDS);
}

int main(int argc, char **argv)
{
	const struct setup setup = default_setup;
	void *failed = NULL;
	pthread_t thread;

	pair_open(&pair, argc, argv);
	pair_open(&other, argc, argv);
	if (!pair_connect(&other, &setup) || pthread_create(&thread, NULL, stream_run, &stream))
		give_up("a stream");
	if (has_counted(&stream.rounds, 1, "rounds of the stream"))
		many();
	__atomic_store_n(&stream.over, true, __ATOMIC_RELAXED);
	pthread_join(thread, &failed);
	expect(!failed, "a request of the stream fails");
	pair_disconnect(&other);
	verdict("the stream beside them goes on");
	end_close(&other.a);
	end_close(&other.b);
	pair_close(&pair);
	return lab_status();
}
