// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* PortInfo: the values that a Get returns, and the effects of a Set. */
#include "tests/unit/agent/agent.h"
#include "tests/unit/suites.h"

#define READ_ONLY 0x11111111 /* a value that no port has by itself */

/* C4-239, B4-027 */
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
		{ IB_PORT_INIT_TYPE_F, 6 },
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

	agent_ports[1].info = (struct hca_port_info){
		.m_key = cpu_to_be64(M_KEY),
		.subnet_prefix = cpu_to_be64(0xfe80000000001234ull),
		.lid = 0x1230, .sm_lid = 0x4567, .capability_mask = 0x89abcdef, .init_type = 6,
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
	agent_request(IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_PORT_INFO, 0);
	agent_put_key(M_KEY);
	ck_assert_uint_eq(agent_ask(), 0);
	for (i = 0; i < ARRAY_SIZE(want); i++) {
		u64 value = i < 2 ? agent_got64(want[i].field) : agent_got(want[i].field);

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
	memset(&agent_ports[1].info, 0, sizeof(agent_ports[1].info));
	agent_ports[1].info.state = IB_PORT_INIT;
	agent_ports[1].info.phys_state = IB_PORT_PHYS_STATE_LINK_UP;
}
END_TEST

START_TEST(port_info_by_port_number_C4_236)
{
	agent_ports[2].info.lid = 77;
	ck_assert_uint_eq(agent_get(IB_ATTR_PORT_INFO, 1), 0);
	ck_assert_uint_eq(agent_got(IB_PORT_LID_F), 0);
	ck_assert_uint_eq(agent_get(IB_ATTR_PORT_INFO, 2), 0);
	ck_assert_uint_eq(agent_got(IB_PORT_LID_F), 77);
	/* The port that received the SMP, whichever port the modifier selects. */
	ck_assert_uint_eq(agent_got(IB_PORT_LOCAL_PORT_F), 1);
	/* A manager that supports extended speeds. */
	ck_assert_uint_eq(agent_get(IB_ATTR_PORT_INFO, 0x80000002), 0);
	ck_assert_uint_eq(agent_got(IB_PORT_LID_F), 77);

	ck_assert_uint_eq(agent_get(IB_ATTR_PORT_INFO, 3), IB_MAD_STS_INV_ATTR_VALUE);
	ck_assert_uint_eq(agent_get(IB_ATTR_PORT_INFO, 255), IB_MAD_STS_INV_ATTR_VALUE);
	ck_assert_uint_eq(agent_get(IB_ATTR_PORT_INFO, 0x101), IB_MAD_STS_INV_ATTR_VALUE);
	ck_assert_uint_eq(agent_get(IB_ATTR_PORT_INFO, 0x40000001), IB_MAD_STS_INV_ATTR_VALUE);
	agent_request(IB_SMI_CLASS, IB_MAD_METHOD_SET, IB_ATTR_PORT_INFO, 3);
	ck_assert_uint_eq(agent_ask(), IB_MAD_STS_INV_ATTR_VALUE);
}
END_TEST

START_TEST(another_port_of_an_adapter_is_read_only_C4_236)
{
	struct hca_port_info before = agent_ports[2].info;

	agent_get(IB_ATTR_PORT_INFO, 2);
	agent_change();
	agent_put(IB_PORT_LID_F, 5);
	agent_put(IB_PORT_SMLID_F, 6);
	agent_put(IB_PORT_CLIENT_REREG_F, 1);
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_got(IB_PORT_LID_F), 0);
	ck_assert_uint_eq(agent_got(IB_PORT_CLIENT_REREG_F), 0);
	ck_assert_mem_eq(&agent_ports[2].info, &before, sizeof(before));
	ck_assert_uint_eq(agent_num_seen, 0);
}
END_TEST

/* The first Set by a subnet manager that has discovered the port, with the LIDs it has chosen. */
static void first_set(void)
{
	agent_get(IB_ATTR_PORT_INFO, 1);
	agent_change();
	agent_put(IB_PORT_LID_F, 4);
	agent_put(IB_PORT_SMLID_F, 1);
	agent_put(IB_PORT_STATE_F, 0);
	agent_put(IB_PORT_PHYS_STATE_F, 0);
}

