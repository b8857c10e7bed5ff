/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Finds the corresponding nodes of two topologies. */
#ifndef TOPOLOGY_MATCH_H
#define TOPOLOGY_MATCH_H

#include "topology.h"

struct match {
	size_t *to; /* for each node of the first topology, its node of the second, or NO_NODE */
	size_t *from; /* for each node of the second topology, its node of the first, or NO_NODE */
};

/* Initializes a match, in which all nodes are unmatched. */
void match_init(struct match *match, const struct topology *a, const struct topology *b);
void match_clear(struct match *match);

/*
 * Matches nodes with equal names, then the remaining nodes with equal labels.
 * Return: the number of matched nodes.
 */
size_t match_names(struct match *match, const struct topology *a, const struct topology *b);

/*
 * Matches nodes by their types, numbers of ports, and the ports that link them with others; names
 * do not matter. If the topologies have one shape, all nodes are matched such that all links match,
 * too; otherwise, as many as are found.
 */
void match_shape(struct match *match, const struct topology *a, const struct topology *b);

#endif
