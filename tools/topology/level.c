// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Computes levels and connected components of a topology. */
#include "level.h"
#include <stdlib.h>
#include "tools/lib/memory.h"

/* A queue of nodes. Each node enters the queue once. */
struct queue {
	size_t *nodes;
	size_t first, count;
};

static struct queue queue_new(const struct topology *topology)
{
	return (struct queue){
		.nodes = need(malloc((topology->num_nodes + 1) * sizeof(size_t))),
	};
}

/*
 * Visits the nodes that can be reached from the nodes in the queue, in breadth-first order. Calls
 * @reach for each node @to that is adjacent to a visited node @from. If @reach returns true, @to
 * enters the queue.
 */
static void level_walk(const struct topology *topology, struct queue *queue,
		       bool (*reach)(void *arg, size_t from, size_t to), void *arg)
{
	struct topology_end from, to;

	while (queue->first < queue->count) {
		from.node = queue->nodes[queue->first++];
		for (from.port = 1; from.port <= topology->nodes[from.node].num_ports; from.port++)
			if (topology_peer(topology, from, &to) && reach(arg, from.node, to.node))
				queue->nodes[queue->count++] = to.node;
	}
}

#define NO_LEVEL (~0u)

static bool reach_level(void *arg, size_t from, size_t to)
{
	unsigned int *levels = arg;

	if (levels[to] != NO_LEVEL)
		return false;
	levels[to] = levels[from] + 1;
	return true;
}

unsigned int *topology_levels(const struct topology *topology, unsigned int *highest)
{
	unsigned int *levels = need(malloc((topology->num_nodes + 1) * sizeof(*levels)));
	struct queue queue = queue_new(topology);
	size_t i;

	for (i = 0; i < topology->num_nodes; i++) {
		levels[i] = NO_LEVEL;
		if (topology->nodes[i].type == NODE_CA) {
			levels[i] = 0;
			queue.nodes[queue.count++] = i;
		}
	}
	level_walk(topology, &queue, reach_level, levels);
	free(queue.nodes);

	*highest = 0;
	for (i = 0; i < topology->num_nodes; i++) {
		if (levels[i] == NO_LEVEL)
			levels[i] = 1;
		if (levels[i] > *highest)
			*highest = levels[i];
	}
	return levels;
}

static bool reach_part(void *arg, size_t from, size_t to)
{
	size_t *part = arg;

	if (part[to] != NO_NODE)
		return false;
	part[to] = part[from];
	return true;
}

size_t *topology_parts(const struct topology *topology, size_t *parts)
{
	size_t i, *part = need(malloc((topology->num_nodes + 1) * sizeof(*part)));
	struct queue queue = queue_new(topology);

	for (i = 0; i < topology->num_nodes; i++)
		part[i] = NO_NODE;
	*parts = 0;
	for (i = 0; i < topology->num_nodes; i++) {
		if (part[i] != NO_NODE)
			continue;
		++*parts;
		part[i] = i;
		queue.nodes[queue.count++] = i;
		level_walk(topology, &queue, reach_part, part);
	}
	free(queue.nodes);
	return part;
}
