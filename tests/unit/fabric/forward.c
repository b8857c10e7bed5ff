// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A switch: which packets it relays and where, which it drops, and what it counts. */
#include <check.h>
#include <linux/bottom_half.h>
#include "engine/run.h"
#include "link/tx/tx.h"
#include "phy/cable.h"
#include "tests/unit/fixture/switched.h"
#include "tests/unit/suites.h"
#include "transport/iba_qp.h"
#include "transport/path.h"

static struct switched *s;

static void setup(void)
{
	s = switched_new(&pair_rc);
}

static void teardown(void)
{
	switched_free(s);
}

static u64 counted(u8 port, enum hca_counter c)
{
	return hca_counter_read(switched_port(s, port), c);
}

/* A packet from listener 0, at port 3. */
static void send_to(u16 dlid)
{
	switched_send(&s->listener[0], switched_packet(&s->listener[0], 3, dlid, 100));
}

START_TEST(a_connection_through_a_switch)
{
	u64 dwords = (8 + 12 + 4096 + 4) / 4;

	pair_fill(s->a, SRC, 20000, 7);
	pair_recv(s->b, 1, DST, 20000);
	pair_send(s->a, 2, HCA_WQE_SIGNALED, SRC, 20000);
	pair_settle();
	pair_expect(&s->a->send_cq, 2, IB_WC_SUCCESS);
	pair_expect(&s->b->recv_cq, 1, IB_WC_SUCCESS);
	ck_assert(pair_same(s->a, SRC, s->b, DST, 20000)); /* B4-104 */
	ck_assert_uint_eq(counted(1, HCA_CTR_RCV_PACKETS), counted(2, HCA_CTR_XMIT_PACKETS));
	/* B4-073 */
	ck_assert_uint_eq(counted(2, HCA_CTR_XMIT_PACKETS),
			  (20000 + hca_qp_eec(s->a->qp)->mtu - 1) /
								   hca_qp_eec(s->a->qp)->mtu);
	ck_assert_uint_gt(counted(2, HCA_CTR_XMIT_DATA), dwords);
	ck_assert_uint_eq(counted(1, HCA_CTR_RCV_DATA), counted(2, HCA_CTR_XMIT_DATA));
}
END_TEST

START_TEST(a_switch_changes_nothing_of_a_packet_but_its_vl)
{
	struct hca_packet *pkt = switched_packet(&s->listener[0], 3, 4, 100);

	pkt->h.lrh.sl = 5;
	pkt->h.deth.qkey = 77;
	hca_switch_sl2vl(s->sw, 3, 4)[5] = 2;
	switched_send(&s->listener[0], pkt);
	ck_assert_uint_eq(s->listener[1].count, 1);
	ck_assert_uint_eq(s->listener[1].h.lrh.vl, 2);
	ck_assert_uint_eq(s->listener[1].h.lrh.sl, 5);
	ck_assert_uint_eq(s->listener[1].h.lrh.slid, 3);
	ck_assert_uint_eq(s->listener[1].h.deth.qkey, 77);
	ck_assert_uint_eq(s->listener[1].payload[99], 0x5a);
}
END_TEST

