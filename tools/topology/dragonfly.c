// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Generates dragonflies. Each switch is linked to all other switches of its group, and each group
 * to all other groups.
 */
#include "generator.h"

/*
 * The parameters of a dragonfly. The first ports of a switch lead to adapters, the next ones to its
 * group, and the last ones to other groups.
 */
struct shape {
	unsigned int routers, hosts, links;
	unsigned int groups;
};

/*
 * Links each pair of a group's switches. The ports that follow a switch's ports to adapters lead to
 * the other switches of the group, in order. @first is the index of the group's first switch.
 */
static void link_group(struct topology *topology, const struct shape *shape, size_t first)
{
	unsigned int i, j;

	for (i = 0; i < shape->routers; i++)
		for (j = i + 1; j < shape->routers; j++)
			generate_link(topology, first + i, shape->hosts + j, first + j,
				      shape->hosts + i + 1);
}

/*
 * Finds the switch and port of a group's global link number @k (from 0). The groups form a ring, in
 * which link k leads to the group that is k + 1 positions further.
 */
static void find_link(const struct shape *shape, unsigned int group, unsigned int k, size_t *node,
		      unsigned int *port)
{
	*node = (size_t)group * shape->routers + k / shape->links;
	*port = shape->hosts + shape->routers - 1 + k % shape->links + 1;
}

static void link_groups(struct topology *topology, const struct shape *shape)
{
	unsigned int group, other, k, a_port, b_port;
	size_t a, b;

	for (group = 0; group < shape->groups; group++)
		for (k = 0; group + k + 1 < shape->groups; k++) {
			other = group + k + 1;
			find_link(shape, group, k, &a, &a_port);
			/*
			 * For the other group, this group is groups - (k + 1) positions further in
			 * the ring.
			 */
			find_link(shape, other, shape->groups - k - 2, &b, &b_port);
			generate_link(topology, a, a_port, b, b_port);
		}
}

const char *generate_dragonfly(struct topology *topology, unsigned int routers,
			       unsigned int hosts, unsigned int links)
{
	struct shape shape = { routers, hosts, links, .groups = routers * links + 1 };
	size_t i, switches;

	if (!routers || !links || routers > TOPOLOGY_SWITCH_PORTS ||
	    links > TOPOLOGY_SWITCH_PORTS || hosts > TOPOLOGY_SWITCH_PORTS ||
	    hosts + routers - 1 + links > TOPOLOGY_SWITCH_PORTS)
		return "routers and links must be 1 or more, and hosts + routers - 1 + links at "
		       "most 254";
	switches = (size_t)shape.groups * routers;
	if (switches * (1 + hosts) > GENERATE_MAX)
		return "there would be more nodes than a subnet has LIDs";
	for (i = 0; i < switches; i++)
		generate_switch(topology, "s", i + 1, hosts + routers - 1 + links);
	for (i = 0; i < switches; i++)
		generate_hosts(topology, i, hosts);
	for (i = 0; i < shape.groups; i++)
		link_group(topology, &shape, i * routers);
	link_groups(topology, &shape);
	return NULL;
}
