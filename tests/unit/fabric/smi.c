// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The subnet management interface: packets received on VL15, and packets sent. */
#include <linux/bottom_half.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <check.h>
#include "engine/run.h"
#include "fabric/dr.h"
#include "fabric/smi.h"
#include "link/port/attributes.h"
#include "link/port/port_init.h"
#include "phy/cable.h"
#include "shim.h"
#include "sma/agent.h"
#include "sma/agent_port.h"
#include "tests/unit/suites.h"
#include "wire/opcode.h"
#include "wire/smp.h"

#define PERMISSIVE 0xffff
#define ANY_QP0 0x64 /* UD Send Only */

/* ---- The rules of the hop pointer, by themselves ---- */

#define ARRIVAL 2

struct route {
	const char *clause;
	u8 type; /* enum rdma_node_type */
	bool back;
	u8 hop_cnt, hop_ptr;
	u16 lid; /* DrDLID on the outbound path, DrSLID on the return path */
	u8 next; /* the path entry that the new hop pointer selects */
	enum hca_dr_step step;
	u8 new_ptr;
};

/* A node with four ports, and a path whose entries are all @next. */
static void make_route(struct hca_node *node, struct hca_smp *smp, const struct route *r)
{
	memset(node, 0, sizeof(*node));
	node->type = r->type;
	node->num_ports = 4;
	memset(smp, 0, sizeof(*smp));
	smp->mgmt_class = IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE;
	smp->status = r->back ? cpu_to_be16(HCA_SMP_DIRECTION) : 0;
	smp->hop_cnt = r->hop_cnt;
	smp->hop_ptr = r->hop_ptr;
	smp->dr_slid = cpu_to_be16(r->back ? r->lid : 17);
	smp->dr_dlid = cpu_to_be16(r->back ? 17 : r->lid);
	memset(r->back ? smp->return_path : smp->initial_path, r->next, HCA_SMP_PATH);
}

static void assert_route(const struct route *r, enum hca_dr_step step, const struct hca_smp *smp,
			 u8 exit)
{
	ck_assert_msg(step == r->step, "%s: step %d, not %d", r->clause, step, r->step);
	if (step == HCA_DR_DISCARD)
		return;
	ck_assert_msg(smp->hop_ptr == r->new_ptr, "%s: hop pointer %d, not %d", r->clause,
		      smp->hop_ptr, r->new_ptr);
	ck_assert_msg(step != HCA_DR_EXIT || exit == r->next, "%s: exit %d, not %d", r->clause,
		      exit, r->next);
}

#define CA RDMA_NODE_IB_CA
#define SWITCH RDMA_NODE_IB_SWITCH

