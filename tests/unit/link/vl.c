// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Packets that wait on the VLs of a port: order, queue limits, credit, and input buffers of a
 * switch.
 */
#include <check.h>
#include <string.h>
#include <linux/bottom_half.h>
#include "link/rx/rx.h"
#include "link/state/state.h"
#include "link/tx/tx.h"
#include "phy/cable.h"
#include "shim.h"
#include "tests/unit/fixture/chain.h"
#include "tests/unit/suites.h"

/* B4-448: without credit a VL's packets wait in order, and those of other VLs do not. */
START_TEST(order)
{
	u32 i;

	chain_credit(&c.relay[1], &c.to, 0, 0);
	for (i = 0; i < 10; i++)
		ck_assert(chain_send(&c.relay[1], i % 2, i, NULL));
	ck_assert_uint_eq(c.num_got, 5);
	for (i = 0; i < 5; i++)
		ck_assert_uint_eq(c.got[i], 2 * i + 1);
	ck_assert_uint_eq(c.relay[1].tx.pending, 1);
	chain_stall(true);
	chain_credit(&c.relay[1], &c.to, 0, CHAIN_BLOCKS - 1);
	ck_assert_uint_eq(c.relay[1].tx.vl_queue[0].count, 5);
	chain_credit(&c.relay[1], &c.to, 0, 3 * CHAIN_BLOCKS - 1);
	ck_assert_uint_eq(c.relay[1].tx.vl_queue[0].count, 3);
	chain_stall(false);
	ck_assert_uint_eq(c.num_got, 10);
	for (i = 0; i < 5; i++)
		ck_assert_uint_eq(c.got[5 + i], 2 * i);
	ck_assert_uint_eq(c.relay[1].tx.pending, 0);
}
END_TEST

struct client {
	struct hca_blocked_sender blocked;
	struct hca_runnable run;
	u32 first, left; /* PSNs to send */
};

static bool client_run(struct hca_runnable *r, int *budget)
{
	struct client *client = container_of(r, struct client, run);

	while (client->left && chain_send(&c.relay[1], 0, client->first, &client->blocked)) {
		client->first++;
		client->left--;
	}
	return false;
}

/*
 * B4-394, C4-016: a queue accepts a limited number of packets from senders; blocked senders take
 * turns, and none is skipped.
 */
START_TEST(turns)
{
	static struct client client[4];
	unsigned int i, seen[4] = { 0 };

	memset(client, 0, sizeof(client));
	chain_credit(&c.relay[1], &c.to, 0, 0);
	for (i = 0; i < 4; i++) {
		client[i] = (struct client){ .first = 100 * i, .left = i == 3 ? 0 : 15 };
		INIT_LIST_HEAD(&client[i].blocked.node);
		client[i].blocked.runnable = &client[i].run;
		hca_run_init(&client[i].run, client_run);
		local_bh_disable();
		client_run(&client[i].run, NULL);
		local_bh_enable();
	}
	ck_assert_uint_eq(client[0].left, 0);
	ck_assert_uint_eq(client[1].left, 14);
	ck_assert_uint_eq(client[2].left, 15);
	/* A sender that does not wait finds no place, and does not precede those that wait. */
	ck_assert(!chain_send(&c.relay[1], 0, 999, NULL));
	/* One packet leaves at a time: then the senders alternate. */
	chain_stall(true);
	for (i = 0; i < 45; i++)
		chain_credit(&c.relay[1], &c.to, 0, CHAIN_BLOCKS);
	chain_stall(false);
	ck_assert_uint_eq(c.num_got, 45);
	for (i = 0; i < 45; i++) {
		unsigned int who = c.got[i] / 100;

		ck_assert_uint_eq(c.got[i] % 100, seen[who]);
		seen[who]++;
		if (i > HCA_VL_QUEUE_PACKETS && i < 44)
			ck_assert_uint_ne(who, c.got[i - 1] / 100);
	}
	ck_assert_uint_eq(seen[0], 15);
	ck_assert_uint_eq(seen[1], 15);
	ck_assert_uint_eq(seen[2], 15);
	ck_assert_uint_eq(c.relay[1].tx.pending, 0);
}
END_TEST

