// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Notices: events at a switch and at an adapter behind it, as the subnet manager receives them.
 * libibmad reads the attribute; the details are compared with the octets of libopensm's
 * ib_mad_notice_attr_t.
 */
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <check.h>
#include <infiniband/mad.h>
#include "engine/run.h"
#include "fabric/switch.h"
#include "fabric/tca.h"
#include "link/credit/flow_control.h"
#include "link/port/notice.h"
#include "link/port/port_init.h"
#include "link/rx/integrity.h"
#include "link/state/rate.h"
#include "link/state/state.h"
#include "packet/payload.h"
#include "phy/cable.h"
#include "shim.h"
#include "sma/agent.h"
#include "sma/notices.h"
#include "tests/unit/suites.h"
#include "wire/opcode.h"
#include "wire/smp.h"

#define MANAGER_LID 3
#define TCA_LID 5
#define SWITCH_LID 10
#define SUBNET_TIMEOUT 12 /* 16.8 ms */
#define PERIOD_NS (4096ull << SUBNET_TIMEOUT)
#define A_TICK NSEC_PER_MSEC * 10ull /* timers are no more exact than this */
#define TRIES 10

static struct hca_switch *sw;
static struct hca_tca *tca;
static struct hca_packet_pool pool;
static struct hca_node manager_node;
static struct hca_port manager;

/* The MADs that the manager has received. */
static struct {
	struct hca_smp smp;
	struct hca_headers h;
	u64 when;
} received[64];
static unsigned int num_received;

static void record_mad(struct hca_port *port, struct hca_packet *pkt)
{
	ck_assert_uint_lt(num_received, ARRAY_SIZE(received));
	ck_assert_uint_eq(pkt->payload_length, sizeof(received[0].smp));
	memcpy(&received[num_received].smp, hca_packet_payload(pkt), sizeof(received[0].smp));
	received[num_received].h = pkt->h;
	received[num_received++].when = shim_now_ns();
	hca_packet_free(pkt);
}

static const struct hca_port_ops manager_ops = { .receive = record_mad, .receive_smp = record_mad };

static void activate(struct hca_port *port)
{
	ck_assert_int_eq(hca_port_set_state(port, IB_PORT_ARMED), 0);
	ck_assert_int_eq(hca_port_set_state(port, IB_PORT_ACTIVE), 0);
}

static void connect_port(u8 num, struct hca_port *port, u16 lid)
{
	ck_assert_int_eq(hca_cable_connect(&sw->node.ports[num], port), 0);
	activate(&sw->node.ports[num]);
	activate(port);
	port->info.lid = lid;
	sw->lft[lid] = num;
}

static void has_manager(struct hca_port *home)
{
	home->info.sm_lid = MANAGER_LID;
	home->info.subnet_timeout = SUBNET_TIMEOUT;
}

static void setup(void)
{
	shim_reset(1);
	hca_engine_start();
	hca_packet_pool_init(&pool, NULL, 64);
	hca_node_init(&manager_node, RDMA_NODE_IB_CA, cpu_to_be64(0x1000), "manager", &pool,
		      &hca_agent);
	ck_assert_int_eq(hca_node_init_port(&manager, &manager_node, 1, &manager_ops, 0), 0);
	sw = hca_switch_new(3, cpu_to_be64(0x2000), "switch", false, &hca_agent);
	tca = hca_tca_new(1, cpu_to_be64(0x3000), "tca", &hca_agent);
	ck_assert(!IS_ERR(sw) && !IS_ERR(tca));
	sw->info.linear_fdb_top = 100;
	sw->node.ports[0].info.lid = SWITCH_LID;
	connect_port(1, &tca->node.ports[1], TCA_LID);
	connect_port(2, &manager, MANAGER_LID);
	shim_run_until_idle();
	has_manager(&sw->node.ports[0]);
	has_manager(&tca->node.ports[1]);
	num_received = 0;
}

static void teardown(void)
{
	hca_cable_disconnect(&sw->node.ports[1]);
	hca_cable_disconnect(&sw->node.ports[2]);
	hca_switch_free(sw);
	hca_tca_free(tca);
	hca_port_destroy(&manager);
	hca_packet_pool_destroy(&pool);
	hca_engine_stop();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}

