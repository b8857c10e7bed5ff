// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A switch and its ports, as subnet managers see and set them. */
#include <linux/rcupdate.h>
#include "phy/cable.h"
#include "tests/unit/agent/agent_switch.h"
#include "tests/unit/suites.h"

#define REFUSED IB_MAD_STS_INV_ATTR_VALUE

static struct hca_port *port(unsigned int num)
{
	return &agent_switch->node.ports[num];
}

/*
 * Compose a Set of the present PortInfo, with unchanged states, and with a LID for a port that is
 * the end of paths.
 */
static void change_port_info(u32 num)
{
	ck_assert_uint_eq(agent_get(IB_ATTR_PORT_INFO, num), 0);
	agent_change();
	agent_put(IB_PORT_STATE_F, 0);
	agent_put(IB_PORT_PHYS_STATE_F, 0);
	if (!num) {
		agent_put(IB_PORT_LID_F, 0x20);
		agent_put(IB_PORT_SMLID_F, 1);
	}
}

/* ---- SwitchInfo ---- */

START_TEST(switch_info_has_every_element_C4_232_233)
{
	static const struct {
		enum MAD_FIELDS field;
		u32 value;
	} want[] = {
		{ IB_SW_LINEAR_FDB_CAP_F, 0xc000 },
		{ IB_SW_RANDOM_FDB_CAP_F, 0 },
		{ IB_SW_MCAST_FDB_CAP_F, 4096 },
		{ IB_SW_LINEAR_FDB_TOP_F, 0x1234 },
		{ IB_SW_DEF_PORT_F, 3 },
		{ IB_SW_DEF_MCAST_PRIM_F, 4 },
		{ IB_SW_DEF_MCAST_NOT_PRIM_F, 5 },
		{ IB_SW_LIFE_TIME_F, 18 },
		{ IB_SW_STATE_CHANGE_F, 1 },
		{ IB_SW_OPT_SLTOVL_MAPPING_F, 1 },
		{ IB_SW_LIDS_PER_PORT_F, 0 },
		{ IB_SW_PARTITION_ENFORCE_CAP_F, 32 }, /* B4-314 */
		{ IB_SW_PARTITION_ENF_INB_F, 1 },
		{ IB_SW_PARTITION_ENF_OUTB_F, 1 },
		{ IB_SW_FILTER_RAW_INB_F, 1 },
		{ IB_SW_FILTER_RAW_OUTB_F, 1 },
		{ IB_SW_ENHANCED_PORT0_F, 1 },
		{ IB_SW_MCAST_FDB_TOP_F, 0xc03f },
	};
	unsigned int i;

	agent_switch->info = (struct hca_switch_info){
		.linear_fdb_top = 0x1234, .default_port = 3, .default_multicast_primary = 4,
		.default_multicast_not_primary = 5, .life_time = 18, .port_state_change = true,
		.enhanced_port0 = true, .multicast_fdb_top = 0xc03f,
	};
	ck_assert_uint_eq(agent_get(IB_ATTR_SWITCH_INFO, 0), 0);
	for (i = 0; i < ARRAY_SIZE(want); i++)
		ck_assert_msg(agent_got(want[i].field) == want[i].value, "element %u: %#x", i,
			      agent_got(want[i].field));
	ck_assert_uint_eq(ARRAY_SIZE(want), IB_SW_LAST_F - IB_SW_FIRST_F);
	ck_assert_uint_eq(agent_get(IB_ATTR_SWITCH_INFO, 1), REFUSED);
}
END_TEST

