// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The performance management agent: counters that stick at their maximum, and whose reset never
 * decreases the port's own.
 */
#include "compat.h"
#include "link/port/attributes.h"
#include "shim.h"
#include "tests/unit/agent/agent.h"
#include "tests/unit/suites.h"

static u16 get_counters(u16 attr)
{
	agent_request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_GET, attr, 0);
	agent_put(IB_PC_PORT_SELECT_F, 1);
	return agent_ask();
}

/* V3-038, V3-214 */
START_TEST(class_port_info_of_the_pma_C4_218_219)
{
	agent_request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_GET, CLASS_PORT_INFO, 0);
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_got(IB_CPI_BASEVER_F), 1);
	ck_assert_uint_eq(agent_got(IB_CPI_CLASSVER_F), 1);
	/*
	 * The CapabilityMask: extended counters with the IETF ones, PortXmitWait; no AllPortSelect.
	 */
	ck_assert_uint_eq(agent_got(IB_CPI_CAPMASK_F), 0x1200);
	ck_assert_uint_eq(agent_got(IB_CPI_CAPMASK2_F), 2);
	ck_assert_uint_eq(agent_got(IB_CPI_RESP_TIME_VALUE_F), 16);
	ck_assert_uint_eq(agent_got(IB_CPI_REDIRECT_LID_F), 0);
	ck_assert_uint_eq(agent_got(IB_CPI_TRAP_LID_F), 0);
}
END_TEST

/* C4-342, C4-343: RC, UC, SIDR and raw datagrams are supported; RD and multicast are not. */
START_TEST(class_port_info_of_communication_management)
{
	unsigned int i;

	agent_ports[1].info.capability_mask |= HCA_CAP_CONNECTION_MANAGEMENT;
	agent_request(IB_MGMT_CLASS_CM, IB_MAD_METHOD_GET, CLASS_PORT_INFO, 0);
	agent_rq.mad.hdr.class_version = 2;
	ck_assert_int_eq(hca_agent.process(agent_dest, 1, 1, &agent_rq.mad, &agent_rsp.mad, false),
			 HCA_AGENT_REPLY);
	ck_assert_uint_eq(agent_rsp.mad.hdr.status, 0);
	/* the class's data begins behind the MAD header */
	ck_assert_uint_eq(agent_rsp.octets[24 + 1], 2);
	/* C4-059: bit 11 */
	ck_assert_uint_eq(agent_rsp.octets[24 + 2] << 8 | agent_rsp.octets[24 + 3], 0x3a00);
	for (i = 8; i < 72; i++) /* nobody to be redirected to, nobody to send traps to */
		ck_assert_uint_eq(agent_rsp.octets[24 + i], 0);
}
END_TEST

