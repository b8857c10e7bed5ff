// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The shape of a fabric: its switches, ends and cables, and the forwarding tables. */
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/string.h>
#include "engine/run.h"
#include "fabric.h"
#include "link/port/port_init.h"
#include "link/state/state.h"
#include "phy/cable.h"
#include "sma/agent.h"

#define LARGEST_PACKET 67 /* blocks of 64 octets */

static const struct hca_port_ops end_ops = {
	.receive = fabric_receive,
	.receive_smp = fabric_receive,
};

static void port_activate(struct hca_port *port)
{
	local_bh_disable();
	if (hca_port_set_state(port, IB_PORT_ARMED) || hca_port_set_state(port, IB_PORT_ACTIVE))
		sim_fail("a port does not become Active");
	hca_engine_run();
	local_bh_enable();
}

void fabric_connect(struct fabric_cable *cable)
{
	if (hca_cable_connect(cable->port[0], cable->port[1]))
		sim_fail("a cable cannot be connected");
	port_activate(cable->port[0]);
	port_activate(cable->port[1]);
	cable->connected = true;
}

static void set_buffer(struct hca_port *port)
{
	if (sim_chance(1, 2))
		port->rx_buffer.vl_blocks = LARGEST_PACKET + sim_below(HCA_VL_BUFFER_BLOCKS -
								      LARGEST_PACKET);
}

static void add_cable(struct hca_port *a, u8 from, struct hca_port *b, u8 to)
{
	struct fabric_cable *cable = &fabric.cable[fabric.num_cables++];

	*cable = (struct fabric_cable){ .port = { a, b }, .sw = { from, to } };
	set_buffer(a);
	set_buffer(b);
	fabric_connect(cable);
}

/* Return: a port of a switch that has no cable. */
static struct hca_port *free_port(u32 sw)
{
	struct hca_node *node = &fabric.sw[sw]->node;
	u8 num;

	for (num = 1; rcu_access_pointer(node->ports[num].peer); num++)
		;
	return &node->ports[num];
}

static void add_end(u32 index)
{
	struct fabric_end *end = &fabric.end[index];
	struct hca_port *port;

	hca_packet_pool_init(&end->pool, NULL, sim_chance(1, 4) ? 4 + sim_below(60) : 4096);
	hca_node_init(&end->node, RDMA_NODE_IB_CA, cpu_to_be64(0x8000 + index), "end", &end->pool,
		      &hca_agent);
	if (hca_node_init_port(&end->port, &end->node, 1, &end_ops, 0))
		sim_fail("no port");
	end->port.info.lid = FABRIC_FIRST_LID + index;
	end->sw = sim_below(fabric.num_switches);
	end->groups = sim_below(1 << FABRIC_GROUPS);
	port = free_port(end->sw);
	end->sw_port = port->num;
	add_cable(port, end->sw, &end->port, FABRIC_SWITCHES + index);
}

void fabric_new(void)
{
	u32 i, from;

	memset(&fabric, 0, sizeof(fabric));
	fabric.calm = sim_chance(1, 3);
	if (hca_engine_start())
		sim_fail("no engine");
	fabric.num_switches = 1 + sim_below(FABRIC_SWITCHES);
	fabric.num_ends = 2 + sim_below(FABRIC_ENDS - 1);
	for (i = 0; i < fabric.num_switches; i++) {
		fabric.sw[i] = hca_switch_new(FABRIC_PORTS, cpu_to_be64(0x1000 * (i + 1)), "switch",
					      false, &hca_agent);
		if (IS_ERR(fabric.sw[i]))
			sim_fail("no switch");
	}
	for (i = 1; i < fabric.num_switches; i++) {
		from = sim_below(i);
		add_cable(free_port(from), from, free_port(i), i);
	}
	/* Cables more than a tree needs: loops, and several between the same switches. */
	for (i = fabric.num_switches > 1 ? sim_below(4) : 0; i; i--) {
		from = 1 + sim_below(fabric.num_switches - 1);
		add_cable(free_port(from - 1), from - 1, free_port(from), from);
	}
	for (i = 0; i < fabric.num_ends; i++)
		add_end(i);
	fabric_route();
}

void fabric_free(void)
{
	struct fabric_end *end;
	u32 i;

	for (i = 0; i < fabric.num_cables; i++)
		if (fabric.cable[i].connected)
			hca_cable_disconnect(fabric.cable[i].port[0]);
	shim_run_until_idle();
	for (i = 0; i < fabric.num_ends; i++)
		hca_port_destroy(&fabric.end[i].port);
	for (i = 0; i < fabric.num_switches; i++)
		hca_switch_free(fabric.sw[i]);
	for (end = fabric.end; end < fabric.end + fabric.num_ends; end++) {
		if (end->pool.in_use)
			sim_fail("end %u: %u packets never came home", (u32)(end - fabric.end),
				 end->pool.in_use);
		hca_packet_pool_destroy(&end->pool);
	}
	hca_engine_stop();
	shim_quiesce();
	if (shim_live_allocations())
		sim_fail("%lu allocations are left", shim_live_allocations());
}

