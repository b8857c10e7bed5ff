// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The subnet management agent: the responses to MADs, and the smaller attributes. */
#include "link/port/attributes.h"
#include "shim.h"
#include "tests/unit/agent/agent.h"
#include "tests/unit/suites.h"

#define VENDOR_DIAG 0x30
#define LED_INFO 0x31

/* ---- Dispatch ---- */

START_TEST(golden_node_info_B4_156_C4_231)
{
	static const u8 want[HCA_MAD_BYTES] = {
		1, 0x81, 1, 0x81, 0x80, 0x00, 1, 1, /* C4-212: directed GetResp, direction, hops */
		0, 1, 2, 3, 4, 5, 6, 7, /* TID */
		0x00, 0x11, 0, 0, 0, 0, 0, 0,
		[24] = 0xfe, [31] = 0xef, /* M_Key */
		[32] = 0xff, 0xff, 0xff, 0xff, /* DrSLID, DrDLID */
		[64] = 1, 1, 1, 2, /* versions, channel adapter, 2 ports */
		[74] = 0x10, 0x00, /* system image GUID */
		[82] = 0x10, 0x10, /* node GUID */
		[90] = 0x10, 0x22, /* port GUID */
		[92] = 0, 32, 0x48, 0x43, /* B4-314: PartitionCap, DeviceID */
		[96] = 1, 2, 3, 4, /* C4-373: Revision */
		[100] = 2, 0xab, 0xcd, 0xef, /* LocalPortNum, VendorID */
		[129] = 7, [193] = 2, /* paths */
	};
	u8 in[HCA_MAD_BYTES] = {
		1, 0x81, 1, 0x01, 0x00, 0x00, 1, 1, 0, 1, 2, 3, 4, 5, 6, 7, 0x00, 0x11,
		[24] = 0xfe, [31] = 0xef, [32] = 0xff, 0xff, 0xff, 0xff, [129] = 7, [193] = 2,
	};

	memcpy(&agent_rq, in, sizeof(in));
	ck_assert_int_eq(hca_agent.process(&agent_node, 2, 0, &agent_rq.mad, &agent_rsp.mad, false),
			 HCA_AGENT_REPLY); /* C4-194 */
	ck_assert_mem_eq(&agent_rsp, want, sizeof(want)); /* V3-038, V3-050 */
}
END_TEST

enum outcome { REFUSED_METHOD, REFUSED_ATTR, ANSWERED, PASSED };

static void assert_outcome(u8 class, u8 method, u16 attr, enum outcome want)
{
	static const u16 status[] = {
		[REFUSED_METHOD] = IB_MAD_STS_METHOD_NOT_SUPPORTED,
		[REFUSED_ATTR] = IB_MAD_STS_METHOD_ATTR_NOT_SUPPORTED,
		[ANSWERED] = 0,
	};
	enum hca_agent_result result;

	agent_request(class, method, attr,
		      attr == IB_ATTR_VL_ARBITRATION && class != 4 ? 1 << 16 : 0);
	if (class == 4)
		agent_rq.octets[DATA + 1] = 1; /* PortSelect */
	/* PortInfo is set to its present value. */
	if (class != 4 && attr == IB_ATTR_PORT_INFO && method == 2) {
		agent_put(IB_PORT_LID_F, 1);
		agent_put(IB_PORT_SMLID_F, 1);
		agent_put(IB_PORT_NEIGHBOR_MTU_F, 5);
	}
	result = agent_ask_at(1);
	switch (want) {
	case PASSED:
		ck_assert_msg(result == HCA_AGENT_PASS, "class %x method %x attribute %x: %d",
			      class, method, attr, result);
		return;
	default:
		ck_assert_msg(result == HCA_AGENT_REPLY, "class %x method %x attribute %x: %d",
			      class, method, attr, result);
	}
	ck_assert_msg((agent_rsp.octets[4] << 8 | agent_rsp.octets[5]) ==
			      (status[want] | (class == IB_SMI_DIRECT_CLASS ? 0x8000 : 0)),
		      "class %x method %x attribute %x: status %02x%02x", class, method, attr,
		      agent_rsp.octets[4], agent_rsp.octets[5]);
	ck_assert_msg(agent_rsp.octets[3] == (want == REFUSED_METHOD ? method | 0x80 : 0x81),
		      "class %x method %x attribute %x: method %x", class, method, attr,
		      agent_rsp.octets[3]);
}