/* A blocked sender that is removed does not stop those behind it. */
START_TEST(gone)
{
	struct client client = { .first = 50, .left = 3 }, other = { .first = 60, .left = 2 };
	u32 i;

	chain_credit(&c.relay[1], &c.to, 0, 0);
	for (i = 0; i < HCA_VL_QUEUE_PACKETS; i++)
		ck_assert(chain_send(&c.relay[1], 0, i, NULL));
	INIT_LIST_HEAD(&client.blocked.node);
	INIT_LIST_HEAD(&other.blocked.node);
	client.blocked.runnable = &client.run;
	other.blocked.runnable = &other.run;
	hca_run_init(&client.run, client_run);
	hca_run_init(&other.run, client_run);
	local_bh_disable();
	client_run(&client.run, NULL);
	client_run(&other.run, NULL);
	hca_port_cancel_wait(&c.relay[1], &client.blocked);
	local_bh_enable();
	ck_assert(list_empty(&client.blocked.node));
	chain_credit(&c.relay[1], &c.to, 0, HCA_VL_BUFFER_BLOCKS);
	ck_assert_uint_eq(c.num_got, HCA_VL_QUEUE_PACKETS + 2);
	ck_assert_uint_eq(other.left, 0);
	ck_assert_uint_eq(client.left, 3);
}
END_TEST

/* A segment batch that is given up for want of memory leaves the queue with all its packets. */
START_TEST(batch_without_memory)
{
	struct hca_blocked_sender sender = {};
	struct hca_vl_queue queue;
	struct hca_packet *pkt;

	hca_vl_queue_init(&queue);
	local_bh_disable();
	pkt = hca_packet_alloc(&c.pool);
	pkt->packets = 15;
	pkt->payload_length = 4096;
	pkt->payload_kind = HCA_PAYLOAD_BORROWED;
	hca_vl_queue_push(&queue, pkt, &sender);
	ck_assert_uint_eq(queue.count, 15);
	shim_fail_alloc(1);
	ck_assert_ptr_eq(hca_vl_queue_gather(&queue, &sender), pkt);
	ck_assert_ptr_null(queue.first);
	ck_assert_uint_eq(queue.count, 0);
	hca_packet_free(pkt);
	local_bh_enable();
}
END_TEST

/*
 * B4-432: packets queued for a link are lost with it, and counted. There are two ways to lose a
 * link.
 */
START_TEST(link_lost)
{
	u32 i;

	chain_credit(&c.relay[1], &c.to, 0, 0);
	for (i = 0; i < 7; i++)
		ck_assert(chain_send(&c.relay[1], 0, i, NULL));
	ck_assert_uint_eq(c.pool.in_use, 7);
	if (_i)
		hca_cable_disconnect(&c.to);
	else
		ck_assert_int_eq(hca_port_set_state(&c.relay[1], IB_PORT_DOWN), 0);
	shim_run_until_idle();
	ck_assert_uint_eq(c.pool.in_use, 0);
	ck_assert_uint_eq(hca_counter_read(&c.relay[1], HCA_CTR_XMIT_DISCARDS), 7);
	ck_assert_uint_eq(hca_counter_read(&c.relay[1], HCA_CTR_INACTIVE_DISCARDS), 7);
	ck_assert_uint_eq(c.relay[1].tx.pending, 0);
	ck_assert_uint_eq(c.num_got, 0);
}
END_TEST

static u32 room(u8 vl)
{
	return c.relay[0].rx_buffer.fccl[vl] - c.from.tx.fctbs[vl];
}

/*
 * B4-447: a switch's input buffer is free when the packet has left by the next link, or is dropped.
 */
START_TEST(held)
{
	u32 i, all = HCA_VL_BUFFER_BLOCKS;

	c.out_vl = 5;
	chain_credit(&c.relay[1], &c.to, 5, 0);
	for (i = 0; i < 20; i++)
		ck_assert(chain_send(&c.from, 3, i, NULL));
	ck_assert_uint_eq(room(3), all - 20 * CHAIN_BLOCKS);
	/* More than it accepts from senders. */
	ck_assert_uint_eq(c.relay[1].tx.vl_queue[5].count, 20);
	ck_assert_uint_eq(c.num_got, 0);
	if (_i == 0) {
		chain_stall(true);
		chain_credit(&c.relay[1], &c.to, 5, 3 * CHAIN_BLOCKS);
		ck_assert_uint_eq(room(3), all - 17 * CHAIN_BLOCKS);
		chain_stall(false);
		for (i = 0; i < 20; i++)
			ck_assert_uint_eq(c.got[i], i);
		ck_assert_uint_eq(c.got_vl[0], 5);
	} else {
		hca_cable_disconnect(&c.to);
	}
	ck_assert_uint_eq(room(3), all);
	ck_assert_uint_eq(c.pool.in_use, 0);
}
END_TEST

