// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The tables of a switch, as its subnet manager writes and reads them. */
#include "tests/unit/agent/agent_switch.h"
#include "tests/unit/suites.h"

#define REFUSED IB_MAD_STS_INV_ATTR_VALUE
#define RANDOMFORWTBL 0x1a

static const u8 *data(void)
{
	return agent_rsp.octets + DATA;
}

/* ---- Forwarding tables ---- */

START_TEST(linear_forwarding_table_in_blocks_C4_162_245)
{
	u8 block[64];
	unsigned int i;

	for (i = 0; i < 64; i++)
		block[i] = i % (SWITCH_PORTS + 1);
	/* The first block, and the last one: LIDs BFC0h to BFFFh. */
	ck_assert_uint_eq(switch_set(IB_ATTR_LINEARFORWTBL, 0, block), 0);
	ck_assert_mem_eq(data(), block, 64);
	ck_assert_mem_eq(agent_switch->lft, block, 64);
	ck_assert_uint_eq(agent_switch->lft[64], HCA_NO_PORT);
	ck_assert_uint_eq(switch_set(IB_ATTR_LINEARFORWTBL, 767, block), 0);
	ck_assert_mem_eq(agent_switch->lft + 0xbfc0, block, 64);
	ck_assert_uint_eq(agent_switch->lft[0xbfbf], HCA_NO_PORT);
	ck_assert_uint_eq(agent_get(IB_ATTR_LINEARFORWTBL, 767), 0);
	ck_assert_mem_eq(data(), block, 64);

	ck_assert_uint_eq(agent_get(IB_ATTR_LINEARFORWTBL, 768), REFUSED);
	ck_assert_uint_eq(switch_set(IB_ATTR_LINEARFORWTBL, 768, block), REFUSED);
	ck_assert_uint_eq(agent_get(IB_ATTR_LINEARFORWTBL, 0x01000000), REFUSED);
}
END_TEST

START_TEST(no_way_by_a_port_that_there_is_not_C4_162)
{
	u8 block[64] = { 0, SWITCH_PORTS, SWITCH_PORTS + 1, 254, 255 };

	ck_assert_uint_eq(switch_set(IB_ATTR_LINEARFORWTBL, 1, block), 0);
	ck_assert_uint_eq(agent_switch->lft[64], 0);
	ck_assert_uint_eq(agent_switch->lft[65], SWITCH_PORTS);
	ck_assert_uint_eq(agent_switch->lft[66], HCA_NO_PORT);
	ck_assert_uint_eq(agent_switch->lft[67], HCA_NO_PORT);
	ck_assert_uint_eq(agent_switch->lft[68], HCA_NO_PORT);
	ck_assert_uint_eq(data()[2], 255);
}
END_TEST

START_TEST(no_random_forwarding_table_beside_the_linear_one_C4_245)
{
	ck_assert_uint_eq(agent_get(RANDOMFORWTBL, 0), 0x0c);
	ck_assert_uint_eq(switch_set(RANDOMFORWTBL, 0, data()), 0x0c);
	ck_assert_uint_eq(agent_get(IB_ATTR_SWITCH_INFO, 0), 0);
	ck_assert_uint_eq(agent_got(IB_SW_RANDOM_FDB_CAP_F), 0);
	ck_assert_uint_eq(agent_got(IB_SW_LIDS_PER_PORT_F), 0);
}
END_TEST

/* Write an entry of the latest request: the exit port of 2^@lmc LIDs. */
static void random_entry(unsigned int i, u16 lid, u8 valid_lmc, u8 port)
{
	u8 entry[4] = { lid >> 8, lid & 0xff, valid_lmc, port };

	memcpy(agent_rq.octets + DATA + 4 * i, entry, sizeof(entry));
}

#define VALID(lmc) (0x80 | (lmc) << 4)