/* The results of Get and Set; those of other methods do not depend on the attribute. */
struct map {
	u16 attr;
	enum outcome get, set;
};

static const struct map subnet_map[] = {
	{ 0x0000, REFUSED_ATTR, REFUSED_ATTR },
	{ NOTICE, ANSWERED, ANSWERED },
	{ IB_ATTR_NODE_DESC, ANSWERED, REFUSED_ATTR },
	{ IB_ATTR_NODE_INFO, ANSWERED, REFUSED_ATTR },
	{ IB_ATTR_SWITCH_INFO, REFUSED_ATTR, REFUSED_ATTR },
	{ 0x0013, REFUSED_ATTR, REFUSED_ATTR },
	{ IB_ATTR_GUID_INFO, ANSWERED, ANSWERED },
	{ IB_ATTR_PORT_INFO, ANSWERED, ANSWERED },
	{ IB_ATTR_PKEY_TBL, ANSWERED, ANSWERED },
	{ IB_ATTR_SLVL_TABLE, ANSWERED, ANSWERED },
	{ IB_ATTR_VL_ARBITRATION, ANSWERED, ANSWERED },
	{ 0x0019, REFUSED_ATTR, REFUSED_ATTR }, /* forwarding tables */
	{ 0x001a, REFUSED_ATTR, REFUSED_ATTR },
	{ 0x001b, REFUSED_ATTR, REFUSED_ATTR },
	{ IB_ATTR_SMINFO, REFUSED_ATTR, REFUSED_ATTR },
	{ VENDOR_DIAG, ANSWERED, REFUSED_ATTR },
	{ LED_INFO, ANSWERED, ANSWERED },
	{ 0xff00, REFUSED_ATTR, REFUSED_ATTR },
};

static const struct map perf_map[] = {
	{ 0x0000, REFUSED_ATTR, REFUSED_ATTR },
	{ CLASS_PORT_INFO, ANSWERED, REFUSED_ATTR },
	{ 0x0002, REFUSED_ATTR, REFUSED_ATTR },
	{ IB_GSI_PORT_SAMPLES_CONTROL, ANSWERED, ANSWERED },
	{ IB_GSI_PORT_SAMPLES_RESULT, ANSWERED, REFUSED_ATTR },
	{ IB_GSI_PORT_COUNTERS, ANSWERED, ANSWERED },
	{ IB_GSI_PORT_RCV_ERROR_DETAILS, ANSWERED, ANSWERED },
	{ IB_GSI_PORT_XMIT_DISCARD_DETAILS, ANSWERED, ANSWERED },
	{ IB_GSI_PORT_PORT_VL_OP_DATA, REFUSED_ATTR, REFUSED_ATTR },
	{ IB_GSI_PORT_COUNTERS_EXT, ANSWERED, ANSWERED },
	{ 0x001e, ANSWERED, REFUSED_ATTR },
	{ 0xff00, REFUSED_ATTR, REFUSED_ATTR },
};

static void assert_map(u8 class, const struct map *map, unsigned int rows)
{
	unsigned int i, method;

	for (i = 0; i < rows; i++)
		for (method = 0; method < 256; method++) {
			enum outcome want = REFUSED_METHOD;

			if (method == IB_MAD_METHOD_GET)
				want = map[i].get;
			else if (method == IB_MAD_METHOD_SET)
				want = map[i].set;
			else if (method & 0x80 || method == IB_MAD_METHOD_SEND ||
				 method == IB_MAD_METHOD_TRAP || method == IB_MAD_METHOD_REPORT ||
				 method == IB_MAD_METHOD_TRAP_REPRESS)
				want = PASSED;
			assert_outcome(class, method, map[i].attr, want);
		}
}

START_TEST(methods_by_attributes_of_subnet_management_C4_195_196_197_206_217)
{
	assert_map(IB_SMI_CLASS, subnet_map, ARRAY_SIZE(subnet_map));
	assert_map(IB_SMI_DIRECT_CLASS, subnet_map, ARRAY_SIZE(subnet_map));
}
END_TEST

START_TEST(methods_by_attributes_of_performance_management_C4_322_331)
{
	assert_map(IB_PERFORMANCE_CLASS, perf_map, ARRAY_SIZE(perf_map));
}
END_TEST

