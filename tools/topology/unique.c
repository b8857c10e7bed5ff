// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Checks that names and GUIDs are unique. */
#include "unique.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tools/lib/memory.h"

void check_unique_names(const struct topology *topology, const size_t *sorted,
			struct report *report_to)
{
	const struct topology_node *node, *before;
	size_t i;

	for (i = 1; i < topology->num_nodes; i++) {
		before = &topology->nodes[sorted[i - 1]];
		node = &topology->nodes[sorted[i]];
		if (!strcmp(node->name, before->name))
			report(report_to, &node->place,
			       "line %u has a node \"%s\", too; names must differ",
			       before->place.line, node->name);
	}
}

struct holder {
	uint64_t guid;
	const struct topology_node *node;
	unsigned int port; /* port number of the GUID; 0: the GUID is the node's */
};

static int compare_holders(const void *a, const void *b)
{
	const struct holder *one = a, *other = b;

	if (one->guid != other->guid)
		return one->guid < other->guid ? -1 : 1;
	if (one->node != other->node)
		return one->node < other->node ? -1 : 1;
	return (one->port > other->port) - (one->port < other->port);
}

static size_t list_holders(const struct topology *topology, struct holder *holders)
{
	const struct topology_node *node;
	unsigned int port;
	size_t count = 0;

	for (node = topology->nodes; node < topology->nodes + topology->num_nodes; node++) {
		holders[count++] = (struct holder){ node->guid, node, 0 };
		for (port = 1; port <= node->num_ports; port++)
			if (node->ports[port].guid)
				holders[count++] = (struct holder){ node->ports[port].guid, node,
								    port };
	}
	return count;
}

static void holder_compare(const struct holder *holder, const struct holder *before,
			   struct report *report_to)
{
	if (holder->guid != before->guid)
		return;
	if (holder->node != before->node)
		report(report_to, &holder->node->place,
		       "\"%s\" has GUID 0x%016" PRIx64 ", and so has \"%s\" on line %u",
		       holder->node->name, holder->guid, before->node->name,
		       before->node->place.line);
	else if (before->port)
		report(report_to, &holder->node->place,
		       "ports %u and %u of \"%s\" both have GUID 0x%016" PRIx64, before->port,
		       holder->port, holder->node->name, holder->guid);
}

void check_unique_guids(const struct topology *topology, struct report *report_to)
{
	size_t i, count = 0, room = 0;
	struct holder *holders;

	for (i = 0; i < topology->num_nodes; i++)
		room += topology->nodes[i].num_ports + 1;
	holders = need(malloc((room + 1) * sizeof(*holders)));
	count = list_holders(topology, holders);
	qsort(holders, count, sizeof(*holders), compare_holders);
	for (i = 1; i < count; i++)
		holder_compare(&holders[i], &holders[i - 1], report_to);
	free(holders);
}
