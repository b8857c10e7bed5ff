// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A link's rate, the lifetime of the head of a queue, stalled VLs, and PortXmitWait. */
#include <check.h>
#include <string.h>
#include <linux/bottom_half.h>
#include "shim.h"
#include "tests/unit/fixture/chain.h"
#include "tests/unit/fixture/switched.h"
#include "tests/unit/suites.h"

#define LIFE 4 /* HOQLife: 4.096 us * 2^4 */
#define LIFE_NS 65536ull

static u64 discards(void)
{
	return hca_counter_read(&c.relay[1], HCA_CTR_XMIT_DISCARDS);
}

static u64 waited(void)
{
	return hca_counter_read(&c.relay[1], HCA_CTR_XMIT_WAIT);
}

static void send_many(u8 sl, u32 first, unsigned int n)
{
	while (n--)
		ck_assert(chain_send(&c.from, sl, first++, NULL));
}

/*
 * C4-165: the head of a queue is dropped after HOQLife; the next one has its whole lifetime again.
 */
START_TEST(head_of_queue)
{
	u32 room = c.relay[0].rx_buffer.fccl[0] - c.from.tx.fctbs[0];

	ck_assert_uint_eq(c.relay[1].info.hoq_life, HCA_LIFE_FOREVER);
	c.relay[1].info.hoq_life = LIFE;
	chain_credit(&c.relay[1], &c.to, 0, 0);
	send_many(0, 0, 3);
	shim_advance(LIFE_NS - 1);
	ck_assert_uint_eq(discards(), 0);
	shim_advance(1);
	ck_assert_uint_eq(discards(), 1);
	shim_advance(LIFE_NS - 1);
	ck_assert_uint_eq(discards(), 1);
	chain_credit(&c.relay[1], &c.to, 0, CHAIN_BLOCKS); /* the second packet, in time */
	ck_assert_uint_eq(c.num_got, 2);
	ck_assert_uint_eq(c.got[0], 1);
	shim_advance(10 * LIFE_NS);
	ck_assert_uint_eq(discards(), 1);
	/* The dropped packet has released its input buffer. */
	ck_assert_uint_eq(c.relay[0].rx_buffer.fccl[0] - c.from.tx.fctbs[0], room);
}
END_TEST

/* 20 and more: no limit. */
START_TEST(forever)
{
	c.relay[1].info.hoq_life = 20 + _i;
	chain_credit(&c.relay[1], &c.to, 0, 0);
	send_many(0, 0, 3);
	shim_advance(3600ull * 1000000000);
	ck_assert_uint_eq(discards(), 0);
	ck_assert_uint_eq(c.relay[1].tx.vl_queue[0].count, 3);
	ck_assert_uint_eq(shim_next_timer_ns(), U64_MAX);
}
END_TEST

/* An adapter's own port has no such limit. */
START_TEST(not_an_adapter)
{
	c.from.info.hoq_life = 0;
	chain_credit(&c.from, &c.relay[0], 0, 0);
	send_many(0, 0, 3);
	shim_advance(1000000000);
	ck_assert_uint_eq(hca_counter_read(&c.from, HCA_CTR_XMIT_DISCARDS), 0);
}
END_TEST

/*
 * C4-165: LifeTimeValue limits the time of a packet in a switch, at the head of its queue or not;
 * then it is dropped, and has released its input buffer.
 */
START_TEST(lifetime)
{
	struct switched *s = switched_new(&pair_ud);
	struct hca_port *out = switched_port(s, 4), *in = switched_port(s, 3);
	struct listener *from = &s->listener[0], *to = &s->listener[1];
	u32 room = in->rx_buffer.fccl[0] - from->port.tx.fctbs[0];
	unsigned int i;

	s->sw->info.life_time = LIFE;
	chain_credit(out, &to->port, 0, 0);
	for (i = 0; i < 3; i++) {
		switched_send(from, switched_packet(from, 3, 4, 100));
		shim_advance(LIFE_NS / 4);
	}
	ck_assert_uint_eq(out->tx.vl_queue[0].count, 3);
	shim_advance(LIFE_NS / 4 - 1);
	ck_assert_uint_eq(hca_counter_read(out, HCA_CTR_XMIT_DISCARDS), 0);
	shim_advance(1);
	ck_assert_uint_eq(hca_counter_read(out, HCA_CTR_XMIT_DISCARDS), 1);
	shim_advance(LIFE_NS / 4);
	ck_assert_uint_eq(hca_counter_read(out, HCA_CTR_XMIT_DISCARDS), 2);
	/* The third packet leaves in time. */
	chain_credit(out, &to->port, 0, 100);
	ck_assert_uint_eq(to->count, 1);
	shim_advance(10 * LIFE_NS);
	ck_assert_uint_eq(hca_counter_read(out, HCA_CTR_XMIT_DISCARDS), 2);
	ck_assert_uint_eq(in->rx_buffer.fccl[0] - from->port.tx.fctbs[0], room);
	/* 20: no limit. */
	s->sw->info.life_time = 20;
	chain_credit(out, &to->port, 0, 0);
	switched_send(from, switched_packet(from, 3, 4, 100));
	shim_advance(100 * LIFE_NS);
	chain_credit(out, &to->port, 0, 100);
	ck_assert_uint_eq(to->count, 2);
	switched_free(s);
}
END_TEST