START_TEST(sminfo_is_the_managers_where_there_is_one_C4_247)
{
	static const u8 classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS };
	unsigned int i, method;

	agent_ports[1].info.capability_mask |= HCA_CAP_SM;
	for (i = 0; i < ARRAY_SIZE(classes); i++)
		for (method = IB_MAD_METHOD_GET; method <= IB_MAD_METHOD_SET; method++)
			assert_outcome(classes[i], method, IB_ATTR_SMINFO, PASSED);
	assert_outcome(IB_SMI_CLASS, 0x12, IB_ATTR_SMINFO, REFUSED_METHOD);
	/* At the other port there is no SM: the agent replies. */
	agent_request(IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_SMINFO, 0);
	ck_assert_int_eq(agent_ask_at(2), HCA_AGENT_REPLY);
}
END_TEST

START_TEST(foreign_classes_pass_C4_216)
{
	static const u8 ours[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS, IB_PERFORMANCE_CLASS };
	unsigned int class;

	for (class = 0; class < 256; class++) {
		if (memchr(ours, class, sizeof(ours)))
			continue;
		agent_request(class, IB_MAD_METHOD_GET, CLASS_PORT_INFO, 0);
		ck_assert_int_eq(agent_ask_at(1), HCA_AGENT_PASS);
	}
}
END_TEST

START_TEST(wrong_versions_are_refused_C4_213)
{
	static const u8 classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS, IB_PERFORMANCE_CLASS };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(classes); i++) {
		u16 direction = classes[i] == IB_SMI_DIRECT_CLASS ? 0x8000 : 0;

		agent_request(classes[i], IB_MAD_METHOD_GET, IB_ATTR_NODE_INFO, 0);
		mad_set_field(&agent_rq, 0, IB_MAD_CLASSVER_F, 2);
		ck_assert_uint_eq(agent_ask(), direction | IB_MAD_STS_BAD_BASE_VER_OR_CLASS);
		mad_set_field(&agent_rq, 0, IB_MAD_CLASSVER_F, 1);
		mad_set_field(&agent_rq, 0, IB_MAD_BASEVER_F, 0x80);
		ck_assert_uint_eq(agent_ask(), direction | IB_MAD_STS_BAD_BASE_VER_OR_CLASS);
	}
	/* A method that gets no response gets none here, either. */
	agent_request(IB_SMI_CLASS, IB_MAD_METHOD_TRAP_REPRESS, NOTICE, 0);
	mad_set_field(&agent_rq, 0, IB_MAD_CLASSVER_F, 2);
	ck_assert_int_eq(agent_ask_at(1), HCA_AGENT_PASS);
	agent_request(IB_SMI_CLASS, IB_MAD_METHOD_TRAP, 2, 0);
	mad_set_field(&agent_rq, 0, IB_MAD_CLASSVER_F, 2);
	ck_assert_int_eq(agent_ask_at(1), HCA_AGENT_PASS);
}
END_TEST

START_TEST(a_returning_smp_is_the_managers_C4_227)
{
	agent_request(IB_SMI_DIRECT_CLASS, IB_MAD_METHOD_GET, IB_ATTR_NODE_INFO, 0);
	mad_set_field(&agent_rq, 0, IB_DRSMP_DIRECTION_F, 1);
	ck_assert_int_eq(agent_ask_at(1), HCA_AGENT_PASS);
	/*
	 * In the LID-routed class the direction bit is a bit of the status, which requests do not
	 * have.
	 */
	agent_rq.octets[1] = IB_SMI_CLASS;
	ck_assert_uint_eq(agent_ask(), 0);
}
END_TEST

START_TEST(a_modifier_where_there_is_none_C4_229_230_324)
{
	ck_assert_uint_eq(agent_get(IB_ATTR_NODE_DESC, 1), IB_MAD_STS_INV_ATTR_VALUE);
	ck_assert_uint_eq(agent_get(IB_ATTR_NODE_INFO, 0x80000000), IB_MAD_STS_INV_ATTR_VALUE);
	agent_request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_GET, CLASS_PORT_INFO, 1);
	ck_assert_uint_eq(agent_ask(), IB_MAD_STS_INV_ATTR_VALUE);
	agent_request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_GET, IB_GSI_PORT_COUNTERS, 1);
	agent_put(IB_PC_PORT_SELECT_F, 1);
	ck_assert_uint_eq(agent_ask(), IB_MAD_STS_INV_ATTR_VALUE);
}
END_TEST