START_TEST(random_forwarding_table_instead_of_the_linear_one_C4_163_245_246)
{
	const u8 *lft = agent_switch->lft;
	u8 set[60];

	ck_assert_int_eq(hca_switch_use_random_forwarding_table(agent_switch), 0);
	ck_assert_uint_eq(agent_get(IB_ATTR_LINEARFORWTBL, 0), 0x0c);
	ck_assert_uint_eq(agent_get(IB_ATTR_SWITCH_INFO, 0), 0);
	ck_assert_uint_eq(agent_got(IB_SW_LINEAR_FDB_CAP_F), 0);
	ck_assert_uint_eq(agent_got(IB_SW_LINEAR_FDB_TOP_F), 0);
	ck_assert_uint_eq(agent_got(IB_SW_RANDOM_FDB_CAP_F), 1024);
	ck_assert_uint_eq(agent_got(IB_SW_LIDS_PER_PORT_F), 1024);
	agent_change();
	agent_put(IB_SW_LINEAR_FDB_TOP_F, 7); /* the switch has no linear table */
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(agent_got(IB_SW_LINEAR_FDB_TOP_F), 0);

	agent_request(IB_SMI_CLASS, IB_MAD_METHOD_SET, RANDOMFORWTBL, 63);
	random_entry(0, 0x1009, VALID(2), 3); /* aligned, it covers 1008h to 100bh */
	random_entry(1, 0x100a, VALID(0), 2); /* the entry after it */
	random_entry(2, 0x2000, 0, 2);
	random_entry(15, 0xbfff, VALID(0), 250);
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_mem_eq(agent_rsp.octets + DATA, agent_rq.octets + DATA, 60);
	ck_assert_uint_eq(agent_rsp.octets[DATA + 63], 255); /* no such port exists */
	ck_assert_uint_eq(lft[0x1007], 255);
	ck_assert_uint_eq(lft[0x1008], 3);
	ck_assert_uint_eq(lft[0x100a], 3);
	ck_assert_uint_eq(lft[0x100b], 3);
	ck_assert_uint_eq(lft[0x100c], 255);
	ck_assert_uint_eq(lft[0x2000], 255);
	ck_assert_uint_eq(lft[0xbfff], 255);
	random_entry(0, 0x1009, 0, 3);
	ck_assert_uint_eq(agent_ask(), 0);
	ck_assert_uint_eq(lft[0x1009], 255);
	ck_assert_uint_eq(lft[0x100a], 2);
	memcpy(set, agent_rq.octets + DATA, sizeof(set));
	ck_assert_uint_eq(agent_get(RANDOMFORWTBL, 63), 0);
	ck_assert_mem_eq(agent_rsp.octets + DATA, set, sizeof(set));
	ck_assert_uint_eq(agent_get(RANDOMFORWTBL, 0), 0);
	ck_assert_uint_eq(agent_rsp.octets[DATA + 2], 0);
	ck_assert_uint_eq(agent_get(RANDOMFORWTBL, 64), IB_MAD_STS_INV_ATTR_VALUE);
	agent_change();
	ck_assert_uint_eq(agent_ask(), IB_MAD_STS_INV_ATTR_VALUE);
}
END_TEST

/* The octets of a table for multicast LID C000h + @lid and one range of 16 ports. */
static u16 *exits(unsigned int lid, unsigned int position)
{
	return &agent_switch->mft[lid * agent_switch->mft_positions + position];
}

START_TEST(multicast_forwarding_table_by_block_and_position_C4_164_246)
{
	u8 block[64] = { 0x80, 0x01, [2] = 0x12, 0x34, [62] = 0x00, 0x02 };

	ck_assert_uint_eq(switch_set(IB_ATTR_MULTICASTFORWTBL, 3, block), 0);
	ck_assert_mem_eq(data(), block, 64);
	ck_assert_uint_eq(*exits(3 * 32, 0), 0x8001);
	ck_assert_uint_eq(*exits(3 * 32 + 1, 0), 0x1234);
	ck_assert_uint_eq(*exits(3 * 32 + 31, 0), 0x0002);
	ck_assert_uint_eq(*exits(3 * 32, 1), 0);
	ck_assert_uint_eq(*exits(2 * 32, 0) | *exits(4 * 32, 0), 0);

	/* The last block; ports 16 to 31, of which the first five exist. */
	memset(block, 0xff, sizeof(block));
	ck_assert_uint_eq(switch_set(IB_ATTR_MULTICASTFORWTBL, 0x10000000 | 127, block), 0);
	ck_assert_uint_eq(*exits(HCA_MFT_CAP - 1, 1), 0x001f);
	ck_assert_uint_eq(*exits(HCA_MFT_CAP - 1, 0), 0);
	ck_assert_uint_eq(agent_get(IB_ATTR_MULTICASTFORWTBL, 0x10000000 | 127), 0);
	ck_assert_uint_eq(data()[0] << 8 | data()[1], 0x001f);
	ck_assert_uint_eq(data()[62] << 8 | data()[63], 0x001f);
}
END_TEST

START_TEST(multicast_blocks_that_there_are_not_C4_164)
{
	static const u32 wrong[] = { 128, 0x1ff, 0x200, 0x08000000, 0x20000000, 0xf0000000 };
	u8 block[64];
	unsigned int i;

	memset(block, 0xff, sizeof(block));
	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		ck_assert_uint_eq(switch_set(IB_ATTR_MULTICASTFORWTBL, wrong[i], block), REFUSED);
		ck_assert_uint_eq(agent_get(IB_ATTR_MULTICASTFORWTBL, wrong[i]), REFUSED);
	}
	for (i = 0; i < HCA_MFT_CAP * agent_switch->mft_positions; i++)
		ck_assert_uint_eq(agent_switch->mft[i], 0);
}
END_TEST

