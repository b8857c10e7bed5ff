// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Forwarding tables that form loops: every packet ends nevertheless. */
#include <check.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/workqueue.h>
#include "engine/run.h"
#include "fabric/switch.h"
#include "link/rx/rx.h"
#include "link/tap/tap.h"
#include "phy/cable.h"
#include "shim.h"
#include "sma/agent.h"
#include "tests/unit/fixture/chain.h"
#include "tests/unit/suites.h"
#include "wire/opcode.h"
#include "wire/smp.h"

#define SWITCHES 3
#define LID 5
#define LIFE 4 /* LifeTimeValue: 4.096 us * 2^4 */
#define LIFE_NS 65536ull

/* Port 1 of each switch leads to port 2 of the next one, in a ring. */
static struct hca_switch *ring[SWITCHES];
static struct hca_packet_pool pool;

static struct hca_port *out_of(unsigned int i)
{
	return &ring[i]->node.ports[1];
}

static struct hca_port *into(unsigned int i)
{
	return &ring[i % SWITCHES]->node.ports[2];
}

static void setup(void)
{
	unsigned int i;

	shim_reset(1);
	shim_advance(1000000); /* transmission to a port with peer 0 takes no time */
	ck_assert_int_eq(hca_engine_start(), 0);
	hca_packet_pool_init(&pool, NULL, 16);
	for (i = 0; i < SWITCHES; i++) {
		ring[i] = hca_switch_new(2, cpu_to_be64(0x1000 * (i + 1)), "ring", false,
					 &hca_agent);
		ck_assert(!IS_ERR(ring[i]));
		ring[i]->info.linear_fdb_top = 100;
		ring[i]->lft[LID] = 1;
	}
	for (i = 0; i < SWITCHES; i++)
		chain_join(out_of(i), into(i + 1));
}

static void teardown(void)
{
	unsigned int i;

	for (i = 0; i < SWITCHES; i++)
		hca_cable_disconnect(out_of(i));
	shim_run_until_idle();
	for (i = 0; i < SWITCHES; i++)
		hca_switch_free(ring[i]);
	ck_assert_uint_eq(pool.in_use, 0);
	hca_packet_pool_destroy(&pool);
	hca_engine_stop();
	shim_quiesce();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}

/* A packet arrives at port 2 of a switch. */
static void inject_at(unsigned int i, u16 dlid, u8 vl)
{
	struct hca_packet *pkt;
	struct hca_smp *smp;

	local_bh_disable();
	pkt = hca_packet_alloc(&pool);
	ck_assert_ptr_nonnull(pkt);
	memset(&pkt->h, 0, sizeof(pkt->h));
	memset(pkt->data, 0, sizeof(pkt->data));
	smp = (struct hca_smp *)pkt->data;
	smp->base_version = 1;
	smp->class_version = 1;
	smp->mgmt_class = IB_MGMT_CLASS_SUBN_LID_ROUTED;
	pkt->h.lrh.vl = vl;
	pkt->h.lrh.lnh = IB_LNH_IBA_LOCAL;
	pkt->h.lrh.slid = 1;
	pkt->h.lrh.dlid = dlid;
	pkt->h.bth.opcode = HCA_OPCODE(UD, SEND_ONLY);
	pkt->h.bth.pkey = 0xffff;
	pkt->payload_length = HCA_MAD_BYTES;
	hca_packet_finish(pkt);
	pkt->link_generation = into(i)->link_generation;
	if (vl == HCA_VL_MANAGEMENT)
		ck_assert(hca_port_admits_smp(into(i), pkt));
	hca_port_enqueue(into(i), pkt);
	hca_engine_run();
	local_bh_enable();
}

static void inject(u8 vl)
{
	inject_at(0, LID, vl);
}

static u64 counted(enum hca_counter counter)
{
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < SWITCHES; i++)
		sum += hca_counter_read(out_of(i), counter) + hca_counter_read(into(i), counter);
	return sum;
}