static const struct counter {
	enum hca_counter counter;
	enum MAD_FIELDS narrow;
	u8 width, select; /* of the field in PortCounters */
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

/* The stored counter of a counter that is shown as a sum. */
static enum hca_counter part_of(enum hca_counter c)
{
	static const struct {
		enum hca_counter sum, part;
	} parts[] = {
		{ HCA_CTR_XMIT_PACKETS, HCA_CTR_MULTICAST_XMIT_PACKETS },
		{ HCA_CTR_RCV_PACKETS, HCA_CTR_UNICAST_RCV_PACKETS },
		{ HCA_CTR_XMIT_DATA, HCA_CTR_XMIT_DATA_SL + 15 },
		{ HCA_CTR_RCV_DATA, HCA_CTR_RCV_DATA_SL },
		{ HCA_CTR_RCV_ERRORS, HCA_CTR_MALFORMED_PACKET_ERRORS },
		{ HCA_CTR_RCV_SWITCH_RELAY_ERRORS, HCA_CTR_LOOPING_ERRORS },
		{ HCA_CTR_XMIT_DISCARDS, HCA_CTR_OTHER_DISCARDS },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(parts); i++)
		if (parts[i].sum == c)
			return parts[i].part;
	ck_assert_uint_lt(c, HCA_NUM_KEPT_COUNTERS);
	return c;
}

/* Add @n to what the port has counted so far. */
static void count(enum hca_counter c, u64 n)
{
	hca_count(&agent_ports[1], part_of(c), n);
}

/* Return the port to its initial state. */
static void reset_port(void)
{
	hca_counters_destroy(&agent_ports[1].counters);
	memset(&agent_ports[1].counters, 0, sizeof(agent_ports[1].counters));
	ck_assert_int_eq(hca_counters_init(&agent_ports[1].counters), 0);
}

static void assert_zeros(const struct counter *c)
{
	static const u8 zeros[192];

	ck_assert_msg(!memcmp(agent_rsp.octets + DATA, zeros, sizeof(zeros)), "counter %u",
		      c->counter);
}

/* C4-330 */
START_TEST(every_counter_has_its_place_C4_336)
{
	const struct counter *c;
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		c = &counters[i];
		reset_port();
		count(c->counter, 3);
		ck_assert_uint_eq(get_counters(IB_GSI_PORT_COUNTERS), 0);
		ck_assert_uint_eq(agent_got(IB_PC_PORT_SELECT_F), 1);
		if (c->width)
			ck_assert_msg(agent_got(c->narrow) == 3, "counter %u", c->counter);
		agent_rsp.octets[DATA + 1] = 0;
		if (c->width) {
			mad_set_field(&agent_rsp, DATA, c->narrow, 0);
			assert_zeros(c); /* no other field has it */
		}
		ck_assert_uint_eq(get_counters(IB_GSI_PORT_COUNTERS_EXT), 0);
		ck_assert_msg(agent_got64(c->wide) == 3, "counter %u", c->counter);
		agent_rsp.octets[DATA + 1] = 0;
		for (j = 0; j < ARRAY_SIZE(counters); j++)
			/* it is a part of a sum, too */
			if (hca_counter_read(&agent_ports[1], counters[j].counter))
				mad_set_field64(&agent_rsp, DATA, counters[j].wide, 0);
		assert_zeros(c);
	}
}
END_TEST

START_TEST(counters_stick_at_their_maximum_C4_336)
{
	const struct counter *c;
	unsigned int i;

	reset_port();
	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		c = &counters[i];
		if (!c->width)
			continue;
		count(c->counter, widest(c) - 1);
		get_counters(IB_GSI_PORT_COUNTERS);
		ck_assert_uint_eq(agent_got(c->narrow), widest(c) - 1);
		count(c->counter, 1);
		get_counters(IB_GSI_PORT_COUNTERS);
		ck_assert_uint_eq(agent_got(c->narrow), widest(c));
		count(c->counter, 5);
		get_counters(IB_GSI_PORT_COUNTERS);
		ck_assert_uint_eq(agent_got(c->narrow), widest(c));
		get_counters(IB_GSI_PORT_COUNTERS_EXT);
		ck_assert_uint_eq(agent_got64(c->wide), (u64)widest(c) + 5);
	}
}
END_TEST

START_TEST(a_set_touches_the_selected_counter_only_C4_336)
{
	unsigned int i, j;
	u64 before[ARRAY_SIZE(counters)];

	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		if (!counters[i].width)
			continue;
		reset_port();
		for (j = 0; j < ARRAY_SIZE(counters); j++)
			count(counters[j].counter, 9);
		get_counters(IB_GSI_PORT_COUNTERS);
		for (j = 0; j < ARRAY_SIZE(counters); j++)
			before[j] = counters[j].width ? agent_got(counters[j].narrow) : 0;
		agent_change();
		memset(agent_rq.octets + DATA + 4, 0, 188);
		agent_put(IB_PC_COUNTER_SELECT_F, 1 << counters[i].select & 0xffff);
		agent_put(IB_PC_COUNTER_SELECT2_F, 1 << counters[i].select >> 16);
		ck_assert_uint_eq(agent_ask(), 0);
		for (j = 0; j < ARRAY_SIZE(counters); j++)
			if (counters[j].width)
				ck_assert_msg(agent_got(counters[j].narrow) == (i == j ? 0 :
										before[j]),
					      "select %u, counter %u", i, j);
		/* After the reset it counts exactly. */
		count(counters[i].counter, 4);
		get_counters(IB_GSI_PORT_COUNTERS);
		ck_assert_uint_eq(agent_got(counters[i].narrow), 4);
	}
}
END_TEST

