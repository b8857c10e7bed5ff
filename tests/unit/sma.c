// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The agents: MADs in, MADs out. libibmad, which the management tools are built on, writes and
 * reads the fields, so that it and not our own tables says where they are.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <check.h>
#include <infiniband/mad.h>
#include "engine/run.h"
#include "fabric/node.h"
#include "phy/cable.h"
#include "sma/agent.h"
#include "suites.h"

#define DATA 64 /* of both classes */
#define M_KEY 0x1122334455667788ull
#define OTHER_KEY 0x8877665544332211ull
#define RELAYED 0x11111111 /* a value that nothing else has */

union mad {
	struct hca_mad mad;
	u8 octets[HCA_MAD_BYTES];
};

static struct hca_port ports[3], far_ports[2];
static struct hca_node node, far_node;
static union mad rq, rsp;

static struct {
	u8 port;
	enum hca_port_event event;
} seen[16];
static unsigned int num_seen;

static void see(struct hca_port *port, enum hca_port_event event)
{
	if (port->node != &node)
		return;
	ck_assert_uint_lt(num_seen, ARRAY_SIZE(seen));
	seen[num_seen].port = port->num;
	seen[num_seen++].event = event;
}

static const struct hca_port_ops ops = { .event = see };

static void make_node(struct hca_node *n, struct hca_port *p, u8 num_ports, u64 guid)
{
	unsigned int i;

	memset(n, 0, sizeof(*n));
	memset(p, 0, (num_ports + 1) * sizeof(*p));
	n->type = HCA_NODE_CA;
	n->num_ports = num_ports;
	n->partition_cap = HCA_PKEYS;
	n->system_image_guid = cpu_to_be64(guid);
	n->node_guid = cpu_to_be64(guid + 0x10);
	n->vendor_id = 0xabcdef;
	n->device_id = HCA_DEVICE_ID;
	n->revision = 0x01020304;
	strcpy(n->description, "one node");
	spin_lock_init(&n->desc_lock);
	n->ports = p;
	for (i = 0; i <= num_ports; i++)
		ck_assert_int_eq(hca_port_init(&p[i], n, i, &ops, cpu_to_be64(guid + 0x20 + i)), 0);
}

static void unmake_node(struct hca_node *n)
{
	unsigned int i;

	for (i = 0; i <= n->num_ports; i++)
		hca_port_destroy(&n->ports[i]);
}

static void setup(void)
{
	hca_engine_start();
	make_node(&node, ports, 2, 0x1000);
	make_node(&far_node, far_ports, 1, 0x2000);
	hca_cable_plug(&ports[1], &far_ports[1]);
	num_seen = 0;
}

static void teardown(void)
{
	hca_cable_unplug(&ports[1]);
	unmake_node(&node);
	unmake_node(&far_node);
	hca_engine_stop();
}

static void request(u8 class, u8 method, u16 attr, u32 mod)
{
	unsigned int i;

	memset(&rq, 0, sizeof(rq));
	for (i = 128; i < 256; i++) /* paths, of a directed route */
		rq.octets[i] = i;
	mad_set_field(&rq, 0, IB_MAD_BASEVER_F, 1);
	mad_set_field(&rq, 0, IB_MAD_MGMTCLASS_F, class);
	mad_set_field(&rq, 0, IB_MAD_CLASSVER_F, 1);
	rq.octets[3] = method;
	mad_set_field64(&rq, 0, IB_MAD_TRID_F, 0x0123456789abcdefull);
	mad_set_field(&rq, 0, IB_MAD_ATTRID_F, attr);
	mad_set_field(&rq, 0, IB_MAD_ATTRMOD_F, mod);
}

static enum hca_agent_result ask_at(u8 port)
{
	enum hca_agent_result result;

	memset(&rsp, 0xa5, sizeof(rsp));
	result = hca_agent_process(&node, port, &rq.mad, &rsp.mad, false);
	if (result != HCA_AGENT_REPLY)
		return result;
	/* What every answer takes over from its request. */
	ck_assert_mem_eq(rsp.octets, rq.octets, 3);
	ck_assert_uint_eq(rsp.octets[3] & 0x80, 0x80);
	ck_assert_mem_eq(rsp.octets + 6, rq.octets + 6, DATA - 6);
	if (rq.octets[1] != IB_PERFORMANCE_CLASS)
		ck_assert_mem_eq(rsp.octets + 128, rq.octets + 128, 128);
	return result;
}

/* The status, direction bit and all, of a request that must be answered. */
static u16 ask(void)
{
	ck_assert_int_eq(ask_at(1), HCA_AGENT_REPLY);
	return rsp.octets[4] << 8 | rsp.octets[5];
}

static u16 get(u16 attr, u32 mod)
{
	request(IB_SMI_CLASS, IB_MAD_METHOD_GET, attr, mod);
	return ask();
}

/* What the last answer says becomes a Set, to be changed before it is asked. */
static void change(void)
{
	u16 attr = mad_get_field(&rsp, 0, IB_MAD_ATTRID_F);
	u32 mod = mad_get_field(&rsp, 0, IB_MAD_ATTRMOD_F);
	u8 class = rsp.octets[1];
	u8 data[192];

	memcpy(data, rsp.octets + DATA, sizeof(data));
	request(class, IB_MAD_METHOD_SET, attr, mod);
	memcpy(rq.octets + DATA, data, class == IB_PERFORMANCE_CLASS ? 192 : 64);
}

static u32 got(enum MAD_FIELDS field)
{
	return mad_get_field(&rsp, DATA, field);
}

static u64 got64(enum MAD_FIELDS field)
{
	return mad_get_field64(&rsp, DATA, field);
}

static void put(enum MAD_FIELDS field, u32 value)
{
	mad_set_field(&rq, DATA, field, value);
}

static void put64(enum MAD_FIELDS field, u64 value)
{
	mad_set_field64(&rq, DATA, field, value);
}

static void give_key(u64 key)
{
	mad_set_field64(&rq, 0, IB_MAD_MKEY_F, key);
}

#define assert_events(...)                                                                         \
	do {                                                                                       \
		static const enum hca_port_event want_[] = { __VA_ARGS__ };                        \
		unsigned int i_;                                                                   \
		ck_assert_uint_eq(num_seen, ARRAY_SIZE(want_));                                    \
		for (i_ = 0; i_ < num_seen; i_++) {                                                \
			ck_assert_int_eq(seen[i_].event, want_[i_]);                               \
			ck_assert_uint_eq(seen[i_].port, 1);                                       \
		}                                                                                  \
		num_seen = 0;                                                                      \
	} while (0)

/* ---- Dispatch ---- */

START_TEST(golden_node_info_B4_156_C4_231)
{
	static const u8 want[HCA_MAD_BYTES] = {
		1, 0x81, 1, 0x81, 0x80, 0x00, 1, 1, /* directed, GetResp, direction, hops */
		0, 1, 2, 3, 4, 5, 6, 7, /* TID */
		0x00, 0x11, 0, 0, 0, 0, 0, 0,
		[24] = 0xfe, [31] = 0xef, /* M_Key */
		[32] = 0xff, 0xff, 0xff, 0xff, /* DrSLID, DrDLID */
		[64] = 1, 1, 1, 2, /* versions, channel adapter, 2 ports */
		[74] = 0x10, 0x00, /* system image GUID */
		[82] = 0x10, 0x10, /* node GUID */
		[90] = 0x10, 0x22, /* port GUID */
		[92] = 0, 32, 0x48, 0x43, /* PartitionCap, DeviceID */
		[96] = 1, 2, 3, 4, /* Revision */
		[100] = 2, 0xab, 0xcd, 0xef, /* LocalPortNum, VendorID */
		[129] = 7, [193] = 2, /* paths */
	};
	u8 in[HCA_MAD_BYTES] = {
		1, 0x81, 1, 0x01, 0x00, 0x00, 1, 1, 0, 1, 2, 3, 4, 5, 6, 7, 0x00, 0x11,
		[24] = 0xfe, [31] = 0xef, [32] = 0xff, 0xff, 0xff, 0xff, [129] = 7, [193] = 2,
	};

	memcpy(&rq, in, sizeof(in));
	ck_assert_int_eq(hca_agent_process(&node, 2, &rq.mad, &rsp.mad, false), HCA_AGENT_REPLY);
	ck_assert_mem_eq(&rsp, want, sizeof(want));
}
END_TEST

enum outcome { REFUSED_METHOD, REFUSED_ATTR, ANSWERED, PASSED, CONSUMED };