static void pass(u64 ns)
{
	u64 end = shim_now_ns() + ns;

	shim_run_until_idle();
	while (shim_next_timer_ns() <= end) {
		shim_advance(shim_next_timer_ns() - shim_now_ns());
		shim_run_until_idle();
	}
	shim_advance(end - shim_now_ns());
	shim_run_until_idle();
}

static u32 field(unsigned int i, enum MAD_FIELDS which)
{
	return mad_get_field(received[i].smp.data, 0, which);
}

/* Remove the only MAD received: a trap of this number from that LID. Return: its details. */
static const u8 *only(unsigned int trap, unsigned int type, u16 issuer, unsigned int producer)
{
	static u8 details[HCA_NOTICE_DETAILS];
	const struct hca_smp *smp = &received[0].smp;

	ck_assert_uint_eq(num_received, 1);
	ck_assert_uint_eq(received[0].h.lrh.vl, HCA_VL_MANAGEMENT);
	ck_assert_uint_eq(received[0].h.lrh.slid, issuer);
	ck_assert_uint_eq(received[0].h.lrh.dlid, MANAGER_LID);
	ck_assert_uint_eq(smp->mgmt_class, IB_SMI_CLASS);
	ck_assert_uint_eq(smp->method, IB_MAD_METHOD_TRAP);
	ck_assert_uint_eq(be16_to_cpu(smp->attr_id), NOTICE);
	ck_assert_uint_eq(smp->m_key, 0);
	ck_assert_uint_eq(field(0, IB_NOTICE_IS_GENERIC_F), 1);
	ck_assert_uint_eq(field(0, IB_NOTICE_TYPE_F), type);
	ck_assert_uint_eq(field(0, IB_NOTICE_PRODUCER_F), producer);
	ck_assert_uint_eq(field(0, IB_NOTICE_TRAP_NUMBER_F), trap);
	ck_assert_uint_eq(field(0, IB_NOTICE_ISSUER_LID_F), issuer);
	ck_assert_uint_eq(field(0, IB_NOTICE_TOGGLE_F), 0);
	ck_assert_uint_eq(field(0, IB_NOTICE_COUNT_F), 0);
	memcpy(details, smp->data + 10, sizeof(details));
	num_received = 0;
	return details;
}

/* Send an SMP from the manager. */
static struct hca_packet *packet(const struct hca_smp *smp, u16 dlid)
{
	struct hca_packet *pkt;

	local_bh_disable();
	pkt = hca_packet_alloc(&pool);
	local_bh_enable();
	ck_assert_ptr_nonnull(pkt);
	memset(&pkt->h, 0, sizeof(pkt->h));
	pkt->h.lrh.vl = HCA_VL_MANAGEMENT;
	pkt->h.lrh.lnh = IB_LNH_IBA_LOCAL;
	pkt->h.lrh.slid = MANAGER_LID;
	pkt->h.lrh.dlid = dlid;
	pkt->h.bth.opcode = HCA_OPCODE(UD, SEND_ONLY);
	pkt->h.bth.pkey = 0xffff;
	pkt->payload_length = sizeof(*smp);
	memcpy(pkt->data, smp, sizeof(*smp));
	return pkt;
}

static void send_packet(struct hca_packet *pkt)
{
	local_bh_disable();
	hca_packet_finish(pkt);
	ck_assert(hca_port_send(&manager, pkt, NULL));
	hca_engine_run();
	local_bh_enable();
	shim_run_until_idle();
}

/* OpenSM composes it so: the trap with another method. */
static void repress(struct hca_smp smp, u16 lid)
{
	smp.method = IB_MAD_METHOD_TRAP_REPRESS;
	send_packet(packet(&smp, lid));
}

static struct hca_smp request(u8 method, u16 attr)
{
	return (struct hca_smp){
		.base_version = 1,
		.mgmt_class = IB_SMI_CLASS,
		.class_version = 1,
		.method = method,
		.tid = cpu_to_be64(7),
		.attr_id = cpu_to_be16(attr),
	};
}

static void pull(void)
{
	hca_cable_disconnect(&sw->node.ports[1]);
	shim_run_until_idle();
}

START_TEST(a_link_that_goes_and_comes_C4_186_C4_220_C4_250)
{
	const u8 *details;

	pull();
	details = only(128, 1, SWITCH_LID, 2);
	ck_assert_uint_eq(details[0] << 8 | details[1], SWITCH_LID);
	repress(received[0].smp, SWITCH_LID);
	pass(PERIOD_NS + A_TICK);
	ck_assert_uint_eq(num_received, 0);
	connect_port(1, &tca->node.ports[1], TCA_LID);
	shim_run_until_idle();
	only(128, 1, SWITCH_LID, 2);
}
END_TEST