/* Return: which side of a connected cable between switches is @sw; -1: neither. */
static int side_of(const struct fabric_cable *cable, u32 sw)
{
	if (!cable->connected || cable->sw[0] >= FABRIC_SWITCHES ||
	    cable->sw[1] >= FABRIC_SWITCHES)
		return -1;
	return cable->sw[0] == sw ? 0 : cable->sw[1] == sw ? 1 : -1;
}

static void set_multicast(u32 sw, u32 group, u8 port)
{
	struct hca_switch *s = fabric.sw[sw];
	u32 entry = (FABRIC_FIRST_MLID - HCA_LID_MULTICAST + group) * s->mft_positions;

	s->mft[entry + port / HCA_MFT_POSITION_PORTS] |= 1u << port % HCA_MFT_POSITION_PORTS;
}

/*
 * Visit all switches from @root, breadth first. Each one's way towards @root is the cable by which
 * it was found: the tree's. @up: for each switch the number of its port there, 0 if none;
 * @parent: the switch behind it. Return: the switches in the order in which they were found.
 */
static u32 span(u32 root, u8 *up, u8 *parent, u8 *order)
{
	u32 found = 1, at, i;
	int side;
	u8 other;

	memset(up, 0, FABRIC_SWITCHES);
	order[0] = root;
	for (at = 0; at < found; at++)
		for (i = 0; i < fabric.num_cables; i++) {
			side = side_of(&fabric.cable[i], order[at]);
			other = side < 0 ? root : fabric.cable[i].sw[!side];
			if (other == root || up[other])
				continue;
			up[other] = fabric.cable[i].port[!side]->num;
			parent[other] = order[at];
			order[found++] = other;
		}
	return found;
}

static void route_unicast(u32 index)
{
	const struct fabric_end *end = &fabric.end[index];
	u8 up[FABRIC_SWITCHES], parent[FABRIC_SWITCHES], order[FABRIC_SWITCHES];
	u32 i;

	span(end->sw, up, parent, order);
	for (i = 0; i < fabric.num_switches; i++)
		fabric.sw[i]->lft[FABRIC_FIRST_LID + index] =
			i == end->sw ? end->sw_port : up[i] ? up[i] : HCA_NO_PORT;
}

/* Return: the number of the port at the upper end of the cable by which a switch was found. */
static u8 port_down(u32 sw, u8 up)
{
	u32 i;

	for (i = 0; i < fabric.num_cables; i++) {
		int side = side_of(&fabric.cable[i], sw);

		if (side >= 0 && fabric.cable[i].port[side]->num == up)
			return fabric.cable[i].port[!side]->num;
	}
	return 0;
}

/* One tree for all groups, of the switches that can be reached from @root. */
static void route_multicast(u32 root)
{
	u8 up[FABRIC_SWITCHES], parent[FABRIC_SWITCHES] = {}, order[FABRIC_SWITCHES];
	u32 found = span(root, up, parent, order), group, i;

	fabric.part[root] = root;
	for (i = 1; i < found; i++) {
		fabric.part[order[i]] = root;
		for (group = 0; group < FABRIC_GROUPS; group++) {
			set_multicast(order[i], group, up[order[i]]);
			set_multicast(parent[order[i]], group,
				      port_down(order[i], up[order[i]]));
		}
	}
}

static void route_members(const struct fabric_end *end)
{
	u32 group;

	for (group = 0; group < FABRIC_GROUPS; group++)
		if (end->groups & BIT(group))
			set_multicast(end->sw, group, end->sw_port);
}

void fabric_route(void)
{
	u32 i;

	for (i = 0; i < fabric.num_switches; i++) {
		struct hca_switch *sw = fabric.sw[i];

		sw->info.linear_fdb_top = FABRIC_FIRST_LID + fabric.num_ends;
		memset(sw->mft, 0, (FABRIC_GROUPS + 1) * sw->mft_positions * sizeof(*sw->mft));
	}
	memset(fabric.part, FABRIC_SWITCHES, sizeof(fabric.part));
	for (i = 0; i < fabric.num_switches; i++)
		if (fabric.part[i] == FABRIC_SWITCHES)
			route_multicast(i);
	for (i = 0; i < fabric.num_ends; i++) {
		route_unicast(i);
		route_members(&fabric.end[i]);
	}
}