static void assert_outcome(u8 class, u8 method, u16 attr, enum outcome want)
{
	static const u16 status[] = {
		[REFUSED_METHOD] = IB_MAD_STS_METHOD_NOT_SUPPORTED,
		[REFUSED_ATTR] = IB_MAD_STS_METHOD_ATTR_NOT_SUPPORTED,
		[ANSWERED] = 0,
	};
	enum hca_agent_result result;

	request(class, method, attr, attr == IB_ATTR_VL_ARBITRATION && class != 4 ? 1 << 16 : 0);
	if (class == 4)
		rq.octets[DATA + 1] = 1; /* PortSelect */
	/* PortInfo is set to what it is. */
	if (class != 4 && attr == IB_ATTR_PORT_INFO && method == 2) {
		put(IB_PORT_LID_F, 1);
		put(IB_PORT_SMLID_F, 1);
		put(IB_PORT_NEIGHBOR_MTU_F, 5);
	}
	result = ask_at(1);
	switch (want) {
	case PASSED:
		ck_assert_msg(result == HCA_AGENT_PASS, "class %x method %x attribute %x: %d",
			      class, method, attr, result);
		return;
	case CONSUMED:
		ck_assert_msg(result == HCA_AGENT_CONSUMED, "class %x method %x attribute %x: %d",
			      class, method, attr, result);
		return;
	default:
		ck_assert_msg(result == HCA_AGENT_REPLY, "class %x method %x attribute %x: %d",
			      class, method, attr, result);
	}
	ck_assert_msg((rsp.octets[4] << 8 | rsp.octets[5]) ==
			      (status[want] | (class == IB_SMI_DIRECT_CLASS ? 0x8000 : 0)),
		      "class %x method %x attribute %x: status %02x%02x", class, method, attr,
		      rsp.octets[4], rsp.octets[5]);
	ck_assert_msg(rsp.octets[3] == (want == REFUSED_METHOD ? method | 0x80 : 0x81),
		      "class %x method %x attribute %x: method %x", class, method, attr,
		      rsp.octets[3]);
}

/* What is said to Get and Set; the other methods do not depend on the attribute. */
struct map {
	u16 attr;
	enum outcome get, set;
};

static const struct map subnet_map[] = {
	{ 0x0000, REFUSED_ATTR, REFUSED_ATTR },
	{ 0x0002, REFUSED_ATTR, REFUSED_ATTR }, /* Notice */
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
	{ IB_ATTR_SMINFO, PASSED, PASSED },
	{ 0x0030, REFUSED_ATTR, REFUSED_ATTR }, /* VendorDiag */
	{ 0x0031, REFUSED_ATTR, REFUSED_ATTR }, /* LedInfo */
	{ 0xff00, REFUSED_ATTR, REFUSED_ATTR },
};

static const struct map perf_map[] = {
	{ 0x0000, REFUSED_ATTR, REFUSED_ATTR },
	{ CLASS_PORT_INFO, ANSWERED, REFUSED_ATTR },
	{ 0x0002, REFUSED_ATTR, REFUSED_ATTR },
	{ 0x0010, REFUSED_ATTR, REFUSED_ATTR }, /* PortSamplesControl */
	{ 0x0011, REFUSED_ATTR, REFUSED_ATTR },
	{ IB_GSI_PORT_COUNTERS, ANSWERED, ANSWERED },
	{ 0x0015, REFUSED_ATTR, REFUSED_ATTR },
	{ IB_GSI_PORT_COUNTERS_EXT, ANSWERED, ANSWERED },
	{ 0x001e, REFUSED_ATTR, REFUSED_ATTR },
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
			else if (method == IB_MAD_METHOD_TRAP_REPRESS)
				want = CONSUMED;
			else if (method & 0x80 || method == IB_MAD_METHOD_SEND ||
				 method == IB_MAD_METHOD_TRAP || method == IB_MAD_METHOD_REPORT)
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

START_TEST(foreign_classes_pass_C4_216)
{
	static const u8 ours[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS, IB_PERFORMANCE_CLASS };
	unsigned int class;

	for (class = 0; class < 256; class++) {
		if (memchr(ours, class, sizeof(ours)))
			continue;
		request(class, IB_MAD_METHOD_GET, CLASS_PORT_INFO, 0);
		ck_assert_int_eq(ask_at(1), HCA_AGENT_PASS);
	}
}
END_TEST

START_TEST(wrong_versions_are_refused_C4_213)
{
	static const u8 classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS, IB_PERFORMANCE_CLASS };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(classes); i++) {
		u16 direction = classes[i] == IB_SMI_DIRECT_CLASS ? 0x8000 : 0;

		request(classes[i], IB_MAD_METHOD_GET, IB_ATTR_NODE_INFO, 0);
		mad_set_field(&rq, 0, IB_MAD_CLASSVER_F, 2);
		ck_assert_uint_eq(ask(), direction | IB_MAD_STS_BAD_BASE_VER_OR_CLASS);
		mad_set_field(&rq, 0, IB_MAD_CLASSVER_F, 1);
		mad_set_field(&rq, 0, IB_MAD_BASEVER_F, 0x80);
		ck_assert_uint_eq(ask(), direction | IB_MAD_STS_BAD_BASE_VER_OR_CLASS);
	}
	/* What is never answered is not answered then either. */
	request(IB_SMI_CLASS, IB_MAD_METHOD_TRAP_REPRESS, 2, 0);
	mad_set_field(&rq, 0, IB_MAD_CLASSVER_F, 2);
	ck_assert_int_eq(ask_at(1), HCA_AGENT_CONSUMED);
	request(IB_SMI_CLASS, IB_MAD_METHOD_TRAP, 2, 0);
	mad_set_field(&rq, 0, IB_MAD_CLASSVER_F, 2);
	ck_assert_int_eq(ask_at(1), HCA_AGENT_PASS);
}
END_TEST

START_TEST(a_returning_smp_is_the_managers_C4_227)
{
	request(IB_SMI_DIRECT_CLASS, IB_MAD_METHOD_GET, IB_ATTR_NODE_INFO, 0);
	mad_set_field(&rq, 0, IB_DRSMP_DIRECTION_F, 1);
	ck_assert_int_eq(ask_at(1), HCA_AGENT_PASS);
	/* The bit is one of the status in the other class, which requests do not have. */
	rq.octets[1] = IB_SMI_CLASS;
	ck_assert_uint_eq(ask(), 0);
}
END_TEST

START_TEST(a_modifier_where_there_is_none_C4_229_230_324)
{
	ck_assert_uint_eq(get(IB_ATTR_NODE_DESC, 1), IB_MAD_STS_INV_ATTR_VALUE);
	ck_assert_uint_eq(get(IB_ATTR_NODE_INFO, 0x80000000), IB_MAD_STS_INV_ATTR_VALUE);
	request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_GET, CLASS_PORT_INFO, 1);
	ck_assert_uint_eq(ask(), IB_MAD_STS_INV_ATTR_VALUE);
	request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_GET, IB_GSI_PORT_COUNTERS, 1);
	put(IB_PC_PORT_SELECT_F, 1);
	ck_assert_uint_eq(ask(), IB_MAD_STS_INV_ATTR_VALUE);
}
END_TEST

START_TEST(tables_of_vls_need_more_than_one_C4_243_244)
{
	ports[1].info.vl_cap = 1;
	ck_assert_uint_eq(get(IB_ATTR_SLVL_TABLE, 0), IB_MAD_STS_METHOD_ATTR_NOT_SUPPORTED);
	ck_assert_uint_eq(get(IB_ATTR_VL_ARBITRATION, 1 << 16),
			  IB_MAD_STS_METHOD_ATTR_NOT_SUPPORTED);
	ck_assert_uint_eq(get(IB_ATTR_PORT_INFO, 0), 0);
	ck_assert_uint_eq(got(IB_PORT_VL_ARBITRATION_LOW_CAP_F), 0);
	ck_assert_uint_eq(got(IB_PORT_VL_ARBITRATION_HIGH_CAP_F), 0);
}
END_TEST

START_TEST(a_port_that_there_is_not)
{
	request(IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_NODE_INFO, 0);
	ck_assert_int_eq(ask_at(0), HCA_AGENT_PASS);
	ck_assert_int_eq(ask_at(3), HCA_AGENT_PASS);
}
END_TEST

/* ---- Attributes ---- */

START_TEST(node_description_C4_229)
{
	char want[64] = "one node";
	u8 port;

	request(IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_NODE_DESC, 0);
	for (port = 1; port <= 2; port++) {
		ck_assert_int_eq(ask_at(port), HCA_AGENT_REPLY);
		ck_assert_mem_eq(rsp.octets + DATA, want, 64);
	}
	/* All 64 octets may be text. */
	memset(node.description, 'x', 64);
	memset(want, 'x', 64);
	ck_assert_uint_eq(get(IB_ATTR_NODE_DESC, 0), 0);
	ck_assert_mem_eq(rsp.octets + DATA, want, 64);
}
END_TEST

START_TEST(node_info_of_the_port_of_arrival_B4_154_C4_230_231)
{
	request(IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_NODE_INFO, 0);
	ck_assert_int_eq(ask_at(2), HCA_AGENT_REPLY);
	ck_assert_uint_eq(got(IB_NODE_BASE_VERS_F), 1);
	ck_assert_uint_eq(got(IB_NODE_CLASS_VERS_F), 1);
	ck_assert_uint_eq(got(IB_NODE_TYPE_F), 1);
	ck_assert_uint_eq(got(IB_NODE_NPORTS_F), 2);
	ck_assert_uint_eq(got64(IB_NODE_SYSTEM_GUID_F), 0x1000);
	ck_assert_uint_eq(got64(IB_NODE_GUID_F), 0x1010);
	ck_assert_uint_eq(got64(IB_NODE_PORT_GUID_F), 0x1022);
	ck_assert_uint_eq(got(IB_NODE_PARTITION_CAP_F), 32);
	ck_assert_uint_eq(got(IB_NODE_DEVID_F), HCA_DEVICE_ID);
	ck_assert_uint_eq(got(IB_NODE_REVISION_F), 0x01020304);
	ck_assert_uint_eq(got(IB_NODE_LOCAL_PORT_F), 2);
	ck_assert_uint_eq(got(IB_NODE_VENDORID_F), 0xabcdef);
}
END_TEST