/*
 * A data packet that LifeTimeValue does not limit, and an SMP, which has no limit, end after a
 * number of switches.
 */
START_TEST(a_ring_ends)
{
	inject(_i ? HCA_VL_MANAGEMENT : 0);
	ck_assert_uint_eq(counted(HCA_CTR_UNICAST_XMIT_PACKETS), HCA_MAX_HOPS);
	ck_assert_uint_eq(counted(HCA_CTR_LOOPING_ERRORS), 1);
	ck_assert_uint_eq(pool.in_use, 0);
}
END_TEST

/* Two switches whose tables name each other for one LID do not relay its packets for ever. */
START_TEST(not_back_where_it_came_from)
{
	ring[1]->lft[LID] = 2;
	inject(_i ? HCA_VL_MANAGEMENT : 0);
	ck_assert_uint_eq(counted(HCA_CTR_UNICAST_XMIT_PACKETS), 1);
	ck_assert_uint_eq(hca_counter_read(into(1), HCA_CTR_LOOPING_ERRORS), 1);
	ck_assert_uint_eq(pool.in_use, 0);
}
END_TEST

static bool no_flow_control(struct hca_runnable *r, int *budget)
{
	(void)r;
	(void)budget;
	return false;
}

static void listen(struct hca_port *port, bool listens)
{
	port->rx.run.run = listens ? hca_rx_run : no_flow_control;
	local_bh_disable();
	hca_run_schedule(&port->rx.run);
	hca_engine_run();
	local_bh_enable();
}

/*
 * C4-165: the part of a packet's lifetime that one switch has used is not restored by the next one.
 */
START_TEST(lifetime_goes_on)
{
	ring[0]->info.life_time = LIFE;
	ring[1]->info.life_time = LIFE + 2;
	chain_credit(out_of(0), into(1), 0, 0);
	chain_credit(out_of(1), into(2), 0, 0);
	inject(0);
	shim_advance(LIFE_NS - 2);
	chain_credit(out_of(0), into(1), 0, 100);
	shim_advance(1);
	ck_assert_uint_eq(counted(HCA_CTR_SW_LIFETIME_DISCARDS), 0);
	shim_advance(1);
	ck_assert_uint_eq(hca_counter_read(out_of(1), HCA_CTR_SW_LIFETIME_DISCARDS), 1);
	ck_assert_uint_eq(pool.in_use, 0);
}
END_TEST

/*
 * C4-165: the lifetime may end on the way to the next switch, although that one's lifetime is
 * unlimited.
 */
START_TEST(lifetime_ends_between_switches)
{
	ring[0]->info.life_time = LIFE;
	listen(into(1), false);
	inject(0);
	shim_advance(LIFE_NS - !_i);
	listen(into(1), true);
	ck_assert_uint_eq(hca_counter_read(out_of(1), HCA_CTR_SW_LIFETIME_DISCARDS), _i);
	ck_assert_uint_eq(hca_counter_read(out_of(1), HCA_CTR_UNICAST_XMIT_PACKETS) > 0, !_i);
}
END_TEST

/* C4-165: a switch with a shorter LifeTimeValue keeps a packet no longer than that. */
START_TEST(lifetime_is_shortened)
{
	ring[0]->info.life_time = LIFE + 2;
	ring[1]->info.life_time = LIFE;
	chain_credit(out_of(1), into(2), 0, 0);
	inject(0);
	shim_advance(LIFE_NS - 1);
	ck_assert_uint_eq(counted(HCA_CTR_SW_LIFETIME_DISCARDS), 0);
	shim_advance(1);
	ck_assert_uint_eq(hca_counter_read(out_of(1), HCA_CTR_SW_LIFETIME_DISCARDS), 1);
}
END_TEST

static unsigned int blocked;