START_TEST(tables_of_vls_need_more_than_one_C4_243_244)
{
	agent_ports[1].info.vl_cap = 1;
	ck_assert_uint_eq(agent_get(IB_ATTR_SLVL_TABLE, 0), IB_MAD_STS_METHOD_ATTR_NOT_SUPPORTED);
	ck_assert_uint_eq(agent_get(IB_ATTR_VL_ARBITRATION, 1 << 16),
			  IB_MAD_STS_METHOD_ATTR_NOT_SUPPORTED);
	ck_assert_uint_eq(agent_get(IB_ATTR_PORT_INFO, 0), 0);
	ck_assert_uint_eq(agent_got(IB_PORT_VL_ARBITRATION_LOW_CAP_F), 0);
	ck_assert_uint_eq(agent_got(IB_PORT_VL_ARBITRATION_HIGH_CAP_F), 0);
}
END_TEST

START_TEST(a_port_that_there_is_not)
{
	agent_request(IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_NODE_INFO, 0);
	ck_assert_int_eq(agent_ask_at(0), HCA_AGENT_PASS);
	ck_assert_int_eq(agent_ask_at(3), HCA_AGENT_PASS);
}
END_TEST

/* ---- Attributes ---- */

START_TEST(node_description_C4_229)
{
	char want[64] = "one node";
	u8 port;

	agent_request(IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_NODE_DESC, 0);
	for (port = 1; port <= 2; port++) {
		ck_assert_int_eq(agent_ask_at(port), HCA_AGENT_REPLY);
		ck_assert_mem_eq(agent_rsp.octets + DATA, want, 64);
	}
	/* All 64 octets may be text. */
	memset(agent_node.description, 'x', 64);
	memset(want, 'x', 64);
	ck_assert_uint_eq(agent_get(IB_ATTR_NODE_DESC, 0), 0);
	ck_assert_mem_eq(agent_rsp.octets + DATA, want, 64);
}
END_TEST

START_TEST(node_info_of_the_port_of_arrival_B4_154_C4_230_231)
{
	agent_request(IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_NODE_INFO, 0);
	ck_assert_int_eq(agent_ask_at(2), HCA_AGENT_REPLY);
	ck_assert_uint_eq(agent_got(IB_NODE_BASE_VERS_F), 1);
	ck_assert_uint_eq(agent_got(IB_NODE_CLASS_VERS_F), 1);
	ck_assert_uint_eq(agent_got(IB_NODE_TYPE_F), 1);
	ck_assert_uint_eq(agent_got(IB_NODE_NPORTS_F), 2);
	ck_assert_uint_eq(agent_got64(IB_NODE_SYSTEM_GUID_F), 0x1000);
	ck_assert_uint_eq(agent_got64(IB_NODE_GUID_F), 0x1010);
	ck_assert_uint_eq(agent_got64(IB_NODE_PORT_GUID_F), 0x1022);
	ck_assert_uint_eq(agent_got(IB_NODE_PARTITION_CAP_F), 32);
	ck_assert_uint_eq(agent_got(IB_NODE_DEVID_F), HCA_DEVICE_ID);
	ck_assert_uint_eq(agent_got(IB_NODE_REVISION_F), 0x01020304);
	ck_assert_uint_eq(agent_got(IB_NODE_LOCAL_PORT_F), 2);
	ck_assert_uint_eq(agent_got(IB_NODE_VENDORID_F), 0xabcdef);
}
END_TEST

START_TEST(guids_but_the_first_C4_234)
{
	struct hca_port before;
	unsigned int i;

	ck_assert_uint_eq(agent_get(IB_ATTR_GUID_INFO, 0), 0);
	ck_assert_uint_eq(agent_got64(IB_GI_GUID0_F), 0x1021);
	agent_change();
	for (i = 0; i < 8; i++)
		agent_put64(IB_GI_GUID0_F + i, 0x9000 + i);
	ck_assert_uint_eq(agent_ask(), 0);
	agent_assert_events(HCA_EVENT_GID_CHANGE);
	ck_assert_uint_eq(agent_got64(IB_GI_GUID0_F), 0x1021);
	for (i = 1; i < 8; i++) {
		ck_assert_uint_eq(agent_got64(IB_GI_GUID0_F + i), 0x9000 + i);
		ck_assert_uint_eq(be64_to_cpu(agent_ports[1].tables.guid[i]), 0x9000 + i);
	}
	agent_change();
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_num_seen, 0);

	ck_assert_uint_eq(agent_get(IB_ATTR_GUID_INFO, 1), IB_MAD_STS_INV_ATTR_VALUE);
	agent_change();
	memset(agent_rq.octets + DATA, 0x77, 64);
	before = agent_ports[1];
	ck_assert_uint_eq(agent_ask(), IB_MAD_STS_INV_ATTR_VALUE);
	ck_assert_mem_eq(&agent_ports[1].tables, &before.tables, sizeof(before.tables));
	ck_assert_uint_eq(agent_get(IB_ATTR_GUID_INFO, 0x20000000), IB_MAD_STS_INV_ATTR_VALUE);
}
END_TEST

