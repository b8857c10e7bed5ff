// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_rereg [DEVICE [DEVICE]]
 * Checks an MR that is reregistered to other memory while a peer writes to it (T0-071). Runs in the
 * guest with Active ports.
 */
#include "verbs_pair.h"
#include <pthread.h>

#define SOURCE 0u
#define BYTES (16u * 4096) /* 16 packets */
#define AREAS 3
#define WRITES 250 /* fewer than there are octets, so that each has its own */

static struct pair pair;

/* The memory that the MR is moved between, and the MR. */
static struct {
	uint8_t *area[AREAS];
	uint8_t left[BYTES]; /* as an area was when the MR had left it */
	struct ibv_mr *mr;
	/*
	 * The current key and address of the MR, which the writer uses. Its write is refused if it
	 * has read one of them before a reregistration, and the other one after it.
	 */
	uint32_t key;
	uint64_t address;
	unsigned int now, changes, wrong, mixed;
	bool over;
} t;

static bool rests(unsigned int area)
{
	return !memcmp(t.left, t.area[area], BYTES);
}

static void publish(unsigned int area)
{
	__atomic_store_n(&t.key, t.mr->rkey, __ATOMIC_RELAXED);
	__atomic_store_n(&t.address, (uintptr_t)t.area[area], __ATOMIC_RELAXED);
}

/* The area that was left is the same as long as the MR is elsewhere. */
static void move(void)
{
	unsigned int next = (t.now + 1) % AREAS, before = t.now;

	if (ibv_rereg_mr(t.mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, t.area[next], BYTES, 0)) {
		t.wrong++;
		return;
	}
	memcpy(t.left, t.area[before], BYTES);
	publish(next);
	t.now = next;
	t.changes++;
	sleep_ms(t.changes % 4);
	t.mixed += !rests(before);
}

static void *mover(void *arg)
{
	while (!__atomic_load_n(&t.over, __ATOMIC_RELAXED))
		move();
	return arg;
}

static bool write_once(unsigned int i, struct ibv_wc *wc)
{
	struct ibv_sge sge = sge_of(&pair.a, SOURCE, BYTES);
	struct ibv_send_wr wr = rdma_wr(i, IBV_WR_RDMA_WRITE, &sge, &pair.b, 0);

	wr.wr.rdma.rkey = __atomic_load_n(&t.key, __ATOMIC_RELAXED);
	wr.wr.rdma.remote_addr = __atomic_load_n(&t.address, __ATOMIC_RELAXED);
	return post_wr(&pair.a, &wr) &&
	       expect(collect(pair.a.send_cq, wc, 1, PATIENCE_MS) == 1, "a write does not complete");
}

/* How many areas contain the octet of a write throughout. */
static unsigned int whole(uint8_t octet)
{
	unsigned int n = 0, i, k;

	for (i = 0; i < AREAS; i++) {
		for (k = 0; k < BYTES && t.area[i][k] == octet; k++)
			;
		n += k == BYTES;
	}
	return n;
}

static void hammer(void)
{
	unsigned int i, landed = 0;
	struct ibv_wc wc;

	for (i = 0; i < WRITES && !lab_reason[0]; i++) {
		uint8_t octet = 1 + i;

		memset(pair.a.memory + SOURCE, octet, BYTES);
		if (!has_counted(&t.changes, i / 20, "changes meanwhile") || !write_once(i, &wc))
			break;
		if (wc.status == IBV_WC_SUCCESS) {
			expect_value(whole(octet), 1, "areas that have a write as a whole");
			landed++;
			continue;
		}
		expect_wc(&wc, i, IBV_WC_REM_ACCESS_ERR);
		pair_disconnect(&pair);
		if (!pair_connect(&pair, &default_setup))
			break;
	}
	expect(landed > 10, "only %u writes landed", landed);
	expect(t.changes > 10, "only %u changes meanwhile", t.changes);
}

static void hammered(void)
{
	pthread_t thread;

	if (pair_connect(&pair, &default_setup)) {
		if (pthread_create(&thread, NULL, mover, NULL))
			give_up("a thread");
		hammer();
		__atomic_store_n(&t.over, true, __ATOMIC_RELAXED);
		pthread_join(thread, NULL);
	}
	pair_disconnect(&pair);
	expect_value(t.wrong, 0, "changes that were refused");
	expect_value(t.mixed, 0, "areas that were written to when the MR had left them");
	verdict("an MR moves while a peer writes to it: each write is whole, or refused (T0-071, R0-299)");
}

int main(int argc, char **argv)
{
	unsigned int i;

	pair_open(&pair, argc, argv);
	for (i = 0; i < AREAS; i++) {
		t.area[i] = aligned_alloc(4096, BYTES);
		if (!t.area[i])
			give_up("memory");
		memset(t.area[i], 0, BYTES);
	}
	t.mr = ibv_reg_mr(pair.b.pd, t.area[0], BYTES, ALL_RIGHTS);
	if (!t.mr)
		give_up("an MR");
	publish(0);
	hammered();
	expect_ok(ibv_dereg_mr(t.mr), "dereg_mr");
	for (i = 0; i < AREAS; i++)
		free(t.area[i]);
	pair_close(&pair);
	return lab_status();
}