/* C4-199 */
START_TEST(routes_of_arriving_smps_C4_276)
{
	static const struct route routes[] = {
		{ "C14-6 most hops", CA, 0, 63, 63, PERMISSIVE, 3, HCA_DR_HERE, 64 },
		{ "C14-6 too many", CA, 0, 64, 64, PERMISSIVE, 3, HCA_DR_DISCARD },
		{ "C14-6 too many to switch", SWITCH, 0, 64, 1, PERMISSIVE, 3, HCA_DR_DISCARD },
		{ "C14-6 too many back", SWITCH, 1, 64, 2, PERMISSIVE, 3, HCA_DR_DISCARD },
		{ "C14-6 very many", CA, 0, 255, 255, PERMISSIVE, 3, HCA_DR_DISCARD },
		{ "C14-9:1", CA, 0, 2, 0, PERMISSIVE, 3, HCA_DR_DISCARD },
		{ "C14-9:1 switch", SWITCH, 0, 2, 0, PERMISSIVE, 3, HCA_DR_DISCARD },
		{ "C14-9:2", CA, 0, 3, 1, PERMISSIVE, 3, HCA_DR_DISCARD },
		{ "C14-9:2 last but one", CA, 0, 3, 2, PERMISSIVE, 3, HCA_DR_DISCARD },
		{ "C14-9:2 switch", SWITCH, 0, 3, 1, PERMISSIVE, 3, HCA_DR_EXIT, 2 },
		{ "C14-9:2 switch, by LID after", SWITCH, 0, 3, 2, 5, 4, HCA_DR_EXIT, 3 },
		{ "C14-9:2 back where it came from", SWITCH, 0, 3, 1, 5, 2, HCA_DR_EXIT, 2 },
		{ "C14-9:2 port 0", SWITCH, 0, 3, 1, PERMISSIVE, 0, HCA_DR_DISCARD },
		{ "C14-9:2 no such port", SWITCH, 0, 3, 1, PERMISSIVE, 5, HCA_DR_DISCARD },
		{ "C14-9:3", CA, 0, 2, 2, PERMISSIVE, 3, HCA_DR_HERE, 3 },
		{ "C14-9:3 by LID after", CA, 0, 2, 2, 5, 3, HCA_DR_DISCARD },
		{ "C14-9:3 switch", SWITCH, 0, 2, 2, PERMISSIVE, 3, HCA_DR_HERE, 3 },
		{ "C14-9:3 switch, by LID after", SWITCH, 0, 2, 2, 5, 3, HCA_DR_BY_LID, 3 },
		{ "C14-9:3 no hop", CA, 0, 0, 0, PERMISSIVE, 3, HCA_DR_HERE, 1 },
		{ "C14-9:4", CA, 0, 2, 3, 5, 3, HCA_DR_HERE, 3 },
		{ "C14-9:4 switch", SWITCH, 0, 2, 3, 5, 3, HCA_DR_HERE, 3 },
		{ "C14-9:4 most hops", CA, 0, 63, 64, 5, 3, HCA_DR_HERE, 64 },
		{ "C14-9:5", CA, 0, 2, 4, PERMISSIVE, 3, HCA_DR_DISCARD },
		{ "C14-9:5 switch", SWITCH, 0, 2, 4, PERMISSIVE, 3, HCA_DR_DISCARD },
		{ "C14-9:5 far out", CA, 0, 2, 255, PERMISSIVE, 3, HCA_DR_DISCARD },
		{ "C14-9:5 farther", CA, 0, 63, 255, PERMISSIVE, 3, HCA_DR_DISCARD },
		{ "C14-13:1", CA, 1, 2, 3, PERMISSIVE, 3, HCA_DR_DISCARD },
		{ "C14-13:1 own port", CA, 1, 2, 3, PERMISSIVE, ARRIVAL, HCA_DR_DISCARD },
		{ "C14-13:1 switch", SWITCH, 1, 2, 3, PERMISSIVE, 3, HCA_DR_EXIT, 2 },
		{ "C14-13:1 switch, most hops", SWITCH, 1, 63, 64, PERMISSIVE, 3, HCA_DR_EXIT, 63 },
		{ "C14-13:1 no such port", SWITCH, 1, 2, 3, PERMISSIVE, 5, HCA_DR_DISCARD },
		{ "C14-13:2", CA, 1, 3, 2, PERMISSIVE, 3, HCA_DR_DISCARD },
		{ "C14-13:2 switch", SWITCH, 1, 3, 2, PERMISSIVE, 3, HCA_DR_EXIT, 1 },
		{ "C14-13:2 switch, by LID after", SWITCH, 1, 3, 3, 5, 1, HCA_DR_EXIT, 2 },
		{ "C14-13:2 port 0", SWITCH, 1, 3, 2, PERMISSIVE, 0, HCA_DR_DISCARD },
		{ "C14-13:3", CA, 1, 2, 1, PERMISSIVE, 3, HCA_DR_HERE, 0 },
		{ "C14-13:3 by LID after", CA, 1, 2, 1, 5, 3, HCA_DR_DISCARD },
		{ "C14-13:3 switch", SWITCH, 1, 2, 1, PERMISSIVE, 3, HCA_DR_HERE, 0 },
		{ "C14-13:3 switch, by LID after", SWITCH, 1, 2, 1, 5, 3, HCA_DR_BY_LID, 0 },
		{ "C14-13:3 no hop", CA, 1, 0, 1, PERMISSIVE, 3, HCA_DR_HERE, 0 },
		{ "C14-13:4", CA, 1, 2, 0, 5, 3, HCA_DR_HERE, 0 },
		{ "C14-13:4 permissive", CA, 1, 2, 0, PERMISSIVE, 3, HCA_DR_HERE, 0 },
		{ "C14-13:5", CA, 1, 2, 4, PERMISSIVE, 3, HCA_DR_DISCARD },
		{ "C14-13:5 switch", SWITCH, 1, 2, 4, PERMISSIVE, 3, HCA_DR_DISCARD },
		{ "C14-13:5 far out", SWITCH, 1, 2, 255, PERMISSIVE, 3, HCA_DR_DISCARD },
	};
	struct hca_node node;
	struct hca_smp smp;
	unsigned int i, hop;
	u8 exit = 0;

	for (i = 0; i < ARRAY_SIZE(routes); i++) {
		const struct route *r = &routes[i];
		enum hca_dr_step step;

		make_route(&node, &smp, r);
		step = hca_dr_arrive(&smp, &node, ARRIVAL, false, &exit);
		assert_route(r, step, &smp, exit);
		if (r->back || step == HCA_DR_DISCARD)
			continue;
		/* Only the entry of the present hop is written in the return path. */
		for (hop = 0; hop < HCA_SMP_PATH; hop++)
			ck_assert_msg(smp.return_path[hop] ==
					      (hop && hop == r->hop_ptr && hop <= r->hop_cnt ?
						       ARRIVAL :
						       0),
				      "%s: return path, hop %u", r->clause, hop);
	}
}
END_TEST