START_TEST(a_manager_sets_switch_info_C4_162_233)
{
	agent_get(IB_ATTR_SWITCH_INFO, 0);
	agent_change();
	agent_put(IB_SW_LINEAR_FDB_CAP_F, 1); /* read-only, so it is ignored */
	agent_put(IB_SW_LINEAR_FDB_TOP_F, 0xbfff);
	agent_put(IB_SW_DEF_PORT_F, 0);
	agent_put(IB_SW_DEF_MCAST_PRIM_F, SWITCH_PORTS);
	agent_put(IB_SW_DEF_MCAST_NOT_PRIM_F, SWITCH_PORTS + 1);
	agent_put(IB_SW_LIFE_TIME_F, 18);
	agent_put(IB_SW_OPT_SLTOVL_MAPPING_F, 0);
	agent_put(IB_SW_ENHANCED_PORT0_F, 1);
	agent_put(IB_SW_MCAST_FDB_TOP_F, 0xcfff);
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_got(IB_SW_LINEAR_FDB_CAP_F), 0xc000);
	ck_assert_uint_eq(agent_got(IB_SW_OPT_SLTOVL_MAPPING_F), 1);
	ck_assert_uint_eq(agent_got(IB_SW_ENHANCED_PORT0_F), 0);
	ck_assert_uint_eq(agent_switch->info.linear_fdb_top, 0xbfff);
	ck_assert_uint_eq(agent_switch->info.default_port, 0);
	ck_assert_uint_eq(agent_switch->info.default_multicast_primary, SWITCH_PORTS);
	ck_assert_uint_eq(agent_switch->info.default_multicast_not_primary, HCA_NO_PORT);
	ck_assert_uint_eq(agent_switch->info.life_time, 18);
	ck_assert_uint_eq(agent_switch->info.multicast_fdb_top, 0xcfff);
}
END_TEST

START_TEST(tops_are_within_their_tables_C4_162_233)
{
	static const struct {
		enum MAD_FIELDS field;
		u16 value;
		bool ok;
	} tops[] = {
		{ IB_SW_LINEAR_FDB_TOP_F, 0, true },
		{ IB_SW_LINEAR_FDB_TOP_F, 0xc000, false },
		{ IB_SW_LINEAR_FDB_TOP_F, 0xffff, false },
		{ IB_SW_MCAST_FDB_TOP_F, 0xbfff, true }, /* not a multicast LID */
		{ IB_SW_MCAST_FDB_TOP_F, 0xc000, true },
		{ IB_SW_MCAST_FDB_TOP_F, 0xbffe, false },
		{ IB_SW_MCAST_FDB_TOP_F, 0xd000, false },
		{ IB_SW_MCAST_FDB_TOP_F, 0, true }, /* no upper limit */
	};
	unsigned int i;
	u32 before;

	for (i = 0; i < ARRAY_SIZE(tops); i++) {
		agent_get(IB_ATTR_SWITCH_INFO, 0);
		before = agent_got(tops[i].field);
		agent_change();
		agent_put(tops[i].field, tops[i].value);
		agent_put(IB_SW_LIFE_TIME_F, i + 1);
		ck_assert_uint_eq(agent_ask(), tops[i].ok ? 0 : REFUSED);
		ck_assert_uint_eq(agent_got(tops[i].field), tops[i].ok ? tops[i].value : before);
		ck_assert_uint_eq(agent_got(IB_SW_LIFE_TIME_F), i + 1);
	}
}
END_TEST

START_TEST(port_state_change_until_a_one_is_written_C4_233)
{
	agent_get(IB_ATTR_SWITCH_INFO, 0);
	ck_assert_uint_eq(agent_got(IB_SW_STATE_CHANGE_F), 0);
	agent_change();
	agent_switch->info.port_state_change = true;
	/* A manager that has not noticed the change leaves the bit. */
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_got(IB_SW_STATE_CHANGE_F), 1);
	agent_change();
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_got(IB_SW_STATE_CHANGE_F), 0);
	ck_assert(!agent_switch->info.port_state_change);
	agent_change();
	agent_put(IB_SW_STATE_CHANGE_F, 1);
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_got(IB_SW_STATE_CHANGE_F), 0);
}
END_TEST

static bool has_changed(void)
{
	ck_assert_uint_eq(agent_get(IB_ATTR_SWITCH_INFO, 0), 0);
	return agent_got(IB_SW_STATE_CHANGE_F);
}

/* A manager that has noticed the change sets what it has received. */
static void acknowledge(void)
{
	ck_assert(has_changed());
	agent_change();
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert(!has_changed());
}