/* ---- SL to VL ---- */

static unsigned int ways_with_vl(u8 sl, u8 vl)
{
	unsigned int in, out, n = 0;

	for (in = 0; in <= SWITCH_PORTS; in++)
		for (out = 0; out <= SWITCH_PORTS; out++)
			n += hca_switch_sl2vl(agent_switch, in, out)[sl] == vl;
	return n;
}

START_TEST(sl_to_vl_by_input_and_output_C4_141_243)
{
	static const u8 map[64] = { 0x76, 0x54, 0x32, 0x10, 0xff, 0xff, 0x01, 0x23 };
	const u8 *vl = hca_switch_sl2vl(agent_switch, 2, 3);

	ck_assert_uint_eq(switch_set(IB_ATTR_SLVL_TABLE, 0x0203, map), 0);
	ck_assert_mem_eq(data(), map, 64);
	ck_assert_uint_eq(vl[0], 7);
	ck_assert_uint_eq(vl[7], 0);
	ck_assert_uint_eq(vl[8], 15);
	ck_assert_uint_eq(vl[15], 3);
	ck_assert_uint_eq(ways_with_vl(0, 7), 1);
	/* From and to the management port. */
	ck_assert_uint_eq(switch_set(IB_ATTR_SLVL_TABLE, SWITCH_PORTS, map), 0);
	ck_assert_uint_eq(hca_switch_sl2vl(agent_switch, 0, SWITCH_PORTS)[0], 7);
	ck_assert_uint_eq(agent_get(IB_ATTR_SLVL_TABLE, SWITCH_PORTS << 8), 0);
	ck_assert_uint_eq(data()[0], 0x01); /* the default */

	ck_assert_uint_eq(agent_get(IB_ATTR_SLVL_TABLE, SWITCH_PORTS + 1), REFUSED);
	ck_assert_uint_eq(agent_get(IB_ATTR_SLVL_TABLE, (SWITCH_PORTS + 1) << 8), REFUSED);
	ck_assert_uint_eq(agent_get(IB_ATTR_SLVL_TABLE, 0x00040203), REFUSED);
	ck_assert_uint_eq(switch_set(IB_ATTR_SLVL_TABLE, 0x80000203, map), REFUSED);
	ck_assert_uint_eq(ways_with_vl(0, 7), 2);
}
END_TEST

START_TEST(sl_to_vl_of_all_ports_at_once_C4_243)
{
	unsigned int all = SWITCH_PORTS + 1;
	u8 map[64] = { 0x10 };

	/* From every port to port 5; the input port in the modifier is ignored. */
	ck_assert_uint_eq(switch_set(IB_ATTR_SLVL_TABLE, 0x2ff05, map), 0);
	ck_assert_mem_eq(data(), map, 64);
	ck_assert_uint_eq(ways_with_vl(0, 1), all);
	ck_assert_uint_eq(hca_switch_sl2vl(agent_switch, 0, 5)[0], 1);
	ck_assert_uint_eq(hca_switch_sl2vl(agent_switch, SWITCH_PORTS, 5)[0], 1);
	ck_assert_uint_eq(switch_set(IB_ATTR_SLVL_TABLE, 0x200ff, map), REFUSED);

	/* From port 6 to every port. */
	map[0] = 0x20;
	ck_assert_uint_eq(switch_set(IB_ATTR_SLVL_TABLE, 0x106ff, map), 0);
	ck_assert_uint_eq(ways_with_vl(0, 2), all);
	ck_assert_uint_eq(hca_switch_sl2vl(agent_switch, 6, 0)[0], 2);
	ck_assert_uint_eq(hca_switch_sl2vl(agent_switch, 6, 5)[0], 2);
	ck_assert_uint_eq(switch_set(IB_ATTR_SLVL_TABLE, 0x1ff06, map), REFUSED);

	/* From every port to every port, by one SMP. */
	map[0] = 0x30;
	ck_assert_uint_eq(switch_set(IB_ATTR_SLVL_TABLE, 0x30000, map), 0);
	ck_assert_uint_eq(ways_with_vl(0, 3), all * all);
	ck_assert_uint_eq(agent_get(IB_ATTR_SLVL_TABLE, 0x30000), 0);
	ck_assert_uint_eq(data()[0], 0x30);

	/* The capability bits that permit it. */
	agent_get(IB_ATTR_SWITCH_INFO, 0);
	ck_assert_uint_eq(agent_got(IB_SW_OPT_SLTOVL_MAPPING_F), 1);
}
END_TEST

/* ---- Tables of single ports ---- */