START_TEST(routes_of_answers_C4_271_278)
{
	/* Here lid is DrSLID. */
	static const struct {
		struct route r;
		u16 dr_dlid;
	} routes[] = {
		{ { "C14-13:1", CA, 1, 2, 3, 5, ARRIVAL, HCA_DR_EXIT, 2 }, PERMISSIVE },
		{ { "C14-13:1 other port", CA, 1, 2, 3, 5, 3, HCA_DR_DISCARD }, PERMISSIVE },
		{ { "C14-13:1 switch", SWITCH, 1, 2, 3, 5, 3, HCA_DR_EXIT, 2 }, PERMISSIVE },
		{ { "C14-13:1 no such port", SWITCH, 1, 2, 3, 5, 9, HCA_DR_DISCARD }, PERMISSIVE },
		{ { "by LID first", CA, 1, 2, 3, 5, 3, HCA_DR_BY_LID, 3 }, 9 },
		{ { "by LID first, switch", SWITCH, 1, 2, 3, 5, 3, HCA_DR_BY_LID, 3 }, 9 },
		{ { "no hop", CA, 1, 0, 1, PERMISSIVE, 3, HCA_DR_HERE, 0 }, PERMISSIVE },
		{ { "no hop, LID", CA, 1, 0, 1, 5, 3, HCA_DR_DISCARD }, PERMISSIVE },
		{ { "no hop, LID, switch", SWITCH, 1, 0, 1, 5, 3, HCA_DR_BY_LID, 0 }, PERMISSIVE },
	};
	enum hca_dr_step step;
	struct hca_node node;
	struct hca_smp smp;
	unsigned int i;
	u8 exit = 0;

	for (i = 0; i < ARRAY_SIZE(routes); i++) {
		make_route(&node, &smp, &routes[i].r);
		smp.dr_dlid = cpu_to_be16(routes[i].dr_dlid);
		step = hca_dr_respond(&smp, &node, ARRIVAL, &exit);
		assert_route(&routes[i].r, step, &smp, exit);
	}
}
END_TEST

/* ---- A manager at one end of a cable, the nodes under test at the other ---- */

struct box {
	struct hca_node node;
	struct hca_port ports[3];
	struct hca_packet_pool pool;
};

static struct box manager, tca, middle;

/*
 * The latest packet that the manager received, and the latest one that the tca's SMI passed to
 * QP0.
 */
static struct record {
	unsigned int count;
	u8 port;
	struct hca_headers h;
	struct hca_smp smp;
} answered, passed;

static void record(struct record *r, struct hca_port *port, struct hca_packet *pkt)
{
	r->count++;
	r->port = port->num;
	r->h = pkt->h;
	ck_assert_uint_eq(pkt->payload_length, HCA_MAD_BYTES);
	memcpy(&r->smp, pkt->payload_kind == HCA_PAYLOAD_GATHERED ? pkt->buffer : pkt->data,
	       HCA_MAD_BYTES);
	hca_packet_free(pkt);
}

static void manager_receives(struct hca_port *port, struct hca_packet *pkt)
{
	record(&answered, port, pkt);
}

static void dest_receives(struct hca_port *port, struct hca_packet *pkt)
{
	record(&passed, port, pkt);
}

