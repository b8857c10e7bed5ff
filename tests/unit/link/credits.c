// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Credits of cables with faults: advertised by flow-control packets, and synchronized again
 * afterwards.
 */
#include <check.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include "link/rx/rx.h"
#include "link/tx/tx.h"
#include "phy/cable.h"
#include "phy/delay.h"
#include "phy/fault.h"
#include "shim.h"
#include "tests/unit/fixture/chain.h"
#include "tests/unit/suites.h"

#define PERCENT (HCA_FAULT_ALWAYS / 100)
#define MS 1000000ull

static void set_fault(struct hca_port *port, struct hca_fault_spec spec)
{
	struct hca_fault *fault = hca_fault_new(&spec);

	ck_assert(!IS_ERR(fault));
	hca_fault_install(port, fault);
}

static u64 count_of(struct hca_port *port, enum hca_fault_kind kind)
{
	struct hca_fault_counts counts = {};

	hca_fault_get(port, &counts);
	return counts.v[kind];
}

/* Send packets, and advance the clock whenever there is no credit. Return: ms that have passed. */
static unsigned int send_all(struct hca_port *port, u8 sl, unsigned int packets)
{
	unsigned int sent = 0, ms = 0;

	while (sent < packets) {
		if (chain_send(port, sl, sent, NULL)) {
			sent++;
			continue;
		}
		ck_assert_uint_lt(ms++, 60000);
		shim_advance(MS);
	}
	return ms;
}

/* The space in use in the receiver's buffer, as the receiver and as the sender count it. */
static void check_in_use(struct hca_port *sender, struct hca_port *receiver, u8 vl, s32 reserved,
			 s32 outstanding)
{
	ck_assert_int_eq(hca_rx_buffer_reserved(receiver, vl), reserved);
	ck_assert_int_eq(hca_tx_outstanding(sender, receiver, vl), outstanding);
}

/*
 * The FCCL that each sender uses is the one that its receiver advertises, and no block is missing
 * (C4-148).
 */
static void check_shared(struct hca_port *a, struct hca_port *b)
{
	unsigned int vl;

	ck_assert_ptr_eq(a->tx.limit, b->rx_buffer.fccl);
	ck_assert_ptr_eq(b->tx.limit, a->rx_buffer.fccl);
	ck_assert(!a->rx_buffer.advertises && !b->rx_buffer.advertises);
	ck_assert_int_eq(a->flow.state, HCA_CREDIT_SHARED);
	ck_assert_int_eq(b->flow.state, HCA_CREDIT_SHARED);
	for (vl = 0; vl < HCA_DATA_VLS; vl++) {
		ck_assert_uint_eq(a->rx_buffer.fccl[vl] - b->tx.fctbs[vl], a->rx_buffer.vl_blocks);
		ck_assert_uint_eq(b->rx_buffer.fccl[vl] - a->tx.fctbs[vl], b->rx_buffer.vl_blocks);
		check_in_use(a, b, vl, 0, 0);
		check_in_use(b, a, vl, 0, 0);
	}
}

/* Cable ports whose buffers have so many blocks on each VL. */
static void set_buffers(u16 blocks)
{
	hca_cable_disconnect(&c.from);
	hca_cable_disconnect(&c.to);
	c.relay[0].rx_buffer.vl_blocks = blocks;
	c.to.rx_buffer.vl_blocks = blocks;
	chain_join(&c.from, &c.relay[0]);
	chain_join(&c.relay[1], &c.to);
}

static void check_no_drops(void)
{
	struct hca_port *ports[] = { &c.from, &c.relay[0], &c.relay[1], &c.to };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ports); i++) {
		ck_assert_uint_eq(hca_counter_read(ports[i], HCA_CTR_XMIT_DISCARDS), 0);
		ck_assert_uint_eq(
			hca_counter_read(ports[i], HCA_CTR_EXCESSIVE_BUFFER_OVERRUNS), 0);
	}
}

