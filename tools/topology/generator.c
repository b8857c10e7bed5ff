// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Functions that all generators use. They add nodes with consecutive names and GUIDs, and links
 * between them.
 */
#include "generator.h"
#include <stdio.h>

/*
 * GUIDs of the first adapter and the first switch. They are locally administered, and outside of
 * the range of GUIDs that are derived from names.
 */
#define FIRST_HOST_GUID 0x0200000100000010ULL
#define FIRST_SWITCH_GUID 0x0200000200000010ULL
/* difference of the GUIDs of consecutive nodes, with room for the GUIDs of ports */
#define GUID_STEP 0x10

static const struct rate generated_rate = { 4, EDR };

static size_t generator_add(struct topology *topology, enum node_type type, const char *prefix,
			    size_t number, uint64_t first_guid, unsigned int ports)
{
	uint64_t guid = first_guid + topology->num_of[type] * GUID_STEP;
	char name[TOPOLOGY_NAME_MAX + 1];

	snprintf(name, sizeof(name), "%s%zu", prefix, number);
	topology_add_node(topology, type, name, guid, ports);
	return topology->num_nodes - 1;
}

size_t generate_switch(struct topology *topology, const char *prefix, size_t number,
		       unsigned int ports)
{
	return generator_add(topology, NODE_SWITCH, prefix, number, FIRST_SWITCH_GUID, ports);
}

size_t generate_host(struct topology *topology)
{
	return generator_add(topology, NODE_CA, "host", topology->num_of[NODE_CA] + 1,
			     FIRST_HOST_GUID, 1);
}

void generate_link(struct topology *topology, size_t a, unsigned int a_port, size_t b,
		   unsigned int b_port)
{
	topology_add_link(topology, (struct topology_end){ a, a_port },
			  (struct topology_end){ b, b_port }, generated_rate);
}

void generate_hosts(struct topology *topology, size_t at, unsigned int count)
{
	unsigned int port;

	for (port = 1; port <= count; port++)
		generate_link(topology, at, port, generate_host(topology), 1);
}