START_TEST(cables_are_port_state_changes_and_managers_are_not_C4_233)
{
	struct hca_port *peer = rcu_dereference_protected(port(1)->peer, true);
	unsigned int state;

	for (state = IB_PORT_ARMED; state <= IB_PORT_ACTIVE; state++) {
		change_port_info(1);
		agent_put(IB_PORT_STATE_F, state);
		ck_assert_uint_eq(agent_ask(), 0);
		ck_assert_uint_eq(agent_got(IB_PORT_STATE_F), state);
	}
	ck_assert(!has_changed());
	hca_cable_disconnect(port(1));
	acknowledge();
	ck_assert_int_eq(hca_cable_connect(port(1), peer), 0);
	acknowledge();
}
END_TEST

/* ---- Which port receives, and which port responds ---- */

START_TEST(a_switch_is_managed_at_port_0_C4_188_231_237)
{
	port(0)->info.m_key = cpu_to_be64(M_KEY);
	agent_request(IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_NODE_INFO, 0);
	ck_assert_int_eq(agent_ask_at(2), HCA_AGENT_REPLY);
	ck_assert_uint_eq(agent_got64(IB_NODE_PORT_GUID_F), SWITCH_GUID);
	ck_assert_uint_eq(agent_got(IB_NODE_LOCAL_PORT_F), 2);
	ck_assert_uint_eq(agent_got(IB_NODE_NPORTS_F), SWITCH_PORTS); /* B4-123 */
	ck_assert_uint_eq(agent_got(IB_NODE_TYPE_F), 2);

	/* Any port may be set through any other one, with the key of port 0. */
	change_port_info(2);
	agent_put(IB_PORT_HOQ_LIFE_F, 16);
	agent_put(IB_PORT_VL_STALL_COUNT_F, 3);
	agent_put(IB_PORT_PART_EN_OUTB_F, 1);
	ck_assert_int_eq(agent_ask_at(1), HCA_AGENT_CONSUMED);
	agent_put_key(M_KEY);
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(port(2)->info.hoq_life, 16);
	ck_assert_uint_eq(port(2)->info.vl_stall_count, 3);
	ck_assert_uint_eq(port(2)->info.partition_enforcement, 4);
	ck_assert_uint_eq(port(0)->info.m_key_violations, 1);
	ck_assert_uint_eq(agent_got(IB_PORT_LOCAL_PORT_F), 1);
}
END_TEST

START_TEST(tables_need_the_key_of_port_0_C4_252)
{
	static const u16 attrs[] = { IB_ATTR_SWITCH_INFO, IB_ATTR_LINEARFORWTBL,
				     IB_ATTR_MULTICASTFORWTBL, IB_ATTR_SLVL_TABLE };
	unsigned int i;

	port(0)->info.m_key = cpu_to_be64(M_KEY);
	for (i = 0; i < ARRAY_SIZE(attrs); i++) {
		agent_request(IB_SMI_CLASS, IB_MAD_METHOD_SET, attrs[i], 0);
		agent_put_key(OTHER_KEY);
		ck_assert_int_eq(agent_ask_at(1), HCA_AGENT_CONSUMED);
		agent_put_key(M_KEY);
		ck_assert_int_eq(agent_ask_at(1), HCA_AGENT_REPLY);
	}
	ck_assert_uint_eq(port(0)->info.m_key_violations, ARRAY_SIZE(attrs));
}
END_TEST

START_TEST(guids_are_those_of_port_0_C4_234)
{
	agent_request(IB_SMI_CLASS, IB_MAD_METHOD_GET, IB_ATTR_GUID_INFO, 0);
	ck_assert_int_eq(agent_ask_at(3), HCA_AGENT_REPLY);
	ck_assert_uint_eq(agent_got64(IB_GUID_GUID0_F), SWITCH_GUID);
	agent_change();
	agent_rq.octets[DATA + 15] = 0x77;
	ck_assert_int_eq(agent_ask_at(3), HCA_AGENT_REPLY);
	ck_assert_uint_eq(be64_to_cpu(port(0)->tables.guid[1]), 0x77);
	ck_assert_uint_eq(be64_to_cpu(port(3)->tables.guid[1]), 0);
}
END_TEST