START_TEST(pkeys_in_blocks_C4_241)
{
	static const u16 keys[32] = { 0xffff, 0x8001, 0x0001, [31] = 0x1234 };
	unsigned int i;

	ck_assert_uint_eq(agent_get(IB_ATTR_PKEY_TBL, 0), 0);
	ck_assert_uint_eq(agent_rsp.octets[DATA] << 8 | agent_rsp.octets[DATA + 1], 0xffff);
	agent_change();
	for (i = 0; i < 32; i++) {
		agent_rq.octets[DATA + 2 * i] = keys[i] >> 8;
		agent_rq.octets[DATA + 2 * i + 1] = keys[i] & 0xff;
	}
	ck_assert_uint_eq(agent_ask(), 0);
	agent_assert_events(HCA_EVENT_PKEY_CHANGE);
	ck_assert_mem_eq(agent_ports[1].tables.pkey, keys, sizeof(keys));
	ck_assert_mem_eq(agent_rsp.octets + DATA, agent_rq.octets + DATA, 64);
	agent_change();
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_num_seen, 0);

	/* The port number in the modifier is meaningful for switches only. */
	ck_assert_uint_eq(agent_get(IB_ATTR_PKEY_TBL, 0x00010000), 0);
	ck_assert_uint_eq(agent_get(IB_ATTR_PKEY_TBL, 1), IB_MAD_STS_INV_ATTR_VALUE);
	agent_change();
	agent_rq.octets[DATA] = 0x55;
	ck_assert_uint_eq(agent_ask(), IB_MAD_STS_INV_ATTR_VALUE);
	ck_assert_mem_eq(agent_ports[1].tables.pkey, keys, sizeof(keys));
}
END_TEST

START_TEST(no_more_pkeys_than_partition_cap_C4_242)
{
	agent_node.partition_cap = 4;
	agent_get(IB_ATTR_PKEY_TBL, 0);
	agent_change();
	memset(agent_rq.octets + DATA, 0x77, 64);
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_ports[1].tables.pkey[3], 0x7777);
	ck_assert_uint_eq(agent_ports[1].tables.pkey[4], 0);
	ck_assert_uint_eq(agent_rsp.octets[DATA + 7], 0x77);
	ck_assert_uint_eq(agent_rsp.octets[DATA + 8], 0);
}
END_TEST

START_TEST(sl_to_vl_mapping_C4_243)
{
	static const u8 want[8] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xe0 };
	static const u8 other[8] = { 0xf0, 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde };

	ck_assert_uint_eq(agent_get(IB_ATTR_SLVL_TABLE, 0), 0);
	ck_assert_mem_eq(agent_rsp.octets + DATA, want, 8);
	agent_change();
	memcpy(agent_rq.octets + DATA, other, 8);
	mad_set_field(&agent_rq, 0, IB_MAD_ATTRMOD_F, 0x0203); /* an adapter ignores it */
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_mem_eq(agent_rsp.octets + DATA, other, 8);
	ck_assert_uint_eq(agent_ports[1].tables.sl2vl[0], 15);
	ck_assert_uint_eq(agent_ports[1].tables.sl2vl[1], 0);
	ck_assert_uint_eq(agent_ports[1].tables.sl2vl[15], 14);
	ck_assert_uint_eq(agent_ports[2].tables.sl2vl[0], 0);
}
END_TEST