/* C4-210: RespTimeValue is read-only */
START_TEST(what_a_manager_sets_first_C4_196_240)
{
	first_set();
	agent_put64(IB_PORT_MKEY_F, M_KEY);
	agent_put64(IB_PORT_GID_PREFIX_F, 0xfe80000000001234ull);
	agent_put(IB_PORT_LMC_F, 2);
	agent_put(IB_PORT_SMSL_F, 3);
	agent_put(IB_PORT_MKEY_LEASE_F, 60);
	agent_put(IB_PORT_MKEY_PROT_BITS_F, 1);
	agent_put(IB_PORT_NEIGHBOR_MTU_F, 4);
	agent_put(IB_PORT_OPER_VLS_F, 2);
	agent_put(IB_PORT_VL_HIGH_LIMIT_F, 7);
	agent_put(IB_PORT_SUBN_TIMEOUT_F, 18);
	agent_put(IB_PORT_INIT_TYPE_F, 5);
	agent_put(IB_PORT_LOCAL_PHYS_ERR_F, 8);
	agent_put(IB_PORT_OVERRUN_ERR_F, 9);
	agent_put(IB_PORT_LINK_DOWN_DEF_F, 1);
	agent_put(IB_PORT_LINK_WIDTH_ENABLED_F, 1);
	agent_put(IB_PORT_LINK_SPEED_ENABLED_F, 3);
	agent_put(IB_PORT_CLIENT_REREG_F, 1);
	agent_put(IB_PORT_CAPMASK_F, READ_ONLY); /* read-only, as are the fields below */
	agent_put(IB_PORT_MTU_CAP_F, 1);
	agent_put(IB_PORT_VL_CAP_F, 1);
	agent_put(IB_PORT_GUID_CAP_F, 1);
	agent_put(IB_PORT_RESP_TIME_VAL_F, 1);
	agent_put(IB_PORT_VL_STALL_COUNT_F, 1);
	agent_put(IB_PORT_HOQ_LIFE_F, 1);
	agent_put(IB_PORT_PART_EN_INB_F, 1);
	ck_assert_uint_eq(agent_ask(), 0);
	agent_assert_events(HCA_EVENT_LID_CHANGE, HCA_EVENT_SM_CHANGE, HCA_EVENT_GID_CHANGE,
		      HCA_EVENT_CLIENT_REREGISTER);

	/* the requester that sets it may read it */
	ck_assert_uint_eq(agent_got64(IB_PORT_MKEY_F), M_KEY);
	ck_assert_uint_eq(agent_got64(IB_PORT_GID_PREFIX_F), 0xfe80000000001234ull);
	ck_assert_uint_eq(agent_got(IB_PORT_LID_F), 4);
	ck_assert_uint_eq(agent_got(IB_PORT_LMC_F), 2);
	ck_assert_uint_eq(agent_got(IB_PORT_SMLID_F), 1);
	ck_assert_uint_eq(agent_got(IB_PORT_SMSL_F), 3);
	ck_assert_uint_eq(agent_got(IB_PORT_MKEY_LEASE_F), 60);
	ck_assert_uint_eq(agent_got(IB_PORT_MKEY_PROT_BITS_F), 1);
	ck_assert_uint_eq(agent_got(IB_PORT_NEIGHBOR_MTU_F), 4);
	ck_assert_uint_eq(agent_got(IB_PORT_OPER_VLS_F), 2);
	ck_assert_uint_eq(agent_got(IB_PORT_VL_HIGH_LIMIT_F), 7);
	ck_assert_uint_eq(agent_got(IB_PORT_SUBN_TIMEOUT_F), 18);
	ck_assert_uint_eq(agent_got(IB_PORT_INIT_TYPE_F), 5);
	ck_assert_uint_eq(agent_got(IB_PORT_LOCAL_PHYS_ERR_F), 8);
	ck_assert_uint_eq(agent_got(IB_PORT_OVERRUN_ERR_F), 9);
	ck_assert_uint_eq(agent_got(IB_PORT_LINK_DOWN_DEF_F), 1);
	ck_assert_uint_eq(agent_got(IB_PORT_LINK_WIDTH_ENABLED_F), 1);
	ck_assert_uint_eq(agent_got(IB_PORT_LINK_SPEED_ENABLED_F), 3);
	ck_assert_uint_eq(agent_got(IB_PORT_CLIENT_REREG_F), 1);
	ck_assert_uint_ne(agent_got(IB_PORT_CAPMASK_F), READ_ONLY);
	ck_assert_uint_eq(agent_got(IB_PORT_MTU_CAP_F), 5);
	ck_assert_uint_eq(agent_got(IB_PORT_VL_CAP_F), 5); /* C4-139 */
	ck_assert_uint_eq(agent_got(IB_PORT_GUID_CAP_F), 8);
	ck_assert_uint_eq(agent_got(IB_PORT_RESP_TIME_VAL_F), 16);
	ck_assert_uint_eq(agent_got(IB_PORT_VL_STALL_COUNT_F), 0);
	ck_assert_uint_eq(agent_got(IB_PORT_HOQ_LIFE_F), 0);
	ck_assert_uint_eq(agent_got(IB_PORT_PART_EN_INB_F), 0);

	/* A repeated Set changes nothing and causes no event. */
	agent_change();
	agent_put_key(M_KEY);
	agent_put(IB_PORT_STATE_F, 0);
	agent_put(IB_PORT_PHYS_STATE_F, 0);
	agent_put(IB_PORT_CLIENT_REREG_F, 0);
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_num_seen, 0);
	/* A Get does not return the ClientReregister bit. */
	ck_assert_uint_eq(agent_get(IB_ATTR_PORT_INFO, 0), 0);
	ck_assert_uint_eq(agent_got(IB_PORT_CLIENT_REREG_F), 0);
}
END_TEST

