// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The response of each kind of node to any request: every class, version, method, attribute and
 * modifier, defined or not.
 */
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <check.h>
#include "engine/run.h"
#include "fabric/switch.h"
#include "fabric/tca.h"
#include "link/port/attributes.h"
#include "shim.h"
#include "sma/agent.h"
#include "sma/class.h"
#include "tests/unit/suites.h"
#include "wire/smp.h"

#define PORTS 4
#define COMMUNICATION 7
#define PERFORMANCE 4
#define SUBNET 1
#define DIRECTED 0x81

enum {
	DEVICE = 1 << 0,
	TCA = 1 << 1,
	LINEAR = 1 << 2, /* switches, with either kind of table */
	RANDOM = 1 << 3,
	SWITCH = LINEAR | RANDOM,
	ALL = DEVICE | TCA | SWITCH,
};

static const u8 kinds[] = { DEVICE, TCA, LINEAR, RANDOM };

static struct hca_switch *sw, *random_sw;
static struct hca_tca *device, *tca;

static void be_above(struct hca_port *port, struct hca_packet *pkt)
{
	ck_abort_msg("port %u passes packet %p on", port->num, (void *)pkt);
}

static const struct hca_port_ops device_ops = { .manager = be_above };

static void setup(void)
{
	unsigned int num;

	shim_reset(1);
	hca_engine_start();
	sw = hca_switch_new(PORTS, cpu_to_be64(0x100), "switch", false, &hca_agent);
	tca = hca_tca_new(PORTS, cpu_to_be64(0x200), "tca", &hca_agent);
	device = hca_tca_new(PORTS, cpu_to_be64(0x300), "adapter with a MAD layer", &hca_agent);
	random_sw = hca_switch_new(PORTS, cpu_to_be64(0x400), "switch", true, &hca_agent);
	ck_assert(!IS_ERR(sw) && !IS_ERR(tca) && !IS_ERR(device) && !IS_ERR(random_sw));
	ck_assert_int_eq(hca_switch_use_random_forwarding_table(random_sw), 0);
	for (num = 1; num <= PORTS; num++) {
		device->node.ports[num].ops = &device_ops;
		device->node.ports[num].info.capability_mask |= HCA_CAP_CONNECTION_MANAGEMENT;
	}
}

static void teardown(void)
{
	hca_switch_free(sw);
	hca_switch_free(random_sw);
	hca_tca_free(tca);
	hca_tca_free(device);
	hca_engine_stop();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}

static struct hca_node *node_of(u8 kind)
{
	switch (kind) {
	case DEVICE:
		return &device->node;
	case TCA:
		return &tca->node;
	case LINEAR:
		return &sw->node;
	default:
		return &random_sw->node;
	}
}

/*
 * The defined attributes, the kinds of nodes that have them, and whether a modifier may be other
 * than 0 (C4-228 to C4-249, C4-324).
 */