/* ---- PortInfo ---- */

START_TEST(a_base_port_0_has_one_lid_and_no_link_C4_188)
{
	struct hca_port_info before = port(0)->info;

	change_port_info(0);
	agent_put64(IB_PORT_MKEY_F, M_KEY);
	agent_put64(IB_PORT_GID_PREFIX_F, 0xfec0000000000000ull);
	agent_put(IB_PORT_LID_F, 0x21); /* odd, and therefore not valid with LMC 2 */
	agent_put(IB_PORT_LMC_F, 2);
	agent_put(IB_PORT_SMSL_F, 4);
	agent_put(IB_PORT_MKEY_PROT_BITS_F, 1);
	agent_put(IB_PORT_MKEY_LEASE_F, 60);
	agent_put(IB_PORT_SUBN_TIMEOUT_F, 18);
	agent_put(IB_PORT_NEIGHBOR_MTU_F, 0);
	agent_put(IB_PORT_OPER_VLS_F, 1);
	agent_put(IB_PORT_HOQ_LIFE_F, 5);
	agent_put(IB_PORT_CLIENT_REREG_F, 1);
	agent_put_key(M_KEY);
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_got64(IB_PORT_MKEY_F), M_KEY);
	ck_assert_uint_eq(agent_got64(IB_PORT_GID_PREFIX_F), 0xfec0000000000000ull);
	ck_assert_uint_eq(agent_got(IB_PORT_LID_F), 0x21); /* B4-022 */
	ck_assert_uint_eq(agent_got(IB_PORT_LMC_F), 0); /* B4-025, B4-125 */
	ck_assert_uint_eq(agent_got(IB_PORT_SMLID_F), 1);
	ck_assert_uint_eq(agent_got(IB_PORT_SMSL_F), 4);
	ck_assert_uint_eq(agent_got(IB_PORT_MKEY_PROT_BITS_F), 1);
	ck_assert_uint_eq(agent_got(IB_PORT_MKEY_LEASE_F), 60);
	ck_assert_uint_eq(agent_got(IB_PORT_SUBN_TIMEOUT_F), 18);
	ck_assert_uint_eq(agent_got(IB_PORT_CAPMASK_F), before.capability_mask);
	ck_assert_uint_eq(agent_got(IB_PORT_CLIENT_REREG_F), 1);
	ck_assert_uint_eq(agent_got(IB_PORT_STATE_F), 4);
	ck_assert_uint_eq(port(0)->info.neighbor_mtu, before.neighbor_mtu);
	ck_assert_uint_eq(port(0)->info.operational_vls, before.operational_vls);
	ck_assert_uint_eq(port(0)->info.hoq_life, 0);
}
END_TEST

START_TEST(an_enhanced_port_0_has_lmc_mtu_and_vls_C4_188)
{
	agent_switch->info.enhanced_port0 = true;
	change_port_info(0);
	agent_put(IB_PORT_LMC_F, 2);
	agent_put(IB_PORT_NEIGHBOR_MTU_F, 3);
	agent_put(IB_PORT_OPER_VLS_F, 2);
	agent_put(IB_PORT_VL_HIGH_LIMIT_F, 9);
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_got(IB_PORT_LMC_F), 2);
	ck_assert_uint_eq(agent_got(IB_PORT_NEIGHBOR_MTU_F), 3);
	ck_assert_uint_eq(agent_got(IB_PORT_OPER_VLS_F), 2);
	ck_assert_uint_eq(agent_got(IB_PORT_VL_HIGH_LIMIT_F), 9);

	agent_change();
	agent_put(IB_PORT_LID_F, 0x21); /* not valid with LMC 2 */
	ck_assert_uint_eq(agent_ask(), REFUSED);
	ck_assert_uint_eq(agent_got(IB_PORT_LID_F), 0x20);
}
END_TEST