START_TEST(vl_arbitration_in_four_parts_C4_244)
{
	unsigned int part, i;

	for (part = 1; part <= 4; part++) {
		agent_get(IB_ATTR_VL_ARBITRATION, part << 16);
		agent_change();
		for (i = 0; i < 32; i++) {
			agent_rq.octets[DATA + 2 * i] = 0xf0 | (i & 7); /* high half reserved */
			agent_rq.octets[DATA + 2 * i + 1] = part * 32 + i;
		}
		ck_assert_uint_eq(agent_ask(), 0);
	}
	for (part = 1; part <= 4; part++) {
		struct hca_port_tables *tables = &agent_ports[1].tables;
		u8 (*table)[2] = part <= 2 ? tables->vlarb_low.entry : tables->vlarb_high.entry;

		ck_assert_uint_eq(agent_get(IB_ATTR_VL_ARBITRATION, part << 16), 0);
		for (i = 0; i < 32; i++) {
			u8 (*entry)[2] = &table[(part - 1) % 2 * 32 + i];

			ck_assert_uint_eq(agent_rsp.octets[DATA + 2 * i], i & 7);
			ck_assert_uint_eq(agent_rsp.octets[DATA + 2 * i + 1], part * 32 + i);
			ck_assert_uint_eq((*entry)[0], i & 7);
			ck_assert_uint_eq((*entry)[1], part * 32 + i);
		}
	}
	ck_assert_uint_eq(agent_get(IB_ATTR_VL_ARBITRATION, 0), IB_MAD_STS_INV_ATTR_VALUE);
	ck_assert_uint_eq(agent_get(IB_ATTR_VL_ARBITRATION, 5 << 16), IB_MAD_STS_INV_ATTR_VALUE);
	agent_change();
	ck_assert_uint_eq(agent_ask(), IB_MAD_STS_INV_ATTR_VALUE);
}
END_TEST

START_TEST(nothing_is_wrong_with_software_C4_248)
{
	ck_assert_uint_eq(agent_get(VENDOR_DIAG, 0), 0);
	ck_assert_uint_eq(agent_rsp.octets[DATA] << 8 | agent_rsp.octets[DATA + 1], 0);
	ck_assert_str_eq((const char *)agent_rsp.octets + DATA + 2, "no fault");
	/* There is no further index to continue with. */
	ck_assert_uint_eq(agent_get(VENDOR_DIAG, 1), IB_MAD_STS_INV_ATTR_VALUE);
	ck_assert_uint_eq(agent_get(IB_ATTR_PORT_INFO, 0), 0);
	ck_assert_uint_eq(agent_got(IB_PORT_DIAG_F), 0);
}
END_TEST

START_TEST(a_light_is_switched_on_and_off_C4_249)
{
	ck_assert_uint_eq(agent_get(IB_ATTR_PORT_INFO, 0), 0);
	ck_assert(agent_got(IB_PORT_CAPMASK_F) & HCA_CAP_LED_INFO);
	ck_assert_uint_eq(agent_get(LED_INFO, 0), 0);
	ck_assert_uint_eq(agent_rsp.octets[DATA], 0);
	agent_change();
	agent_rq.octets[DATA] = 0xff; /* only one bit belongs to the LED */
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_rsp.octets[DATA], 0x80);
	ck_assert(agent_node.led);
	agent_rq.octets[DATA] = 0x7f;
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_rsp.octets[DATA], 0);
	ck_assert(!agent_node.led);
}
END_TEST

/* ---- M_Key ---- */

/* B4-301, V3-031, V3-314 */
START_TEST(m_key_protection_C4_252)
{
	/* Access for each value of M_KeyProtectBits, with a wrong key. */
	static const struct {
		bool get, key_shown;
	} level[4] = { { true, true }, { true, false }, { false }, { false } };
	unsigned int i, violations = 0;

	agent_ports[1].info.m_key = cpu_to_be64(M_KEY);
	for (i = 0; i < 4; i++) {
		agent_ports[1].info.m_key_protect = i;
		agent_request(IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_PORT_INFO, 0);
		agent_put_key(OTHER_KEY);
		ck_assert_int_eq(agent_ask_at(1),
				 level[i].get ? HCA_AGENT_REPLY : HCA_AGENT_CONSUMED);
		if (level[i].get)
			ck_assert_uint_eq(agent_got64(IB_PORT_MKEY_F),
					  level[i].key_shown ? M_KEY : 0);
		violations += !level[i].get;
		ck_assert_uint_eq(agent_ports[1].info.m_key_violations, violations);

		agent_put_key(M_KEY);
		ck_assert_uint_eq(agent_ask(), 0);
		ck_assert_uint_eq(agent_got64(IB_PORT_MKEY_F), M_KEY);

		agent_request(IB_SMI_CLASS, IB_MAD_METHOD_SET, IB_ATTR_GUID_INFO, 0);
		ck_assert_int_eq(agent_ask_at(1), HCA_AGENT_CONSUMED);
		ck_assert_uint_eq(agent_ports[1].info.m_key_violations, ++violations);
		agent_put_key(M_KEY);
		ck_assert_uint_eq(agent_ask(), 0);

	}
	agent_ports[1].info.m_key = 0;
}
END_TEST