static const struct row {
	u8 class;
	u16 attr;
	u8 get, set; /* kinds of nodes that have Get and Set of it */
	bool modifier;
} rows[] = {
	{ SUBNET, 0x02, ALL, ALL, false }, /* Notice */
	{ SUBNET, 0x10, ALL, 0, false }, /* NodeDescription */
	{ SUBNET, 0x11, ALL, 0, false }, /* B4-010, B4-466: NodeInfo */
	{ SUBNET, 0x12, SWITCH, SWITCH, false }, /* B4-466: SwitchInfo */
	{ SUBNET, 0x14, ALL, ALL, true }, /* B4-466: GUIDInfo */
	{ SUBNET, 0x15, ALL, ALL, true }, /* B4-466, C4-235: PortInfo */
	{ SUBNET, 0x16, ALL, ALL, true }, /* P_KeyTable */
	{ SUBNET, 0x17, ALL, ALL, true }, /* SLtoVLMappingTable */
	{ SUBNET, 0x18, ALL, ALL, true }, /* VLArbitrationTable */
	{ SUBNET, 0x19, LINEAR, LINEAR, true }, /* C4-245: LinearForwardingTable */
	{ SUBNET, 0x1a, RANDOM, RANDOM, true }, /* C4-245: RandomForwardingTable */
	{ SUBNET, 0x1b, SWITCH, SWITCH, true }, /* MulticastForwardingTable */
	{ SUBNET, 0x20, 0, 0, true }, /* SMInfo: the node has no subnet manager */
	{ SUBNET, 0x30, ALL, 0, true }, /* VendorDiag */
	{ SUBNET, 0x31, ALL, ALL, false }, /* LedInfo */
	{ PERFORMANCE, 0x01, ALL, 0, false }, /* C4-218: ClassPortInfo */
	{ PERFORMANCE, 0x02, 0, 0, false }, /* Notice: performance management defines none */
	{ PERFORMANCE, 0x10, ALL, ALL, false }, /* PortSamplesControl */
	{ PERFORMANCE, 0x11, ALL, 0, false }, /* PortSamplesResult */
	{ PERFORMANCE, 0x12, ALL, ALL, false }, /* C4-321: PortCounters */
	{ PERFORMANCE, 0x15, ALL, ALL, false }, /* PortRcvErrorDetails */
	{ PERFORMANCE, 0x16, ALL, ALL, false }, /* PortXmitDiscardDetails */
	{ PERFORMANCE, 0x17, ALL, ALL, false }, /* PortOpRcvCounters */
	{ PERFORMANCE, 0x18, ALL, ALL, false }, /* PortFlowCtlCounters */
	{ PERFORMANCE, 0x19, 0, 0, false }, /* PortVLOpPackets */
	{ PERFORMANCE, 0x1b, ALL, ALL, false }, /* PortVLXmitFlowCtlUpdateErrors */
	{ PERFORMANCE, 0x1c, ALL, ALL, false }, /* PortVLXmitWaitCounters */
	{ PERFORMANCE, 0x1d, ALL, ALL, false }, /* PortCountersExtended */
	{ PERFORMANCE, 0x1e, ALL, 0, false }, /* PortSamplesResultExtended */
	{ PERFORMANCE, 0x30, SWITCH, SWITCH, false }, /* SwPortVLCongestion */
	{ PERFORMANCE, 0x36, ALL, ALL, false }, /* PortXmitDataSL */
	{ PERFORMANCE, 0x37, ALL, ALL, false }, /* PortRcvDataSL */
	{ COMMUNICATION, 0x01, DEVICE, 0, false }, /* C4-218, C4-342: ClassPortInfo */
};

static const u16 attrs_of_no_class[] = { 0x0000, 0x0013, 0x0021, 0x0032, 0x7777, 0xff00, 0xffff };

struct question {
	u8 kind, base, class, version, method;
	u16 attr;
	u32 modifier;
};

/* Results in addition to the statuses of IBA 13.4.7. */
enum { PASSED = -1, CARRIED_OUT = -2 };

static const struct row *row_of(const struct question *q)
{
	u8 class = q->class == DIRECTED ? SUBNET : q->class;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].class == class && rows[i].attr == q->attr)
			return &rows[i];
	return NULL;
}

static bool has_class(const struct question *q)
{
	return q->class == SUBNET || q->class == DIRECTED || q->class == PERFORMANCE ||
	       (q->class == COMMUNICATION && q->kind == DEVICE);
}

/* The rules in the order of precedence. */
static int expected(const struct question *q)
{
	bool get = q->method == 1, set = q->method == 2;
	const struct row *row = row_of(q);

	if (q->method & 0x80 || q->method == 3 || (q->method >= 5 && q->method <= 7))
		return PASSED; /* responses, Send, Trap, Report, TrapRepress */
	if (!has_class(q)) /* B4-018, C4-216, C4-280, C4-281 */
		return q->kind == DEVICE || (!get && !set) ? PASSED : 0x04;
	if (q->class == COMMUNICATION && !row)
		return PASSED;
	if (q->base != 1 || q->version != (q->class == COMMUNICATION ? 2 : 1)) /* C4-213 */
		return 0x04;
	if (!get && !set) /* B4-019 */
		return 0x08;
	if (!row || !((get ? row->get : row->set) & q->kind)) /* B4-015, B4-020, B4-465 */
		return 0x0c;
	if (q->modifier && !row->modifier) /* B4-021 */
		return 0x1c;
	return CARRIED_OUT;
}