static void watch_blocked(const struct hca_port *port, const struct hca_packet *pkt,
			  enum hca_drop_reason reason)
{
	(void)port;
	(void)pkt;
	blocked += reason == HCA_DROP_BLOCKED;
}

/*
 * Packets go from each switch to the next but one. No route is a loop, but each link waits for
 * credit of the next one.
 */
static void credit_loop(u8 hoq_life)
{
	unsigned int i, to;

	for (i = 0; i < SWITCHES; i++) {
		ring[i]->info.life_time = LIFE;
		out_of(i)->info.hoq_life = hoq_life;
		for (to = 0; to < SWITCHES; to++)
			ring[i]->lft[LID + to] = to == i ? 0 : 1;
		chain_credit(out_of(i), into(i + 1), 0, 0);
	}
	for (i = 0; i < 2 * SWITCHES; i++) {
		inject_at(i % SWITCHES, LID + (i + 2) % SWITCHES, 0);
		shim_advance(LIFE_NS / 16);
	}
}

/*
 * C4-165: a credit loop stands until LifeTimeValue ends it. The reason of the drops is the want of
 * credit, and they count as those of HOQLife, which is as long, unless it is infinite.
 */
START_TEST(credit_loop_is_named)
{
	unsigned int i;

	blocked = 0;
	shim_watch_drops = watch_blocked;
	credit_loop(_i ? HCA_LIFE_FOREVER : LIFE);
	shim_advance(LIFE_NS / 2);
	ck_assert_uint_eq(counted(HCA_CTR_UNICAST_XMIT_PACKETS), 0);
	ck_assert_uint_eq(blocked, 0);
	shim_advance(2 * LIFE_NS);
	shim_watch_drops = NULL;
	ck_assert_uint_eq(pool.in_use, 0);
	ck_assert_uint_gt(blocked, 0);
	ck_assert_uint_eq(counted(HCA_CTR_SW_HOQ_DISCARDS), _i ? 0 : blocked);
	for (i = 0; i < SWITCHES; i++)
		ck_assert_uint_ge(hca_counter_read(out_of(i), HCA_CTR_XMIT_WAIT),
				  LIFE_NS / 2 >> HCA_WAIT_TICK_SHIFT);
}
END_TEST

static struct {
	struct work_struct work;
	struct hca_packet_pool pool;
	struct hca_packet *last;
	bool more;
} circling;

/* A switch relays another copy of a multicast packet, as long as there is a free one. */
static void circling_run(struct work_struct *work)
{
	(void)work;
	local_bh_disable();
	circling.more = hca_packet_alloc(&circling.pool);
	hca_packet_free(circling.last);
	local_bh_enable();
}

/*
 * Waiting for the packets of a node that is removed does not wait for copies that are yet to be
 * made.
 */
START_TEST(no_copies_of_what_ends)
{
	hca_packet_pool_init(&circling.pool, NULL, 16);
	INIT_WORK(&circling.work, circling_run);
	local_bh_disable();
	circling.last = hca_packet_alloc(&circling.pool);
	hca_packet_free(hca_packet_alloc(&circling.pool)); /* a free packet exists */
	local_bh_enable();
	schedule_work(&circling.work); /* scheduled during the wait */
	hca_packet_pool_destroy(&circling.pool);
	ck_assert(!circling.more);
}
END_TEST

Suite *loops_suite(void)
{
	Suite *suite = suite_create("loops");
	TCase *tc = tcase_create("ring");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, a_ring_ends, 0, 2);
	tcase_add_loop_test(tc, not_back_where_it_came_from, 0, 2);
	tcase_add_test(tc, lifetime_goes_on);
	tcase_add_loop_test(tc, lifetime_ends_between_switches, 0, 2);
	tcase_add_test(tc, lifetime_is_shortened);
	tcase_add_loop_test(tc, credit_loop_is_named, 0, 2);
	tcase_add_test(tc, no_copies_of_what_ends);
	suite_add_tcase(suite, tc);
	return suite;
}