static const struct hca_fault_spec harmless = {
	.chance[HCA_FAULT_DROP] = 1, .classes = HCA_FAULT_CLASS_SMP, .seed = 1,
};

/*
 * B4-112, B4-445, C4-147: with buffers of one packet, a link at full load drops nothing and keeps
 * order, whether credits are read directly or advertised by packets.
 */
START_TEST(b4_445_tight)
{
	unsigned int i;

	set_buffers(CHAIN_BLOCKS);
	if (_i) {
		set_fault(&c.from, harmless);
		set_fault(&c.to, harmless);
	}
	send_all(&c.from, 0, 5000);
	shim_advance(100 * MS);
	ck_assert_uint_eq(c.num_got, 5000);
	for (i = 5000 - CHAIN_PACKETS; i < 5000; i++)
		ck_assert_uint_eq(c.got[i % CHAIN_PACKETS], i);
	check_no_drops();
	hca_fault_install(&c.from, NULL);
	hca_fault_install(&c.to, NULL);
	shim_advance(100 * MS);
	check_shared(&c.from, &c.relay[0]);
	check_shared(&c.relay[1], &c.to);
}
END_TEST

/* C4-151: flow-control packets that are lost, damaged or duplicated cost time, and no credit. */
START_TEST(c4_151_lossy_flow)
{
	struct hca_fault_spec spec = { .classes = HCA_FAULT_CLASS_FLOW, .seed = 7 };

	set_buffers(2 * CHAIN_BLOCKS);
	spec.chance[_i] = 5 * PERCENT;
	set_fault(&c.from, spec);
	spec.seed++;
	set_fault(&c.relay[0], spec);
	spec.seed++;
	set_fault(&c.to, spec);
	send_all(&c.from, 3, 4000);
	shim_advance(200 * MS);
	ck_assert_uint_eq(c.num_got, 4000);
	ck_assert_uint_gt(count_of(&c.relay[0], _i), 20);
	check_no_drops();
	hca_fault_install(&c.from, NULL);
	hca_fault_install(&c.relay[0], NULL);
	hca_fault_install(&c.to, NULL);
	shim_advance(100 * MS);
	check_shared(&c.from, &c.relay[0]);
	check_shared(&c.relay[1], &c.to);
}
END_TEST

/*
 * C4-151: data packets that are lost, damaged or duplicated are accounted for, because they count
 * as sent.
 */
START_TEST(c4_151_lossy_data)
{
	struct hca_fault_spec spec = { .classes = HCA_FAULT_CLASS_DATA, .seed = 70 };
	u64 happened;

	spec.chance[_i] = 10 * PERCENT;
	set_buffers(3 * CHAIN_BLOCKS);
	set_fault(&c.from, spec);
	send_all(&c.from, 1, 3000);
	shim_advance(200 * MS);
	happened = count_of(&c.from, _i);
	ck_assert_uint_gt(happened, 200);
	ck_assert_uint_eq(c.num_got, _i == HCA_FAULT_DUPLICATE ? 3000 + happened : 3000 - happened);
	check_no_drops();
	hca_fault_install(&c.from, NULL);
	shim_advance(100 * MS);
	check_shared(&c.from, &c.relay[0]);
}
END_TEST

/* C4-151: a duplicate that a cable makes consumes no credit, and returns none. */
START_TEST(c4_151_copy)
{
	struct hca_fault_spec spec = { .chance[HCA_FAULT_DUPLICATE] = HCA_FAULT_ALWAYS,
				       .classes = HCA_FAULT_CLASS_DATA };

	set_fault(&c.relay[1], spec);
	ck_assert(chain_send(&c.relay[1], 0, 1, NULL));
	ck_assert_uint_eq(c.num_got, 2);
	ck_assert_uint_eq(c.to.rx_buffer.abr[0], c.relay[1].tx.fctbs[0]);
	ck_assert_uint_eq(c.to.rx_buffer.fccl[0] - c.to.rx_buffer.abr[0], c.to.rx_buffer.vl_blocks);
}
END_TEST