static void fill(struct hca_mad *mad, const struct question *q)
{
	memset(mad, 0, sizeof(*mad));
	mad->hdr.base_version = q->base;
	mad->hdr.mgmt_class = q->class;
	mad->hdr.class_version = q->version;
	mad->hdr.method = q->method;
	mad->hdr.tid = cpu_to_be64(0x0123456789abcdef);
	mad->hdr.attr_id = cpu_to_be16(q->attr);
	mad->hdr.attr_mod = cpu_to_be32(q->modifier);
}

static void assert_answer(const struct question *q)
{
	int want = expected(q), status;
	enum hca_agent_result result;
	struct hca_mad in, out;

	fill(&in, q);
	memset(&out, 0xa5, sizeof(out));
	result = hca_agent.process(node_of(q->kind), 1, 9, &in, &out, false);
/* Each assertion of Check writes to a pipe; there would be too many. */
#define REPORT(ok)									\
	do {										\
		if (!(ok))								\
			ck_abort_msg("%s: kind %u base %u class %#x version %u method %#x "	\
				     "attribute %#x modifier %#x", #ok, q->kind, q->base, q->class,	\
				     q->version, q->method, q->attr, q->modifier);	\
	} while (0)
	if (want == PASSED) {
		REPORT(result == HCA_AGENT_PASS); /* C4-217 */
		return;
	}
	REPORT(result == HCA_AGENT_REPLY); /* B4-164 */
	status = be16_to_cpu(out.hdr.status);
	if (q->class == DIRECTED) {
		REPORT(status & HCA_SMP_DIRECTION); /* B4-023, B4-163 */
		status &= ~HCA_SMP_DIRECTION;
	}
	if (want == CARRIED_OUT)
		REPORT(!status || status == 0x1c);
	else
		REPORT(status == want); /* B4-024, C4-215 */
	/* B4-016, C4-214, C4-322, C4-331 */
	REPORT(out.hdr.method == (q->method <= 2 && q->method ? 0x81 : q->method | 0x80));
	REPORT(!memcmp(&in, &out, 3));
	REPORT(!memcmp(&in.hdr.class_specific, &out.hdr.class_specific, 18));
	if (want > 0 && want < 0x1c) /* a request that is not executed changes nothing */
		REPORT(!memcmp(in.body, out.body, sizeof(in.body)));
#undef REPORT
}

static void assert_methods_and_modifiers(struct question q)
{
	static const u32 modifiers[] = { 0, 1, 0xffffffff };
	unsigned int i, method;

	for (i = 0; i < ARRAY_SIZE(modifiers); i++)
		for (method = 0; method < 256; method++) {
			q.modifier = modifiers[i];
			q.method = method;
			assert_answer(&q);
		}
}

/* Each attribute in each class and version, and attributes that no class has. */
START_TEST(each_class_and_version)
{
	static const u8 classes[] = { SUBNET, DIRECTED, PERFORMANCE, COMMUNICATION };
	static const u8 versions[][2] = { { 1, 1 }, { 1, 2 }, { 1, 0 }, { 1, 255 },
					  { 0, 1 }, { 2, 1 }, { 128, 2 } };
	struct question q = { .kind = kinds[_i] };
	unsigned int c, v, i;

	for (c = 0; c < ARRAY_SIZE(classes); c++)
		for (v = 0; v < ARRAY_SIZE(versions); v++) {
			q.class = classes[c];
			q.base = versions[v][0];
			q.version = versions[v][1];
			for (i = 0; i < ARRAY_SIZE(rows); i++) {
				q.attr = rows[i].attr;
				assert_methods_and_modifiers(q);
			}
			for (i = 0; i < ARRAY_SIZE(attrs_of_no_class); i++) {
				q.attr = attrs_of_no_class[i];
				assert_methods_and_modifiers(q);
			}
		}
}
END_TEST

/* B4-024, C4-215, C4-216 */
START_TEST(classes_that_there_are_not)
{
	struct question q = { .kind = kinds[_i], .base = 1, .version = 1, .attr = 1 };
	unsigned int class;

	for (class = 0; class < 256; class++) {
		q.class = class;
		assert_methods_and_modifiers(q);
	}
}
END_TEST

/* ---- Random MADs ---- */

static u32 seed;

static u32 some(u32 below)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return below ? seed % below : seed;
}

static bool often(void)
{
	return some(8);
}