START_TEST(a_trap_comes_again_until_it_is_repressed_C4_197_C4_223)
{
	unsigned int i;

	pull();
	pass(3 * (PERIOD_NS + A_TICK));
	ck_assert_uint_ge(num_received, 3);
	for (i = 1; i < num_received; i++) {
		ck_assert_mem_eq(&received[i].smp, &received[0].smp, sizeof(received[0].smp));
		ck_assert_uint_ge(received[i].when - received[i - 1].when, PERIOD_NS);
	}
	num_received = 0;
	repress(received[0].smp, SWITCH_LID);
	pass(10 * PERIOD_NS);
	ck_assert_uint_eq(num_received, 0);
}
END_TEST

START_TEST(a_trap_that_nobody_represses_ends_C4_223)
{
	pull();
	pass(3 * TRIES * PERIOD_NS);
	ck_assert_uint_eq(num_received, TRIES);
	ck_assert_uint_eq(shim_next_timer_ns(), U64_MAX); /* no timer is pending */
}
END_TEST

START_TEST(a_repress_of_another_trap_stops_nothing_C4_197)
{
	struct hca_smp smp;

	pull();
	smp = received[0].smp;
	smp.tid ^= cpu_to_be64(1);
	repress(smp, SWITCH_LID);
	smp = received[0].smp;
	smp.data[5] ^= 1; /* the trap's number */
	repress(smp, SWITCH_LID);
	num_received = 0;
	pass(PERIOD_NS + A_TICK);
	ck_assert_uint_eq(num_received, 1);
}
END_TEST

/* The manager may be acting upon the first trap, so it must receive this one, too. */
START_TEST(what_happens_again_is_another_trap_C4_223)
{
	struct hca_smp first;

	pull();
	first = received[0].smp;
	connect_port(1, &tca->node.ports[1], TCA_LID);
	repress(first, SWITCH_LID);
	num_received = 0;
	pass(PERIOD_NS + A_TICK);
	only(128, 1, SWITCH_LID, 2);
	ck_assert_uint_ne(received[0].smp.tid, first.tid);
}
END_TEST

START_TEST(traps_come_no_faster_than_the_subnet_timeout_C4_209_223)
{
	pull();
	hca_notice_port(&sw->node.ports[2], HCA_TRAP_LINK_INTEGRITY);
	hca_notice_port(&sw->node.ports[2], HCA_TRAP_BUFFER_OVERRUN);
	pass(2 * (PERIOD_NS + A_TICK));
	ck_assert_uint_ge(num_received, 3);
	ck_assert_uint_eq(field(0, IB_NOTICE_TRAP_NUMBER_F), 128);
	ck_assert_uint_eq(field(1, IB_NOTICE_TRAP_NUMBER_F), 129);
	ck_assert_uint_eq(field(2, IB_NOTICE_TRAP_NUMBER_F), 130);
	ck_assert_uint_ge(received[1].when - received[0].when, PERIOD_NS);
	ck_assert_uint_ge(received[2].when - received[1].when, PERIOD_NS);
}
END_TEST

START_TEST(without_a_manager_nobody_is_told_C4_220)
{
	sw->node.ports[0].info.sm_lid = 0;
	pull();
	has_manager(&sw->node.ports[0]);
	pass(3 * PERIOD_NS);
	ck_assert_uint_eq(num_received, 0);
}
END_TEST

START_TEST(an_adapter_without_link_tells_when_it_has_one_again)
{
	const u8 *details;

	sw->node.ports[0].info.sm_lid = 0; /* the switch sends no traps */
	pull();
	hca_notice_port(&tca->node.ports[1], HCA_TRAP_FLOW_UPDATE);
	pass(2 * PERIOD_NS);
	ck_assert_uint_eq(num_received, 0);
	connect_port(1, &tca->node.ports[1], TCA_LID);
	pass(PERIOD_NS + A_TICK);
	ck_assert_uint_ge(num_received, 1);
	num_received = 1;
	details = only(131, 1, TCA_LID, 1);
	ck_assert_uint_eq(details[2] << 8 | details[3], TCA_LID);
	ck_assert_uint_eq(details[4], 1);
}
END_TEST