START_TEST(vl_arbitration_of_each_output_C4_244)
{
	u8 entries[64] = { 5, 99, [62] = 7, 255 };

	ck_assert_uint_eq(switch_set(IB_ATTR_VL_ARBITRATION, 0x00010000 | SWITCH_PORTS, entries),
			  0);
	ck_assert_uint_eq(switch_set(IB_ATTR_VL_ARBITRATION, 0x00040002, entries), 0);
	ck_assert_mem_eq(data(), entries, 64);
	ck_assert_uint_eq(agent_switch->node.ports[SWITCH_PORTS].tables.vlarb_low.entry[0][1], 99);
	ck_assert_uint_eq(agent_switch->node.ports[2].tables.vlarb_high.entry[63][1], 255);
	ck_assert_uint_eq(agent_get(IB_ATTR_VL_ARBITRATION, 0x00010000 | (SWITCH_PORTS + 1)),
			  REFUSED);
	ck_assert_uint_eq(agent_get(IB_ATTR_VL_ARBITRATION, 0x00050002), REFUSED);
}
END_TEST

START_TEST(tables_of_vls_as_soon_as_a_port_has_several_C4_243_244)
{
	unsigned int i;

	for (i = 0; i <= SWITCH_PORTS; i++)
		agent_switch->node.ports[i].info.vl_cap = 1;
	ck_assert_uint_eq(agent_get(IB_ATTR_SLVL_TABLE, 0x0102), 0x0c);
	ck_assert_uint_eq(agent_get(IB_ATTR_VL_ARBITRATION, 0x00010001), 0x0c);
	agent_switch->node.ports[SWITCH_PORTS].info.vl_cap = 2;
	ck_assert_uint_eq(agent_get(IB_ATTR_SLVL_TABLE, 0x0102), 0);
	ck_assert_uint_eq(agent_get(IB_ATTR_VL_ARBITRATION, 0x00010001), 0);
}
END_TEST

START_TEST(pkeys_of_each_port_C4_241_242)
{
	static const u8 keys[64] = { 0xff, 0xff, 0x80, 0x05, [62] = 0x12, 0x34 };

	ck_assert_uint_eq(switch_set(IB_ATTR_PKEY_TBL, 0x00020000, keys), 0);
	ck_assert_mem_eq(data(), keys, 64); /* B4-312 */
	ck_assert_uint_eq(agent_switch->node.ports[2].tables.pkey[31], 0x1234);
	ck_assert_uint_eq(agent_switch->node.ports[1].tables.pkey[1], 0);
	ck_assert_uint_eq(agent_switch->node.ports[0].tables.pkey[1], 0);
	ck_assert_uint_eq(switch_set(IB_ATTR_PKEY_TBL, 0, keys), 0);
	ck_assert_uint_eq(agent_switch->node.ports[0].tables.pkey[1], 0x8005);

	/*
	 * SwitchInfo has the size of the tables of enforcing ports, NodeInfo that of port 0's
	 * table.
	 */
	agent_switch->node.partition_cap = 4;
	ck_assert_uint_eq(switch_set(IB_ATTR_PKEY_TBL, 0x00020000, keys), 0);
	ck_assert_mem_eq(data(), keys, 64);
	ck_assert_uint_eq(agent_get(IB_ATTR_PKEY_TBL, 0), 0);
	ck_assert_uint_eq(data()[62] << 8 | data()[63], 0);
	ck_assert_uint_eq(agent_get(IB_ATTR_PKEY_TBL, 0x00020001), REFUSED);
	ck_assert_uint_eq(agent_get(IB_ATTR_PKEY_TBL, (SWITCH_PORTS + 1) << 16), REFUSED);
}
END_TEST

Suite *sma_tables_suite(void)
{
	const TTest *const forwarding[] = {
		linear_forwarding_table_in_blocks_C4_162_245,
		no_way_by_a_port_that_there_is_not_C4_162,
		no_random_forwarding_table_beside_the_linear_one_C4_245,
		random_forwarding_table_instead_of_the_linear_one_C4_163_245_246,
		multicast_forwarding_table_by_block_and_position_C4_164_246,
		multicast_blocks_that_there_are_not_C4_164,
		NULL,
	};
	const TTest *const ports[] = {
		sl_to_vl_by_input_and_output_C4_141_243,
		sl_to_vl_of_all_ports_at_once_C4_243,
		vl_arbitration_of_each_output_C4_244,
		tables_of_vls_as_soon_as_a_port_has_several_C4_243_244,
		pkeys_of_each_port_C4_241_242,
		NULL,
	};
	Suite *suite = suite_create("sma_tables");

	agent_switch_add_tests(suite, "forwarding", forwarding);
	agent_switch_add_tests(suite, "ports", ports);
	return suite;
}