/* A flow-control packet has no PSN: a fault limited to one PSN affects none of them. */
START_TEST(flow_has_no_psn)
{
	struct hca_fault_spec spec = { .chance[HCA_FAULT_DROP] = HCA_FAULT_ALWAYS,
				       .classes = HCA_FAULT_CLASS_FLOW, .has_psn = true };

	set_fault(&c.from, spec);
	shim_advance(2 * HCA_FLOW_WATCHDOG_MS * MS);
	ck_assert_uint_eq(count_of(&c.from, HCA_FAULT_DROP), 0);
	ck_assert_uint_eq(c.relay[0].info.state, IB_PORT_ACTIVE);
}
END_TEST

/* Faults are installed and removed under load: no block is lost, and none is created. */
START_TEST(switched_over)
{
	const struct hca_fault_spec spec = {
		.chance = { 10 * PERCENT, 10 * PERCENT, 10 * PERCENT }, .seed = 3,
	};
	unsigned int i, sent;

	set_buffers(20 * CHAIN_BLOCKS);
	for (i = 0; i < 200; i++) {
		/* Some packets are still in transit when the faults change. */
		chain_stall(i % 3);
		for (sent = 0; sent < 30 && chain_send(&c.from, 0, sent, NULL); sent++)
			;
		if (i % 2)
			set_fault(i % 4 == 1 ? &c.relay[1] : &c.to, spec);
		else
			hca_fault_install(i % 4 == 2 ? &c.relay[1] : &c.to, NULL);
		chain_stall(false);
		if (i % 5 == 0)
			shim_advance(5 * MS);
	}
	hca_fault_install(&c.relay[1], NULL);
	hca_fault_install(&c.to, NULL);
	shim_advance(200 * MS);
	check_shared(&c.relay[1], &c.to);
	check_shared(&c.from, &c.relay[0]);
	ck_assert_uint_eq(c.relay[1].tx.pending, 0);
}
END_TEST

/*
 * C4-160, B4-446: a packet with an undefined flow-control operand is counted and changes no credit;
 * without any valid one the link goes down.
 */
START_TEST(b4_446_watchdog)
{
	struct hca_fault_spec spec = { .classes = HCA_FAULT_CLASS_FLOW, .seed = 1 };

	spec.chance[_i] = HCA_FAULT_ALWAYS;
	set_fault(&c.from, spec);
	shim_advance((HCA_FLOW_WATCHDOG_MS - 20) * MS);
	ck_assert_uint_eq(c.from.info.state, IB_PORT_ACTIVE);
	if (_i == HCA_FAULT_CORRUPT)
		ck_assert_uint_ge(hca_counter_read(&c.relay[0], HCA_CTR_RCV_ERRORS), 8 * 30);
	ck_assert_uint_eq(hca_counter_read(&c.from, HCA_CTR_RCV_ERRORS), 0);
	shim_advance(50 * MS);
	ck_assert_uint_eq(c.from.info.state, IB_PORT_DOWN);
	ck_assert_uint_eq(c.relay[0].info.state, IB_PORT_DOWN);
	ck_assert_uint_eq(hca_counter_read(&c.from, HCA_CTR_LINK_DOWNED), 1);
	shim_advance(1000 * MS);
	ck_assert_uint_eq(c.from.info.state, IB_PORT_DOWN);
	/* As soon as one arrives the link is up. */
	hca_fault_install(&c.from, NULL);
	shim_advance(50 * MS);
	ck_assert_uint_eq(c.from.info.state, IB_PORT_INIT);
	ck_assert_uint_eq(c.relay[0].info.state, IB_PORT_INIT);
	check_shared(&c.from, &c.relay[0]);
}
END_TEST

/*
 * C4-160: the last flow-control packets of a cable close VLs, too. Those that arrive after others
 * have begun a new session change nothing.
 */