/* C4-222, V3-094, V3-220 */
START_TEST(thresholds_are_told_of_the_port_C4_250_C4_251)
{
	struct hca_port *port = &sw->node.ports[1];
	const u8 *details;

	sw->node.ports[0].info.subnet_timeout = 0;
	port->info.local_phy_errors = 0;
	port->info.overrun_errors = 0;
	local_bh_disable();
	hca_integrity_error(port);
	local_bh_enable();
	shim_run_until_idle();
	details = only(129, 1, SWITCH_LID, 2);
	ck_assert_uint_eq(details[2] << 8 | details[3], SWITCH_LID);
	ck_assert_uint_eq(details[4], 1);
	repress(received[0].smp, SWITCH_LID);
	pass(A_TICK * 2);
	local_bh_disable();
	hca_integrity_overrun(port);
	local_bh_enable();
	shim_run_until_idle();
	details = only(130, 1, SWITCH_LID, 2);
	ck_assert_uint_eq(details[4], 1);
}
END_TEST

START_TEST(what_a_node_says_of_itself_C4_250)
{
	struct hca_port *port = &tca->node.ports[1];
	const u8 *details;

	port->info.subnet_timeout = 0;
	port->info.capability_mask = 0x12345678;
	hca_notice_local_change(port, 0);
	shim_run_until_idle();
	ck_assert_uint_eq(field(0, IB_NOTICE_DATA_144_LID_F), TCA_LID);
	ck_assert_uint_eq(field(0, IB_NOTICE_DATA_144_CAPMASK_F), 0x12345678);
	details = only(144, 4, TCA_LID, 1);
	ck_assert_uint_eq(details[5], 0);
	ck_assert_uint_eq(details[11], 0);
	repress(received[0].smp, TCA_LID);
	pass(A_TICK * 2);
	hca_notice_local_change(port, HCA_NODE_DESCRIPTION_CHANGED);
	shim_run_until_idle();
	details = only(144, 4, TCA_LID, 1);
	ck_assert_uint_eq(details[5], 1);
	ck_assert_uint_eq(details[11], 1);
}
END_TEST

static void notice_has_width_and_speed(struct hca_port *port, u16 lid, unsigned int producer)
{
	struct hca_link_rate rate = hca_link_rate_enabled(&port->info);
	const u8 *details;
	unsigned int i;

	hca_port_home(port)->info.subnet_timeout = 0;
	hca_link_support(port, &rate);
	shim_run_until_idle();
	ck_assert_uint_eq(num_received, 0);
	for (i = 1; i <= 7; i++) {
		rate.width ^= i & 1 ? 1 : 0;
		rate.speed ^= i & 2 ? 1 : 0;
		rate.speed_ext ^= i & 4 ? 1 : 0;
		hca_link_support(port, &rate);
		shim_run_until_idle();
		ck_assert_uint_eq(field(0, IB_NOTICE_DATA_144_CAPMASK_F),
				  hca_port_home(port)->info.capability_mask);
		details = only(144, 4, lid, producer);
		ck_assert_uint_eq(details[2] << 8 | details[3], lid);
		ck_assert_uint_eq(details[5], 1); /* OtherLocalChanges */
		ck_assert_uint_eq(details[10] << 8 | details[11], (i & 1) << 1 | !!(i & 6) << 2);
		repress(received[0].smp, lid);
		pass(A_TICK * 2);
	}
}

/* An adapter's port sends its own traps, a switch sends them by port 0. */
START_TEST(another_width_or_speed_C4_250)
{
	notice_has_width_and_speed(&tca->node.ports[1], TCA_LID, 1);
	notice_has_width_and_speed(&sw->node.ports[1], SWITCH_LID, 2);
}
END_TEST

START_TEST(a_node_of_another_system_C4_250)
{
	const u8 *details;

	hca_node_set_system_image_guid(&tca->node, tca->node.system_image_guid);
	shim_run_until_idle();
	ck_assert_uint_eq(num_received, 0);
	hca_node_set_system_image_guid(&tca->node, cpu_to_be64(0x0123456789abcdef));
	shim_run_until_idle();
	details = only(145, 4, TCA_LID, 1);
	ck_assert_uint_eq(details[2] << 8 | details[3], TCA_LID);
	ck_assert_mem_eq(details + 6, &tca->node.system_image_guid, 8);
	repress(received[0].smp, TCA_LID);
	pass(2 * PERIOD_NS);
	hca_node_set_system_image_guid(&sw->node, cpu_to_be64(0x0123456789abcdef));
	shim_run_until_idle();
	details = only(145, 4, SWITCH_LID, 2); /* one trap, of port 0 */
	ck_assert_uint_eq(details[2] << 8 | details[3], SWITCH_LID);
}
END_TEST

