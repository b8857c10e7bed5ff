/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The boxes of a picture: nodes that are drawn as one, because they have the same neighbours. */
#ifndef TOPOLOGY_BOX_H
#define TOPOLOGY_BOX_H

#include "topology.h"

struct boxes {
	const struct topology *topology;
	unsigned int *levels, highest; /* of topology_levels() */
	size_t *sorted; /* nodes by label */
	size_t *place; /* of each node in that order */
	size_t *of; /* for each node, the first node of its box, which stands for the box */
};

/* Begins with each node in a box of its own. */
void boxes_init(struct boxes *boxes, const struct topology *topology);
void boxes_clear(struct boxes *boxes);

/*
 * Puts adapters into one box that are linked with the same boxes, or with none. Those that are
 * linked with an adapter, or with a switch that is in @expanded, have their own.
 */
void boxes_group_hosts(struct boxes *boxes, const bool *expanded);

/*
 * Puts switches that have adapters into one box that are linked with the same switches above. Those
 * that are in @expanded have their own.
 */
void boxes_group_leaves(struct boxes *boxes, const bool *expanded);

/*
 * Puts other switches of one level into one box that are linked with the same boxes below, from the
 * lowest level on. Those that are in @expanded have their own.
 */
void boxes_group_spines(struct boxes *boxes, const bool *expanded);

size_t boxes_count(const struct boxes *boxes);

/* Returns the next node behind @node, in the order of labels, of the same box; or NO_NODE. */
size_t boxes_next(const struct boxes *boxes, size_t node);

#endif