static const struct hca_port_ops manager_ops = { .receive_smp = manager_receives };
static const struct hca_port_ops dest_ops = { .receive_smp = hca_smi_receive,
						.manager = dest_receives };

static void make_box(struct box *b, u8 type, const struct hca_port_ops *ops, u64 guid)
{
	int i;

	memset(b, 0, sizeof(*b));
	hca_packet_pool_init(&b->pool, NULL, 16);
	b->node.type = type;
	b->node.num_ports = 2;
	b->node.partition_cap = HCA_PKEYS;
	b->node.node_guid = cpu_to_be64(guid);
	b->node.ports = b->ports;
	b->node.pool = &b->pool;
	b->node.agent = &hca_agent;
	spin_lock_init(&b->node.desc_lock);
	for (i = 0; i <= 2; i++)
		ck_assert_int_eq(hca_node_init_port(&b->ports[i], &b->node, i, ops, 0) ?:
					 hca_agent_port_new(&b->ports[i]), 0);
}

static void unmake_box(struct box *b)
{
	int i;

	for (i = 0; i <= 2; i++) {
		hca_cable_disconnect(&b->ports[i]);
		hca_agent_port_stop(&b->ports[i]);
		hca_port_destroy(&b->ports[i]);
		hca_agent_port_free(&b->ports[i]);
	}
	ck_assert_uint_eq(b->pool.in_use, 0); /* no packet has leaked */
	hca_packet_pool_destroy(&b->pool);
}

static void setup(void)
{
	shim_reset(1);
	hca_engine_start();
	make_box(&manager, RDMA_NODE_IB_CA, &manager_ops, 0x1000);
	make_box(&tca, RDMA_NODE_IB_CA, &dest_ops, 0x2000);
	make_box(&middle, RDMA_NODE_IB_SWITCH, &dest_ops, 0x3000);
	memset(&answered, 0, sizeof(answered));
	memset(&passed, 0, sizeof(passed));
	hca_cable_connect(&manager.ports[1], &tca.ports[1]);
}

static void teardown(void)
{
	unmake_box(&manager);
	unmake_box(&middle);
	unmake_box(&tca);
	hca_engine_stop();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}

static void add_tests(Suite *suite, const char *name, const TTest *const *tests)
{
	TCase *tc = tcase_create(name);

	tcase_add_checked_fixture(tc, setup, teardown);
	for (; *tests; tests++)
		tcase_add_test(tc, *tests);
	suite_add_tcase(suite, tc);
}

static struct hca_smp smp;

static void get(u8 class, u16 attr)
{
	memset(&smp, 0, sizeof(smp));
	smp.base_version = 1;
	smp.mgmt_class = class;
	smp.class_version = 1;
	smp.method = IB_MGMT_METHOD_GET;
	smp.attr_id = cpu_to_be16(attr);
	smp.tid = cpu_to_be64(0x1234);
	smp.dr_slid = cpu_to_be16(PERMISSIVE);
	smp.dr_dlid = cpu_to_be16(PERMISSIVE);
}

/* The manager's own SMI has incremented the hop pointer: it is at the first hop. */
static void directed(u8 hops)
{
	smp.hop_cnt = hops;
	smp.hop_ptr = 1;
	memset(smp.initial_path + 1, 1, hops);
}

static struct hca_packet *packet(u16 slid, u16 dlid)
{
	struct hca_packet *pkt;

	local_bh_disable();
	pkt = hca_packet_alloc(&manager.pool);
	local_bh_enable();
	ck_assert_ptr_nonnull(pkt);
	memset(&pkt->h, 0, sizeof(pkt->h));
	pkt->h.lrh.vl = HCA_VL_MANAGEMENT;
	pkt->h.lrh.lnh = IB_LNH_IBA_LOCAL;
	pkt->h.lrh.slid = slid;
	pkt->h.lrh.dlid = dlid;
	pkt->h.bth.opcode = ANY_QP0;
	pkt->h.bth.pkey = 0xffff;
	memcpy(pkt->data, &smp, sizeof(smp));
	pkt->payload_length = HCA_MAD_BYTES;
	return pkt;
}

static void send(struct hca_port *port, struct hca_packet *pkt)
{
	answered.count = 0;
	passed.count = 0;
	local_bh_disable();
	hca_packet_finish(pkt);
	ck_assert(hca_port_send(port, pkt, NULL));
	hca_engine_run();
	local_bh_enable();
}