/*
 * Set one field of an otherwise valid PortInfo. Returns the status of the response, which has the
 * field's value.
 */
static u16 set_port_info(enum MAD_FIELDS field, u32 value)
{
	u16 status;

	first_set();
	agent_put(field, value);
	status = agent_ask();
	agent_num_seen = 0;
	return status;
}

START_TEST(lids_and_events_C4_240)
{
	static const struct {
		enum MAD_FIELDS field;
		u32 value;
		enum hca_port_event event;
	} want[] = {
		{ IB_PORT_LID_F, 8, HCA_EVENT_LID_CHANGE },
		{ IB_PORT_LMC_F, 1, HCA_EVENT_LID_CHANGE },
		{ IB_PORT_SMLID_F, 2, HCA_EVENT_SM_CHANGE },
		{ IB_PORT_SMSL_F, 1, HCA_EVENT_SM_CHANGE },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(want); i++) {
		first_set();
		agent_put(IB_PORT_LMC_F, 0);
		agent_put(IB_PORT_SMSL_F, 0);
		ck_assert_uint_eq(agent_ask(), 0);
		agent_num_seen = 0;
		agent_change();
		agent_put(IB_PORT_STATE_F, 0);
		agent_put(IB_PORT_PHYS_STATE_F, 0);
		agent_put(want[i].field, want[i].value);
		ck_assert_uint_eq(agent_ask(), 0);
		ck_assert_uint_eq(agent_num_seen, 1);
		ck_assert_int_eq(agent_seen[0].event, want[i].event);
	}
}
END_TEST

START_TEST(values_of_port_info_C4_240)
{
	static const struct {
		enum MAD_FIELDS field;
		u32 before; /* the value that is set first, and is kept if the new one is refused */
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
		{ IB_PORT_LMC_F, 0, 3, 0x1c, 0 }, /* LID 4 has only two zeros at its end */
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
		{ IB_PORT_OPER_VLS_F, 2, 5, 0, 5 },
		{ IB_PORT_OPER_VLS_F, 2, 6, 0x1c, 2 },
		{ IB_PORT_STATE_F, 0, 2, 0x1c, 2 }, /* a manager cannot request Init */
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
		ck_assert_msg(agent_got(want[i].field) == want[i].after, "row %u: %#x", i,
			      agent_got(want[i].field));
		/* The rest of the Set is executed all the same. */
		if (want[i].field != IB_PORT_SMLID_F)
			ck_assert_msg(agent_got(IB_PORT_SMLID_F) == 1, "row %u: rest", i);
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
		mad_set_field(&agent_rq, 0, IB_MAD_ATTRMOD_F, 0x80000001);
		agent_put(IB_PORT_LINK_SPEED_EXT_ENABLED_F, want[i].value);
		ck_assert_uint_eq(agent_ask(), want[i].status);
		ck_assert_uint_eq(agent_got(IB_PORT_LINK_SPEED_EXT_ENABLED_F), want[i].after);
	}
	ck_assert_uint_eq(set_port_info(IB_PORT_LINK_SPEED_EXT_ENABLED_F, 1), 0);
	ck_assert_uint_eq(agent_got(IB_PORT_LINK_SPEED_EXT_ENABLED_F), 0);
}
END_TEST