START_TEST(port_info_has_every_element_C4_238)
{
	static const struct {
		enum MAD_FIELDS field;
		u64 value;
	} want[] = {
		{ IB_PORT_MKEY_F, M_KEY },
		{ IB_PORT_GID_PREFIX_F, 0xfe80000000001234ull },
		{ IB_PORT_LID_F, 0x1230 },
		{ IB_PORT_SMLID_F, 0x4567 },
		{ IB_PORT_CAPMASK_F, 0x89abcdef },
		{ IB_PORT_DIAG_F, 0x1357 },
		{ IB_PORT_MKEY_LEASE_F, 0x2468 },
		{ IB_PORT_LOCAL_PORT_F, 1 },
		{ IB_PORT_LINK_WIDTH_ENABLED_F, 0x01 },
		{ IB_PORT_LINK_WIDTH_SUPPORTED_F, 0x0b },
		{ IB_PORT_LINK_WIDTH_ACTIVE_F, 0x08 },
		{ IB_PORT_LINK_SPEED_SUPPORTED_F, 7 },
		{ IB_PORT_STATE_F, 3 },
		{ IB_PORT_PHYS_STATE_F, 5 },
		{ IB_PORT_LINK_DOWN_DEF_F, 2 },
		{ IB_PORT_MKEY_PROT_BITS_F, 1 },
		{ IB_PORT_LMC_F, 4 },
		{ IB_PORT_LINK_SPEED_ACTIVE_F, 2 },
		{ IB_PORT_LINK_SPEED_ENABLED_F, 3 },
		{ IB_PORT_NEIGHBOR_MTU_F, 4 },
		{ IB_PORT_SMSL_F, 9 },
		{ IB_PORT_VL_CAP_F, 5 },
		{ IB_PORT_INIT_TYPE_F, 0 },
		{ IB_PORT_VL_HIGH_LIMIT_F, 0xc3 },
		{ IB_PORT_VL_ARBITRATION_HIGH_CAP_F, 64 },
		{ IB_PORT_VL_ARBITRATION_LOW_CAP_F, 64 },
		{ IB_PORT_INIT_TYPE_REPLY_F, 0 },
		{ IB_PORT_MTU_CAP_F, 5 },
		{ IB_PORT_VL_STALL_COUNT_F, 5 },
		{ IB_PORT_HOQ_LIFE_F, 19 },
		{ IB_PORT_OPER_VLS_F, 3 },
		{ IB_PORT_PART_EN_INB_F, 1 },
		{ IB_PORT_PART_EN_OUTB_F, 0 },
		{ IB_PORT_FILTER_RAW_INB_F, 0 },
		{ IB_PORT_FILTER_RAW_OUTB_F, 1 },
		{ IB_PORT_MKEY_VIOL_F, 0x0102 },
		{ IB_PORT_PKEY_VIOL_F, 0x0304 },
		{ IB_PORT_QKEY_VIOL_F, 0x0506 },
		{ IB_PORT_GUID_CAP_F, 8 },
		{ IB_PORT_CLIENT_REREG_F, 0 },
		{ IB_PORT_MCAST_PKEY_SUPR_ENAB_F, 0 },
		{ IB_PORT_SUBN_TIMEOUT_F, 18 },
		{ IB_PORT_RESP_TIME_VAL_F, 16 },
		{ IB_PORT_LOCAL_PHYS_ERR_F, 6 },
		{ IB_PORT_OVERRUN_ERR_F, 10 },
		{ IB_PORT_MAX_CREDIT_HINT_F, 0 },
		{ IB_PORT_LINK_ROUND_TRIP_F, 0 },
		{ IB_PORT_CAPMASK2_F, 0 },
		{ IB_PORT_LINK_SPEED_EXT_ACTIVE_F, 2 },
		{ IB_PORT_LINK_SPEED_EXT_SUPPORTED_F, 3 },
		{ IB_PORT_LINK_SPEED_EXT_ENABLED_F, 1 },
	};
	unsigned int i;

	ports[1].info = (struct hca_port_info){
		.m_key = cpu_to_be64(M_KEY),
		.subnet_prefix = cpu_to_be64(0xfe80000000001234ull),
		.lid = 0x1230, .sm_lid = 0x4567, .capability_mask = 0x89abcdef,
		.diag_code = 0x1357, .m_key_lease_period = 0x2468, .lmc = 4, .m_key_protect = 1,
		.sm_sl = 9, .state = 3, .phys_state = 5, .link_down_default = 2,
		.link_width_enabled = 0x01, .link_width_supported = 0x0b, .link_width_active = 0x08,
		.link_speed_enabled = 3, .link_speed_supported = 7, .link_speed_active = 2,
		.link_speed_ext_enabled = 1, .link_speed_ext_supported = 3,
		.link_speed_ext_active = 2,
		.neighbor_mtu = 4, .mtu_cap = 5, .vl_cap = 5, .operational_vls = 3,
		.vl_high_limit = 0xc3, .vl_stall_count = 5, .hoq_life = 19,
		.partition_enforcement = 0x9, .subnet_timeout = 18, .resp_time_value = 16,
		.local_phy_errors = 6, .overrun_errors = 10, .m_key_violations = 0x0102,
		.p_key_violations = 0x0304, .q_key_violations = 0x0506, .client_reregister = 1,
	};
	request(IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_PORT_INFO, 0);
	give_key(M_KEY);
	ck_assert_uint_eq(ask(), 0);
	for (i = 0; i < ARRAY_SIZE(want); i++) {
		u64 value = i < 2 ? got64(want[i].field) : got(want[i].field);

		ck_assert_msg(value == want[i].value, "element %u: %#llx, not %#llx", i,
			      (unsigned long long)value, (unsigned long long)want[i].value);
	}
	for (i = IB_PORT_FIRST_F; i < IB_PORT_LAST_F; i++) {
		unsigned int j;

		for (j = 0; j < ARRAY_SIZE(want); j++)
			if (want[j].field == i)
				break;
		ck_assert_msg(j < ARRAY_SIZE(want), "libibmad's field %u is not tested", i);
	}
	memset(&ports[1].info, 0, sizeof(ports[1].info));
	ports[1].info.state = HCA_PORT_INIT;
	ports[1].info.phys_state = HCA_PHYS_LINK_UP;
}
END_TEST

START_TEST(port_info_by_port_number_C4_236)
{
	ports[2].info.lid = 77;
	ck_assert_uint_eq(get(IB_ATTR_PORT_INFO, 1), 0);
	ck_assert_uint_eq(got(IB_PORT_LID_F), 0);
	ck_assert_uint_eq(get(IB_ATTR_PORT_INFO, 2), 0);
	ck_assert_uint_eq(got(IB_PORT_LID_F), 77);
	/* The port that received the SMP, whichever is asked about. */
	ck_assert_uint_eq(got(IB_PORT_LOCAL_PORT_F), 1);
	ck_assert_uint_eq(get(IB_ATTR_PORT_INFO, 0x80000002), 0); /* a manager that knows extended speeds */
	ck_assert_uint_eq(got(IB_PORT_LID_F), 77);

	ck_assert_uint_eq(get(IB_ATTR_PORT_INFO, 3), IB_MAD_STS_INV_ATTR_VALUE);
	ck_assert_uint_eq(get(IB_ATTR_PORT_INFO, 255), IB_MAD_STS_INV_ATTR_VALUE);
	ck_assert_uint_eq(get(IB_ATTR_PORT_INFO, 0x101), IB_MAD_STS_INV_ATTR_VALUE);
	ck_assert_uint_eq(get(IB_ATTR_PORT_INFO, 0x40000001), IB_MAD_STS_INV_ATTR_VALUE);
	request(IB_SMI_CLASS, IB_MAD_METHOD_SET, IB_ATTR_PORT_INFO, 3);
	ck_assert_uint_eq(ask(), IB_MAD_STS_INV_ATTR_VALUE);
}
END_TEST

START_TEST(another_port_of_an_adapter_is_read_only_C4_236)
{
	struct hca_port_info before = ports[2].info;

	get(IB_ATTR_PORT_INFO, 2);
	change();
	put(IB_PORT_LID_F, 5);
	put(IB_PORT_SMLID_F, 6);
	put(IB_PORT_CLIENT_REREG_F, 1);
	ck_assert_uint_eq(ask(), 0);
	ck_assert_uint_eq(got(IB_PORT_LID_F), 0);
	ck_assert_uint_eq(got(IB_PORT_CLIENT_REREG_F), 0);
	ck_assert_mem_eq(&ports[2].info, &before, sizeof(before));
	ck_assert_uint_eq(num_seen, 0);
}
END_TEST

/* As a subnet manager first finds the port, with the LIDs it has chosen. */
static void first_set(void)
{
	get(IB_ATTR_PORT_INFO, 1);
	change();
	put(IB_PORT_LID_F, 4);
	put(IB_PORT_SMLID_F, 1);
	put(IB_PORT_STATE_F, 0);
	put(IB_PORT_PHYS_STATE_F, 0);
}