/* C4-165: a packet that waits for a slow link, and not for credit, ends by LifeTimeValue. */
START_TEST(lifetime_with_credit)
{
	struct switched *s = switched_new(&pair_ud);
	struct hca_port *out = switched_port(s, 4);
	unsigned int i;

	s->sw->info.life_time = LIFE;
	out->info.hoq_life = LIFE + 1;
	hca_port_set_rate(out, 1); /* 512 us for each 64 octets */
	for (i = 0; i < 3; i++)
		switched_send(&s->listener[0], switched_packet(&s->listener[0], 3, 4, 100));
	shim_advance(2 * LIFE_NS);
	ck_assert_uint_eq(hca_counter_read(out, HCA_CTR_SW_LIFETIME_DISCARDS), 2);
	ck_assert_uint_eq(hca_counter_read(out, HCA_CTR_SW_HOQ_DISCARDS), 0);
	switched_free(s);
}
END_TEST

/*
 * C4-165: after VLStallCount consecutive heads that were too old the VL is stalled for eight
 * lifetimes; other VLs continue. C4-337: all of these drops count as congestion.
 */
START_TEST(stalled)
{
	c.relay[1].info.hoq_life = LIFE;
	c.relay[1].info.vl_stall_count = 3;
	chain_credit(&c.relay[1], &c.to, 0, 0);
	send_many(0, 0, 2);
	shim_advance(2 * LIFE_NS);
	ck_assert_uint_eq(discards(), 2);
	/* A packet that leaves restarts the count. */
	chain_credit(&c.relay[1], &c.to, 0, CHAIN_BLOCKS);
	send_many(0, 2, 1);
	ck_assert_uint_eq(c.num_got, 1);
	chain_credit(&c.relay[1], &c.to, 0, 0);
	send_many(0, 10, 7);
	shim_advance(2 * LIFE_NS);
	ck_assert_uint_eq(discards(), 4);
	ck_assert_uint_eq(c.relay[1].tx.vl_queue[0].count, 5);
	/* The third one stalls the VL, and all packets behind it are dropped. */
	shim_advance(LIFE_NS);
	ck_assert_uint_eq(discards(), 9);
	ck_assert_uint_eq(c.relay[1].tx.vl_queue[0].count, 0);
	/* A packet that arrives now is dropped although there is credit, on this VL. */
	chain_credit(&c.relay[1], &c.to, 0, 100);
	send_many(0, 20, 1);
	ck_assert_uint_eq(discards(), 10);
	c.out_vl = 1;
	send_many(1, 21, 1);
	c.out_vl = 0;
	ck_assert_uint_eq(c.num_got, 2);
	shim_advance(8 * LIFE_NS - 1);
	send_many(0, 22, 1);
	ck_assert_uint_eq(discards(), 11);
	shim_advance(1);
	ck_assert_uint_eq(c.relay[1].tx.pending, 0);
	send_many(0, 23, 1);
	ck_assert_uint_eq(c.num_got, 3);
	ck_assert_uint_eq(discards(), 11);
	ck_assert_uint_eq(hca_counter_read(&c.relay[1], HCA_CTR_SW_HOQ_DISCARDS), 11);
	ck_assert_uint_eq(hca_counter_read(&c.relay[1], HCA_CTR_CONGESTION_VL), 11);
}
END_TEST