START_TEST(what_leads_nowhere_is_an_error_of_the_relay)
{
	static const struct {
		u16 lid;
		u8 port;
	} ways[] = {
		/* B4-126 */
		{ 50, HCA_NO_PORT }, { 51, 77 }, { 52, 3 }, { 53, 0 }, { 0, 4 }, { 101, 4 },
		{ HCA_LID_PERMISSIVE, 4 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		if (ways[i].lid < HCA_LFT_CAP)
			s->sw->lft[ways[i].lid] = ways[i].port;
		send_to(ways[i].lid);
		ck_assert_uint_eq(counted(3, HCA_CTR_RCV_SWITCH_RELAY_ERRORS), i + 1);
	}
	ck_assert_uint_eq(s->listener[0].count + s->listener[1].count, 0);
	/* LinearFDBTop is the last LID that is forwarded. */
	s->sw->lft[100] = 4;
	send_to(100);
	ck_assert_uint_eq(counted(4, HCA_CTR_XMIT_PACKETS), 1);
}
END_TEST

/*
 * V3-009: each LID of one port may have a path of its own; the LID after the last one belongs to
 * another port.
 */
START_TEST(each_lid_of_a_port_has_its_way)
{
	struct hca_port_info *info = &s->listener[1].port.info;
	static const u8 ways[] = { 4, 4, HCA_NO_PORT, 4 };
	unsigned int i;

	info->lid = 16;
	info->lmc = 2;
	for (i = 0; i < 4; i++) {
		s->sw->lft[16 + i] = ways[i];
		send_to(16 + i);
		ck_assert_uint_eq(s->listener[1].count, i < 2 ? i + 1 : i); /* B4-114, B4-127 */
		if (i != 2)
			ck_assert_uint_eq(s->listener[1].h.lrh.dlid, 16 + i);
	}
	ck_assert_uint_eq(counted(3, HCA_CTR_RCV_SWITCH_RELAY_ERRORS), 1);
	s->sw->lft[20] = 4;
	send_to(20);
	ck_assert_uint_eq(s->listener[1].count, 3);
}
END_TEST

/* V3-009: a sender's path bits select one of the LIDs of its port. */
START_TEST(path_bits_are_of_the_source_lid)
{
	struct hca_av av = { .dlid = 4 };
	struct hca_port *port = &s->listener[0].port;
	struct hca_packet pkt;
	unsigned int lmc, bits;

	port->info.lid = 128;
	for (lmc = 0; lmc < 8; lmc++)
		for (bits = 0; bits < 128; bits++) {
			port->info.lmc = lmc;
			av.src_path_bits = bits;
			av.sl = bits % 16;
			hca_path_fill(&pkt, port, &av);
			/* B4-109, B4-130 */
			ck_assert_uint_eq(pkt.h.lrh.slid, 128 + bits % (1 << lmc));
			/* C4-046 */
			ck_assert_uint_eq(pkt.h.lrh.sl, av.sl);
			ck_assert_uint_eq(pkt.h.lrh.dlid, av.dlid);
		}
}
END_TEST

/* C4-141, V3-023: input port and output port together determine the VL. */
START_TEST(a_lane_for_each_input_and_output_C4_141)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		u8 in = 3 + i, out = 4 - i;

		hca_switch_sl2vl(s->sw, in, out)[5] = 1 + i;
	}
	for (i = 0; i < 2; i++) {
		struct hca_packet *pkt = switched_packet(&s->listener[i], 3 + i, 4 - i, 100);

		pkt->h.lrh.sl = 5;
		switched_send(&s->listener[i], pkt);
		ck_assert_uint_eq(s->listener[!i].count, 1);
		ck_assert_uint_eq(s->listener[!i].h.lrh.vl, 1 + i);
	}
}
END_TEST

START_TEST(a_service_level_without_lane_is_not_relayed_C4_141)
{
	hca_switch_sl2vl(s->sw, 3, 4)[0] = HCA_VL_MANAGEMENT;
	send_to(4);
	ck_assert_uint_eq(s->listener[1].count, 0);
	ck_assert_uint_eq(counted(3, HCA_CTR_RCV_SWITCH_RELAY_ERRORS), 1);
}
END_TEST

#define IN 8
#define OUT 4

START_TEST(partitions_are_enforced_where_the_manager_wants_it)
{
	struct hca_port *in = switched_port(s, 3), *out = switched_port(s, 4);

	in->tables.pkey[0] = 0x8001;
	send_to(4);
	ck_assert_uint_eq(s->listener[1].count, 1); /* enforcement is disabled */
	in->info.partition_enforcement = OUT;
	send_to(4);
	ck_assert_uint_eq(s->listener[1].count, 2); /* enforcement is disabled in this direction */
	in->info.partition_enforcement = IN;
	send_to(4);
	ck_assert_uint_eq(s->listener[1].count, 2);
	ck_assert_uint_eq(counted(3, HCA_CTR_RCV_CONSTRAINT_ERRORS), 1);
	in->tables.pkey[9] = 0x7fff; /* a limited member receives what a full member sends */
	send_to(4);
	ck_assert_uint_eq(s->listener[1].count, 3);
	out->tables.pkey[0] = 0x8001;
	out->info.partition_enforcement = OUT;
	send_to(4);
	ck_assert_uint_eq(s->listener[1].count, 3);
	ck_assert_uint_eq(counted(4, HCA_CTR_XMIT_CONSTRAINT_ERRORS), 1);
}
END_TEST

static void send_limited(void)
{
	struct hca_packet *pkt = switched_packet(&s->listener[0], 3, 4, 100);

	pkt->h.bth.pkey = 0x7fff;
	switched_send(&s->listener[0], pkt);
}

/*
 * At the cable of a limited member the subnet manager gives the switch port the table of that
 * member: packets to a full member pass there, packets to another limited member do not leave
 * (C4-242, B4-319).
 */
START_TEST(a_limited_member_sends_to_a_full_one)
{
	struct hca_port *in = switched_port(s, 3), *out = switched_port(s, 4);

	in->info.partition_enforcement = IN | OUT;
	out->info.partition_enforcement = IN | OUT;
	in->tables.pkey[0] = 0x7fff;
	send_limited();
	ck_assert_uint_eq(s->listener[1].count, 1);
	ck_assert_uint_eq(counted(3, HCA_CTR_RCV_CONSTRAINT_ERRORS), 0);
	out->tables.pkey[0] = 0x7fff;
	send_limited();
	ck_assert_uint_eq(s->listener[1].count, 1);
	ck_assert_uint_eq(counted(3, HCA_CTR_RCV_CONSTRAINT_ERRORS), 0);
	ck_assert_uint_eq(counted(4, HCA_CTR_XMIT_CONSTRAINT_ERRORS), 1);
	in->tables.pkey[0] = 0x8001; /* a P_Key of another partition */
	send_limited();
	ck_assert_uint_eq(counted(3, HCA_CTR_RCV_CONSTRAINT_ERRORS), 1);
}
END_TEST

