// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Groups nodes of a picture into boxes. Nodes that are linked with the same nodes are drawn as one
 * box.
 */
#define _GNU_SOURCE
#include "box.h"
#include <stdlib.h>
#include <string.h>
#include "label.h"
#include "level.h"
#include "tools/lib/memory.h"

/* The properties of a node that are equal for all nodes of a box. */
struct key {
	size_t node;
	unsigned int level;
	size_t *neighbors; /* boxes of adjacent nodes, sorted and without repetitions */
	size_t count;
};

struct keys {
	struct key *keys;
	size_t count;
};

void boxes_init(struct boxes *boxes, const struct topology *topology)
{
	size_t i, size = (topology->num_nodes + 1) * sizeof(size_t);

	*boxes = (struct boxes){
		.topology = topology, .sorted = topology_sort_labels(topology),
		.place = need(malloc(size)), .of = need(malloc(size)),
	};
	boxes->levels = topology_levels(topology, &boxes->highest);
	for (i = 0; i < topology->num_nodes; i++) {
		boxes->place[boxes->sorted[i]] = i;
		boxes->of[i] = i;
	}
}

void boxes_clear(struct boxes *boxes)
{
	free(boxes->levels);
	free(boxes->sorted);
	free(boxes->place);
	free(boxes->of);
	*boxes = (struct boxes){};
}

/*
 * Joins the boxes of two nodes. Each box is represented by a node. The first of these two nodes, by
 * label, represents the joined box.
 */
static void boxes_join(struct boxes *boxes, size_t a, size_t b)
{
	size_t i, first = boxes->of[a], second = boxes->of[b];

	if (first == second)
		return;
	if (boxes->place[second] < boxes->place[first]) {
		first = boxes->of[b];
		second = boxes->of[a];
	}
	for (i = 0; i < boxes->topology->num_nodes; i++)
		if (boxes->of[i] == second)
			boxes->of[i] = first;
}

static int compare_numbers(const void *a, const void *b)
{
	size_t one = *(const size_t *)a, other = *(const size_t *)b;

	return (one > other) - (one < other);
}

static int compare_keys(const void *a, const void *b)
{
	const struct key *one = a, *other = b;

	if (one->level != other->level)
		return one->level < other->level ? -1 : 1;
	if (one->count != other->count)
		return one->count < other->count ? -1 : 1;
	return memcmp(one->neighbors, other->neighbors, one->count * sizeof(size_t));
}

static void sort_once(struct key *key)
{
	size_t i, count = 0;

	qsort(key->neighbors, key->count, sizeof(size_t), compare_numbers);
	for (i = 0; i < key->count; i++)
		if (!i || key->neighbors[i] != key->neighbors[i - 1])
			key->neighbors[count++] = key->neighbors[i];
	key->count = count;
}

/*
 * Adds the key of a node. The key lists the boxes of those adjacent nodes for which @counts returns
 * true.
 */
static void add_key(struct keys *keys, const struct boxes *boxes, size_t node,
		    bool (*counts)(const struct boxes *boxes, size_t node, size_t neighbor))
{
	const struct topology *topology = boxes->topology;
	struct topology_end from = { .node = node }, to;
	struct key *key;

	keys->keys = grow(keys->keys, keys->count, sizeof(*key));
	key = &keys->keys[keys->count++];
	*key = (struct key){ .node = node, .level = boxes->levels[node] };
	key->neighbors = need(malloc((topology->nodes[node].num_ports + 1) * sizeof(size_t)));
	for (from.port = 1; from.port <= topology->nodes[node].num_ports; from.port++)
		if (topology_peer(topology, from, &to) && counts(boxes, node, to.node))
			key->neighbors[key->count++] = boxes->of[to.node];
	sort_once(key);
}

/*
 * Joins the boxes of nodes whose keys are equal, and frees the keys. Nodes with fewer than @least
 * adjacent boxes are not joined.
 */
static void join_equal(struct boxes *boxes, struct keys *keys, size_t least)
{
	size_t i;

	if (keys->count)
		qsort(keys->keys, keys->count, sizeof(*keys->keys), compare_keys);
	for (i = 1; i < keys->count; i++)
		if (keys->keys[i].count >= least &&
		    !compare_keys(&keys->keys[i - 1], &keys->keys[i]))
			boxes_join(boxes, keys->keys[i - 1].node, keys->keys[i].node);
	for (i = 0; i < keys->count; i++)
		free(keys->keys[i].neighbors);
	free(keys->keys);
}

static bool is_any(const struct boxes *boxes, size_t node, size_t neighbor)
{
	(void)boxes;
	(void)node;
	(void)neighbor;
	return true;
}

static bool is_above(const struct boxes *boxes, size_t node, size_t neighbor)
{
	return boxes->levels[neighbor] > boxes->levels[node];
}

static bool is_below(const struct boxes *boxes, size_t node, size_t neighbor)
{
	return boxes->levels[neighbor] < boxes->levels[node];
}

/*
 * Returns whether an adapter has a box of its own, because it is linked with an adapter or an
 * expanded switch.
 */
static bool stands_alone(const struct boxes *boxes, size_t host, const bool *expanded)
{
	const struct topology *topology = boxes->topology;
	struct topology_end from = { .node = host }, to;

	for (from.port = 1; from.port <= topology->nodes[host].num_ports; from.port++)
		if (topology_peer(topology, from, &to) &&
		    (topology->nodes[to.node].type == NODE_CA || expanded[to.node]))
			return true;
	return false;
}

void boxes_group_hosts(struct boxes *boxes, const bool *expanded)
{
	const struct topology *topology = boxes->topology;
	struct keys keys = {};
	size_t i;

	for (i = 0; i < topology->num_nodes; i++)
		if (topology->nodes[i].type == NODE_CA && !stands_alone(boxes, i, expanded))
			add_key(&keys, boxes, i, is_any);
	join_equal(boxes, &keys, 0);
}

/*
 * Groups the switches of one level that are linked with the same boxes. Only adjacent nodes for
 * which @counts returns true are compared.
 */
static void group_level(struct boxes *boxes, const bool *expanded, unsigned int level,
			bool (*counts)(const struct boxes *boxes, size_t node, size_t neighbor))
{
	const struct topology *topology = boxes->topology;
	struct keys keys = {};
	size_t i;

	for (i = 0; i < topology->num_nodes; i++)
		if (boxes->levels[i] == level && !expanded[i])
			add_key(&keys, boxes, i, counts);
	join_equal(boxes, &keys, 1);
}

void boxes_group_leaves(struct boxes *boxes, const bool *expanded)
{
	group_level(boxes, expanded, 1, is_above);
}

void boxes_group_spines(struct boxes *boxes, const bool *expanded)
{
	unsigned int level;

	for (level = 2; level <= boxes->highest; level++)
		group_level(boxes, expanded, level, is_below);
}

size_t boxes_count(const struct boxes *boxes)
{
	size_t i, count = 0;

	for (i = 0; i < boxes->topology->num_nodes; i++)
		count += boxes->of[i] == i;
	return count;
}

size_t boxes_next(const struct boxes *boxes, size_t node)
{
	size_t i;

	for (i = boxes->place[node] + 1; i < boxes->topology->num_nodes; i++)
		if (boxes->of[boxes->sorted[i]] == boxes->of[node])
			return boxes->sorted[i];
	return NO_NODE;
}