/* V3-220, V3-314 */
START_TEST(a_wrong_m_key_C4_250_C4_252)
{
	struct hca_smp smp = request(IB_MAD_METHOD_SET, IB_ATTR_PORT_INFO);
	struct hca_port *port = &tca->node.ports[1];
	const u8 *details;

	port->info.m_key = cpu_to_be64(0x1122334455667788);
	smp.attr_mod = cpu_to_be32(0x01020304);
	smp.m_key = cpu_to_be64(0xa1a2a3a4a5a6a7a8);
	send_packet(packet(&smp, TCA_LID));
	details = only(256, 2, TCA_LID, 1);
	ck_assert_uint_eq(details[2] << 8 | details[3], MANAGER_LID);
	ck_assert_uint_eq(details[4] << 8 | details[5], 0);
	ck_assert_uint_eq(details[6], IB_MAD_METHOD_SET);
	ck_assert_uint_eq(details[8] << 8 | details[9], IB_ATTR_PORT_INFO);
	ck_assert_mem_eq(details + 10, &smp.attr_mod, 4);
	ck_assert_mem_eq(details + 14, &smp.m_key, 8);
	ck_assert_uint_eq(details[23], 0);
	/* OpenSM's TrapRepress has the trap's M_Key, which is 0. */
	repress(received[0].smp, TCA_LID);
	ck_assert_uint_eq(port->info.m_key_violations, 1);
	pass(2 * PERIOD_NS);
	ck_assert_uint_eq(num_received, 0);
}
END_TEST

START_TEST(a_wrong_m_key_by_directed_route_C4_250)
{
	struct hca_smp smp = request(IB_MAD_METHOD_SET, IB_ATTR_PORT_INFO);
	const u8 *details;

	tca->node.ports[1].info.m_key = cpu_to_be64(1);
	smp.mgmt_class = IB_SMI_DIRECT_CLASS;
	smp.dr_slid = cpu_to_be16(0xffff);
	smp.dr_dlid = cpu_to_be16(0xffff);
	smp.hop_cnt = 2;
	smp.hop_ptr = 1;
	smp.initial_path[1] = 1;
	smp.initial_path[2] = 1;
	send_packet(packet(&smp, 0xffff));
	details = only(256, 2, TCA_LID, 1);
	ck_assert_uint_eq(details[4] << 8 | details[5], 0xffff);
	ck_assert_uint_eq(details[23], 0x80 | 2);
	ck_assert_uint_eq(details[24], 2); /* the switch's port towards the manager */
	ck_assert_uint_eq(details[25], 1); /* and the port of the tca channel adapter */
}
END_TEST

/* Send a datagram of the manager to QP1. */
static struct hca_packet *datagram(u16 dlid, u16 pkey, u32 qkey)
{
	struct hca_smp empty = {};
	struct hca_packet *pkt = packet(&empty, dlid);

	pkt->h.lrh.vl = 0;
	pkt->h.lrh.sl = 3;
	pkt->h.bth.pkey = pkey;
	pkt->h.bth.destqp = 1;
	pkt->h.deth.qkey = qkey;
	pkt->h.deth.srcqp = 0x123456;
	return pkt;
}

static void assert_key(const u8 *details, u32 key)
{
	ck_assert_uint_eq(details[2] << 8 | details[3], MANAGER_LID);
	ck_assert_uint_eq(details[4] << 8 | details[5], TCA_LID);
	ck_assert_uint_eq((u32)details[6] << 24 | details[7] << 16 | details[8] << 8 | details[9],
			  key);
	ck_assert_uint_eq(details[10], 3 << 4);
	ck_assert_uint_eq(details[11] << 16 | details[12] << 8 | details[13], 0x123456);
	ck_assert_uint_eq(details[14] << 24 | details[15] << 16 | details[16] << 8 | details[17],
			  1);
}