START_TEST(port_0_is_active_for_ever_C4_240)
{
	unsigned int state, enhanced;

	for (enhanced = 0; enhanced < 2; enhanced++)
		for (state = 0; state < 16; state++) {
			agent_switch->info.enhanced_port0 = enhanced;
			change_port_info(0);
			agent_put(IB_PORT_STATE_F, state);
			agent_put(IB_PORT_PHYS_STATE_F, state / 4);
			ck_assert_uint_eq(agent_ask(), 0);
			ck_assert_uint_eq(agent_got(IB_PORT_STATE_F), 4);
			ck_assert_uint_eq(agent_got(IB_PORT_PHYS_STATE_F), 5);
		}
}
END_TEST

START_TEST(an_external_port_has_no_address_C4_189)
{
	static const enum MAD_FIELDS none[] = {
		IB_PORT_LID_F, IB_PORT_SMLID_F, IB_PORT_CAPMASK_F, IB_PORT_MKEY_LEASE_F,
		IB_PORT_MKEY_PROT_BITS_F, IB_PORT_LMC_F, IB_PORT_SMSL_F, IB_PORT_MKEY_VIOL_F,
		IB_PORT_QKEY_VIOL_F, IB_PORT_GUID_CAP_F, IB_PORT_CLIENT_REREG_F,
		IB_PORT_SUBN_TIMEOUT_F, IB_PORT_RESP_TIME_VAL_F,
	};
	unsigned int i;

	/* Any values that a manager may have copied from another attribute. */
	change_port_info(1);
	for (i = 0; i < ARRAY_SIZE(none); i++)
		agent_put(none[i], 1);
	agent_put64(IB_PORT_MKEY_F, M_KEY);
	agent_put64(IB_PORT_GID_PREFIX_F, 0xfec0000000000000ull);
	ck_assert_uint_eq(agent_ask(), 0);
	for (i = 0; i < ARRAY_SIZE(none); i++)
		ck_assert_msg(!agent_got(none[i]), "element %u: %#x", i, agent_got(none[i]));
	ck_assert_uint_eq(agent_got64(IB_PORT_MKEY_F), 0);
	ck_assert_uint_eq(agent_got64(IB_PORT_GID_PREFIX_F), 0);
	ck_assert_uint_eq(port(1)->info.m_key, 0);
	ck_assert_uint_eq(port(1)->info.lid, 0); /* B4-125 */
}
END_TEST

START_TEST(an_external_port_is_a_link_C4_165_238_242)
{
	change_port_info(1);
	agent_put(IB_PORT_NEIGHBOR_MTU_F, 4);
	agent_put(IB_PORT_OPER_VLS_F, 2);
	agent_put(IB_PORT_HOQ_LIFE_F, 0x12);
	agent_put(IB_PORT_VL_STALL_COUNT_F, 7);
	agent_put(IB_PORT_PART_EN_INB_F, 1);
	agent_put(IB_PORT_FILTER_RAW_OUTB_F, 1);
	agent_put(IB_PORT_LOCAL_PHYS_ERR_F, 8);
	agent_put(IB_PORT_STATE_F, 3);
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_got(IB_PORT_NEIGHBOR_MTU_F), 4);
	ck_assert_uint_eq(agent_got(IB_PORT_OPER_VLS_F), 2);
	ck_assert_uint_eq(agent_got(IB_PORT_HOQ_LIFE_F), 0x12);
	ck_assert_uint_eq(agent_got(IB_PORT_VL_STALL_COUNT_F), 7);
	ck_assert_uint_eq(agent_got(IB_PORT_LOCAL_PHYS_ERR_F), 8);
	ck_assert_uint_eq(agent_got(IB_PORT_STATE_F), 3);
	ck_assert_uint_eq(port(1)->info.partition_enforcement, 9);
	change_port_info(1);
	agent_put(IB_PORT_STATE_F, 4);
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_got(IB_PORT_STATE_F), 4);

	change_port_info(1);
	agent_put(IB_PORT_NEIGHBOR_MTU_F, 6);
	ck_assert_uint_eq(agent_ask(), REFUSED);
	ck_assert_uint_eq(agent_get(IB_ATTR_PORT_INFO, SWITCH_PORTS + 1), REFUSED);
}
END_TEST

