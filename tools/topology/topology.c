// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A model of a fabric: nodes and the links between their ports. */
#define _GNU_SOURCE
#include "topology.h"
#include <stdlib.h>
#include <string.h>
#include "tools/lib/memory.h"

struct topology_node *topology_add_node(struct topology *topology, enum node_type type,
					const char *name, uint64_t guid, unsigned int ports)
{
	struct topology_node *node;
	unsigned int i;

	topology->nodes = grow(topology->nodes, topology->num_nodes, sizeof(*node));
	node = &topology->nodes[topology->num_nodes++];
	topology->num_of[type]++;
	*node = (struct topology_node){
		.type = type, .name = need(strdup(name)), .guid = guid, .num_ports = ports,
		.ports = need(calloc(ports + 1, sizeof(*node->ports))),
	};
	for (i = 0; i <= ports; i++)
		node->ports[i].link = NO_LINK;
	if (type == NODE_SWITCH)
		node->ports[0].guid = guid;
	for (i = 1; type == NODE_CA && i <= ports; i++)
		node->ports[i].guid = guid + i;
	return node;
}

struct topology_link *topology_add_link(struct topology *topology, struct topology_end a,
					struct topology_end b, struct rate rate)
{
	struct topology_link *link;

	topology->links = grow(topology->links, topology->num_links, sizeof(*link));
	topology->nodes[a.node].ports[a.port].link = topology->num_links;
	topology->nodes[b.node].ports[b.port].link = topology->num_links;
	link = &topology->links[topology->num_links++];
	*link = (struct topology_link){ .a = a, .b = b, .rate = rate };
	return link;
}

void topology_clear(struct topology *topology)
{
	struct topology_node *node;

	for (node = topology->nodes; node < topology->nodes + topology->num_nodes; node++) {
		free(node->name);
		free(node->description);
		free(node->ports);
	}
	free(topology->nodes);
	free(topology->links);
	free(topology->file);
	*topology = (struct topology){};
}

bool topology_peer(const struct topology *topology, struct topology_end end,
		   struct topology_end *peer)
{
	size_t index = topology->nodes[end.node].ports[end.port].link;
	const struct topology_link *link;

	if (index == NO_LINK)
		return false;
	link = &topology->links[index];
	*peer = link->a.node == end.node && link->a.port == end.port ? link->b : link->a;
	return true;
}

const char *topology_description(const struct topology_node *node)
{
	return node->description ?: node->name;
}

static int compare_names(const void *a, const void *b, void *arg)
{
	const struct topology *topology = arg;
	size_t i = *(const size_t *)a, j = *(const size_t *)b;

	/* Nodes with equal names are sorted by index. */
	return strcmp(topology->nodes[i].name, topology->nodes[j].name) ?: (i > j) - (i < j);
}

size_t *topology_sort_names(const struct topology *topology)
{
	size_t i, *sorted = need(malloc((topology->num_nodes + 1) * sizeof(*sorted)));

	for (i = 0; i < topology->num_nodes; i++)
		sorted[i] = i;
	qsort_r(sorted, topology->num_nodes, sizeof(*sorted), compare_names, (void *)topology);
	return sorted;
}

size_t topology_find(const struct topology *topology, const size_t *sorted, const char *name,
		     size_t length)
{
	size_t low = 0, high = topology->num_nodes, middle;
	const char *other;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (strncmp(topology->nodes[sorted[middle]].name, name, length) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == topology->num_nodes)
		return NO_NODE;
	other = topology->nodes[sorted[low]].name;
	return !strncmp(other, name, length) && !other[length] ? sorted[low] : NO_NODE;
}