START_TEST(m_key_of_zero_protects_nothing_C4_253)
{
	agent_ports[1].info.m_key_protect = 3;
	agent_request(IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_PORT_INFO, 0);
	agent_put_key(OTHER_KEY);
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_ports[1].info.m_key_violations, 0);
}
END_TEST

START_TEST(m_key_violations_stick_C4_252)
{
	agent_ports[1].info.m_key = cpu_to_be64(M_KEY);
	agent_ports[1].info.m_key_violations = 0xfffe;
	agent_request(IB_SMI_CLASS, IB_MAD_METHOD_SET, IB_ATTR_GUID_INFO, 0);
	agent_ask_at(1);
	ck_assert_uint_eq(agent_ports[1].info.m_key_violations, 0xffff);
	agent_ask_at(1);
	ck_assert_uint_eq(agent_ports[1].info.m_key_violations, 0xffff);
}
END_TEST

/* Get PortInfo with this key. Returns whether there is a response. */
static bool reads_port_info(u64 m_key)
{
	agent_request(IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_PORT_INFO, 0);
	agent_put_key(m_key);
	return agent_ask_at(1) == HCA_AGENT_REPLY;
}

START_TEST(m_key_lease_ends_protection_C4_253_C4_376)
{
	struct hca_port_info *info = &agent_ports[1].info;

	info->m_key = cpu_to_be64(M_KEY);
	info->m_key_protect = 2;
	info->m_key_lease_period = 6;
	shim_advance(100ull * NSEC_PER_SEC);
	ck_assert(!reads_port_info(OTHER_KEY)); /* the lease period begins here */
	shim_advance(4ull * NSEC_PER_SEC);
	ck_assert(!reads_port_info(OTHER_KEY)); /* and is not restarted */
	shim_advance(2ull * NSEC_PER_SEC - 1);
	ck_assert(!reads_port_info(OTHER_KEY));
	shim_advance(1);
	ck_assert(reads_port_info(OTHER_KEY));
	ck_assert_uint_eq(info->m_key_protect, 0);
	/* the key is readable at protection level 0 */
	ck_assert_uint_eq(agent_got64(IB_PORT_MKEY_F), M_KEY);
	ck_assert_uint_eq(info->m_key_violations, 3);
}
END_TEST

START_TEST(m_key_lease_is_renewed_by_who_has_the_key_C4_253)
{
	struct hca_port_info *info = &agent_ports[1].info;

	info->m_key = cpu_to_be64(M_KEY);
	info->m_key_protect = 2;
	info->m_key_lease_period = 6;
	ck_assert(!reads_port_info(OTHER_KEY));
	shim_advance(5ull * NSEC_PER_SEC);
	ck_assert(reads_port_info(M_KEY));
	shim_advance(5ull * NSEC_PER_SEC);
	ck_assert(!reads_port_info(OTHER_KEY));
	shim_advance(5ull * NSEC_PER_SEC);
	ck_assert(!reads_port_info(OTHER_KEY));
	/* A lease period of 0 never ends. */
	ck_assert(reads_port_info(M_KEY));
	info->m_key_lease_period = 0;
	ck_assert(!reads_port_info(OTHER_KEY));
	shim_advance(1000ull * NSEC_PER_SEC);
	ck_assert(!reads_port_info(OTHER_KEY));
}
END_TEST

START_TEST(m_key_is_not_asked_of_the_own_mad_layer)
{
	agent_ports[1].info.m_key = cpu_to_be64(M_KEY);
	agent_ports[1].info.m_key_protect = 3;
	agent_request(IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_PORT_INFO, 0);
	ck_assert_int_eq(hca_agent.process(&agent_node, 1, 0, &agent_rq.mad, &agent_rsp.mad, true),
			 HCA_AGENT_REPLY);
	ck_assert_uint_eq(agent_got64(IB_PORT_MKEY_F), M_KEY);
	ck_assert_uint_eq(agent_ports[1].info.m_key_violations, 0);
}
END_TEST