/*
 * The order in which OpenSM sets up a port: each Set has what the response before it contained,
 * except for the elements to be changed, and none may be answered with an error status.
 */
START_TEST(a_manager_brings_a_switch_up_C4_196_240)
{
	static const struct {
		enum MAD_FIELDS field;
		u32 value;
	} sets[] = {
		{ IB_PORT_HOQ_LIFE_F, 0x12 }, { IB_PORT_PART_EN_OUTB_F, 1 },
		{ IB_PORT_STATE_F, IB_PORT_ARMED }, { IB_PORT_STATE_F, IB_PORT_ACTIVE },
	};
	unsigned int i, enhanced;

	for (enhanced = 0; enhanced < 2; enhanced++) {
		agent_switch->info.enhanced_port0 = enhanced;
		change_port_info(0);
		agent_put(IB_PORT_LINK_DOWN_DEF_F, 2);
		agent_put(IB_PORT_CLIENT_REREG_F, 1);
		ck_assert_uint_eq(agent_ask(), 0);
		change_port_info(0);
		agent_put(IB_PORT_LOCAL_PHYS_ERR_F, 8);
		ck_assert_uint_eq(agent_ask(), 0);
		ck_assert_uint_eq(agent_got(IB_PORT_CLIENT_REREG_F), 0);
	}
	for (i = 0; i < ARRAY_SIZE(sets); i++) {
		change_port_info(0x80000001); /* the manager supports extended speeds */
		agent_put(sets[i].field, sets[i].value);
		ck_assert_uint_eq(agent_ask(), 0);
		ck_assert_uint_eq(agent_got(sets[i].field), sets[i].value);
	}
	ck_assert_uint_eq(agent_get(IB_ATTR_SWITCH_INFO, 0), 0);
	agent_change();
	agent_put(IB_SW_LINEAR_FDB_TOP_F, 2);
	agent_put(IB_SW_LIFE_TIME_F, 18);
	ck_assert_uint_eq(agent_ask(), 0);
}
END_TEST

START_TEST(p_key_violations_of_an_external_port_C4_242)
{
	port(1)->info.p_key_violations = 3;
	change_port_info(1);
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_got(IB_PORT_PKEY_VIOL_F), 3);
	change_port_info(1);
	agent_put(IB_PORT_PKEY_VIOL_F, 0);
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_got(IB_PORT_PKEY_VIOL_F), 0);
}
END_TEST

/* ---- Counters ---- */

#define ALL_PORTS 0xff
#define IS_ALL_PORT_SELECT_SUPPORTED 0x100

static u16 counters(u8 method, u16 attr, u8 select)
{
	agent_request(IB_PERFORMANCE_CLASS, method, attr, 0);
	agent_put(IB_PC_PORT_SELECT_F, select);
	agent_put(IB_PC_COUNTER_SELECT_F, 0xffff);
	return agent_ask();
}

static u32 xmit_packets(u8 select)
{
	ck_assert_uint_eq(counters(IB_MAD_METHOD_GET, IB_GSI_PORT_COUNTERS, select), 0);
	ck_assert_uint_eq(agent_got(IB_PC_PORT_SELECT_F), select);
	return agent_got(IB_PC_XMT_PKTS_F);
}

START_TEST(a_switch_is_asked_about_any_port_C4_325)
{
	unsigned int i;

	for (i = 0; i <= SWITCH_PORTS; i++)
		hca_count(port(i), HCA_CTR_UNICAST_XMIT_PACKETS, i + 1);
	for (i = 0; i <= SWITCH_PORTS; i++)
		ck_assert_uint_eq(xmit_packets(i), i + 1);
	ck_assert_uint_eq(counters(IB_MAD_METHOD_GET, IB_GSI_PORT_COUNTERS, SWITCH_PORTS + 1),
			  REFUSED);
	ck_assert_uint_eq(counters(IB_MAD_METHOD_SET, IB_GSI_PORT_COUNTERS, 2), 0);
	ck_assert_uint_eq(xmit_packets(2), 0);
	ck_assert_uint_eq(xmit_packets(3), 4);
}
END_TEST

