// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* MADs that a switch relays or answers: GMPs to its port 0, and SMPs of every form. */
#include <check.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/err.h>
#include "fabric/tca.h"
#include "link/state/state.h"
#include "link/tx/tx.h"
#include "phy/cable.h"
#include "sma/agent.h"
#include "tests/unit/fixture/switched.h"
#include "tests/unit/suites.h"
#include "wire/opcode.h"
#include "wire/smp.h"

#define GROUP 0xc007

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

static struct hca_packet *gmp(u16 dlid, u8 method)
{
	struct hca_packet *pkt = switched_packet(&s->listener[0], 3, dlid, HCA_MAD_BYTES);
	struct hca_mad *mad = (struct hca_mad *)pkt->data;

	memset(mad, 0, sizeof(*mad));
	mad->hdr.base_version = 1;
	mad->hdr.class_version = 1;
	mad->hdr.mgmt_class = IB_MGMT_CLASS_PERF_MGMT;
	mad->hdr.method = method;
	mad->hdr.attr_id = cpu_to_be16(1); /* ClassPortInfo */
	mad->hdr.tid = cpu_to_be64(99);
	pkt->h.bth.destqp = 1;
	pkt->h.deth.qkey = 0x80010000;
	pkt->h.deth.srcqp = 1;
	return pkt;
}

/* Port 0 of a switch has the agent and the queue pair 1. */
START_TEST(port_0_answers_the_performance_manager)
{
	const struct hca_mad *mad = (const struct hca_mad *)s->listener[0].payload;
	struct hca_packet *pkt;

	switched_send(&s->listener[0], gmp(SWITCHED_LID, IB_MGMT_METHOD_GET));
	ck_assert_uint_eq(s->listener[0].count, 1); /* C4-280, C4-283 */
	ck_assert_uint_eq(s->listener[0].h.lrh.slid, SWITCHED_LID);
	ck_assert_uint_eq(s->listener[0].h.lrh.dlid, 3);
	ck_assert_uint_eq(s->listener[0].h.lrh.vl, 0);
	ck_assert_uint_eq(s->listener[0].h.bth.destqp, 1);
	ck_assert_uint_eq(s->listener[0].h.deth.qkey, 0x80010000); /* C4-289 */
	ck_assert_uint_eq(mad->hdr.method, IB_MGMT_METHOD_GET_RESP);
	ck_assert_uint_eq(be64_to_cpu(mad->hdr.tid), 99);
	/* A wrong Q_Key or P_Key, another queue pair, or a response gets no response. */
	pkt = gmp(SWITCHED_LID, IB_MGMT_METHOD_GET);
	pkt->h.deth.qkey = 1; /* C4-289 */
	switched_send(&s->listener[0], pkt);
	pkt = gmp(SWITCHED_LID, IB_MGMT_METHOD_GET);
	pkt->h.bth.pkey = 0x8001; /* C4-290 */
	switched_send(&s->listener[0], pkt);
	pkt = gmp(SWITCHED_LID, IB_MGMT_METHOD_GET);
	pkt->h.bth.destqp = 2;
	switched_send(&s->listener[0], pkt);
	switched_send(&s->listener[0], gmp(SWITCHED_LID, IB_MGMT_METHOD_GET_RESP));
	ck_assert_uint_eq(s->listener[0].count, 1);
}
END_TEST

/* A GRH as a sender in another subnet would write it, to port 0 of the switch. */
static struct hca_packet *global_gmp(void)
{
	struct hca_packet *pkt = gmp(SWITCHED_LID, IB_MGMT_METHOD_GET);
	struct hca_grh *grh = &pkt->h.grh;

	pkt->h.lrh.lnh = IB_LNH_IBA_GLOBAL;
	grh->ipver = HCA_GRH_IPVER;
	grh->nxthdr = HCA_GRH_NXTHDR_IBA;
	grh->sgid.subnet_prefix = cpu_to_be64(HCA_DEFAULT_GID_PREFIX);
	grh->sgid.interface_id = cpu_to_be64(0x8003);
	grh->dgid.subnet_prefix = cpu_to_be64(HCA_DEFAULT_GID_PREFIX);
	grh->dgid.interface_id = cpu_to_be64(SWITCHED_GUID);
	return pkt;
}