START_TEST(m_key_is_not_for_sminfo_and_unknown_methods_B4_155)
{
	agent_ports[1].info.m_key = cpu_to_be64(M_KEY);
	agent_ports[1].info.m_key_protect = 3;
	agent_ports[1].info.capability_mask |= HCA_CAP_SM;
	agent_request(IB_SMI_CLASS, IB_MAD_METHOD_SET, IB_ATTR_SMINFO, 1);
	ck_assert_int_eq(agent_ask_at(1), HCA_AGENT_PASS);
	agent_request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_GET, CLASS_PORT_INFO, 0);
	ck_assert_uint_eq(agent_ask(), 0);
	agent_request(IB_SMI_CLASS, 0x12, IB_ATTR_NODE_INFO, 0);
	ck_assert_uint_eq(agent_ask(), IB_MAD_STS_METHOD_NOT_SUPPORTED);
	ck_assert_uint_eq(agent_ports[1].info.m_key_violations, 0);
	/* Without a subnet manager the agent handles SMInfo, like any other attribute (C4-247). */
	agent_ports[1].info.capability_mask &= ~HCA_CAP_SM;
	agent_request(IB_SMI_CLASS, IB_MAD_METHOD_SET, IB_ATTR_SMINFO, 1);
	ck_assert_int_eq(agent_ask_at(1), HCA_AGENT_CONSUMED);
	ck_assert_uint_eq(agent_ports[1].info.m_key_violations, 1);
}
END_TEST

/* V3-010 */
START_TEST(m_key_of_both_ports_C4_236)
{
	agent_ports[1].info.m_key = cpu_to_be64(M_KEY);
	agent_ports[1].info.m_key_protect = 2;
	agent_ports[2].info.m_key = cpu_to_be64(OTHER_KEY);
	agent_ports[2].info.m_key_protect = 2;

	agent_request(IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_PORT_INFO, 2);
	agent_put_key(M_KEY);
	ck_assert_int_eq(agent_ask_at(1), HCA_AGENT_CONSUMED);
	ck_assert_uint_eq(agent_ports[1].info.m_key_violations, 0);
	ck_assert_uint_eq(agent_ports[2].info.m_key_violations, 1);

	agent_put_key(5);
	ck_assert_int_eq(agent_ask_at(1), HCA_AGENT_CONSUMED);
	ck_assert_uint_eq(agent_ports[1].info.m_key_violations, 1);
	ck_assert_uint_eq(agent_ports[2].info.m_key_violations, 2);

	agent_ports[2].info.m_key_protect = 1; /* readable, except for the key */
	agent_put_key(M_KEY);
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_got64(IB_PORT_MKEY_F), 0);
	/* No other attribute can select another port. */
	agent_ports[2].info.m_key_protect = 2;
	agent_request(IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_SLVL_TABLE, 2);
	agent_put_key(M_KEY);
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_ports[2].info.m_key_violations, 2);
}
END_TEST

Suite *sma_suite(void)
{
	const TTest *const agent[] = {
		golden_node_info_B4_156_C4_231,
		methods_by_attributes_of_subnet_management_C4_195_196_197_206_217,
		methods_by_attributes_of_performance_management_C4_322_331,
		sminfo_is_the_managers_where_there_is_one_C4_247,
		foreign_classes_pass_C4_216,
		wrong_versions_are_refused_C4_213,
		a_returning_smp_is_the_managers_C4_227,
		a_modifier_where_there_is_none_C4_229_230_324,
		tables_of_vls_need_more_than_one_C4_243_244,
		a_port_that_there_is_not,
		NULL,
	};
	const TTest *const attributes[] = {
		node_description_C4_229,
		node_info_of_the_port_of_arrival_B4_154_C4_230_231,
		guids_but_the_first_C4_234,
		pkeys_in_blocks_C4_241,
		no_more_pkeys_than_partition_cap_C4_242,
		sl_to_vl_mapping_C4_243,
		vl_arbitration_in_four_parts_C4_244,
		nothing_is_wrong_with_software_C4_248,
		a_light_is_switched_on_and_off_C4_249,
		NULL,
	};
	const TTest *const m_key[] = {
		m_key_protection_C4_252,
		m_key_of_zero_protects_nothing_C4_253,
		m_key_violations_stick_C4_252,
		m_key_lease_ends_protection_C4_253_C4_376,
	m_key_lease_is_renewed_by_who_has_the_key_C4_253,
	m_key_is_not_asked_of_the_own_mad_layer,
		m_key_is_not_for_sminfo_and_unknown_methods_B4_155,
		m_key_of_both_ports_C4_236,
		NULL,
	};
	Suite *suite = suite_create("sma");

	agent_add_tests(suite, "agent", agent);
	agent_add_tests(suite, "attributes", attributes);
	agent_add_tests(suite, "m_key", m_key);
	return suite;
}