START_TEST(all_ports_at_once_C4_338)
{
	agent_request(IB_PERFORMANCE_CLASS, IB_MAD_METHOD_GET, CLASS_PORT_INFO, 0);
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert(agent_got(IB_CPI_CAPMASK_F) & IS_ALL_PORT_SELECT_SUPPORTED);

	hca_count(port(0), HCA_CTR_UNICAST_XMIT_PACKETS, 1);
	hca_count(port(1), HCA_CTR_UNICAST_XMIT_PACKETS, 20);
	hca_count(port(SWITCH_PORTS), HCA_CTR_UNICAST_XMIT_PACKETS, 300);
	hca_count(port(1), HCA_CTR_VL15_DROPPED, 0xfff0);
	hca_count(port(2), HCA_CTR_VL15_DROPPED, 0x20);
	ck_assert_uint_eq(xmit_packets(ALL_PORTS), 321);
	ck_assert_uint_eq(agent_got(IB_PC_VL15_DROPPED_F), 0xffff);
	ck_assert_uint_eq(counters(IB_MAD_METHOD_GET, IB_GSI_PORT_COUNTERS_EXT, ALL_PORTS), 0);
	ck_assert_uint_eq(agent_got64(IB_PC_EXT_XMT_PKTS_F), 321);

	/* No sum wraps around. */
	hca_count(port(1), HCA_CTR_RCV_DATA_SL, U64_MAX - 1);
	hca_count(port(2), HCA_CTR_RCV_DATA_SL, 2);
	counters(IB_MAD_METHOD_GET, IB_GSI_PORT_COUNTERS_EXT, ALL_PORTS);
	ck_assert_uint_eq(agent_got64(IB_PC_EXT_RCV_BYTES_F), U64_MAX);

	ck_assert_uint_eq(counters(IB_MAD_METHOD_SET, IB_GSI_PORT_COUNTERS, ALL_PORTS), 0);
	ck_assert_uint_eq(agent_got(IB_PC_XMT_PKTS_F), 0);
	ck_assert_uint_eq(xmit_packets(0), 0);
	ck_assert_uint_eq(xmit_packets(SWITCH_PORTS), 0);
}
END_TEST

Suite *sma_switch_suite(void)
{
	const TTest *const info[] = {
		switch_info_has_every_element_C4_232_233,
		a_manager_sets_switch_info_C4_162_233,
		tops_are_within_their_tables_C4_162_233,
		port_state_change_until_a_one_is_written_C4_233,
		cables_are_port_state_changes_and_managers_are_not_C4_233,
		NULL,
	};
	const TTest *const node[] = {
		a_switch_is_managed_at_port_0_C4_188_231_237,
		tables_need_the_key_of_port_0_C4_252,
		guids_are_those_of_port_0_C4_234,
		NULL,
	};
	const TTest *const ports[] = {
		a_base_port_0_has_one_lid_and_no_link_C4_188,
		an_enhanced_port_0_has_lmc_mtu_and_vls_C4_188,
		port_0_is_active_for_ever_C4_240,
		an_external_port_has_no_address_C4_189,
		an_external_port_is_a_link_C4_165_238_242,
		a_manager_brings_a_switch_up_C4_196_240,
		p_key_violations_of_an_external_port_C4_242,
		NULL,
	};
	const TTest *const counting[] = {
		a_switch_is_asked_about_any_port_C4_325,
		all_ports_at_once_C4_338,
		NULL,
	};
	Suite *suite = suite_create("sma_switch");

	agent_switch_add_tests(suite, "info", info);
	agent_switch_add_tests(suite, "node", node);
	agent_switch_add_tests(suite, "ports", ports);
	agent_switch_add_tests(suite, "counters", counting);
	return suite;
}