START_TEST(c4_160_stale)
{
	const struct hca_delay_spec delay = { .delay = 50 * MS }, none = {};
	struct hca_port *port = &c.relay[0];

	set_fault(&c.from, harmless);
	ck_assert_int_eq(hca_delay_set(port, &delay), 0);
	hca_fault_install(&c.from, NULL);
	shim_advance(MS);
	/* A buffer is free again, then the VL is closed. */
	c.from.rx_buffer.fccl[9] += CHAIN_BLOCKS;
	c.from.info.operational_vls = port->info.operational_vls = 1;
	set_fault(&c.from, harmless);
	ck_assert_uint_eq(port->flow.fccl_received[9], c.from.rx_buffer.fccl[9]);
	shim_advance(200 * MS);
	ck_assert_uint_eq(port->flow.fccl_received[9], c.from.rx_buffer.fccl[9]);
	ck_assert_uint_eq(hca_counter_read(port, HCA_CTR_RCV_ERRORS), 0);
	/* The VL that is closed this time has traffic. */
	c.from.rx_buffer.fccl[9] -= CHAIN_BLOCKS;
	hca_fault_install(&c.from, NULL);
	shim_advance(200 * MS);
	check_shared(&c.from, port);
	ck_assert_int_eq(hca_delay_set(port, &none), 0);
}
END_TEST

/*
 * C4-148: while the last flow-control packets of a sender are delayed, those of the receiver still
 * bring it credits.
 */
START_TEST(delayed_last)
{
	const struct hca_delay_spec delay = { .delay = 100 * MS, .seed = 1 }, none = {};
	unsigned int ms, sent = 0;
	u32 fctbs;

	set_buffers(20 * CHAIN_BLOCKS);
	ck_assert_int_eq(hca_delay_set(&c.relay[0], &delay), 0);
	set_fault(&c.from, harmless);
	for (ms = 0; ms < 500; ms += 5) {
		sent += chain_send(&c.from, 0, sent, NULL);
		shim_advance(5 * MS);
	}
	hca_fault_install(&c.from, NULL);
	ck_assert(hca_credit_is_ending(c.from.flow.state));
	fctbs = c.from.tx.fctbs[0];
	for (ms = 0; ms < 90; ms += 5) {
		sent += chain_send(&c.from, 0, sent, NULL);
		shim_advance(5 * MS);
	}
	ck_assert_int_eq(c.from.flow.state, HCA_CREDIT_ENDING_RX);
	ck_assert_uint_ge(c.from.tx.fctbs[0] - fctbs, 15 * CHAIN_BLOCKS);
	shim_advance(300 * MS);
	check_shared(&c.from, &c.relay[0]);
	ck_assert_uint_eq(c.num_got, sent);
	ck_assert_int_eq(hca_delay_set(&c.relay[0], &none), 0);
}
END_TEST

/* B4-446: an end whose processor is stalled for seconds does not count as down. */
START_TEST(b4_446_late)
{
	const struct hca_fault_spec spec = { .chance[HCA_FAULT_DROP] = 1,
					     .classes = HCA_FAULT_CLASS_FLOW };

	set_fault(&c.from, spec);
	shim_advance(50 * MS);
	hrtimer_cancel(&c.from.flow.timer);
	shim_advance(10 * HCA_FLOW_WATCHDOG_MS * MS);
	ck_assert_uint_eq(c.from.info.state, IB_PORT_ACTIVE);
	ck_assert_uint_eq(c.relay[0].info.state, IB_PORT_ACTIVE);
}
END_TEST

/* A cable is pulled while a flow-control packet is pending and faults are still installed. */
START_TEST(pulled)
{
	const struct hca_fault_spec spec = { .chance[HCA_FAULT_DROP] = 1,
					     .classes = HCA_FAULT_CLASS_FLOW };
	LIST_HEAD(unlinked);

	set_fault(&c.from, spec);
	ck_assert_int_eq(hca_cable_unlink(&c.from, &unlinked), 0);
	shim_advance(50 * MS);
	hca_cable_sync(&unlinked);
	ck_assert_uint_eq(c.from.info.state, IB_PORT_DOWN);
}
END_TEST