static void send_raw(void)
{
	struct hca_packet *pkt = switched_packet(&s->listener[0], 3, 4, 100);

	pkt->h.lrh.lnh = IB_LNH_RAW;
	switched_send(&s->listener[0], pkt);
}

START_TEST(raw_packets_are_filtered_where_the_manager_wants_it)
{
	send_raw();
	ck_assert_uint_eq(s->listener[1].count, 1);
	switched_port(s, 3)->info.partition_enforcement = 2;
	send_raw();
	ck_assert_uint_eq(s->listener[1].count, 1);
	ck_assert_uint_eq(counted(3, HCA_CTR_RCV_CONSTRAINT_ERRORS), 1);
	switched_port(s, 3)->info.partition_enforcement = 0;
	switched_port(s, 4)->info.partition_enforcement = 1;
	send_raw();
	ck_assert_uint_eq(s->listener[1].count, 1);
	ck_assert_uint_eq(counted(4, HCA_CTR_XMIT_CONSTRAINT_ERRORS), 1);
}
END_TEST

#define GROUP 0xc007

START_TEST(a_group_has_its_copies_but_not_where_it_came_from_C4_077)
{
	s->sw->mft[7] = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4;
	send_to(GROUP);
	ck_assert_uint_eq(s->listener[0].count, 0);
	ck_assert_uint_eq(s->listener[1].count, 1);
	ck_assert_uint_eq(s->listener[1].payload[99], 0x5a);
	ck_assert_uint_eq(s->a->received, 1); /* B4-128, B4-131 */
	ck_assert_uint_eq(s->b->received, 1);
	ck_assert_uint_eq(counted(3, HCA_CTR_MULTICAST_RCV_PACKETS), 1);
	ck_assert_uint_eq(counted(4, HCA_CTR_MULTICAST_XMIT_PACKETS), 1);
}
END_TEST

#define MANY 100u

/*
 * Copies to a member without credit wait, and so does their input buffer, which is counted once for
 * all copies.
 */
START_TEST(a_slow_member_loses_nothing)
{
	struct hca_port *in = switched_port(s, 3), *out = switched_port(s, 4);
	struct hca_port *slow = &s->listener[1].port;
	u32 limit = slow->rx_buffer.fccl[0], room, blocks, i;

	s->sw->mft[7] = 1 << 1 | 1 << 2 | 1 << 4;
	send_to(GROUP);
	room = in->rx_buffer.fccl[0] - s->listener[0].port.tx.fctbs[0];
	blocks = s->listener[0].port.tx.fctbs[0];
	slow->rx_buffer.fccl[0] = out->tx.fctbs[0];
	for (i = 0; i < MANY; i++)
		send_to(GROUP);
	ck_assert_uint_eq(s->listener[1].count, 1);
	ck_assert_uint_eq(s->a->received, MANY + 1);
	ck_assert_uint_eq(s->b->received, MANY + 1);
	ck_assert_uint_eq(in->rx_buffer.fccl[0] - s->listener[0].port.tx.fctbs[0],
			  room - MANY * blocks);

	slow->rx_buffer.fccl[0] = limit + MANY * blocks;
	local_bh_disable();
	hca_port_wake(out);
	hca_engine_run();
	local_bh_enable();
	ck_assert_uint_eq(s->listener[1].count, MANY + 1);
	ck_assert_uint_eq(s->listener[1].payload[99], 0x5a);
	ck_assert_uint_eq(counted(4, HCA_CTR_XMIT_DISCARDS), 0);
	ck_assert_uint_eq(in->rx_buffer.fccl[0] - s->listener[0].port.tx.fctbs[0], room);
}
END_TEST

START_TEST(a_group_of_nobody_goes_by_default_C4_080)
{
	send_to(GROUP);
	/* there is no such port */
	ck_assert_uint_eq(counted(3, HCA_CTR_RCV_SWITCH_RELAY_ERRORS), 1);
	s->sw->info.default_multicast_primary = 4;
	s->sw->info.default_multicast_not_primary = 1;
	send_to(GROUP);
	ck_assert_uint_eq(s->listener[1].count, 1);
	switched_send(&s->listener[1], switched_packet(&s->listener[1], 4, GROUP, 100));
	ck_assert_uint_eq(s->listener[0].count, 0);
	ck_assert_uint_eq(s->a->received, 1); /* it arrived by the primary port */
	send_to(0xffff - 1); /* beyond the table */
	ck_assert_uint_eq(s->listener[1].count, 2);
}
END_TEST