/* PortXmitWait: ticks of 1024 ns during which a packet waits without credit. */
START_TEST(xmit_wait)
{
	chain_credit(&c.relay[1], &c.to, 0, 0);
	ck_assert_uint_eq(waited(), 0);
	send_many(0, 0, 1);
	shim_advance(1024 * 100 + 500);
	chain_credit(&c.relay[1], &c.to, 0, 1);
	ck_assert_uint_eq(waited(), 100);
	shim_advance(524);
	chain_credit(&c.relay[1], &c.to, 0, 100);
	ck_assert_uint_eq(waited(), 101);
	ck_assert_uint_eq(c.num_got, 1);
	shim_advance(1000000);
	send_many(0, 1, 1);
	ck_assert_uint_eq(waited(), 101);
}
END_TEST

/*
 * The rate is so many blocks of 64 octets in a second, however late the timer is; the first ones
 * leave at once.
 */
START_TEST(rate)
{
	static const u32 mbps[] = { 1, 100, 2500, 10000, 100000 };
	u64 block_ps = 512000000ull / mbps[_i], each = block_ps * CHAIN_BLOCKS / 1000;
	unsigned int i;

	hca_port_set_rate(&c.relay[1], mbps[_i]);
	send_many(0, 0, 201);
	ck_assert_uint_ge(c.num_got, 1);
	for (i = 1; i <= 200; i++) {
		shim_advance(each + (each * 1000 < block_ps * CHAIN_BLOCKS));
		ck_assert_uint_ge(c.num_got, 1 + i);
		if (each > 100)
			ck_assert_uint_le(c.num_got, 2 + i);
	}
	ck_assert_uint_eq(waited(), 0); /* the packets do not wait for credit */
	/* An idle link saves up no transmission time. */
	shim_advance(1000 * each);
	c.num_got = 0;
	send_many(0, 0, 10);
	if (each > 100)
		ck_assert_uint_eq(c.num_got, 1);
	hca_port_set_rate(&c.relay[1], 0);
	ck_assert_uint_eq(c.num_got, 10);
	ck_assert_uint_eq(c.relay[1].tx.pending, 0);
}
END_TEST

struct client {
	struct hca_blocked_sender blocked;
	struct hca_runnable run;
	u8 sl;
};

static bool client_run(struct hca_runnable *r, int *budget)
{
	struct client *client = container_of(r, struct client, run);

	while (chain_send(&c.relay[1], client->sl, client->sl, &client->blocked))
		;
	return false;
}

/* B4-443: two senders that always have packets share a link by the weights of their VLs. */
START_TEST(shared)
{
	static struct client client[2];
	unsigned int i, got[2] = { 0 };

	memset(&c.relay[1].tables.vlarb_low, 0, sizeof(c.relay[1].tables.vlarb_low));
	hca_vlarb_set(&c.relay[1].tables.vlarb_low, 0, 0, 1);
	hca_vlarb_set(&c.relay[1].tables.vlarb_low, 1, 1, 3);
	hca_port_set_rate(&c.relay[1], 1000);
	for (i = 0; i < 2; i++) {
		client[i].sl = i;
		INIT_LIST_HEAD(&client[i].blocked.node);
		client[i].blocked.runnable = &client[i].run;
		hca_run_init(&client[i].run, client_run);
		local_bh_disable();
		client_run(&client[i].run, NULL);
		local_bh_enable();
	}
	while (c.num_got < 900)
		shim_advance(10000);
	for (i = 100; i < 900; i++)
		got[c.got_vl[i]]++;
	ck_assert_uint_ge(got[0], 196);
	ck_assert_uint_le(got[0], 204);
	for (i = 0; i < 2; i++) {
		hca_run_stop(&client[i].run);
		local_bh_disable();
		hca_port_cancel_wait(&c.relay[1], &client[i].blocked);
		local_bh_enable();
	}
}
END_TEST

Suite *timing_suite(void)
{
	Suite *suite = suite_create("timing");
	TCase *tc = tcase_create("heads");

	tcase_add_checked_fixture(tc, chain_setup, chain_teardown);
	tcase_add_test(tc, head_of_queue);
	tcase_add_loop_test(tc, forever, 0, 2);
	tcase_add_test(tc, not_an_adapter);
	tcase_add_test(tc, stalled);
	tcase_add_test(tc, xmit_wait);
	suite_add_tcase(suite, tc);

	tc = tcase_create("lifetime");
	tcase_add_test(tc, lifetime);
	tcase_add_test(tc, lifetime_with_credit);
	suite_add_tcase(suite, tc);

	tc = tcase_create("rate");
	tcase_add_checked_fixture(tc, chain_setup, chain_teardown);
	tcase_add_loop_test(tc, rate, 0, 5);
	tcase_add_test(tc, shared);
	suite_add_tcase(suite, tc);
	return suite;
}