/* V3-124 */
START_TEST(violation_counters_are_only_cleared_C4_240)
{
	static const enum MAD_FIELDS field[] = { IB_PORT_MKEY_VIOL_F, IB_PORT_PKEY_VIOL_F,
						 IB_PORT_QKEY_VIOL_F };
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(field); i++) {
		agent_ports[1].info.m_key_violations = 3;
		agent_ports[1].info.p_key_violations = 3;
		agent_ports[1].info.q_key_violations = 3;
		ck_assert_uint_eq(set_port_info(field[i], 2), 0);
		ck_assert_uint_eq(agent_got(field[i]), 3);
		ck_assert_uint_eq(set_port_info(field[i], 0), 0);
		for (j = 0; j < ARRAY_SIZE(field); j++)
			ck_assert_uint_eq(agent_got(field[j]), i == j ? 0 : 3);
	}
}
END_TEST

START_TEST(port_states_in_their_order_C4_240)
{
	/* The transition from Init to Active is invalid. */
	ck_assert_uint_eq(set_port_info(IB_PORT_STATE_F, 4), IB_MAD_STS_INV_ATTR_VALUE);
	ck_assert_uint_eq(agent_got(IB_PORT_STATE_F), 2);
	ck_assert_uint_eq(set_port_info(IB_PORT_STATE_F, 3), 0);
	ck_assert_uint_eq(agent_got(IB_PORT_STATE_F), 3);
	ck_assert_uint_eq(set_port_info(IB_PORT_STATE_F, 3), 0);

	first_set();
	agent_put(IB_PORT_STATE_F, 4);
	agent_put(IB_PORT_LID_F, 8);
	agent_put(IB_PORT_CLIENT_REREG_F, 1);
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_got(IB_PORT_STATE_F), 4);
	agent_assert_events(HCA_EVENT_LID_CHANGE, HCA_EVENT_PORT_ACTIVE,
			    HCA_EVENT_CLIENT_REREGISTER);

	/* Active while Active causes no event. */
	first_set();
	agent_put(IB_PORT_LID_F, 8);
	agent_put(IB_PORT_STATE_F, 4);
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_num_seen, 0);

	/* Down makes the link be trained anew. */
	first_set();
	agent_put(IB_PORT_LID_F, 8);
	agent_put(IB_PORT_STATE_F, 1);
	ck_assert_uint_eq(agent_ask(), 0);
	agent_assert_events(HCA_EVENT_PORT_ERROR);
	ck_assert_uint_eq(agent_got(IB_PORT_STATE_F), 2);
	ck_assert_uint_eq(agent_got(IB_PORT_PHYS_STATE_F), 5);
}
END_TEST

START_TEST(physical_states_go_with_down_C4_240)
{
	ck_assert_uint_eq(set_port_info(IB_PORT_STATE_F, 3), 0);
	/* A change of PortPhysicalState together with Armed or Active is refused as a whole. */
	first_set();
	agent_put(IB_PORT_STATE_F, 4);
	agent_put(IB_PORT_PHYS_STATE_F, 3);
	ck_assert_uint_eq(agent_ask(), IB_MAD_STS_INV_ATTR_VALUE);
	ck_assert_uint_eq(agent_got(IB_PORT_STATE_F), 3);
	ck_assert_uint_eq(agent_got(IB_PORT_PHYS_STATE_F), 5);

	/* `ibportstate disable`, then `enable` */
	first_set();
	agent_put(IB_PORT_STATE_F, 1);
	agent_put(IB_PORT_PHYS_STATE_F, 3);
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_got(IB_PORT_STATE_F), 1);
	ck_assert_uint_eq(agent_got(IB_PORT_PHYS_STATE_F), 3);
	ck_assert_uint_eq(set_port_info(IB_PORT_PHYS_STATE_F, 2), 0);
	ck_assert_uint_eq(agent_got(IB_PORT_STATE_F), 2);
	ck_assert_uint_eq(agent_got(IB_PORT_PHYS_STATE_F), 5);
}
END_TEST

Suite *port_info_suite(void)
{
	const TTest *const tests[] = {
		port_info_has_every_element_C4_238,
		port_info_by_port_number_C4_236,
		another_port_of_an_adapter_is_read_only_C4_236,
		what_a_manager_sets_first_C4_196_240,
		lids_and_events_C4_240,
		values_of_port_info_C4_240,
		extended_speeds_are_for_managers_that_know_them_C4_240,
		violation_counters_are_only_cleared_C4_240,
		port_states_in_their_order_C4_240,
		physical_states_go_with_down_C4_240,
		NULL,
	};
	Suite *suite = suite_create("port_info");

	agent_add_tests(suite, "port_info", tests);
	return suite;
}