START_TEST(what_a_manager_sets_first_C4_196_240)
{
	first_set();
	put64(IB_PORT_MKEY_F, M_KEY);
	put64(IB_PORT_GID_PREFIX_F, 0xfe80000000001234ull);
	put(IB_PORT_LMC_F, 2);
	put(IB_PORT_SMSL_F, 3);
	put(IB_PORT_MKEY_LEASE_F, 60);
	put(IB_PORT_MKEY_PROT_BITS_F, 1);
	put(IB_PORT_NEIGHBOR_MTU_F, 4);
	put(IB_PORT_OPER_VLS_F, 2);
	put(IB_PORT_VL_HIGH_LIMIT_F, 7);
	put(IB_PORT_SUBN_TIMEOUT_F, 18);
	put(IB_PORT_LOCAL_PHYS_ERR_F, 8);
	put(IB_PORT_OVERRUN_ERR_F, 9);
	put(IB_PORT_LINK_DOWN_DEF_F, 1);
	put(IB_PORT_LINK_WIDTH_ENABLED_F, 1);
	put(IB_PORT_LINK_SPEED_ENABLED_F, 3);
	put(IB_PORT_CLIENT_REREG_F, 1);
	put(IB_PORT_CAPMASK_F, RELAYED); /* read-only, as are these */
	put(IB_PORT_MTU_CAP_F, 1);
	put(IB_PORT_VL_CAP_F, 1);
	put(IB_PORT_GUID_CAP_F, 1);
	put(IB_PORT_RESP_TIME_VAL_F, 1);
	put(IB_PORT_VL_STALL_COUNT_F, 1);
	put(IB_PORT_HOQ_LIFE_F, 1);
	put(IB_PORT_PART_EN_INB_F, 1);
	ck_assert_uint_eq(ask(), 0);
	assert_events(HCA_EVENT_LID_CHANGE, HCA_EVENT_SM_CHANGE, HCA_EVENT_GID_CHANGE,
		      HCA_EVENT_CLIENT_REREGISTER);

	ck_assert_uint_eq(got64(IB_PORT_MKEY_F), M_KEY); /* who sets it sees it */
	ck_assert_uint_eq(got64(IB_PORT_GID_PREFIX_F), 0xfe80000000001234ull);
	ck_assert_uint_eq(got(IB_PORT_LID_F), 4);
	ck_assert_uint_eq(got(IB_PORT_LMC_F), 2);
	ck_assert_uint_eq(got(IB_PORT_SMLID_F), 1);
	ck_assert_uint_eq(got(IB_PORT_SMSL_F), 3);
	ck_assert_uint_eq(got(IB_PORT_MKEY_LEASE_F), 60);
	ck_assert_uint_eq(got(IB_PORT_MKEY_PROT_BITS_F), 1);
	ck_assert_uint_eq(got(IB_PORT_NEIGHBOR_MTU_F), 4);
	ck_assert_uint_eq(got(IB_PORT_OPER_VLS_F), 2);
	ck_assert_uint_eq(got(IB_PORT_VL_HIGH_LIMIT_F), 7);
	ck_assert_uint_eq(got(IB_PORT_SUBN_TIMEOUT_F), 18);
	ck_assert_uint_eq(got(IB_PORT_LOCAL_PHYS_ERR_F), 8);
	ck_assert_uint_eq(got(IB_PORT_OVERRUN_ERR_F), 9);
	ck_assert_uint_eq(got(IB_PORT_LINK_DOWN_DEF_F), 1);
	ck_assert_uint_eq(got(IB_PORT_LINK_WIDTH_ENABLED_F), 1);
	ck_assert_uint_eq(got(IB_PORT_LINK_SPEED_ENABLED_F), 3);
	ck_assert_uint_eq(got(IB_PORT_CLIENT_REREG_F), 1);
	ck_assert_uint_ne(got(IB_PORT_CAPMASK_F), RELAYED);
	ck_assert_uint_eq(got(IB_PORT_MTU_CAP_F), 5);
	ck_assert_uint_eq(got(IB_PORT_VL_CAP_F), 4);
	ck_assert_uint_eq(got(IB_PORT_GUID_CAP_F), 8);
	ck_assert_uint_eq(got(IB_PORT_RESP_TIME_VAL_F), 16);
	ck_assert_uint_eq(got(IB_PORT_VL_STALL_COUNT_F), 0);
	ck_assert_uint_eq(got(IB_PORT_HOQ_LIFE_F), 0);
	ck_assert_uint_eq(got(IB_PORT_PART_EN_INB_F), 0);

	/* The same again changes nothing and says nothing. */
	change();
	give_key(M_KEY);
	put(IB_PORT_STATE_F, 0);
	put(IB_PORT_PHYS_STATE_F, 0);
	put(IB_PORT_CLIENT_REREG_F, 0);
	ck_assert_uint_eq(ask(), 0);
	ck_assert_uint_eq(num_seen, 0);
	/* A Get does not have the reregister bit. */
	ck_assert_uint_eq(get(IB_ATTR_PORT_INFO, 0), 0);
	ck_assert_uint_eq(got(IB_PORT_CLIENT_REREG_F), 0);
}
END_TEST

/* Set one field of an otherwise good PortInfo: what the answer says of it, and its status. */
static u16 set_port_info(enum MAD_FIELDS field, u32 value)
{
	u16 status;

	first_set();
	put(field, value);
	status = ask();
	num_seen = 0;
	return status;
}