static void ask(u16 slid, u16 dlid)
{
	send(&manager.ports[1], packet(slid, dlid));
}

static void assert_silence(void)
{
	ck_assert_uint_eq(answered.count, 0);
	ck_assert_uint_eq(passed.count, 0);
}

/* The only response; its LIDs, and the header fields that every SMP has. */
static const struct hca_smp *answer(u16 slid, u16 dlid)
{
	const struct hca_smp *rsp = &answered.smp;

	ck_assert_uint_eq(answered.count, 1);
	ck_assert_uint_eq(answered.h.lrh.vl, 15);
	ck_assert_uint_eq(answered.h.lrh.sl, 0);
	ck_assert_uint_eq(answered.h.lrh.lver, 0);
	ck_assert_uint_eq(answered.h.lrh.lnh, IB_LNH_IBA_LOCAL);
	ck_assert_uint_eq(answered.h.lrh.slid, slid);
	ck_assert_uint_eq(answered.h.lrh.dlid, dlid);
	ck_assert_uint_eq(answered.h.lrh.pktlen, (8 + 12 + 8 + 256 + 4) / 4);
	ck_assert_uint_eq(answered.h.bth.opcode, ANY_QP0);
	ck_assert_uint_eq(answered.h.bth.flags, 0);
	ck_assert_uint_eq(answered.h.bth.padcnt, 0);
	ck_assert_uint_eq(answered.h.bth.tver, 0);
	ck_assert_uint_eq(answered.h.bth.pkey, 0xffff);
	ck_assert_uint_eq(answered.h.bth.destqp, 0);
	ck_assert_uint_eq(answered.h.deth.qkey, 0);
	ck_assert_uint_eq(answered.h.deth.srcqp, 0);
	ck_assert_uint_eq(rsp->method, IB_MGMT_METHOD_GET_RESP);
	ck_assert_uint_eq(rsp->tid, smp.tid);
	return rsp;
}

START_TEST(directed_request_and_answer_B4_159_C4_272_276)
{
	const struct hca_smp *rsp;

	ck_assert_uint_eq(tca.ports[1].info.state, IB_PORT_INIT); /* C4-202 */
	get(IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE, 0x11);
	directed(1);
	ask(PERMISSIVE, PERMISSIVE);
	rsp = answer(PERMISSIVE, PERMISSIVE);
	ck_assert_uint_eq(be16_to_cpu(rsp->status), HCA_SMP_DIRECTION);
	ck_assert_uint_eq(rsp->hop_cnt, 1);
	ck_assert_uint_eq(rsp->hop_ptr, 1);
	ck_assert_uint_eq(rsp->return_path[1], 1);
	ck_assert_uint_eq(rsp->initial_path[1], 1);
	ck_assert_uint_eq(rsp->data[2], RDMA_NODE_IB_CA);
	ck_assert_uint_eq(rsp->data[36], 1); /* LocalPortNum */
}
END_TEST

START_TEST(answers_leave_by_the_port_of_arrival_B4_154_C4_185)
{
	const struct hca_smp *rsp;

	hca_cable_disconnect(&tca.ports[1]);
	hca_cable_connect(&manager.ports[1], &tca.ports[2]);
	get(IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE, 0x11);
	directed(1);
	ask(PERMISSIVE, PERMISSIVE);
	rsp = answer(PERMISSIVE, PERMISSIVE);
	ck_assert_uint_eq(rsp->return_path[1], 2);
	ck_assert_uint_eq(rsp->data[36], 2);
}
END_TEST

/* C4-193, C4-194 */
START_TEST(answers_by_lid_swap_lids_B4_161_C4_198_268)
{
	const struct hca_smp *rsp;

	manager.ports[1].info.lid = 1;
	tca.ports[1].info.lid = 6;
	tca.ports[1].info.lmc = 1;
	get(IB_MGMT_CLASS_SUBN_LID_ROUTED, 0x11);
	ask(1, 7);
	rsp = answer(7, 1);
	ck_assert_uint_eq(rsp->status, 0);
	ck_assert_uint_eq(rsp->hop_ptr, 0);
	/* The content of the directed route's fields is irrelevant, too. */
	directed(3);
	smp.hop_ptr = 99;
	ask(1, 6);
	rsp = answer(6, 1);
	ck_assert_uint_eq(rsp->hop_ptr, 99);
}
END_TEST