/*
 * B4-107: a request whose GRH is not for port 0 gets no response. Only routers check the hop limit:
 * 0 keeps a request in its subnet, and its response may go anywhere (IBA 8.3.6).
 */
START_TEST(a_gmp_with_a_grh)
{
	const struct hca_grh *grh = &s->listener[0].h.grh;
	struct hca_packet *pkt;
	unsigned int i;

	for (i = 0; i < 6; i++) {
		pkt = global_gmp();
		pkt->h.grh.ipver ^= i == 0;
		pkt->h.grh.nxthdr ^= i == 1;
		pkt->h.grh.dgid.raw[15] ^= i == 2;
		pkt->h.grh.dgid.raw[0] ^= i == 3 ? 1 : 0; /* a multicast DGID */
		pkt->h.grh.dgid.raw[7] ^= i == 4; /* another subnet */
		if (i == 5) /* an empty entry of the GUID table */
			pkt->h.grh.dgid.interface_id = 0;
		switched_send(&s->listener[0], pkt);
		ck_assert_uint_eq(s->listener[0].count, 0);
	}
	for (i = 0; i < 2; i++) {
		pkt = global_gmp();
		pkt->h.grh.hoplmt = i ? 64 : 0;
		switched_send(&s->listener[0], pkt);
		ck_assert_uint_eq(s->listener[0].count, i + 1);
		ck_assert_uint_eq(grh->hoplmt, 0xff);
		ck_assert_uint_eq(be64_to_cpu(grh->sgid.interface_id), SWITCHED_GUID);
		ck_assert_uint_eq(be64_to_cpu(grh->dgid.interface_id), 0x8003);
	}
	/* The GID prefix that the subnet manager has set is accepted, too. */
	switched_port(s, 0)->info.subnet_prefix = cpu_to_be64(0xfec0000000000000);
	pkt = global_gmp();
	pkt->h.grh.dgid.subnet_prefix = cpu_to_be64(0xfec0000000000000);
	switched_send(&s->listener[0], pkt);
	ck_assert_uint_eq(s->listener[0].count, 3);
}
END_TEST

/* The response has the request's partition, with a P_Key that matches the requester's. */
START_TEST(the_p_key_of_an_answer)
{
	static const struct {
		u16 table[2], asked, answered;
	} rows[] = {
		{ { 0x7fff, 0xffff }, 0x7fff, 0xffff },
		{ { 0x7fff, 0xffff }, 0xffff, 0xffff },
		{ { 0xffff, 0x7fff }, 0xffff, 0xffff },
		{ { 0x8001, 0x7fff }, 0xffff, 0x7fff },
		{ { 0x8001, 0xffff }, 0x0001, 0x8001 },
	};
	struct hca_port *port = switched_port(s, 0);
	struct hca_packet *pkt;
	unsigned int i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		port->tables.pkey[0] = rows[i].table[0];
		port->tables.pkey[1] = rows[i].table[1];
		pkt = gmp(SWITCHED_LID, IB_MGMT_METHOD_GET);
		pkt->h.bth.pkey = rows[i].asked;
		switched_send(&s->listener[0], pkt);
		ck_assert_uint_eq(s->listener[0].count, i + 1);
		ck_assert_uint_eq(s->listener[0].h.bth.pkey, rows[i].answered);
	}
}
END_TEST

/*
 * An adapter without queue pairs is in no group: its QP1 responds to requests for one of its own
 * LIDs.
 */