START_TEST(the_same_for_the_extended_view_C4_336)
{
	unsigned int i, j;
	u64 before[ARRAY_SIZE(counters)];

	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		u32 select = 1u << counters[i].wide_select;

		reset_port();
		for (j = 0; j < ARRAY_SIZE(counters); j++)
			count(counters[j].counter, 9);
		get_counters(IB_GSI_PORT_COUNTERS_EXT);
		for (j = 0; j < ARRAY_SIZE(counters); j++)
			before[j] = agent_got64(counters[j].wide);
		agent_change();
		memset(agent_rq.octets + DATA + 8, 0, 184);
		agent_put(IB_PC_EXT_COUNTER_SELECT_F, select & 0xffff);
		agent_put(IB_PC_EXT_COUNTER_SELECT2_F, select >> 16);
		ck_assert_uint_eq(agent_ask(), 0);
		for (j = 0; j < ARRAY_SIZE(counters); j++)
			ck_assert_msg(agent_got64(counters[j].wide) == (i == j ? 0 : before[j]),
				      "select %u, counter %u", i, j);
	}
}
END_TEST

START_TEST(perfquery_resets_both_views_C4_336)
{
	count(HCA_CTR_XMIT_PACKETS, 1u << 31);
	count(HCA_CTR_XMIT_PACKETS, 1u << 31);
	get_counters(IB_GSI_PORT_COUNTERS);
	ck_assert_uint_eq(agent_got(IB_PC_XMT_PKTS_F), 0xffffffff);
	/* `perfquery -R` */
	agent_request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_SET, IB_GSI_PORT_COUNTERS, 0);
	agent_put(IB_PC_PORT_SELECT_F, 1);
	agent_put(IB_PC_COUNTER_SELECT_F, 0xffff);
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_got(IB_PC_XMT_PKTS_F), 0);
	count(HCA_CTR_XMIT_PACKETS, 1000);
	get_counters(IB_GSI_PORT_COUNTERS);
	ck_assert_uint_eq(agent_got(IB_PC_XMT_PKTS_F), 1000);
	get_counters(IB_GSI_PORT_COUNTERS_EXT);
	ck_assert_uint_eq(agent_got64(IB_PC_EXT_XMT_PKTS_F), 1000);
	/* `perfquery -x -R` */
	agent_request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_SET, IB_GSI_PORT_COUNTERS_EXT, 0);
	agent_put(IB_PC_EXT_PORT_SELECT_F, 1);
	agent_put(IB_PC_EXT_COUNTER_SELECT_F, 0xffff);
	ck_assert_uint_eq(agent_ask(), 0);
	get_counters(IB_GSI_PORT_COUNTERS);
	ck_assert_uint_eq(agent_got(IB_PC_XMT_PKTS_F), 0);
	/* The port's own counter has never decreased. */
	ck_assert_uint_eq(hca_counter_read(&agent_ports[1], HCA_CTR_XMIT_PACKETS),
			  (1ull << 32) + 1000);
}
END_TEST

START_TEST(a_set_may_be_to_any_value_C4_336)
{
	static const u32 values[] = { 1, 500, 0xfffffffe };
	unsigned int i;

	count(HCA_CTR_RCV_DATA, 100);
	for (i = 0; i < ARRAY_SIZE(values); i++) {
		get_counters(IB_GSI_PORT_COUNTERS);
		agent_change();
		agent_put(IB_PC_COUNTER_SELECT_F, 1 << 13);
		agent_put(IB_PC_RCV_BYTES_F, values[i]);
		ck_assert_uint_eq(agent_ask(), 0);
		ck_assert_uint_eq(agent_got(IB_PC_RCV_BYTES_F), values[i]);
	}
	count(HCA_CTR_RCV_DATA, 7);
	get_counters(IB_GSI_PORT_COUNTERS);
	ck_assert_uint_eq(agent_got(IB_PC_RCV_BYTES_F), 0xffffffff);
	get_counters(IB_GSI_PORT_COUNTERS_EXT);
	ck_assert_uint_eq(agent_got64(IB_PC_EXT_RCV_BYTES_F), 0xfffffffeull + 7);
}
END_TEST