START_TEST(a_route_that_ends_by_lid_C4_271_274)
{
	const struct hca_smp *rsp;

	manager.ports[1].info.lid = 3; /* the LID of the last switch of the directed part */
	tca.ports[1].info.lid = 6;
	get(IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE, 0x11);
	directed(2);
	smp.hop_ptr = 3;
	smp.dr_dlid = cpu_to_be16(6);
	ask(3, 6);
	rsp = answer(6, 3);
	ck_assert_uint_eq(be16_to_cpu(rsp->status), HCA_SMP_DIRECTION);
	ck_assert_uint_eq(rsp->hop_ptr, 3);
	ck_assert_uint_eq(rsp->return_path[2], 0);
}
END_TEST

static void assert_passed(void)
{
	ck_assert_uint_eq(answered.count, 0);
	ck_assert_uint_eq(passed.count, 1);
	ck_assert_uint_eq(passed.port, 1);
	ck_assert_mem_eq(&passed.smp, &smp, sizeof(smp));
}

START_TEST(what_is_not_the_agents_is_passed_unmodified_B4_155_162_C4_184_206)
{
	static const struct {
		u8 class, method;
		u16 attr;
		bool back;
		u8 hop_ptr;
	} kinds[] = {
		{ IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE, IB_MGMT_METHOD_GET, 0x20, false, 2 },
		{ IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE, IB_MGMT_METHOD_GET_RESP, 0x11, true, 1 },
		{ IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE, IB_MGMT_METHOD_GET_RESP, 0x11, true, 0 },
		{ IB_MGMT_CLASS_SUBN_LID_ROUTED, IB_MGMT_METHOD_GET, 0x20 },
		{ IB_MGMT_CLASS_SUBN_LID_ROUTED, IB_MGMT_METHOD_SET, 0x20 },
		{ IB_MGMT_CLASS_SUBN_LID_ROUTED, IB_MGMT_METHOD_GET_RESP, 0x15 },
		{ IB_MGMT_CLASS_SUBN_LID_ROUTED, IB_MGMT_METHOD_TRAP, 0x02 },
		/* sent by QP0 for a trap */
		{ IB_MGMT_CLASS_SUBN_LID_ROUTED, IB_MGMT_METHOD_TRAP_REPRESS, 0x02 },
	};
	unsigned int i;

	tca.ports[1].info.lid = 6;
	tca.ports[1].info.capability_mask |= HCA_CAP_SM;
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		get(kinds[i].class, kinds[i].attr);
		smp.method = kinds[i].method;
		if (kinds[i].class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE)
			directed(2);
		smp.hop_ptr = kinds[i].hop_ptr;
		if (kinds[i].back)
			smp.status = cpu_to_be16(HCA_SMP_DIRECTION);
		ask(1, 6);
		assert_passed();
	}
}
END_TEST

START_TEST(a_route_that_does_not_end_at_an_adapter_C4_276)
{
	unsigned int ptr;

	for (ptr = 0; ptr < 256; ptr++) {
		get(IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE, 0x11);
		directed(3);
		smp.hop_ptr = ptr;
		ask(PERMISSIVE, PERMISSIVE);
		if (ptr == 3)
			answer(PERMISSIVE, PERMISSIVE);
		else /* at hop pointer 4 there is a response, but it has no return path */
			assert_silence();
	}
}
END_TEST

/* Each of these makes an SMP invalid. */
static void spoil(struct hca_packet *pkt, unsigned int how)
{
	switch (how) {
	case 0: pkt->h.lrh.vl = 0; break;
	case 1: pkt->h.lrh.lnh = IB_LNH_IBA_GLOBAL; break; /* C4-288 */
	case 2: pkt->h.lrh.lnh = IB_LNH_RAW; break;
	case 3: pkt->h.bth.opcode = HCA_OPCODE(UD, SEND_ONLY_WITH_IMMEDIATE); break;
	case 4: pkt->h.bth.opcode = HCA_OPCODE(RC, SEND_ONLY); break;
	case 5: pkt->h.bth.destqp = 1; break;
	case 6: pkt->h.deth.srcqp = 1; break;
	case 7: pkt->payload_length = 252; break;
	case 8: pkt->payload_length = 260; break;
	case 9: pkt->payload_kind = HCA_PAYLOAD_BORROWED; break;
	case 10: pkt->data[0] = 2; break; /* base version */
	case 11: pkt->data[1] = IB_MGMT_CLASS_PERF_MGMT; break; /* B4-160 */
	case 12: pkt->data[1] = 3; break; /* subnet administration */
	default: break;
	}
}

