// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A switch that is asked by MADs. */
#include "agent_switch.h"
#include "engine/run.h"
#include "phy/cable.h"
#include "shim.h"

#define POSITIONS 2 /* of 16 ports, in the multicast forwarding table */

struct hca_switch agent_switch;

static struct hca_port ports[SWITCH_PORTS + 1];
static u8 lft[HCA_LFT_CAP];
static u16 mft[HCA_MFT_CAP * POSITIONS];
static u8 sl2vl[(SWITCH_PORTS + 1) * (SWITCH_PORTS + 1) * 16];

static struct hca_node far_node;
static struct hca_port far_ports[2];

static void make_ports(struct hca_node *node, struct hca_port *made, u8 num_ports)
{
	static const struct hca_port_ops ops = { .event = agent_see };
	unsigned int i;

	node->num_ports = num_ports;
	node->partition_cap = HCA_PKEYS;
	spin_lock_init(&node->desc_lock);
	node->ports = made;
	memset(made, 0, (num_ports + 1) * sizeof(*made));
	for (i = 0; i <= num_ports; i++)
		ck_assert_int_eq(hca_port_init(&made[i], node, i, &ops, cpu_to_be64(SWITCH_GUID)),
				 0);
}

static void make_switch(struct hca_switch *sw)
{
	*sw = (struct hca_switch){
		.node.type = HCA_NODE_SWITCH,
		.node.node_guid = cpu_to_be64(SWITCH_GUID),
		.node.system_image_guid = cpu_to_be64(SWITCH_GUID),
		.info.default_port = HCA_NO_PORT,
		.info.default_multicast_primary = HCA_NO_PORT,
		.info.default_multicast_not_primary = HCA_NO_PORT,
		.lft = lft, .mft = mft, .mft_positions = POSITIONS, .sl2vl = sl2vl,
	};
	spin_lock_init(&sw->lock);
	make_ports(&sw->node, ports, SWITCH_PORTS);
	ports[0].info.state = HCA_PORT_ACTIVE;
	ports[0].info.phys_state = HCA_PHYS_LINK_UP;
	memset(lft, HCA_NO_PORT, sizeof(lft));
	memset(mft, 0, sizeof(mft));
	memset(sl2vl, 0, sizeof(sl2vl));
}

static void unmake_ports(struct hca_node *node)
{
	unsigned int i;

	for (i = 0; i <= node->num_ports; i++)
		hca_port_destroy(&node->ports[i]);
}

static void setup(void)
{
	shim_reset(1);
	hca_engine_start();
	make_switch(&agent_switch);
	far_node = (struct hca_node){ .type = HCA_NODE_CA };
	make_ports(&far_node, far_ports, 1);
	hca_cable_plug(&ports[1], &far_ports[1]);
	agent_target = &agent_switch.node;
	agent_num_seen = 0;
}

static void teardown(void)
{
	hca_cable_unplug(&ports[1]);
	unmake_ports(&agent_switch.node);
	unmake_ports(&far_node);
	hca_engine_stop();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}

void agent_switch_add_tests(Suite *suite, const char *name, const TTest *const *tests)
{
	TCase *tc = tcase_create(name);

	tcase_add_checked_fixture(tc, setup, teardown);
	for (; *tests; tests++)
		tcase_add_test(tc, *tests);
	suite_add_tcase(suite, tc);
}

u16 switch_set(u16 attr, u32 mod, const void *data)
{
	agent_request(IB_SMI_CLASS, IB_MAD_METHOD_SET, attr, mod);
	memcpy(agent_rq.octets + DATA, data, 64);
	return agent_ask();
}