static const struct detail {
	u16 attr;
	enum hca_counter counter;
	enum MAD_FIELDS field;
	u8 fields; /* in a row, each of the next counter */
} details[] = {
	{ IB_GSI_PORT_RCV_ERROR_DETAILS, HCA_CTR_LOCAL_PHYSICAL_ERRORS, IB_PC_RCV_LOCAL_PHY_ERR_F,
	  6 },
	{ IB_GSI_PORT_XMIT_DISCARD_DETAILS, HCA_CTR_INACTIVE_DISCARDS, IB_PC_XMT_INACT_DISC_F, 4 },
	{ IB_GSI_PORT_PORT_FLOW_CTL_COUNTERS, HCA_CTR_XMIT_FLOW_PACKETS,
	  IB_PC_PORT_XMIT_FLOW_PKTS_F, 2 },
	{ IB_GSI_PORT_PORT_VL_XMIT_FLOW_CTL_UPDATE_ERRORS, HCA_CTR_FLOW_UPDATE_ERRORS_VL,
	  IB_PC_PORT_VL_XMIT_FLOW_CTL_UPDATE_ERRORS0_F, 16 },
	{ IB_GSI_PORT_PORT_VL_XMIT_WAIT_COUNTERS, HCA_CTR_XMIT_WAIT_VL, IB_PC_PORT_VL_XMIT_WAIT0_F,
	  16 },
	{ IB_GSI_PORT_XMIT_DATA_SL, HCA_CTR_XMIT_DATA_SL, IB_PC_XMT_DATA_SL0_F, 16 },
	{ IB_GSI_PORT_RCV_DATA_SL, HCA_CTR_RCV_DATA_SL, IB_PC_RCV_DATA_SL0_F, 16 },
};

/* The read and reset that perfquery does. */
START_TEST(details_have_their_places_C4_337)
{
	const struct detail *d = &details[_i];
	unsigned int i, j;

	for (i = 0; i < d->fields; i++) {
		reset_port();
		hca_count(&agent_ports[1], d->counter + i, 3);
		ck_assert_uint_eq(get_counters(d->attr), 0);
		for (j = 0; j < d->fields; j++)
			ck_assert_uint_eq(agent_got(d->field + j), i == j ? 3 : 0);
		for (j = 0; j < d->fields; j++)
			hca_count(&agent_ports[1], d->counter + j, 3);
		agent_request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_SET, d->attr, 0);
		agent_put(IB_PC_PORT_SELECT_F, 1);
		agent_put(IB_PC_COUNTER_SELECT_F, 1 << i);
		ck_assert_uint_eq(agent_ask(), 0);
		for (j = 0; j < d->fields; j++)
			ck_assert_uint_eq(agent_got(d->field + j), i == j ? 0 : 3);
	}
}
END_TEST

START_TEST(congestion_is_a_switchs_C4_337)
{
	ck_assert_uint_eq(get_counters(IB_GSI_SW_PORT_VL_CONGESTION),
			  IB_MAD_STS_METHOD_ATTR_NOT_SUPPORTED);
}
END_TEST

/* The first request starts the counting; another opcode restarts it. */
START_TEST(packets_of_an_opcode_C4_337)
{
	static const u8 opcodes[] = { 0x64, 0x64, 0x04 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(opcodes); i++) {
		agent_request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_GET,
			      IB_GSI_PORT_PORT_OP_RCV_COUNTERS, 0);
		agent_put(IB_PC_PORT_SELECT_F, 1);
		agent_rq.octets[DATA] = opcodes[i];
		ck_assert_uint_eq(agent_ask(), 0);
		ck_assert_uint_eq(agent_rsp.octets[DATA], opcodes[i]);
		ck_assert_uint_eq(agent_got(IB_PC_PORT_OP_RCV_PKTS_F), i == 1 ? 5 : 0);
		ck_assert_uint_eq(agent_got(IB_PC_PORT_OP_RCV_DATA_F), i == 1 ? 50 : 0);
		hca_count(&agent_ports[1], HCA_CTR_OPCODE_PACKETS, 5);
		hca_count(&agent_ports[1], HCA_CTR_OPCODE_DATA, 50);
		ck_assert_uint_eq(agent_ports[1].counters.watched_opcode, opcodes[i] + 1);
	}
}
END_TEST

#define TICK_NS 1024

/* Advance the clock, with all timers that expire. */
static void pass(u64 ns)
{
	shim_advance(ns);
	shim_run_until_idle();
}