#define WAYS_TO_SPOIL 13

/* C4-183, C4-205, C4-269 */
START_TEST(malformed_smps_are_dropped_B4_173_177_C4_201_204)
{
	struct hca_packet *pkt;
	unsigned int i;

	get(IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE, 0x11);
	directed(1);
	for (i = 0; i <= WAYS_TO_SPOIL; i++) {
		pkt = packet(PERMISSIVE, PERMISSIVE);
		answered.count = 0;
		local_bh_disable();
		hca_packet_finish(pkt);
		spoil(pkt, i);
		hca_smi_receive(&tca.ports[1], pkt);
		hca_engine_run();
		local_bh_enable();
		ck_assert_msg(answered.count == (i == WAYS_TO_SPOIL), "case %u", i);
		ck_assert_uint_eq(passed.count, 0);
	}
}
END_TEST

START_TEST(keys_of_packets_are_not_checked_C4_203)
{
	struct hca_packet *pkt;

	get(IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE, 0x11);
	directed(1);
	pkt = packet(PERMISSIVE, PERMISSIVE);
	pkt->h.bth.pkey = 0x1234;
	pkt->h.deth.qkey = 0x5678;
	pkt->h.bth.psn = 77;
	send(&manager.ports[1], pkt);
	answer(PERMISSIVE, PERMISSIVE);
}
END_TEST

START_TEST(a_payload_from_another_phy)
{
	struct hca_packet *pkt;
	u8 *buffer;

	get(IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE, 0x11);
	directed(1);
	pkt = packet(PERMISSIVE, PERMISSIVE);
	buffer = kmalloc(HCA_MAD_BYTES, GFP_KERNEL);
	memcpy(buffer, &smp, sizeof(smp));
	pkt->payload_kind = HCA_PAYLOAD_GATHERED;
	pkt->buffer = buffer;
	send(&manager.ports[1], pkt);
	answer(PERMISSIVE, PERMISSIVE);
}
END_TEST

START_TEST(a_wrong_m_key_is_not_answered_C4_252)
{
	tca.ports[1].info.m_key = cpu_to_be64(5);
	tca.ports[1].info.m_key_protect = 2;
	get(IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE, 0x11);
	directed(1);
	ask(PERMISSIVE, PERMISSIVE);
	assert_silence();
	ck_assert_uint_eq(tca.ports[1].info.m_key_violations, 1);
	smp.m_key = cpu_to_be64(5);
	ask(PERMISSIVE, PERMISSIVE);
	answer(PERMISSIVE, PERMISSIVE);
}
END_TEST

static void set_guid(u8 value)
{
	get(IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE, 0x14);
	smp.method = IB_MGMT_METHOD_SET;
	directed(1);
	smp.data[15] = value;
	ask(PERMISSIVE, PERMISSIVE);
}

START_TEST(no_set_without_an_answer)
{
	tca.pool.limit = 0;
	set_guid(3);
	assert_silence();
	ck_assert_uint_eq(tca.ports[1].tables.guid[1], 0);
	tca.pool.limit = 16;
	set_guid(3);
	answer(PERMISSIVE, PERMISSIVE);
	ck_assert_uint_eq(be64_to_cpu(tca.ports[1].tables.guid[1]), 3);
}
END_TEST

START_TEST(a_node_may_ask_itself_B4_172_C4_200)
{
	tca.ports[1].info.lid = 6;
	get(IB_MGMT_CLASS_SUBN_LID_ROUTED, 0x11);
	send(&tca.ports[1], packet(6, 6));
	ck_assert_uint_eq(answered.count, 0);
	ck_assert_uint_eq(passed.count, 1); /* the response, to the local QP0 */
	ck_assert_uint_eq(passed.smp.method, IB_MGMT_METHOD_GET_RESP);
}
END_TEST

static void set_port_state(u8 state, u8 phys)
{
	get(IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE, 0x15);
	smp.method = IB_MGMT_METHOD_SET;
	directed(1);
	smp.data[17] = 6; /* LID */
	smp.data[19] = 1; /* MasterSMLID */
	smp.data[36] = 0x50; /* NeighborMTU */
	smp.data[32] = state;
	smp.data[33] = phys << 4;
	ask(PERMISSIVE, PERMISSIVE);
}