/* Most of them are valid enough to be processed; their data is of all kinds. */
static void make_nonsense(struct hca_mad *mad)
{
	const struct row *row = &rows[some(ARRAY_SIZE(rows))];
	struct question q = {
		.base = often() ? 1 : some(256),
		.class = often() ? row->class : some(256),
		.version = often() ? 1 + (row->class == COMMUNICATION) : some(256),
		.method = often() ? 1 + some(2) : some(256),
		.attr = often() ? row->attr : some(0x10000),
	};
	u8 *octets = (u8 *)mad;
	unsigned int i;

	if (q.class == SUBNET && some(2))
		q.class = DIRECTED;
	if (some(3))
		q.modifier = some(2) ? some(PORTS + 2) : some(0) >> some(32);
	fill(mad, &q);
	for (i = sizeof(mad->hdr); i < HCA_MAD_BYTES; i++)
		if (some(4))
			octets[i] = some(2) ? some(8) : some(256);
}

static void assert_port_is_sane(const struct hca_port *port)
{
	const struct hca_port_info *info = &port->info;
	unsigned int i, wrong = 0;

	ck_assert_uint_lt(info->lid, 0xc000); /* C4-240 */
	ck_assert_uint_lt(info->sm_lid, 0xc000);
	ck_assert_uint_eq(info->lid & ((1u << info->lmc) - 1), 0);
	ck_assert(info->neighbor_mtu >= IB_MTU_256 && info->neighbor_mtu <= info->mtu_cap);
	ck_assert(info->operational_vls && info->operational_vls <= info->vl_cap);
	ck_assert_uint_eq(info->link_width_enabled & ~info->link_width_supported, 0);
	ck_assert_uint_eq(info->link_speed_enabled & ~info->link_speed_supported, 0);
	ck_assert_uint_eq(info->link_speed_ext_enabled & ~info->link_speed_ext_supported, 0);
	ck_assert(info->state >= IB_PORT_DOWN && info->state <= IB_PORT_ACTIVE_DEFER);
	ck_assert(info->link_down_default == IB_PORT_PHYS_STATE_SLEEP ||
		  info->link_down_default == IB_PORT_PHYS_STATE_POLLING);
	for (i = 0; i < 16; i++)
		wrong += port->tables.sl2vl[i] > 15;
	for (i = 0; i < HCA_VLARB_ENTRIES; i++)
		wrong += port->tables.vlarb_low.entry[i][0] > 15 ||
			 port->tables.vlarb_high.entry[i][0] > 15;
	ck_assert_uint_eq(wrong, 0);
}

static bool is_exit(u8 port)
{
	return port <= PORTS || port == HCA_NO_PORT;
}

static void assert_switch_is_sane(const struct hca_switch *sw)
{
	unsigned int i, wrong = 0;

	for (i = 0; i < HCA_LFT_CAP; i++)
		wrong += !is_exit(sw->lft[i]);
	for (i = 0; i < HCA_MFT_CAP * sw->mft_positions; i++)
		wrong += !!(sw->mft[i] >> (PORTS + 1));
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_lt(sw->info.linear_fdb_top, HCA_LFT_CAP);
	ck_assert(is_exit(sw->info.default_port));
	ck_assert(is_exit(sw->info.default_multicast_primary));
	ck_assert(is_exit(sw->info.default_multicast_not_primary));
}

/* Random MADs leave no value that the port or the switch cannot have. */
START_TEST(nonsense_leaves_tables_sane)
{
	struct hca_node *node = node_of(kinds[_i]);
	unsigned int i, num;
	struct hca_mad in, out;

	seed = 20150 + _i;
	for (i = 0; i < 100000; i++) {
		make_nonsense(&in);
		hca_agent.process(node, some(PORTS + 2), some(0x10000), &in, &out, some(4));
		if (i % 1000)
			continue;
		shim_run_until_idle();
		for (num = !hca_node_is_switch(node); num <= PORTS; num++)
			assert_port_is_sane(&node->ports[num]);
	}
	if (hca_node_is_switch(node))
		assert_switch_is_sane(hca_node_switch(node));
	ck_assert_uint_eq(be64_to_cpu(node->node_guid) & 0xff, 0);
	ck_assert_uint_eq(node->num_ports, PORTS);
}
END_TEST

/* A class that is added: congestion control, for example, whose key and data have other offsets */

#define CONGESTION 0x21
#define CC_KEY_AT 24
#define CC_DATA_AT 64
#define CC_KEY 0x77

static u8 cc_value;