START_TEST(values_of_port_info_C4_240)
{
	static const struct {
		enum MAD_FIELDS field;
		u32 before; /* what is set first, and stays if the value is refused */
		u32 value;
		u16 status;
		u32 after;
	} want[] = {
		{ IB_PORT_LID_F, 4, 0, 0x1c, 4 },
		{ IB_PORT_LID_F, 4, 0xbfff, 0, 0xbfff },
		{ IB_PORT_LID_F, 4, 0xc000, 0x1c, 4 },
		{ IB_PORT_LID_F, 4, 0xffff, 0x1c, 4 },
		{ IB_PORT_SMLID_F, 4, 0, 0x1c, 4 },
		{ IB_PORT_SMLID_F, 4, 0xbfff, 0, 0xbfff },
		{ IB_PORT_SMLID_F, 4, 0xc000, 0x1c, 4 },
		{ IB_PORT_LMC_F, 0, 2, 0, 2 },
		{ IB_PORT_LMC_F, 0, 3, 0x1c, 0 }, /* LID 4 has but two zeros at its end */
		{ IB_PORT_LINK_WIDTH_ENABLED_F, 1, 0, 0, 1 },
		{ IB_PORT_LINK_WIDTH_ENABLED_F, 1, 2, 0, 2 },
		{ IB_PORT_LINK_WIDTH_ENABLED_F, 1, 3, 0, 3 },
		{ IB_PORT_LINK_WIDTH_ENABLED_F, 1, 4, 0x1c, 1 },
		{ IB_PORT_LINK_WIDTH_ENABLED_F, 1, 0xff, 0, 3 },
		{ IB_PORT_LINK_SPEED_ENABLED_F, 1, 0, 0, 1 },
		{ IB_PORT_LINK_SPEED_ENABLED_F, 1, 7, 0, 7 },
		{ IB_PORT_LINK_SPEED_ENABLED_F, 1, 8, 0x1c, 1 },
		{ IB_PORT_LINK_SPEED_ENABLED_F, 1, 15, 0, 7 },
		{ IB_PORT_LINK_DOWN_DEF_F, 2, 0, 0, 2 },
		{ IB_PORT_LINK_DOWN_DEF_F, 2, 1, 0, 1 },
		{ IB_PORT_LINK_DOWN_DEF_F, 2, 3, 0x1c, 2 },
		{ IB_PORT_NEIGHBOR_MTU_F, 4, 0, 0x1c, 4 },
		{ IB_PORT_NEIGHBOR_MTU_F, 4, 1, 0, 1 },
		{ IB_PORT_NEIGHBOR_MTU_F, 4, 5, 0, 5 },
		{ IB_PORT_NEIGHBOR_MTU_F, 4, 6, 0x1c, 4 },
		{ IB_PORT_OPER_VLS_F, 2, 0, 0, 2 },
		{ IB_PORT_OPER_VLS_F, 2, 4, 0, 4 },
		{ IB_PORT_OPER_VLS_F, 2, 5, 0x1c, 2 },
		{ IB_PORT_STATE_F, 0, 2, 0x1c, 2 }, /* Init is not to be asked for */
		{ IB_PORT_STATE_F, 0, 5, 0x1c, 2 },
		{ IB_PORT_PHYS_STATE_F, 0, 4, 0x1c, 5 },
		{ IB_PORT_PHYS_STATE_F, 0, 5, 0x1c, 5 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(want); i++) {
		u16 status;

		ck_assert_msg(!set_port_info(want[i].field, want[i].before), "row %u: before", i);
		status = set_port_info(want[i].field, want[i].value);
		ck_assert_msg(status == want[i].status, "row %u: status %#x", i, status);
		ck_assert_msg(got(want[i].field) == want[i].after, "row %u: %#x", i,
			      got(want[i].field));
		/* The rest of the Set counts all the same. */
		if (want[i].field != IB_PORT_SMLID_F)
			ck_assert_msg(got(IB_PORT_SMLID_F) == 1, "row %u: rest", i);
	}
}
END_TEST

START_TEST(extended_speeds_are_for_managers_that_know_them_C4_240)
{
	static const struct {
		u8 value;
		u16 status;
		u8 after;
	} want[] = {
		{ 1, 0, 1 }, { 0, 0, 1 }, { 3, 0, 3 },  { 4, 0x1c, 3 },
		{ 2, 0, 2 }, { 31, 0, 3 }, { 30, 0, 0 }, { 0, 0, 0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(want); i++) {
		first_set();
		mad_set_field(&rq, 0, IB_MAD_ATTRMOD_F, 0x80000001);
		put(IB_PORT_LINK_SPEED_EXT_ENABLED_F, want[i].value);
		ck_assert_uint_eq(ask(), want[i].status);
		ck_assert_uint_eq(got(IB_PORT_LINK_SPEED_EXT_ENABLED_F), want[i].after);
	}
	ck_assert_uint_eq(set_port_info(IB_PORT_LINK_SPEED_EXT_ENABLED_F, 1), 0);
	ck_assert_uint_eq(got(IB_PORT_LINK_SPEED_EXT_ENABLED_F), 0);
}
END_TEST

START_TEST(violation_counters_are_only_cleared_C4_240)
{
	static const enum MAD_FIELDS field[] = { IB_PORT_MKEY_VIOL_F, IB_PORT_PKEY_VIOL_F,
						 IB_PORT_QKEY_VIOL_F };
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(field); i++) {
		ports[1].info.m_key_violations = 3;
		ports[1].info.p_key_violations = 3;
		ports[1].info.q_key_violations = 3;
		ck_assert_uint_eq(set_port_info(field[i], 2), 0);
		ck_assert_uint_eq(got(field[i]), 3);
		ck_assert_uint_eq(set_port_info(field[i], 0), 0);
		for (j = 0; j < ARRAY_SIZE(field); j++)
			ck_assert_uint_eq(got(field[j]), i == j ? 0 : 3);
	}
}
END_TEST

START_TEST(port_states_in_their_order_C4_240)
{
	/* Not from Init to Active. */
	ck_assert_uint_eq(set_port_info(IB_PORT_STATE_F, 4), IB_MAD_STS_INV_ATTR_VALUE);
	ck_assert_uint_eq(got(IB_PORT_STATE_F), 2);
	ck_assert_uint_eq(set_port_info(IB_PORT_STATE_F, 3), 0);
	ck_assert_uint_eq(got(IB_PORT_STATE_F), 3);
	ck_assert_uint_eq(set_port_info(IB_PORT_STATE_F, 3), 0);

	first_set();
	put(IB_PORT_STATE_F, 4);
	put(IB_PORT_LID_F, 8);
	put(IB_PORT_CLIENT_REREG_F, 1);
	ck_assert_uint_eq(ask(), 0);
	ck_assert_uint_eq(got(IB_PORT_STATE_F), 4);
	assert_events(HCA_EVENT_LID_CHANGE, HCA_EVENT_PORT_ACTIVE, HCA_EVENT_CLIENT_REREGISTER);

	/* Active again is no news. */
	first_set();
	put(IB_PORT_LID_F, 8);
	put(IB_PORT_STATE_F, 4);
	ck_assert_uint_eq(ask(), 0);
	ck_assert_uint_eq(num_seen, 0);

	/* Down trains anew. */
	first_set();
	put(IB_PORT_LID_F, 8);
	put(IB_PORT_STATE_F, 1);
	ck_assert_uint_eq(ask(), 0);
	assert_events(HCA_EVENT_PORT_ERROR);
	ck_assert_uint_eq(got(IB_PORT_STATE_F), 2);
	ck_assert_uint_eq(got(IB_PORT_PHYS_STATE_F), 5);
}
END_TEST

START_TEST(physical_states_go_with_down_C4_240)
{
	ck_assert_uint_eq(set_port_info(IB_PORT_STATE_F, 3), 0);
	/* Not together with Armed or Active, which is then not done either. */
	first_set();
	put(IB_PORT_STATE_F, 4);
	put(IB_PORT_PHYS_STATE_F, 3);
	ck_assert_uint_eq(ask(), IB_MAD_STS_INV_ATTR_VALUE);
	ck_assert_uint_eq(got(IB_PORT_STATE_F), 3);
	ck_assert_uint_eq(got(IB_PORT_PHYS_STATE_F), 5);

	/* `ibportstate disable`, then `enable` */
	first_set();
	put(IB_PORT_STATE_F, 1);
	put(IB_PORT_PHYS_STATE_F, 3);
	ck_assert_uint_eq(ask(), 0);
	ck_assert_uint_eq(got(IB_PORT_STATE_F), 1);
	ck_assert_uint_eq(got(IB_PORT_PHYS_STATE_F), 3);
	ck_assert_uint_eq(set_port_info(IB_PORT_PHYS_STATE_F, 2), 0);
	ck_assert_uint_eq(got(IB_PORT_STATE_F), 2);
	ck_assert_uint_eq(got(IB_PORT_PHYS_STATE_F), 5);
}
END_TEST

START_TEST(guids_but_the_first_C4_234)
{
	unsigned int i;

	ck_assert_uint_eq(get(IB_ATTR_GUID_INFO, 0), 0);
	ck_assert_uint_eq(got64(IB_GI_GUID0_F), 0x1021);
	change();
	for (i = 0; i < 8; i++)
		put64(IB_GI_GUID0_F + i, 0x9000 + i);
	ck_assert_uint_eq(ask(), 0);
	assert_events(HCA_EVENT_GID_CHANGE);
	ck_assert_uint_eq(got64(IB_GI_GUID0_F), 0x1021);
	for (i = 1; i < 8; i++) {
		ck_assert_uint_eq(got64(IB_GI_GUID0_F + i), 0x9000 + i);
		ck_assert_uint_eq(be64_to_cpu(ports[1].guid[i]), 0x9000 + i);
	}
	change();
	ck_assert_uint_eq(ask(), 0);
	ck_assert_uint_eq(num_seen, 0);

	ck_assert_uint_eq(get(IB_ATTR_GUID_INFO, 1), IB_MAD_STS_INV_ATTR_VALUE);
	change();
	ck_assert_uint_eq(ask(), IB_MAD_STS_INV_ATTR_VALUE);
	ck_assert_uint_eq(get(IB_ATTR_GUID_INFO, 0x20000000), IB_MAD_STS_INV_ATTR_VALUE);
}
END_TEST

START_TEST(pkeys_in_blocks_C4_241)
{
	static const u16 keys[32] = { 0xffff, 0x8001, 0x0001, [31] = 0x1234 };
	unsigned int i;

	ck_assert_uint_eq(get(IB_ATTR_PKEY_TBL, 0), 0);
	ck_assert_uint_eq(rsp.octets[DATA] << 8 | rsp.octets[DATA + 1], 0xffff);
	change();
	for (i = 0; i < 32; i++) {
		rq.octets[DATA + 2 * i] = keys[i] >> 8;
		rq.octets[DATA + 2 * i + 1] = keys[i] & 0xff;
	}
	ck_assert_uint_eq(ask(), 0);
	assert_events(HCA_EVENT_PKEY_CHANGE);
	ck_assert_mem_eq(ports[1].pkey, keys, sizeof(keys));
	ck_assert_mem_eq(rsp.octets + DATA, rq.octets + DATA, 64);
	change();
	ck_assert_uint_eq(ask(), 0);
	ck_assert_uint_eq(num_seen, 0);

	ck_assert_uint_eq(get(IB_ATTR_PKEY_TBL, 0x00010000), 0); /* the port is a switch's matter */
	ck_assert_uint_eq(get(IB_ATTR_PKEY_TBL, 1), IB_MAD_STS_INV_ATTR_VALUE);
	change();
	rq.octets[DATA] = 0x55;
	ck_assert_uint_eq(ask(), IB_MAD_STS_INV_ATTR_VALUE);
	ck_assert_mem_eq(ports[1].pkey, keys, sizeof(keys));
}
END_TEST

START_TEST(no_more_pkeys_than_partition_cap_C4_242)
{
	node.partition_cap = 4;
	get(IB_ATTR_PKEY_TBL, 0);
	change();
	memset(rq.octets + DATA, 0x77, 64);
	ck_assert_uint_eq(ask(), 0);
	ck_assert_uint_eq(ports[1].pkey[3], 0x7777);
	ck_assert_uint_eq(ports[1].pkey[4], 0);
	ck_assert_uint_eq(rsp.octets[DATA + 7], 0x77);
	ck_assert_uint_eq(rsp.octets[DATA + 8], 0);
}
END_TEST

START_TEST(sl_to_vl_mapping_C4_243)
{
	static const u8 want[8] = { 0x01, 0x23, 0x45, 0x67, 0x01, 0x23, 0x45, 0x67 };
	static const u8 other[8] = { 0xf0, 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde };

	ck_assert_uint_eq(get(IB_ATTR_SLVL_TABLE, 0), 0);
	ck_assert_mem_eq(rsp.octets + DATA, want, 8);
	change();
	memcpy(rq.octets + DATA, other, 8);
	mad_set_field(&rq, 0, IB_MAD_ATTRMOD_F, 0x0203); /* an adapter does not mind */
	ck_assert_uint_eq(ask(), 0);
	ck_assert_mem_eq(rsp.octets + DATA, other, 8);
	ck_assert_uint_eq(ports[1].sl2vl[0], 15);
	ck_assert_uint_eq(ports[1].sl2vl[1], 0);
	ck_assert_uint_eq(ports[1].sl2vl[15], 14);
	ck_assert_uint_eq(ports[2].sl2vl[0], 0);
}
END_TEST

START_TEST(vl_arbitration_in_four_parts_C4_244)
{
	unsigned int part, i;

	for (part = 1; part <= 4; part++) {
		get(IB_ATTR_VL_ARBITRATION, part << 16);
		change();
		for (i = 0; i < 32; i++) {
			rq.octets[DATA + 2 * i] = 0xf0 | (i & 7); /* high half reserved */
			rq.octets[DATA + 2 * i + 1] = part * 32 + i;
		}
		ck_assert_uint_eq(ask(), 0);
	}
	for (part = 1; part <= 4; part++) {
		u8 (*table)[2] = part <= 2 ? ports[1].vlarb_low : ports[1].vlarb_high;

		ck_assert_uint_eq(get(IB_ATTR_VL_ARBITRATION, part << 16), 0);
		for (i = 0; i < 32; i++) {
			u8 (*entry)[2] = &table[(part - 1) % 2 * 32 + i];

			ck_assert_uint_eq(rsp.octets[DATA + 2 * i], i & 7);
			ck_assert_uint_eq(rsp.octets[DATA + 2 * i + 1], part * 32 + i);
			ck_assert_uint_eq((*entry)[0], i & 7);
			ck_assert_uint_eq((*entry)[1], part * 32 + i);
		}
	}
	ck_assert_uint_eq(get(IB_ATTR_VL_ARBITRATION, 0), IB_MAD_STS_INV_ATTR_VALUE);
	ck_assert_uint_eq(get(IB_ATTR_VL_ARBITRATION, 5 << 16), IB_MAD_STS_INV_ATTR_VALUE);
	change();
	ck_assert_uint_eq(ask(), IB_MAD_STS_INV_ATTR_VALUE);
}
END_TEST

/* ---- M_Key ---- */

START_TEST(m_key_protection_C4_252)
{
	/* By M_KeyProtectBits, with a wrong key. */
	static const struct {
		bool get, key_shown;
	} level[4] = { { true, true }, { true, false }, { false }, { false } };
	unsigned int i, violations = 0;

	ports[1].info.m_key = cpu_to_be64(M_KEY);
	for (i = 0; i < 4; i++) {
		ports[1].info.m_key_protect = i;
		request(IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_PORT_INFO, 0);
		give_key(OTHER_KEY);
		ck_assert_int_eq(ask_at(1), level[i].get ? HCA_AGENT_REPLY : HCA_AGENT_CONSUMED);
		if (level[i].get)
			ck_assert_uint_eq(got64(IB_PORT_MKEY_F), level[i].key_shown ? M_KEY : 0);
		violations += !level[i].get;
		ck_assert_uint_eq(ports[1].info.m_key_violations, violations);

		give_key(M_KEY);
		ck_assert_uint_eq(ask(), 0);
		ck_assert_uint_eq(got64(IB_PORT_MKEY_F), M_KEY);

		request(IB_SMI_CLASS, IB_MAD_METHOD_SET, IB_ATTR_GUID_INFO, 0);
		ck_assert_int_eq(ask_at(1), HCA_AGENT_CONSUMED);
		ck_assert_uint_eq(ports[1].info.m_key_violations, ++violations);
		give_key(M_KEY);
		ck_assert_uint_eq(ask(), 0);

		request(IB_SMI_CLASS, IB_MAD_METHOD_TRAP_REPRESS, 2, 0);
		ck_assert_int_eq(ask_at(1), HCA_AGENT_CONSUMED);
		ck_assert_uint_eq(ports[1].info.m_key_violations, ++violations);
		give_key(M_KEY);
		ck_assert_int_eq(ask_at(1), HCA_AGENT_CONSUMED);
		ck_assert_uint_eq(ports[1].info.m_key_violations, violations);
	}
	ports[1].info.m_key = 0;
}
END_TEST

START_TEST(m_key_of_zero_protects_nothing_C4_253)
{
	ports[1].info.m_key_protect = 3;
	request(IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_PORT_INFO, 0);
	give_key(OTHER_KEY);
	ck_assert_uint_eq(ask(), 0);
	ck_assert_uint_eq(ports[1].info.m_key_violations, 0);
}
END_TEST

START_TEST(m_key_violations_stick_C4_252)
{
	ports[1].info.m_key = cpu_to_be64(M_KEY);
	ports[1].info.m_key_violations = 0xfffe;
	request(IB_SMI_CLASS, IB_MAD_METHOD_SET, IB_ATTR_GUID_INFO, 0);
	ask_at(1);
	ck_assert_uint_eq(ports[1].info.m_key_violations, 0xffff);
	ask_at(1);
	ck_assert_uint_eq(ports[1].info.m_key_violations, 0xffff);
}
END_TEST

START_TEST(m_key_is_not_asked_of_the_own_mad_layer)
{
	ports[1].info.m_key = cpu_to_be64(M_KEY);
	ports[1].info.m_key_protect = 3;
	request(IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_PORT_INFO, 0);
	ck_assert_int_eq(hca_agent_process(&node, 1, &rq.mad, &rsp.mad, true), HCA_AGENT_REPLY);
	ck_assert_uint_eq(got64(IB_PORT_MKEY_F), M_KEY);
	ck_assert_uint_eq(ports[1].info.m_key_violations, 0);
}
END_TEST

START_TEST(m_key_is_not_for_smi_and_unknown_methods_B4_155)
{
	ports[1].info.m_key = cpu_to_be64(M_KEY);
	ports[1].info.m_key_protect = 3;
	request(IB_SMI_CLASS, IB_MAD_METHOD_SET, IB_ATTR_SMINFO, 1);
	ck_assert_int_eq(ask_at(1), HCA_AGENT_PASS);
	request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_GET, CLASS_PORT_INFO, 0);
	ck_assert_uint_eq(ask(), 0);
	request(IB_SMI_CLASS, 0x12, IB_ATTR_NODE_INFO, 0);
	ck_assert_uint_eq(ask(), IB_MAD_STS_METHOD_NOT_SUPPORTED);
	ck_assert_uint_eq(ports[1].info.m_key_violations, 0);
}
END_TEST