/* B4-111, B4-448: a slow VL delays its own packets, at its rate, and no others. */
START_TEST(b4_448_slow_vl)
{
	/* A rate of ten packets per millisecond. */
	const struct hca_fault_spec spec = {
		.slow_vl = 1, .slow_vl_rate = CHAIN_BLOCKS * 512 / 100
	};
	unsigned int ms;

	set_buffers(4 * CHAIN_BLOCKS);
	set_fault(&c.relay[1], spec);
	ck_assert_uint_eq(send_all(&c.relay[1], 0, 2000), 0);
	ck_assert_uint_eq(c.num_got, 2000);
	ms = send_all(&c.relay[1], 1, 1020);
	ck_assert_uint_ge(ms, 90);
	ck_assert_uint_le(ms, 130);
	/* Packets that wait on the slow VL do not delay those of others. */
	c.num_got = 0;
	ck_assert_uint_eq(send_all(&c.relay[1], 0, 500), 0);
	ck_assert_uint_eq(c.num_got, 500);
	check_no_drops();
	/* Once the fault is removed all pending credits are returned at once. */
	hca_fault_install(&c.relay[1], NULL);
	shim_advance(50 * MS);
	check_shared(&c.relay[1], &c.to);
}
END_TEST

/*
 * A switch keeps the buffer of a packet that waits for the next link; the credits of packets that a
 * cable has lost come back with the next flow-control packets.
 */
START_TEST(in_use)
{
	const struct hca_fault_spec lossy = {
		.chance[HCA_FAULT_DROP] = HCA_FAULT_ALWAYS, .classes = HCA_FAULT_CLASS_DATA,
	};
	unsigned int i;

	c.keep = true;
	for (i = 0; i < 3; i++)
		ck_assert(chain_send(&c.from, 2, i, NULL));
	check_in_use(&c.from, &c.relay[0], 2, 3 * CHAIN_BLOCKS, 3 * CHAIN_BLOCKS);
	check_in_use(&c.from, &c.relay[0], 1, 0, 0);
	local_bh_disable();
	while (c.num_kept)
		hca_packet_free(c.kept[--c.num_kept]);
	local_bh_enable();
	check_shared(&c.from, &c.relay[0]);
	set_fault(&c.from, lossy);
	ck_assert(chain_send(&c.from, 2, i, NULL));
	check_in_use(&c.from, &c.relay[0], 2, 0, CHAIN_BLOCKS);
	shim_advance(50 * MS);
	check_in_use(&c.from, &c.relay[0], 2, 0, 0);
	hca_fault_install(&c.from, NULL);
	shim_advance(50 * MS);
	check_shared(&c.from, &c.relay[0]);
	/* A credit that is returned twice is seen, too. */
	c.relay[0].rx_buffer.fccl[2]++;
	check_in_use(&c.from, &c.relay[0], 2, -1, -1);
	c.relay[0].rx_buffer.fccl[2]--;
}
END_TEST

Suite *credits_suite(void)
{
	Suite *suite = suite_create("credits");
	TCase *tc = tcase_create("credits");

	tcase_add_checked_fixture(tc, chain_setup, chain_teardown);
	tcase_add_loop_test(tc, b4_445_tight, 0, 2);
	tcase_add_loop_test(tc, c4_151_lossy_flow, 0, HCA_NUM_FAULTS);
	tcase_add_loop_test(tc, c4_151_lossy_data, 0, HCA_NUM_FAULTS);
	tcase_add_test(tc, c4_151_copy);
	tcase_add_test(tc, flow_has_no_psn);
	tcase_add_test(tc, switched_over);
	tcase_add_loop_test(tc, b4_446_watchdog, HCA_FAULT_DROP, HCA_FAULT_CORRUPT + 1);
	tcase_add_test(tc, c4_160_stale);
	tcase_add_test(tc, delayed_last);
	tcase_add_test(tc, b4_446_late);
	tcase_add_test(tc, pulled);
	tcase_add_test(tc, b4_448_slow_vl);
	tcase_add_test(tc, in_use);
	suite_add_tcase(suite, tc);
	return suite;
}