START_TEST(a_group_above_the_top_goes_by_default_C4_080)
{
	s->sw->mft[7] = 1 << 4;
	s->sw->info.multicast_fdb_top = GROUP;
	send_to(GROUP);
	ck_assert_uint_eq(s->listener[1].count, 1);
	s->sw->info.multicast_fdb_top = GROUP - 1;
	send_to(GROUP);
	/* there is no such port */
	ck_assert_uint_eq(counted(3, HCA_CTR_RCV_SWITCH_RELAY_ERRORS), 1);
	s->sw->info.default_multicast_primary = 4;
	send_to(GROUP);
	ck_assert_uint_eq(s->listener[1].count, 2);
	s->sw->info.default_multicast_primary = HCA_NO_PORT;
	s->sw->info.multicast_fdb_top = 0; /* no upper limit */
	send_to(GROUP);
	ck_assert_uint_eq(s->listener[1].count, 3);
}
END_TEST

START_TEST(too_long_for_the_next_link)
{
	switched_port(s, 4)->info.neighbor_mtu = IB_MTU_256;
	switched_send(&s->listener[0], switched_packet(&s->listener[0], 3, 4, 256));
	ck_assert_uint_eq(s->listener[1].count, 1);
	s->listener[1].count = 0;
	pair_fill(s->a, SRC, 1024, 1);
	s->sw->lft[2] = 4;
	pair_recv(s->b, 1, DST, 1024);
	pair_send(s->a, 2, HCA_WQE_SIGNALED, SRC, 1024);
	pair_settle();
	ck_assert_uint_eq(s->listener[1].count, 0);
	ck_assert_uint_ge(counted(4, HCA_CTR_XMIT_DISCARDS), 1);
}
END_TEST

START_TEST(a_link_that_comes_or_goes_is_noted)
{
	s->sw->info.port_state_change = false;
	hca_cable_disconnect(switched_port(s, 4));
	ck_assert(s->sw->info.port_state_change);
	s->sw->info.port_state_change = false;
	hca_cable_connect(switched_port(s, 4), &s->listener[1].port);
	ck_assert(s->sw->info.port_state_change);
}
END_TEST

/* C4-163, C4-192: a packet whose LID the RandomForwardingTable lacks leaves by the default port. */
START_TEST(by_a_random_table)
{
	ck_assert_int_eq(hca_switch_use_random_forwarding_table(s->sw), 0);
	switched_send(&s->listener[0], switched_packet(&s->listener[0], 3, 4, 64));
	ck_assert_uint_eq(s->listener[1].count, 1);
	s->sw->lft[4] = HCA_NO_PORT;
	switched_send(&s->listener[0], switched_packet(&s->listener[0], 3, 4, 64));
	ck_assert_uint_eq(s->listener[1].count, 1); /* port 0 has another LID */
	s->sw->info.default_port = 4;
	switched_send(&s->listener[0], switched_packet(&s->listener[0], 3, 4, 64));
	ck_assert_uint_eq(s->listener[1].count, 2);
	s->sw->info.default_port = HCA_NO_PORT;
	switched_send(&s->listener[0], switched_packet(&s->listener[0], 3, 4, 64));
	ck_assert_uint_eq(s->listener[1].count, 2);
}
END_TEST

Suite *forward_suite(void)
{
	const TTest *const relay[] = {
		a_connection_through_a_switch,
		a_switch_changes_nothing_of_a_packet_but_its_vl,
		what_leads_nowhere_is_an_error_of_the_relay,
		each_lid_of_a_port_has_its_way,
		path_bits_are_of_the_source_lid,
		a_lane_for_each_input_and_output_C4_141,
		a_service_level_without_lane_is_not_relayed_C4_141,
		partitions_are_enforced_where_the_manager_wants_it,
		a_limited_member_sends_to_a_full_one,
		raw_packets_are_filtered_where_the_manager_wants_it,
		a_group_has_its_copies_but_not_where_it_came_from_C4_077,
		a_slow_member_loses_nothing,
		a_group_of_nobody_goes_by_default_C4_080,
		a_group_above_the_top_goes_by_default_C4_080,
		too_long_for_the_next_link,
		a_link_that_comes_or_goes_is_noted,
		by_a_random_table,
	};
	Suite *suite = suite_create("forward");
	TCase *tc = tcase_create("relay");
	unsigned int i;

	tcase_add_checked_fixture(tc, setup, teardown);
	for (i = 0; i < sizeof(relay) / sizeof(*relay); i++)
		tcase_add_test(tc, relay[i]);
	suite_add_tcase(suite, tc);
	return suite;
}
