// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_hostile [DEVICE [DEVICE [SEED]]]
 * Indices and entries of a process's rings are random, and change while another thread of it rings
 * the doorbell. That ends queues of this process, and no other one (R0-471, R0-511). Another
 * process exchanges messages through these ports meanwhile. Runs in the guest with Active ports.
 */
#include "verbs_victims.h"
#include <pthread.h>
#include <sys/random.h>

#define RANDOM_MS 1500
#define RANDOM_ROUNDS 4 /* minimum, however long they take */
/* Minimum number of doorbells in each iteration. */
#define RINGS 100
#define CHANGES 1000

static struct changer {
	const struct queue *queue[3];
	uint64_t state; /* state of the random number generator */
	unsigned long changes;
	bool over;
} changer;

static uint32_t draw(uint64_t *state, uint32_t below)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return (*state >> 33) % below;
}

/* Draws an index that may be possible or not, near the last one or far from it. */
static uint32_t draw_index(uint64_t *state, uint32_t was, uint32_t entries)
{
	const uint32_t index[] = { was + 1,	  was - 1,		was + entries + 1,
				   was - entries, was + (1u << 31),	draw(state, UINT32_MAX),
				   was + draw(state, 2 * entries) };

	return index[draw(state, COUNT(index))];
}

static uint32_t draw_u32(uint64_t *state)
{
	const uint32_t value[] = { 0, 1, 0xff, 1u << 31, UINT32_MAX,
				  pair.a.mr->lkey, pair.b.mr->rkey, draw(state, UINT32_MAX) };

	return value[draw(state, COUNT(value))];
}

static void change(const struct queue *queue, uint64_t *state)
{
	uint32_t *value = (uint32_t *)queue->entry +
			 draw(state, queue->entries * queue->stride / sizeof(*value));
	struct hca_ring *at = queue->ring;

	switch (draw(state, 8)) {
	case 0:
		producer_write(queue, draw_index(state, at->producer, queue->entries));
		break;
	case 1:
		__atomic_store_n(&at->consumer, draw_index(state, at->consumer, queue->entries),
				 __ATOMIC_RELAXED);
		break;
	case 2:
		__atomic_store_n(&at->need_wakeup, draw(state, 3), __ATOMIC_RELAXED);
		break;
	case 3:
		__atomic_store_n(&at->arm, draw_u32(state), __ATOMIC_RELAXED);
		break;
	default:
		__atomic_store_n(value, draw_u32(state), __ATOMIC_RELAXED);
	}
}

static void *changer_run(void *arg)
{
	(void)arg;
	while (!__atomic_load_n(&changer.over, __ATOMIC_RELAXED)) {
		change(changer.queue[draw(&changer.state, 3)], &changer.state);
		__atomic_fetch_add(&changer.changes, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static bool enough_changes(void)
{
	return __atomic_load_n(&changer.changes, __ATOMIC_RELAXED) >= CHANGES;
}

/* Posts valid requests among the invalid ones; their results do not matter. */
static void traffic(uint64_t *state)
{
	struct ibv_sge from = sge_of(&pair.a, SOURCE, MESSAGE * (1 + draw(state, 10))),
		       to = sge_of(&pair.b, DEST, 1u << 16),
		       back = sge_of(&pair.b, SOURCE, 4096);
	struct ibv_recv_wr recv = { .wr_id = 1, .sg_list = &to, .num_sge = 1 }, *bad_recv;
	struct ibv_send_wr wr = message_wr(2, &from), *bad;
	struct ibv_wc wc[8];

	if (pair.b.srq)
		ibv_post_srq_recv(pair.b.srq, &recv, &bad_recv);
	else
		ibv_post_recv(pair.b.qp, &recv, &bad_recv);
	ibv_post_send(pair.a.qp, &wr, &bad);
	if (pair.a.qp->qp_type == IBV_QPT_RC) {
		wr = rdma_wr(3, IBV_WR_RDMA_WRITE, &back, &pair.a, DEST);
		ibv_post_send(pair.b.qp, &wr, &bad);
	}
	ibv_poll_cq(pair.a.send_cq, COUNT(wc), wc);
	ibv_poll_cq(pair.b.send_cq, COUNT(wc), wc);
	ibv_poll_cq(pair.b.recv_cq, COUNT(wc), wc);
}

/* Return: whether a queue pair has ended. */
static bool random_round(uint64_t *state)
{
	struct ibv_cq *whole = pair.a.send_cq, *cq;
	struct queue completions;
	bool ended = false;
	pthread_t thread;
	uint64_t deadline;
	unsigned int i;

	cq = pair.a.send_cq = cq_make(&completions);
	if (victims_connect(services[draw(state, COUNT(services))].type, draw(state, 2))) {
		changer = (struct changer){ { &sq, &rq, &completions }, *state, 0, false };
		if (pthread_create(&thread, NULL, changer_run, NULL))
			give_up("a thread");
		deadline = now_ms() + PATIENCE_MS;
		for (i = 0; i < RINGS || (!enough_changes() && now_ms() < deadline); i++) {
			traffic(state);
			ring_a();
			expect_ok(ring_one(bell_b, pair.b.qp->qp_num),
				  "ring the receiver's doorbell");
		}
		__atomic_store_n(&changer.over, true, __ATOMIC_RELAXED);
		pthread_join(thread, NULL);
		expect(enough_changes(), "%lu changes only", changer.changes);
		ended = state_of(pair.a.qp) != IBV_QPS_RTS || state_of(pair.b.qp) != IBV_QPS_RTS;
	}
	completions.ring->consumer = completions.ring->producer;
	victims_disconnect();
	cq_destroy(cq, &completions);
	pair.a.send_cq = whole;
	return ended;
}

static void at_random(uint64_t seed)
{
	const uint64_t end = now_ms() + RANDOM_MS;
	unsigned int rounds = 0, ended = 0;
	uint64_t state = seed;

	while (!lab_reason[0] && (rounds < RANDOM_ROUNDS || now_ms() < end)) {
		ended += random_round(&state);
		rounds++;
	}
	printf("# seed %llu: %u rounds, of which %u ended a queue pair\n", (unsigned long long)seed,
	       rounds, ended);
	expect(ended > 0, "nothing that was done has ended a queue pair");
	expect(surroundings_unchanged(pair.a.memory, was_a) &&
		       surroundings_unchanged(pair.b.memory, was_b),
	       "memory around the MRs has changed");
	verdict("rings that change at random while they are rung end their queue pairs, no more");
}

static uint64_t seed_of(int argc, char **argv)
{
	uint32_t seed = 1;

	if (argc > 3)
		return strtoull(argv[3], NULL, 0);
	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
		give_up("a seed");
	return seed;
}

int main(int argc, char **argv)
{
	victims_begin(argc, argv);
	at_random(seed_of(argc, argv));
	return victims_end();
}
