// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The performance management agent: counters that stick, and are reset without ever going back. */
#include "agent.h"
#include "suites.h"

static u16 get_counters(u16 attr)
{
	agent_request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_GET, attr, 0);
	agent_put(IB_PC_PORT_SELECT_F, 1);
	return agent_ask();
}

START_TEST(class_port_info_of_the_pma_C4_218_219)
{
	agent_request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_GET, CLASS_PORT_INFO, 0);
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_got(IB_CPI_BASEVER_F), 1);
	ck_assert_uint_eq(agent_got(IB_CPI_CLASSVER_F), 1);
	/* Extended counters with the IETF ones, PortXmitWait; no AllPortSelect. */
	ck_assert_uint_eq(agent_got(IB_CPI_CAPMASK_F), 0x1200);
	ck_assert_uint_eq(agent_got(IB_CPI_CAPMASK2_F), 2);
	ck_assert_uint_eq(agent_got(IB_CPI_RESP_TIME_VALUE_F), 16);
	ck_assert_uint_eq(agent_got(IB_CPI_REDIRECT_LID_F), 0);
	ck_assert_uint_eq(agent_got(IB_CPI_TRAP_LID_F), 0);
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
	hca_count(&agent_ports[1], c, n);
}

static void assert_zeros(const struct counter *c)
{
	static const u8 zeros[192];

	ck_assert_msg(!memcmp(agent_rsp.octets + DATA, zeros, sizeof(zeros)), "counter %u",
		      c->counter);
}

START_TEST(every_counter_has_its_place_C4_336)
{
	const struct counter *c;
	unsigned int i;

	ck_assert_uint_eq(ARRAY_SIZE(counters), HCA_NUM_COUNTERS);
	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		c = &counters[i];
		memset(agent_ports[1].counters, 0, sizeof(struct hca_counters));
		count(c->counter, 3);
		ck_assert_uint_eq(get_counters(IB_GSI_PORT_COUNTERS), 0);
		ck_assert_uint_eq(agent_got(IB_PC_PORT_SELECT_F), 1);
		if (c->width)
			ck_assert_msg(agent_got(c->narrow) == 3, "counter %u", c->counter);
		agent_rsp.octets[DATA + 1] = 0;
		if (c->width) {
			mad_set_field(&agent_rsp, DATA, c->narrow, 0);
			assert_zeros(c); /* and nowhere else */
		}
		ck_assert_uint_eq(get_counters(IB_GSI_PORT_COUNTERS_EXT), 0);
		ck_assert_msg(agent_got64(c->wide) == 3, "counter %u", c->counter);
		agent_rsp.octets[DATA + 1] = 0;
		mad_set_field64(&agent_rsp, DATA, c->wide, 0);
		assert_zeros(c);
	}
}
END_TEST

START_TEST(counters_stick_at_their_maximum_C4_336)
{
	const struct counter *c;
	unsigned int i;

	memset(agent_ports[1].counters, 0, sizeof(struct hca_counters));
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

	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		if (!counters[i].width)
			continue;
		memset(agent_ports[1].counters, 0, sizeof(struct hca_counters));
		memset(&agent_ports[1].counter_base, 0, sizeof(struct hca_counters));
		for (j = 0; j < ARRAY_SIZE(counters); j++)
			count(counters[j].counter, 9);
		get_counters(IB_GSI_PORT_COUNTERS);
		agent_change();
		memset(agent_rq.octets + DATA + 4, 0, 188);
		agent_put(IB_PC_COUNTER_SELECT_F, 1 << counters[i].select & 0xffff);
		agent_put(IB_PC_COUNTER_SELECT2_F, 1 << counters[i].select >> 16);
		ck_assert_uint_eq(agent_ask(), 0);
		for (j = 0; j < ARRAY_SIZE(counters); j++)
			if (counters[j].width)
				ck_assert_msg(agent_got(counters[j].narrow) == (i == j ? 0 : 9),
					      "select %u, counter %u", i, j);
		/* From there on it counts exactly. */
		count(counters[i].counter, 4);
		get_counters(IB_GSI_PORT_COUNTERS);
		ck_assert_uint_eq(agent_got(counters[i].narrow), 4);
	}
}
END_TEST

START_TEST(the_same_for_the_extended_view_C4_336)
{
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(counters); i++) {
		u32 select = 1u << counters[i].wide_select;

		memset(agent_ports[1].counters, 0, sizeof(struct hca_counters));
		memset(&agent_ports[1].counter_base, 0, sizeof(struct hca_counters));
		for (j = 0; j < ARRAY_SIZE(counters); j++)
			count(counters[j].counter, 9);
		get_counters(IB_GSI_PORT_COUNTERS_EXT);
		agent_change();
		memset(agent_rq.octets + DATA + 8, 0, 184);
		agent_put(IB_PC_EXT_COUNTER_SELECT_F, select & 0xffff);
		agent_put(IB_PC_EXT_COUNTER_SELECT2_F, select >> 16);
		ck_assert_uint_eq(agent_ask(), 0);
		for (j = 0; j < ARRAY_SIZE(counters); j++)
			ck_assert_msg(agent_got64(counters[j].wide) == (i == j ? 0 : 9),
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
	/* The port itself has never gone back. */
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
		every_counter_has_its_place_C4_336,
		counters_stick_at_their_maximum_C4_336,
		a_set_touches_the_selected_counter_only_C4_336,
		the_same_for_the_extended_view_C4_336,
		perfquery_resets_both_views_C4_336,
		a_set_may_be_to_any_value_C4_336,
		port_select_is_the_port_C4_338,
		NULL,
	};
	Suite *suite = suite_create("pma");

	agent_add_tests(suite, "pma", tests);
	return suite;
}