/* A relayed packet counts as received, and one that is dropped releases its buffer space, too. */
START_TEST(dropped_by_relay)
{
	u32 i;

	c.keep = true;
	for (i = 0; i < 3; i++)
		ck_assert(chain_send(&c.from, 3, i, NULL));
	ck_assert_uint_eq(c.num_kept, 3);
	ck_assert_uint_eq(room(3), HCA_VL_BUFFER_BLOCKS - 3 * CHAIN_BLOCKS);
	local_bh_disable();
	hca_packet_free(c.kept[0]);
	c.relay[1].info.operational_vls = 4;
	c.kept[1]->h.lrh.vl = 9; /* the VL is not operational: B4-441 */
	hca_port_forward(&c.relay[1], c.kept[1]);
	local_bh_enable();
	ck_assert_uint_eq(hca_counter_read(&c.relay[1], HCA_CTR_XMIT_DISCARDS), 1);
	ck_assert_uint_eq(room(3), HCA_VL_BUFFER_BLOCKS - CHAIN_BLOCKS);
	/* After the cable has been pulled no credit is returned. */
	hca_cable_disconnect(&c.from);
	chain_join(&c.from, &c.relay[0]);
	local_bh_disable();
	hca_packet_free(c.kept[2]);
	local_bh_enable();
	ck_assert_uint_eq(room(3), HCA_VL_BUFFER_BLOCKS);
	ck_assert_uint_eq(hca_counter_read(&c.relay[0], HCA_CTR_RCV_PACKETS), 3);
}
END_TEST

/* C4-139, B4-440: on a VL that is not operational no packet leaves or arrives. */
START_TEST(operational)
{
	static const u8 counts[] = { 0, 1, 2, 4, 8, 15 };
	u8 code, sl;

	for (code = 1; code <= 5; code++) {
		u64 discards = hca_counter_read(&c.relay[1], HCA_CTR_XMIT_DISCARDS);

		ck_assert_uint_eq(hca_vl_count(code), counts[code]);
		c.relay[1].info.operational_vls = code;
		c.num_got = 0;
		for (sl = 0; sl < 8; sl++)
			ck_assert(chain_send(&c.relay[1], sl, sl, NULL));
		ck_assert_uint_eq(c.num_got, counts[code] < 8 ? counts[code] : 8);
		ck_assert_uint_eq(hca_counter_read(&c.relay[1], HCA_CTR_XMIT_DISCARDS) - discards,
				  8 - c.num_got);
	}
	/* C4-158 */
	c.to.info.operational_vls = 1;
	c.num_got = 0;
	ck_assert(chain_send(&c.relay[1], 1, 1, NULL));
	ck_assert_uint_eq(c.num_got, 0);
	ck_assert_uint_eq(hca_counter_read(&c.to, HCA_CTR_RCV_ERRORS), 1);
	ck_assert_uint_eq(c.to.rx_buffer.fccl[1] - c.relay[1].tx.fctbs[1], HCA_VL_BUFFER_BLOCKS);
}
END_TEST

Suite *vl_suite(void)
{
	Suite *suite = suite_create("vl");
	TCase *tc = tcase_create("queues");

	tcase_add_checked_fixture(tc, chain_setup, chain_teardown);
	tcase_add_test(tc, order);
	tcase_add_test(tc, turns);
	tcase_add_test(tc, gone);
	tcase_add_test(tc, batch_without_memory);
	tcase_add_loop_test(tc, link_lost, 0, 2);
	tcase_add_loop_test(tc, held, 0, 2);
	tcase_add_test(tc, dropped_by_relay);
	tcase_add_test(tc, operational);
	suite_add_tcase(suite, tc);
	return suite;
}