/* V3-220, V3-094 */
START_TEST(a_wrong_p_key_C4_242_C4_250)
{
	send_packet(datagram(TCA_LID, 0x1234, 0x80010000));
	assert_key(only(257, 2, TCA_LID, 1), 0x1234);
	ck_assert_uint_eq(tca->node.ports[1].info.p_key_violations, 1);
}
END_TEST

/* V3-220, V3-094 */
START_TEST(a_wrong_q_key_C4_053_C4_250)
{
	send_packet(datagram(TCA_LID, 0xffff, 0x87654321));
	assert_key(only(258, 2, TCA_LID, 1), 0x87654321);
	ck_assert_uint_eq(tca->node.ports[1].info.q_key_violations, 1);
}
END_TEST

START_TEST(a_p_key_that_a_switch_does_not_let_pass_C4_242_C4_250)
{
	const u8 *details;

	sw->node.ports[2].info.partition_enforcement = 1 << 3; /* inbound enforcement */
	send_packet(datagram(TCA_LID, 0x1234, 0x80010000));
	details = only(259, 2, SWITCH_LID, 2);
	ck_assert_uint_eq(details[0] << 8 | details[1], 0x3f);
	ck_assert_uint_eq(details[2] << 8 | details[3], MANAGER_LID);
	ck_assert_uint_eq(details[4] << 8 | details[5], TCA_LID);
	ck_assert_uint_eq(details[6] << 8 | details[7], 0x1234);
	ck_assert_uint_eq(details[8], 3 << 4);
	ck_assert_uint_eq(details[9] << 16 | details[10] << 8 | details[11], 0x123456);
	ck_assert_uint_eq(details[15], 1);
	ck_assert_uint_eq(details[48] << 8 | details[49], SWITCH_LID);
	ck_assert_uint_eq(details[50], 2);
	ck_assert_uint_eq(sw->node.ports[2].info.p_key_violations, 1);
}
END_TEST

/* The manager gets the oldest notice; the response comes at once. */
static void poll(u8 method)
{
	struct hca_smp smp = request(method, NOTICE);

	if (method == IB_MAD_METHOD_SET)
		memcpy(smp.data, received[0].smp.data, sizeof(smp.data));
	num_received = 0;
	send_packet(packet(&smp, SWITCH_LID));
	ck_assert_uint_eq(num_received, 1);
	ck_assert_uint_eq(received[0].smp.method, IB_MAD_METHOD_GET_RESPONSE);
	ck_assert_uint_eq(received[0].smp.status, 0);
}

static void assert_polled(unsigned int trap, unsigned int count, unsigned int toggle)
{
	ck_assert_uint_eq(field(0, IB_NOTICE_COUNT_F), count);
	ck_assert_uint_eq(field(0, IB_NOTICE_TOGGLE_F), toggle);
	if (count)
		ck_assert_uint_eq(field(0, IB_NOTICE_TRAP_NUMBER_F), trap);
	else
		ck_assert_uint_eq(field(0, IB_NOTICE_TYPE_F), 0x7f);
}

START_TEST(notices_can_be_polled_C4_226_C4_228)
{
	unsigned int toggle;

	sw->node.ports[0].info.sm_lid = 0; /* no traps are sent */
	do { /* notices that were made while the links came up */
		poll(IB_MAD_METHOD_GET);
		if (field(0, IB_NOTICE_COUNT_F))
			poll(IB_MAD_METHOD_SET);
	} while (field(0, IB_NOTICE_COUNT_F));
	toggle = field(0, IB_NOTICE_TOGGLE_F);
	assert_polled(0, 0, toggle);

	hca_notice_port(&sw->node.ports[1], HCA_TRAP_LINK_INTEGRITY);
	hca_notice_port(&sw->node.ports[1], HCA_TRAP_BUFFER_OVERRUN);
	poll(IB_MAD_METHOD_GET);
	assert_polled(129, 2, toggle);
	poll(IB_MAD_METHOD_GET); /* a Get removes nothing */
	assert_polled(129, 2, toggle);
	poll(IB_MAD_METHOD_SET);
	assert_polled(130, 1, !toggle);
	received[0].smp.data[8] ^= 0x80; /* as in a Set that is duplicated */
	poll(IB_MAD_METHOD_SET);
	assert_polled(130, 1, !toggle);
	poll(IB_MAD_METHOD_SET);
	assert_polled(0, 0, toggle);
}
END_TEST

/*
 * A notice that the manager has not seen is not removed in place of one that it has seen, of the
 * same trap number.
 */