START_TEST(a_gmp_to_a_group)
{
	struct hca_tca *tca = hca_tca_new(1, cpu_to_be64(0x9000), "tca", &hca_agent);
	struct hca_port *port = &tca->node.ports[1];
	unsigned int i;

	ck_assert(!IS_ERR(tca));
	hca_cable_disconnect(switched_port(s, 4));
	ck_assert_int_eq(hca_cable_connect(switched_port(s, 4), port), 0);
	for (i = IB_PORT_ARMED; i <= IB_PORT_ACTIVE; i++) {
		ck_assert_int_eq(hca_port_set_state(switched_port(s, 4), i), 0);
		ck_assert_int_eq(hca_port_set_state(port, i), 0);
	}
	port->info.lid = 4;
	s->sw->mft[7] = 1 << 4;
	switched_send(&s->listener[0], gmp(GROUP, IB_MGMT_METHOD_GET));
	ck_assert_uint_eq(hca_counter_read(port, HCA_CTR_MULTICAST_RCV_PACKETS), 1);
	ck_assert_uint_eq(s->listener[0].count, 0);
	switched_send(&s->listener[0], gmp(4, IB_MGMT_METHOD_GET));
	ck_assert_uint_eq(s->listener[0].count, 1);
	ck_assert_uint_eq(s->listener[0].h.lrh.slid, 4);
	hca_cable_disconnect(port);
	hca_tca_free(tca);
}
END_TEST

/* B4-017, C4-205, C4-292 */
START_TEST(what_is_no_gmp_is_not_answered)
{
	static const u16 lengths[] = { 0, 4, 24, 252, 260, 512 };
	struct hca_packet *pkt;
	unsigned int i;

	for (i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		pkt = gmp(SWITCHED_LID, IB_MGMT_METHOD_GET);
		pkt->payload_length = lengths[i];
		switched_send(&s->listener[0], pkt);
	}
	pkt = gmp(SWITCHED_LID, IB_MGMT_METHOD_GET);
	pkt->h.bth.opcode = HCA_OPCODE(UD, SEND_ONLY_WITH_IMMEDIATE);
	switched_send(&s->listener[0], pkt);
	pkt = gmp(SWITCHED_LID, IB_MGMT_METHOD_GET);
	pkt->h.bth.opcode = HCA_OPCODE(RC, SEND_ONLY);
	switched_send(&s->listener[0], pkt);
	ck_assert_uint_eq(s->listener[0].count, 0);
	switched_send(&s->listener[0], gmp(SWITCHED_LID, IB_MGMT_METHOD_GET));
	ck_assert_uint_eq(s->listener[0].count, 1);
}
END_TEST

/* ---- SMPs: the four forms of a directed route (C4-273), from listener 0 at port 3 ---- */

static struct hca_packet *smp(u8 class, u16 slid, u16 dlid)
{
	struct hca_packet *pkt = switched_packet(&s->listener[0], slid, dlid, HCA_MAD_BYTES);
	struct hca_smp *smp = (struct hca_smp *)pkt->data;

	memset(smp, 0, sizeof(*smp));
	smp->base_version = 1;
	smp->class_version = 1;
	smp->mgmt_class = class;
	smp->method = IB_MGMT_METHOD_GET;
	smp->attr_id = cpu_to_be16(0x11); /* NodeInfo */
	smp->dr_slid = cpu_to_be16(HCA_LID_PERMISSIVE);
	smp->dr_dlid = cpu_to_be16(HCA_LID_PERMISSIVE);
	pkt->h.lrh.vl = HCA_VL_MANAGEMENT;
	return pkt;
}

static struct hca_smp *of(struct hca_packet *pkt)
{
	return (struct hca_smp *)pkt->data;
}

/* The switch's own response to listener 0. */
static const struct hca_smp *answer(u16 slid, u16 dlid)
{
	const struct hca_smp *rsp = (const struct hca_smp *)s->listener[0].payload;

	ck_assert_uint_eq(s->listener[0].count, 1);
	ck_assert_uint_eq(s->listener[0].h.lrh.vl, HCA_VL_MANAGEMENT);
	ck_assert_uint_eq(s->listener[0].h.lrh.slid, slid);
	ck_assert_uint_eq(s->listener[0].h.lrh.dlid, dlid);
	ck_assert_uint_eq(rsp->method, IB_MGMT_METHOD_GET_RESP);
	return rsp;
}

/* B4-152, C4-192, C4-193 */
START_TEST(smp_by_lid_to_the_switch_and_beyond)
{
	const struct hca_smp *rsp;

	switched_send(&s->listener[0], smp(IB_MGMT_CLASS_SUBN_LID_ROUTED, 3, SWITCHED_LID));
	rsp = answer(SWITCHED_LID, 3);
	ck_assert_uint_eq(rsp->data[2], RDMA_NODE_IB_SWITCH);
	ck_assert_uint_eq(rsp->data[36], 3); /* LocalPortNum is the ingress port */
	switched_send(&s->listener[0], smp(IB_MGMT_CLASS_SUBN_LID_ROUTED, 3, 4));
	ck_assert_uint_eq(s->listener[1].count, 1);
	ck_assert_uint_eq(s->listener[1].h.lrh.slid, 3);
}
END_TEST

