/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The boxes of a picture. Nodes that are linked with the same nodes are drawn as one box. */
#ifndef TOPOLOGY_BOX_H
#define TOPOLOGY_BOX_H

#include "topology.h"

struct boxes {
	const struct topology *topology;
	/* level of each node, and the highest level, from topology_levels() */
	unsigned int *levels, highest;
	size_t *sorted; /* indices of all nodes, sorted by label */
	size_t *place; /* position of each node in @sorted */
	size_t *of; /* for each node, the representative of its box: the first node by label */
};

/* Puts each node into a box of its own. */
void boxes_init(struct boxes *boxes, const struct topology *topology);
void boxes_clear(struct boxes *boxes);

/*
 * Groups adapters that are linked with the same boxes, or that do not have links. An adapter that
 * is linked with another adapter, or with a switch in @expanded, has a box of its own.
 */
void boxes_group_hosts(struct boxes *boxes, const bool *expanded);

/*
 * Groups switches that have adapters and are linked with the same switches above. A switch in
 * @expanded has a box of its own.
 */
void boxes_group_leaves(struct boxes *boxes, const bool *expanded);

/*
 * Groups switches of one level that do not have adapters and are linked with the same boxes below,
 * from the lowest level on. A switch in @expanded has a box of its own.
 */
void boxes_group_spines(struct boxes *boxes, const bool *expanded);

size_t boxes_count(const struct boxes *boxes);

/*
 * Returns the node of @node's box that follows @node in the order of labels; NO_NODE if @node is
 * the last one.
 */
size_t boxes_next(const struct boxes *boxes, size_t node);

#endif