START_TEST(another_notice_of_the_same_trap_C4_226)
{
	struct hca_smp seen;
	unsigned int i;

	sw->node.ports[0].info.sm_lid = 0;
	for (i = 0; i < 8; i++) /* the queue's capacity */
		hca_notice_port(&sw->node.ports[1 + i % 3], HCA_TRAP_LINK_INTEGRITY);
	poll(IB_MAD_METHOD_GET);
	seen = received[0].smp;
	ck_assert_uint_eq(seen.data[14], 1);
	/* Two more notices evict the two oldest, and the toggle bit is unchanged. */
	hca_notice_port(&sw->node.ports[1], HCA_TRAP_BUFFER_OVERRUN);
	hca_notice_port(&sw->node.ports[1], HCA_TRAP_BUFFER_OVERRUN);
	poll(IB_MAD_METHOD_GET);
	ck_assert_uint_eq(received[0].smp.data[14], 3);
	ck_assert_uint_eq((received[0].smp.data[8] ^ seen.data[8]) & 0x80, 0);
	received[0].smp = seen;
	poll(IB_MAD_METHOD_SET);
	assert_polled(129, 8, seen.data[8] >> 7);
	ck_assert_uint_eq(received[0].smp.data[14], 3);
	/*
	 * The notice is removed once the manager has seen it; the count of later ones is
	 * irrelevant.
	 */
	received[0].smp.data[9] ^= 3;
	poll(IB_MAD_METHOD_SET);
	assert_polled(129, 7, !(seen.data[8] >> 7));
	ck_assert_uint_eq(received[0].smp.data[14], 1);
}
END_TEST

START_TEST(a_full_queue_forgets_the_oldest_C4_226)
{
	unsigned int i;

	sw->node.ports[0].info.sm_lid = 0;
	for (i = 0; i < 20; i++)
		hca_notice_port(&sw->node.ports[1 + i % 2], HCA_TRAP_LINK_INTEGRITY);
	hca_notice_port(&sw->node.ports[3], HCA_TRAP_BUFFER_OVERRUN);
	poll(IB_MAD_METHOD_GET);
	assert_polled(129, 8, field(0, IB_NOTICE_TOGGLE_F));
	for (i = 0; i < 7; i++)
		poll(IB_MAD_METHOD_SET);
	assert_polled(130, 1, field(0, IB_NOTICE_TOGGLE_F));
	ck_assert_uint_eq(received[0].smp.data[14], 3);
}
END_TEST

static void add_tests(Suite *suite, const char *name, const TTest *const *tests)
{
	TCase *tc = tcase_create(name);

	tcase_add_checked_fixture(tc, setup, teardown);
	for (; *tests; tests++)
		tcase_add_test(tc, *tests);
	suite_add_tcase(suite, tc);
}

Suite *notice_suite(void)
{
	const TTest *const trap_tests[] = {
		a_link_that_goes_and_comes_C4_186_C4_220_C4_250,
		a_trap_comes_again_until_it_is_repressed_C4_197_C4_223,
		a_trap_that_nobody_represses_ends_C4_223,
		a_repress_of_another_trap_stops_nothing_C4_197,
		what_happens_again_is_another_trap_C4_223,
		traps_come_no_faster_than_the_subnet_timeout_C4_209_223,
		without_a_manager_nobody_is_told_C4_220,
		an_adapter_without_link_tells_when_it_has_one_again,
		thresholds_are_told_of_the_port_C4_250_C4_251,
		what_a_node_says_of_itself_C4_250,
		another_width_or_speed_C4_250,
		a_node_of_another_system_C4_250,
		a_wrong_m_key_C4_250_C4_252,
		a_wrong_m_key_by_directed_route_C4_250,
		a_wrong_p_key_C4_242_C4_250,
		a_wrong_q_key_C4_053_C4_250,
		a_p_key_that_a_switch_does_not_let_pass_C4_242_C4_250,
		NULL,
	};

	const TTest *const queue_tests[] = {
		notices_can_be_polled_C4_226_C4_228,
		another_notice_of_the_same_trap_C4_226,
		a_full_queue_forgets_the_oldest_C4_226,
		NULL,
	};
	Suite *suite = suite_create("notice");

	add_tests(suite, "traps", trap_tests);
	add_tests(suite, "queue", queue_tests);
	return suite;
}