/* Each packet is forwarded by the table before a write, or by the one after it. */
START_TEST(a_table_is_written_while_packets_pass_C4_162_245)
{
	enum { ROUNDS = 100, LID = 20, BLOCK = 64 };
	unsigned int i, written = 0;
	struct hca_packet *pkt;

	for (i = 0; i < ROUNDS; i++) {
		s->sw->lft[LID] = 4 - i % 2;
		local_bh_disable();
		pkt = switched_packet(&s->listener[0], 1, LID, 100);
		hca_packet_finish(pkt);
		ck_assert(hca_port_send(&s->a->ports[1], pkt, NULL));
		local_bh_enable();
		pkt = smp(IB_MGMT_CLASS_SUBN_LID_ROUTED, 3, SWITCHED_LID);
		of(pkt)->method = IB_MGMT_METHOD_SET;
		of(pkt)->attr_id = cpu_to_be16(0x19); /* LinearForwardingTable */
		memcpy(of(pkt)->data, s->sw->lft, BLOCK);
		of(pkt)->data[LID] = 3 + i % 2;
		switched_send(&s->listener[0], pkt);
		written += s->sw->lft[LID] == 3 + i % 2;
	}
	ck_assert_uint_eq(written, ROUNDS);
	ck_assert_uint_eq(counted(4, HCA_CTR_XMIT_PACKETS), ROUNDS / 2);
	/* and as many responses */
	ck_assert_uint_eq(counted(3, HCA_CTR_XMIT_PACKETS), ROUNDS / 2 + ROUNDS);
	ck_assert_uint_eq(counted(1, HCA_CTR_RCV_SWITCH_RELAY_ERRORS), 0);
}
END_TEST

START_TEST(smp_by_directed_route_only_C4_276)
{
	struct hca_packet *pkt = smp(IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE, HCA_LID_PERMISSIVE,
				     HCA_LID_PERMISSIVE);
	const struct hca_smp *rsp;

	of(pkt)->hop_cnt = 1;
	of(pkt)->hop_ptr = 1;
	of(pkt)->initial_path[1] = 1;
	switched_send(&s->listener[0], pkt);
	rsp = answer(HCA_LID_PERMISSIVE, HCA_LID_PERMISSIVE);
	ck_assert_uint_eq(rsp->return_path[1], 3);
	ck_assert_uint_eq(rsp->data[2], RDMA_NODE_IB_SWITCH);

	pkt = smp(IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE, HCA_LID_PERMISSIVE, HCA_LID_PERMISSIVE);
	of(pkt)->hop_cnt = 2;
	of(pkt)->hop_ptr = 1;
	of(pkt)->initial_path[1] = 1;
	of(pkt)->initial_path[2] = 4;
	switched_send(&s->listener[0], pkt);
	ck_assert_uint_eq(s->listener[1].count, 1);
	rsp = (const struct hca_smp *)s->listener[1].payload;
	ck_assert_uint_eq(rsp->hop_ptr, 2);
	ck_assert_uint_eq(rsp->return_path[1], 3);
}
END_TEST

START_TEST(smp_by_lid_first_then_directed_C4_271_275)
{
	struct hca_packet *pkt = smp(IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE, 3, SWITCHED_LID);
	const struct hca_smp *got = (const struct hca_smp *)s->listener[1].payload;

	of(pkt)->dr_slid = cpu_to_be16(3);
	of(pkt)->hop_cnt = 1;
	of(pkt)->initial_path[1] = 4;
	switched_send(&s->listener[0], pkt);
	ck_assert_uint_eq(s->listener[1].count, 1);
	ck_assert_uint_eq(s->listener[1].h.lrh.dlid, HCA_LID_PERMISSIVE);
	ck_assert_uint_eq(got->hop_ptr, 1);

	/* The return path: directed to the switch, then by LID. */
	pkt = switched_packet(&s->listener[1], HCA_LID_PERMISSIVE, HCA_LID_PERMISSIVE,
			      HCA_MAD_BYTES);
	memcpy(pkt->data, got, HCA_MAD_BYTES);
	pkt->h.lrh.vl = HCA_VL_MANAGEMENT;
	of(pkt)->method = IB_MGMT_METHOD_GET_RESP;
	of(pkt)->status = cpu_to_be16(HCA_SMP_DIRECTION);
	switched_send(&s->listener[1], pkt);
	answer(SWITCHED_LID, 3);
}
END_TEST