START_TEST(m_key_of_both_ports_C4_236)
{
	ports[1].info.m_key = cpu_to_be64(M_KEY);
	ports[1].info.m_key_protect = 2;
	ports[2].info.m_key = cpu_to_be64(OTHER_KEY);
	ports[2].info.m_key_protect = 2;

	request(IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_PORT_INFO, 2);
	give_key(M_KEY);
	ck_assert_int_eq(ask_at(1), HCA_AGENT_CONSUMED);
	ck_assert_uint_eq(ports[1].info.m_key_violations, 0);
	ck_assert_uint_eq(ports[2].info.m_key_violations, 1);

	give_key(5);
	ck_assert_int_eq(ask_at(1), HCA_AGENT_CONSUMED);
	ck_assert_uint_eq(ports[1].info.m_key_violations, 1);
	ck_assert_uint_eq(ports[2].info.m_key_violations, 2);

	ports[2].info.m_key_protect = 1; /* readable, but for the key */
	give_key(M_KEY);
	ck_assert_uint_eq(ask(), 0);
	ck_assert_uint_eq(got64(IB_PORT_MKEY_F), 0);
	/* No other attribute has another port. */
	request(IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_SLVL_TABLE, 2);
	give_key(M_KEY);
	ck_assert_uint_eq(ask(), 0);
}
END_TEST

/* ---- Performance management ---- */

static u16 get_counters(u16 attr)
{
	request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_GET, attr, 0);
	put(IB_PC_PORT_SELECT_F, 1);
	return ask();
}

START_TEST(class_port_info_of_the_pma_C4_218_219)
{
	request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_GET, CLASS_PORT_INFO, 0);
	ck_assert_uint_eq(ask(), 0);
	ck_assert_uint_eq(got(IB_CPI_BASEVER_F), 1);
	ck_assert_uint_eq(got(IB_CPI_CLASSVER_F), 1);
	/* Extended counters with the IETF ones, PortXmitWait; no AllPortSelect. */
	ck_assert_uint_eq(got(IB_CPI_CAPMASK_F), 0x1200);
	ck_assert_uint_eq(got(IB_CPI_CAPMASK2_F), 2);
	ck_assert_uint_eq(got(IB_CPI_RESP_TIME_VALUE_F), 16);
	ck_assert_uint_eq(got(IB_CPI_REDIRECT_LID_F), 0);
	ck_assert_uint_eq(got(IB_CPI_TRAP_LID_F), 0);
}
END_TEST