static u16 samples(u8 method, u16 attr)
{
	agent_request(IB_PERFORMANCE_CLASS, method, attr, 0);
	agent_put(IB_PSC_PORT_SELECT_F, 1);
	agent_put(IB_PSC_SAMPLE_START_F, 1000);
	agent_put(IB_PSC_SAMPLE_INTVL_F, 5000);
	agent_put(IB_PSC_TAG_F, 0x1234);
	agent_put(IB_PSC_COUNTER_SEL0_F, 1); /* PortXmitData */
	agent_put(IB_PSC_COUNTER_SEL1_F, 4); /* PortRcvPkts */
	agent_put(IB_PSC_COUNTER_SEL14_F, 0x4316); /* PortVLXmitWait of VL 3 */
	return agent_ask();
}

static void count_samples(unsigned int n)
{
	count(HCA_CTR_XMIT_DATA, n);
	count(HCA_CTR_RCV_PACKETS, 2 * n);
	count(HCA_CTR_XMIT_WAIT_VL + 3, 3 * n);
}

/* Fields of PortSamplesResult: the status, and a counter. */
static u32 result_status(void)
{
	return mad_get_field(agent_rsp.octets + DATA, 0, IB_PSR_SAMPLE_STATUS_F);
}

static u32 result(unsigned int i)
{
	return mad_get_field(agent_rsp.octets + DATA, 0, IB_PSR_COUNTER0_F + i);
}

/* C4-333 */
START_TEST(what_can_be_sampled_C4_327_C4_329)
{
	ck_assert_uint_eq(samples(IB_MAD_METHOD_GET, IB_GSI_PORT_SAMPLES_CONTROL), 0);
	ck_assert_uint_eq(agent_got(IB_PSC_TICK_F), 0xff);
	ck_assert_uint_eq(agent_got(IB_PSC_COUNTER_WIDTH_F), 4);
	ck_assert_uint_eq(agent_got(IB_PSC_COUNTER_MASK0_F), 3);
	ck_assert_uint_eq(agent_got(IB_PSC_COUNTER_MASKS1TO9_F), 0333333333);
	ck_assert_uint_eq(agent_got(IB_PSC_COUNTER_MASKS10TO14_F), 033333);
	ck_assert_uint_eq(agent_got(IB_PSC_SAMPLE_STATUS_F), 0);
	ck_assert(agent_got64(IB_PSC_OPTION_MASK_F) & 1 << 23);
	ck_assert(!(agent_got64(IB_PSC_OPTION_MASK_F) & 1 << 1)); /* PortXmitQueue */
}
END_TEST

START_TEST(a_sample_from_start_to_end_C4_326_C4_328_C4_332_C4_335)
{
	count_samples(100);
	ck_assert_uint_eq(samples(IB_MAD_METHOD_SET, IB_GSI_PORT_SAMPLES_CONTROL), 0);
	ck_assert_uint_eq(agent_got(IB_PSC_SAMPLE_STATUS_F), 1);
	ck_assert_uint_eq(agent_got(IB_PSC_TAG_F), 0x1234);
	count_samples(10); /* the sample has not begun */
	pass(999 * TICK_NS);
	samples(IB_MAD_METHOD_GET, IB_GSI_PORT_SAMPLES_RESULT);
	ck_assert_uint_eq(result_status(), 1);
	pass(TICK_NS);
	count_samples(7);
	/* Another manager's request has to wait. */
	agent_request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_SET, IB_GSI_PORT_SAMPLES_CONTROL, 0);
	agent_put(IB_PSC_PORT_SELECT_F, 1);
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_got(IB_PSC_TAG_F), 0x1234);
	ck_assert_uint_eq(agent_got(IB_PSC_SAMPLE_STATUS_F), 2);
	pass(5000 * TICK_NS);
	count_samples(1000);
	ck_assert_uint_eq(samples(IB_MAD_METHOD_GET, IB_GSI_PORT_SAMPLES_RESULT), 0);
	ck_assert_uint_eq(mad_get_field(agent_rsp.octets + DATA, 0, IB_PSR_TAG_F), 0x1234);
	ck_assert_uint_eq(result_status(), 0);
	ck_assert_uint_eq(result(0), 7);
	ck_assert_uint_eq(result(1), 14);
	ck_assert_uint_eq(result(2), 0);
	ck_assert_uint_eq(result(14), 21);
	ck_assert_uint_eq(samples(IB_MAD_METHOD_GET, 0x1e), 0);
	ck_assert_uint_eq(agent_rsp.octets[DATA + 4], 0x80);
	ck_assert_uint_eq(agent_rsp.octets[DATA + 15], 7);
	ck_assert_uint_eq(agent_rsp.octets[DATA + 8 + 14 * 8 + 7], 21);
}
END_TEST