START_TEST(smp_directed_first_then_by_lid_C4_271_274)
{
	struct hca_packet *pkt = smp(IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE, HCA_LID_PERMISSIVE,
				     HCA_LID_PERMISSIVE);
	const struct hca_smp *got = (const struct hca_smp *)s->listener[1].payload;

	of(pkt)->dr_dlid = cpu_to_be16(4);
	of(pkt)->hop_cnt = 1;
	of(pkt)->hop_ptr = 1;
	of(pkt)->initial_path[1] = 3;
	switched_send(&s->listener[0], pkt);
	ck_assert_uint_eq(s->listener[1].count, 1);
	ck_assert_uint_eq(s->listener[1].h.lrh.dlid, 4);
	ck_assert_uint_eq(s->listener[1].h.lrh.slid, SWITCHED_LID);
	ck_assert_uint_eq(got->hop_ptr, 2);
	ck_assert_uint_eq(got->return_path[1], 3);

	/* The return path: by LID to the switch, then directed. */
	pkt = switched_packet(&s->listener[1], 4, SWITCHED_LID, HCA_MAD_BYTES);
	memcpy(pkt->data, got, HCA_MAD_BYTES);
	pkt->h.lrh.vl = HCA_VL_MANAGEMENT;
	of(pkt)->method = IB_MGMT_METHOD_GET_RESP;
	of(pkt)->status = cpu_to_be16(HCA_SMP_DIRECTION);
	switched_send(&s->listener[1], pkt);
	answer(HCA_LID_PERMISSIVE, HCA_LID_PERMISSIVE);
}
END_TEST

START_TEST(smp_that_leads_nowhere_is_silently_dropped)
{
	struct hca_packet *pkt = smp(IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE, HCA_LID_PERMISSIVE,
				     HCA_LID_PERMISSIVE);

	of(pkt)->hop_cnt = 2;
	of(pkt)->hop_ptr = 1;
	of(pkt)->initial_path[2] = 9;
	switched_send(&s->listener[0], pkt);
	switched_send(&s->listener[0], smp(IB_MGMT_CLASS_SUBN_LID_ROUTED, 3, 60));
	ck_assert_uint_eq(s->listener[0].count + s->listener[1].count, 0);
	/* The switch's counters show that it has dropped a packet by its LID (C4-192). */
	ck_assert_uint_eq(counted(3, HCA_CTR_RCV_SWITCH_RELAY_ERRORS), 1);
	ck_assert_uint_eq(counted(3, HCA_CTR_DLID_MAPPING_ERRORS), 1);
}
END_TEST

Suite *forward_mad_suite(void)
{
	const TTest *const mads[] = {
		port_0_answers_the_performance_manager,
		a_gmp_with_a_grh,
		the_p_key_of_an_answer,
		a_gmp_to_a_group,
		what_is_no_gmp_is_not_answered,
		a_table_is_written_while_packets_pass_C4_162_245,
		smp_by_lid_to_the_switch_and_beyond,
		smp_by_directed_route_only_C4_276,
		smp_by_lid_first_then_directed_C4_271_275,
		smp_directed_first_then_by_lid_C4_271_274,
		smp_that_leads_nowhere_is_silently_dropped,
	};
	Suite *suite = suite_create("forward_mad");
	TCase *tc = tcase_create("mads");
	unsigned int i;

	tcase_add_checked_fixture(tc, setup, teardown);
	for (i = 0; i < sizeof(mads) / sizeof(*mads); i++)
		tcase_add_test(tc, mads[i]);
	suite_add_tcase(suite, tc);
	return suite;
}