START_TEST(a_disabled_port_sends_no_answer_C4_240)
{
	set_port_state(IB_PORT_DOWN, IB_PORT_PHYS_STATE_DISABLED);
	assert_silence();
	ck_assert_uint_eq(tca.ports[1].info.state, IB_PORT_DOWN);
	ck_assert_uint_eq(tca.ports[1].info.phys_state, IB_PORT_PHYS_STATE_DISABLED);
	ck_assert_uint_eq(tca.ports[1].info.lid, 6);
}
END_TEST

START_TEST(a_port_comes_up_by_smps_C4_202_240)
{
	const struct hca_smp *rsp;

	set_port_state(IB_PORT_ARMED, 0);
	rsp = answer(PERMISSIVE, PERMISSIVE);
	ck_assert_uint_eq(rsp->data[32] & 0xf, IB_PORT_ARMED);
	set_port_state(IB_PORT_ACTIVE, 0);
	rsp = answer(PERMISSIVE, PERMISSIVE);
	ck_assert_uint_eq(rsp->data[32] & 0xf, IB_PORT_ACTIVE);
	ck_assert_uint_eq(be16_to_cpu(rsp->status), HCA_SMP_DIRECTION);
}
END_TEST

/* ---- A switch between them ---- */

static void insert_switch(void)
{
	hca_cable_disconnect(&manager.ports[1]);
	hca_cable_connect(&manager.ports[1], &middle.ports[1]);
	hca_cable_connect(&middle.ports[2], &tca.ports[1]);
}

START_TEST(through_a_switch_and_back_C4_191_270_271)
{
	const struct hca_smp *rsp;

	insert_switch();
	get(IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE, 0x11);
	directed(2);
	smp.initial_path[2] = 2;
	ask(PERMISSIVE, PERMISSIVE);
	rsp = answer(PERMISSIVE, PERMISSIVE);
	ck_assert_uint_eq(rsp->data[2], RDMA_NODE_IB_CA);
	ck_assert_uint_eq(rsp->hop_ptr, 1);
	ck_assert_uint_eq(rsp->return_path[1], 1);
	ck_assert_uint_eq(rsp->return_path[2], 1);
	ck_assert_uint_eq(passed.count, 0);

	/* The switch itself responds, too. */
	directed(1);
	ask(PERMISSIVE, PERMISSIVE);
	rsp = answer(PERMISSIVE, PERMISSIVE);
	ck_assert_uint_eq(rsp->data[2], RDMA_NODE_IB_SWITCH);

	/* The exit is the port of ingress. */
	get(IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE, 0x11);
	directed(2);
	ask(PERMISSIVE, PERMISSIVE);
	ck_assert_uint_eq(answered.count, 1);
	ck_assert_uint_eq(answered.smp.method, IB_MGMT_METHOD_GET);
	ck_assert_uint_eq(answered.smp.hop_ptr, 2);
}
END_TEST

Suite *smi_suite(void)
{
	const TTest *const dr[] = {
		routes_of_arriving_smps_C4_276,
		routes_of_answers_C4_271_278,
		NULL,
	};
	const TTest *const smi[] = {
		directed_request_and_answer_B4_159_C4_272_276,
		answers_leave_by_the_port_of_arrival_B4_154_C4_185,
		answers_by_lid_swap_lids_B4_161_C4_198_268,
		a_route_that_ends_by_lid_C4_271_274,
		what_is_not_the_agents_is_passed_unmodified_B4_155_162_C4_184_206,
		a_route_that_does_not_end_at_an_adapter_C4_276,
		malformed_smps_are_dropped_B4_173_177_C4_201_204,
		keys_of_packets_are_not_checked_C4_203,
		a_payload_from_another_phy,
		a_wrong_m_key_is_not_answered_C4_252,
		no_set_without_an_answer,
		a_node_may_ask_itself_B4_172_C4_200,
		a_disabled_port_sends_no_answer_C4_240,
		a_port_comes_up_by_smps_C4_202_240,
		through_a_switch_and_back_C4_191_270_271,
		NULL,
	};
	Suite *suite = suite_create("smi");

	add_tests(suite, "dr", dr);
	add_tests(suite, "smi", smi);
	return suite;
}