/* C4-326: a result of 32 bits sticks at its maximum, one of 64 bits continues. */
START_TEST(a_sample_of_more_than_32_bits)
{
	static const struct {
		u64 counted;
		u32 narrow;
	} rows[] = { { 0xfffffffe, 0xfffffffe }, { 0xffffffff, 0xffffffff },
		     { 0x100000000, 0xffffffff }, { 0x300000005, 0xffffffff } };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		ck_assert_uint_eq(samples(IB_MAD_METHOD_SET, IB_GSI_PORT_SAMPLES_CONTROL), 0);
		pass(1000 * TICK_NS);
		count(HCA_CTR_XMIT_DATA, rows[i].counted);
		pass(5000 * TICK_NS);
		ck_assert_uint_eq(samples(IB_MAD_METHOD_GET, IB_GSI_PORT_SAMPLES_RESULT), 0);
		ck_assert_uint_eq(result_status(), 0);
		ck_assert_uint_eq(result(0), rows[i].narrow);
		ck_assert_uint_eq(result(1), 0);
		ck_assert_uint_eq(samples(IB_MAD_METHOD_GET, 0x1e), 0);
		ck_assert_uint_eq(get_unaligned_be64(agent_rsp.octets + DATA + 8), rows[i].counted);
	}
}
END_TEST

/* The teardown finds that the timer is gone. */
START_TEST(a_port_goes_while_it_samples_C4_326)
{
	ck_assert_uint_eq(samples(IB_MAD_METHOD_SET, IB_GSI_PORT_SAMPLES_CONTROL), 0);
	pass(2000 * TICK_NS);
	agent_request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_SET, IB_GSI_PORT_SAMPLES_CONTROL, 0);
	agent_put(IB_PSC_PORT_SELECT_F, 2);
	ck_assert_uint_eq(agent_ask(), IB_MAD_STS_INV_ATTR_VALUE);
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
			agent_request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_GET, attrs[i], 0);
			agent_put(IB_PC_PORT_SELECT_F, wrong[j]);
			ck_assert_uint_eq(agent_ask(), IB_MAD_STS_INV_ATTR_VALUE);
			ck_assert_uint_eq(agent_got(IB_PC_PORT_SELECT_F), wrong[j]);
			agent_request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_SET, attrs[i], 0);
			agent_put(IB_PC_PORT_SELECT_F, wrong[j]);
			agent_put(IB_PC_COUNTER_SELECT_F, 0xffff);
			ck_assert_uint_eq(agent_ask(), IB_MAD_STS_INV_ATTR_VALUE);
		}
	get_counters(IB_GSI_PORT_COUNTERS);
	ck_assert_uint_eq(agent_got(IB_PC_XMT_PKTS_F), 3);
}
END_TEST

Suite *pma_suite(void)
{
	const TTest *const tests[] = {
		class_port_info_of_the_pma_C4_218_219,
		class_port_info_of_communication_management,
		every_counter_has_its_place_C4_336,
		counters_stick_at_their_maximum_C4_336,
		a_set_touches_the_selected_counter_only_C4_336,
		the_same_for_the_extended_view_C4_336,
		perfquery_resets_both_views_C4_336,
		a_set_may_be_to_any_value_C4_336,
		port_select_is_the_port_C4_338,
		congestion_is_a_switchs_C4_337,
		packets_of_an_opcode_C4_337,
		what_can_be_sampled_C4_327_C4_329,
		a_sample_from_start_to_end_C4_326_C4_328_C4_332_C4_335,
		a_sample_of_more_than_32_bits,
		a_port_goes_while_it_samples_C4_326,
		NULL,
	};
	Suite *suite = suite_create("pma");

	agent_add_tests(suite, "pma", tests);
	agent_add_loop_test(suite, "details", details_have_their_places_C4_337,
			    ARRAY_SIZE(details));
	return suite;
}