static const struct counter {
	enum hca_counter counter;
	enum MAD_FIELDS narrow;
	u8 width, select; /* of the narrow view */
	enum MAD_FIELDS wide;
	u8 wide_select;
} counters[] = {
	{ HCA_CTR_SYMBOL_ERROR, IB_PC_ERR_SYM_F, 16, 0, IB_PC_EXT_ERR_SYM_F, 16 },
	{ HCA_CTR_LINK_ERROR_RECOVERY, IB_PC_LINK_RECOVERS_F, 8, 1, IB_PC_EXT_LINK_RECOVERS_F, 17 },
	{ HCA_CTR_LINK_DOWNED, IB_PC_LINK_DOWNED_F, 8, 2, IB_PC_EXT_LINK_DOWNED_F, 18 },
	{ HCA_CTR_RCV_ERRORS, IB_PC_ERR_RCV_F, 16, 3, IB_PC_EXT_ERR_RCV_F, 19 },
	{ HCA_CTR_RCV_REMOTE_PHYSICAL_ERRORS, IB_PC_ERR_PHYSRCV_F, 16, 4, IB_PC_EXT_ERR_PHYSRCV_F,
	  20 },
	{ HCA_CTR_RCV_SWITCH_RELAY_ERRORS, IB_PC_ERR_SWITCH_REL_F, 16, 5,
	  IB_PC_EXT_ERR_SWITCH_REL_F, 21 },
	{ HCA_CTR_XMIT_DISCARDS, IB_PC_XMT_DISCARDS_F, 16, 6, IB_PC_EXT_XMT_DISCARDS_F, 22 },
	{ HCA_CTR_XMIT_CONSTRAINT_ERRORS, IB_PC_ERR_XMTCONSTR_F, 8, 7, IB_PC_EXT_ERR_XMTCONSTR_F,
	  23 },
	{ HCA_CTR_RCV_CONSTRAINT_ERRORS, IB_PC_ERR_RCVCONSTR_F, 8, 8, IB_PC_EXT_ERR_RCVCONSTR_F,
	  24 },
	{ HCA_CTR_LOCAL_LINK_INTEGRITY_ERRORS, IB_PC_ERR_LOCALINTEG_F, 4, 9,
	  IB_PC_EXT_ERR_LOCALINTEG_F, 25 },
	{ HCA_CTR_EXCESSIVE_BUFFER_OVERRUNS, IB_PC_ERR_EXCESS_OVR_F, 4, 10,
	  IB_PC_EXT_ERR_EXCESS_OVR_F, 26 },
	{ HCA_CTR_VL15_DROPPED, IB_PC_VL15_DROPPED_F, 16, 11, IB_PC_EXT_VL15_DROPPED_F, 27 },
	{ HCA_CTR_XMIT_DATA, IB_PC_XMT_BYTES_F, 32, 12, IB_PC_EXT_XMT_BYTES_F, 0 },
	{ HCA_CTR_RCV_DATA, IB_PC_RCV_BYTES_F, 32, 13, IB_PC_EXT_RCV_BYTES_F, 1 },
	{ HCA_CTR_XMIT_PACKETS, IB_PC_XMT_PKTS_F, 32, 14, IB_PC_EXT_XMT_PKTS_F, 2 },
	{ HCA_CTR_RCV_PACKETS, IB_PC_RCV_PKTS_F, 32, 15, IB_PC_EXT_RCV_PKTS_F, 3 },
	{ HCA_CTR_XMIT_WAIT, IB_PC_XMT_WAIT_F, 32, 16, IB_PC_EXT_XMT_WAIT_F, 28 },
	{ HCA_CTR_UNICAST_XMIT_PACKETS, 0, 0, 0, IB_PC_EXT_XMT_UPKTS_F, 4 },
	{ HCA_CTR_UNICAST_RCV_PACKETS, 0, 0, 0, IB_PC_EXT_RCV_UPKTS_F, 5 },
	{ HCA_CTR_MULTICAST_XMIT_PACKETS, 0, 0, 0, IB_PC_EXT_XMT_MPKTS_F, 6 },
	{ HCA_CTR_MULTICAST_RCV_PACKETS, 0, 0, 0, IB_PC_EXT_RCV_MPKTS_F, 7 },
};

static u32 widest(const struct counter *c)
{
	return 0xffffffffu >> (32 - c->width);
}

/* Count @n on top of what the port has counted so far. */
static void count(enum hca_counter c, u64 n)
{
	hca_count(&ports[1], c, n);
}

START_TEST(every_counter_has_its_place_C4_336)
{
	const struct counter *c;
	unsigned int i;

	ck_assert_uint_eq(ARRAY_SIZE(counters), HCA_NUM_COUNTERS);
	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		c = &counters[i];
		memset(ports[1].counters, 0, sizeof(struct hca_counters));
		count(c->counter, 3);
		ck_assert_uint_eq(get_counters(IB_GSI_PORT_COUNTERS), 0);
		ck_assert_uint_eq(got(IB_PC_PORT_SELECT_F), 1);
		if (c->width)
			ck_assert_msg(got(c->narrow) == 3, "counter %u", c->counter);
		memset(rsp.octets + DATA + 1, 0, 1);
		if (c->width) {
			mad_set_field(&rsp, DATA, c->narrow, 0);
			/* And nowhere else. */
			ck_assert_uint_eq(rsp.octets[DATA], 0);
			ck_assert_msg(!memcmp(rsp.octets + DATA, rsp.octets + DATA + 1, 191),
				      "counter %u", c->counter);
		}
		ck_assert_uint_eq(get_counters(IB_GSI_PORT_COUNTERS_EXT), 0);
		ck_assert_msg(got64(c->wide) == 3, "counter %u", c->counter);
		memset(rsp.octets + DATA + 1, 0, 1);
		mad_set_field64(&rsp, DATA, c->wide, 0);
		ck_assert_msg(!memcmp(rsp.octets + DATA, rsp.octets + DATA + 1, 191), "counter %u",
			      c->counter);
	}
}
END_TEST

START_TEST(counters_stick_at_their_maximum_C4_336)
{
	const struct counter *c;
	unsigned int i;

	memset(ports[1].counters, 0, sizeof(struct hca_counters));
	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		c = &counters[i];
		if (!c->width)
			continue;
		count(c->counter, widest(c) - 1);
		get_counters(IB_GSI_PORT_COUNTERS);
		ck_assert_uint_eq(got(c->narrow), widest(c) - 1);
		count(c->counter, 1);
		get_counters(IB_GSI_PORT_COUNTERS);
		ck_assert_uint_eq(got(c->narrow), widest(c));
		count(c->counter, 5);
		get_counters(IB_GSI_PORT_COUNTERS);
		ck_assert_uint_eq(got(c->narrow), widest(c));
		get_counters(IB_GSI_PORT_COUNTERS_EXT);
		ck_assert_uint_eq(got64(c->wide), (u64)widest(c) + 5);
	}
}
END_TEST

START_TEST(a_set_touches_the_selected_counter_only_C4_336)
{
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		if (!counters[i].width)
			continue;
		memset(ports[1].counters, 0, sizeof(struct hca_counters));
		memset(&ports[1].counter_base, 0, sizeof(struct hca_counters));
		for (j = 0; j < ARRAY_SIZE(counters); j++)
			count(counters[j].counter, 9);
		get_counters(IB_GSI_PORT_COUNTERS);
		change();
		memset(rq.octets + DATA + 4, 0, 188);
		put(IB_PC_COUNTER_SELECT_F, 1 << counters[i].select & 0xffff);
		put(IB_PC_COUNTER_SELECT2_F, 1 << counters[i].select >> 16);
		ck_assert_uint_eq(ask(), 0);
		for (j = 0; j < ARRAY_SIZE(counters); j++)
			if (counters[j].width)
				ck_assert_msg(got(counters[j].narrow) == (i == j ? 0 : 9),
					      "select %u, counter %u", i, j);
		/* From there on it counts exactly. */
		count(counters[i].counter, 4);
		get_counters(IB_GSI_PORT_COUNTERS);
		ck_assert_uint_eq(got(counters[i].narrow), 4);
	}
}
END_TEST

START_TEST(the_same_for_the_extended_view_C4_336)
{
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		u32 select = 1u << counters[i].wide_select;

		memset(ports[1].counters, 0, sizeof(struct hca_counters));
		memset(&ports[1].counter_base, 0, sizeof(struct hca_counters));
		for (j = 0; j < ARRAY_SIZE(counters); j++)
			count(counters[j].counter, 9);
		get_counters(IB_GSI_PORT_COUNTERS_EXT);
		change();
		memset(rq.octets + DATA + 8, 0, 184);
		put(IB_PC_EXT_COUNTER_SELECT_F, select & 0xffff);
		put(IB_PC_EXT_COUNTER_SELECT2_F, select >> 16);
		ck_assert_uint_eq(ask(), 0);
		for (j = 0; j < ARRAY_SIZE(counters); j++)
			ck_assert_msg(got64(counters[j].wide) == (i == j ? 0 : 9),
				      "select %u, counter %u", i, j);
	}
}
END_TEST