static u16 cc_get(struct hca_mad_request *rq)
{
	rq->out[0] = cc_value;
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

static u16 cc_set(struct hca_mad_request *rq)
{
	cc_value = rq->in[0] & 0x0f;
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

static bool cc_permits(const struct hca_mad_request *rq, const struct hca_mad *in)
{
	return rq->method == IB_MGMT_METHOD_GET || ((const u8 *)in)[CC_KEY_AT] == CC_KEY;
}

static const struct hca_attribute cc_attributes[] = {
	{ 0x0012, HCA_ATTR_NO_MODIFIER, "CongestionKeyInfo", cc_get, cc_set, NULL },
	{ 0x0015, HCA_ATTR_SWITCH, "SwitchPortCongestionSetting", cc_get, NULL, NULL },
};

static const struct hca_class congestion_class = {
	.code = CONGESTION,
	.version = 2,
	.data_offset = CC_DATA_AT,
	.data_bytes = HCA_MAD_BYTES - CC_DATA_AT,
	.attributes = cc_attributes,
	.num_attributes = ARRAY_SIZE(cc_attributes),
	.permits = cc_permits,
};

/* The status; less than 0: another result. */
static int ask_congestion(u8 method, u16 attr, u8 key, u8 value, struct hca_mad *out)
{
	struct hca_mad_request rq = {
		.node = &tca->node, .home = &tca->node.ports[1], .arrival = 1, .method = method,
	};
	struct question q = { .base = 1, .class = CONGESTION, .version = 2, .method = method,
			      .attr = attr };
	enum hca_agent_result result;
	struct hca_mad in;

	fill(&in, &q);
	((u8 *)&in)[CC_KEY_AT] = key;
	((u8 *)&in)[CC_DATA_AT] = value;
	local_bh_disable();
	result = hca_class_answer(&congestion_class, &rq, &in, out);
	local_bh_enable();
	return result == HCA_AGENT_REPLY ? be16_to_cpu(out->hdr.status) : -(int)result;
}

/* C4-216 */
START_TEST(a_class_is_a_table)
{
	struct hca_mad out;

	ck_assert_int_eq(ask_congestion(IB_MGMT_METHOD_SET, 0x12, CC_KEY, 0xfe, &out), 0);
	ck_assert_uint_eq(out.hdr.method, IB_MGMT_METHOD_GET_RESP);
	ck_assert_uint_eq(((u8 *)&out)[CC_DATA_AT], 0x0e); /* B4-025: the present value */
	ck_assert_uint_eq(((u8 *)&out)[CC_KEY_AT], CC_KEY);
	ck_assert_int_eq(ask_congestion(IB_MGMT_METHOD_SET, 0x12, 0, 3, &out), -HCA_AGENT_CONSUMED);
	ck_assert_int_eq(ask_congestion(IB_MGMT_METHOD_GET, 0x12, 0, 0, &out), 0);
	ck_assert_uint_eq(((u8 *)&out)[CC_DATA_AT], 0x0e);
	ck_assert_int_eq(ask_congestion(IB_MGMT_METHOD_GET, 0x15, 0, 0, &out),
			 0x0c); /* the node is no switch */
	ck_assert_int_eq(ask_congestion(IB_MGMT_METHOD_GET, 0x99, 0, 0, &out), 0x0c);
	ck_assert_int_eq(ask_congestion(0x33, 0x12, 0, 0, &out), 0x08);
	ck_assert_int_eq(ask_congestion(IB_MGMT_METHOD_SEND, 0x12, 0, 0, &out), HCA_AGENT_PASS);
}
END_TEST

Suite *malformed_suite(void)
{
	const struct {
		const TTest *test;
		int count;
	} tests[] = {
		{ each_class_and_version, ARRAY_SIZE(kinds) },
		{ classes_that_there_are_not, ARRAY_SIZE(kinds) },
		{ nonsense_leaves_tables_sane, ARRAY_SIZE(kinds) },
		{ a_class_is_a_table, 1 },
	};
	Suite *suite = suite_create("malformed");
	TCase *tc = tcase_create("malformed");
	unsigned int i;

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	for (i = 0; i < ARRAY_SIZE(tests); i++)
		tcase_add_loop_test(tc, tests[i].test, 0, tests[i].count);
	suite_add_tcase(suite, tc);
	return suite;
}