START_TEST(perfquery_resets_both_views_C4_336)
{
	count(HCA_CTR_XMIT_PACKETS, 1u << 31);
	count(HCA_CTR_XMIT_PACKETS, 1u << 31);
	get_counters(IB_GSI_PORT_COUNTERS);
	ck_assert_uint_eq(got(IB_PC_XMT_PKTS_F), 0xffffffff);
	/* `perfquery -R` */
	request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_SET, IB_GSI_PORT_COUNTERS, 0);
	put(IB_PC_PORT_SELECT_F, 1);
	put(IB_PC_COUNTER_SELECT_F, 0xffff);
	ck_assert_uint_eq(ask(), 0);
	ck_assert_uint_eq(got(IB_PC_XMT_PKTS_F), 0);
	count(HCA_CTR_XMIT_PACKETS, 1000);
	get_counters(IB_GSI_PORT_COUNTERS);
	ck_assert_uint_eq(got(IB_PC_XMT_PKTS_F), 1000);
	get_counters(IB_GSI_PORT_COUNTERS_EXT);
	ck_assert_uint_eq(got64(IB_PC_EXT_XMT_PKTS_F), 1000);
	/* `perfquery -x -R` */
	request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_SET, IB_GSI_PORT_COUNTERS_EXT, 0);
	put(IB_PC_EXT_PORT_SELECT_F, 1);
	put(IB_PC_EXT_COUNTER_SELECT_F, 0xffff);
	ck_assert_uint_eq(ask(), 0);
	get_counters(IB_GSI_PORT_COUNTERS);
	ck_assert_uint_eq(got(IB_PC_XMT_PKTS_F), 0);
	/* The port itself has never gone back. */
	ck_assert_uint_eq(hca_counter_read(&ports[1], HCA_CTR_XMIT_PACKETS), (1ull << 32) + 1000);
}
END_TEST

START_TEST(a_set_may_be_to_any_value_C4_336)
{
	static const u32 values[] = { 1, 500, 0xfffffffe };
	unsigned int i;

	count(HCA_CTR_RCV_DATA, 100);
	for (i = 0; i < ARRAY_SIZE(values); i++) {
		get_counters(IB_GSI_PORT_COUNTERS);
		change();
		put(IB_PC_COUNTER_SELECT_F, 1 << 13);
		put(IB_PC_RCV_BYTES_F, values[i]);
		ck_assert_uint_eq(ask(), 0);
		ck_assert_uint_eq(got(IB_PC_RCV_BYTES_F), values[i]);
	}
	count(HCA_CTR_RCV_DATA, 7);
	get_counters(IB_GSI_PORT_COUNTERS);
	ck_assert_uint_eq(got(IB_PC_RCV_BYTES_F), 0xffffffff);
	get_counters(IB_GSI_PORT_COUNTERS_EXT);
	ck_assert_uint_eq(got64(IB_PC_EXT_RCV_BYTES_F), 0xfffffffeull + 7);
}
END_TEST

START_TEST(port_select_is_the_port_C4_338)
{
	static const u8 wrong[] = { 0, 2, 3, 0xff };
	static const u16 attrs[] = { IB_GSI_PORT_COUNTERS, IB_GSI_PORT_COUNTERS_EXT };
	unsigned int i, j;

	count(HCA_CTR_XMIT_PACKETS, 3);
	for (i = 0; i < ARRAY_SIZE(attrs); i++)
		for (j = 0; j < ARRAY_SIZE(wrong); j++) {
			request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_GET, attrs[i], 0);
			put(IB_PC_PORT_SELECT_F, wrong[j]);
			ck_assert_uint_eq(ask(), IB_MAD_STS_INV_ATTR_VALUE);
			ck_assert_uint_eq(got(IB_PC_PORT_SELECT_F), wrong[j]);
			request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_SET, attrs[i], 0);
			put(IB_PC_PORT_SELECT_F, wrong[j]);
			put(IB_PC_COUNTER_SELECT_F, 0xffff);
			ck_assert_uint_eq(ask(), IB_MAD_STS_INV_ATTR_VALUE);
		}
	get_counters(IB_GSI_PORT_COUNTERS);
	ck_assert_uint_eq(got(IB_PC_XMT_PKTS_F), 3);
}
END_TEST

/* ---- A switch, as far as there is one ---- */

START_TEST(a_switch_is_managed_at_port_0_C4_188_237)
{
	node.type = HCA_NODE_SWITCH;
	ports[0].info.m_key = cpu_to_be64(M_KEY);
	request(IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_NODE_INFO, 0);
	ck_assert_int_eq(ask_at(2), HCA_AGENT_REPLY);
	ck_assert_uint_eq(got64(IB_NODE_PORT_GUID_F), 0x1020);
	ck_assert_uint_eq(got(IB_NODE_LOCAL_PORT_F), 2);
	ck_assert_uint_eq(got(IB_NODE_TYPE_F), 2);

	/* Any port may be set from anywhere, with port 0's key. */
	request(IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_PORT_INFO, 2);
	ck_assert_int_eq(ask_at(1), HCA_AGENT_REPLY);
	change();
	put(IB_PORT_LID_F, 9);
	put(IB_PORT_SMLID_F, 1);
	put(IB_PORT_STATE_F, 0);
	put(IB_PORT_PHYS_STATE_F, 0);
	put(IB_PORT_HOQ_LIFE_F, 16);
	ck_assert_int_eq(ask_at(1), HCA_AGENT_CONSUMED);
	give_key(M_KEY);
	ck_assert_uint_eq(ask(), 0);
	ck_assert_uint_eq(ports[2].info.hoq_life, 16);
	ck_assert_uint_eq(ports[0].info.m_key_violations, 1);
}
END_TEST

START_TEST(a_switch_is_asked_for_tables_by_port_C4_241_243_244)
{
	static const struct {
		u16 attr;
		u32 of_port_2, of_port_3;
	} tables[] = {
		{ IB_ATTR_PKEY_TBL, 0x00020000, 0x00030000 },
		{ IB_ATTR_SLVL_TABLE, 0x0102, 0x0103 },
		{ IB_ATTR_VL_ARBITRATION, 0x00010002, 0x00010003 },
	};
	unsigned int i;

	node.type = HCA_NODE_SWITCH;
	for (i = 0; i < ARRAY_SIZE(tables); i++) {
		ck_assert_uint_eq(get(tables[i].attr, tables[i].of_port_2), 0);
		change();
		rq.octets[DATA] = 5;
		ck_assert_uint_eq(ask(), 0);
		ck_assert_uint_eq(get(tables[i].attr, tables[i].of_port_3),
				  IB_MAD_STS_INV_ATTR_VALUE);
		change();
		ck_assert_uint_eq(ask(), IB_MAD_STS_INV_ATTR_VALUE);
	}
	ck_assert_uint_eq(ports[2].pkey[0], 0x05ff);
	ck_assert_uint_eq(ports[2].sl2vl[1], 5);
	ck_assert_uint_eq(ports[2].vlarb_low[0][0], 5);

	count(HCA_CTR_XMIT_PACKETS, 3);
	request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_GET, IB_GSI_PORT_COUNTERS, 0);
	put(IB_PC_PORT_SELECT_F, 1);
	ck_assert_int_eq(ask_at(2), HCA_AGENT_REPLY);
	ck_assert_uint_eq(got(IB_PC_XMT_PKTS_F), 3);
}
END_TEST

Suite *sma_suite(void)
{
	const struct {
		const char *name;
		const TTest *tests[16];
	} cases[] = {
		{ "agent",
		  { golden_node_info_B4_156_C4_231,
		    methods_by_attributes_of_subnet_management_C4_195_196_197_206_217,
		    methods_by_attributes_of_performance_management_C4_322_331,
		    foreign_classes_pass_C4_216, wrong_versions_are_refused_C4_213,
		    a_returning_smp_is_the_managers_C4_227,
		    a_modifier_where_there_is_none_C4_229_230_324,
		    tables_of_vls_need_more_than_one_C4_243_244, a_port_that_there_is_not,
		    a_switch_is_managed_at_port_0_C4_188_237,
		    a_switch_is_asked_for_tables_by_port_C4_241_243_244 } },
		{ "attributes",
		  { node_description_C4_229, node_info_of_the_port_of_arrival_B4_154_C4_230_231,
		    guids_but_the_first_C4_234, pkeys_in_blocks_C4_241,
		    no_more_pkeys_than_partition_cap_C4_242, sl_to_vl_mapping_C4_243,
		    vl_arbitration_in_four_parts_C4_244 } },
		{ "port_info",
		  { port_info_has_every_element_C4_238, port_info_by_port_number_C4_236,
		    another_port_of_an_adapter_is_read_only_C4_236,
		    what_a_manager_sets_first_C4_196_240, values_of_port_info_C4_240,
		    extended_speeds_are_for_managers_that_know_them_C4_240,
		    violation_counters_are_only_cleared_C4_240, port_states_in_their_order_C4_240,
		    physical_states_go_with_down_C4_240 } },
		{ "m_key",
		  { m_key_protection_C4_252, m_key_of_zero_protects_nothing_C4_253,
		    m_key_violations_stick_C4_252, m_key_is_not_asked_of_the_own_mad_layer,
		    m_key_is_not_for_smi_and_unknown_methods_B4_155, m_key_of_both_ports_C4_236 } },
		{ "pma",
		  { class_port_info_of_the_pma_C4_218_219, every_counter_has_its_place_C4_336,
		    counters_stick_at_their_maximum_C4_336,
		    a_set_touches_the_selected_counter_only_C4_336,
		    the_same_for_the_extended_view_C4_336, perfquery_resets_both_views_C4_336,
		    a_set_may_be_to_any_value_C4_336, port_select_is_the_port_C4_338 } },
	};
	Suite *suite = suite_create("sma");
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		TCase *tc = tcase_create(cases[i].name);

		tcase_add_checked_fixture(tc, setup, teardown);
		for (j = 0; cases[i].tests[j]; j++)
			tcase_add_test(tc, cases[i].tests[j]);
		suite_add_tcase(suite, tc);
	}
	return suite;
}
