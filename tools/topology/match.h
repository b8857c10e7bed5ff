/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Finds the corresponding nodes of two topologies. */
#ifndef TOPOLOGY_MATCH_H
#define TOPOLOGY_MATCH_H

#include "topology.h"

struct match {
	size_t *to; /* for each node of the first topology, its node of the second, or NO_NODE */
	size_t *from; /* for each node of the second topology, its node of the first, or NO_NODE */
};

/* Initializes @match. All nodes are unmatched then. */
void match_init(struct match *match, const struct topology *a, const struct topology *b);
void match_clear(struct match *match);

/*
 * Matches nodes with equal names. Then matches remaining nodes with equal labels. Return: the
 * number of matched nodes.
 */
size_t match_names(struct match *match, const struct topology *a, const struct topology *b);

/*
 * Matches nodes by type, number of ports, and the ports that link them with other nodes. Names do
 * not matter. If the topologies only differ in names, all nodes are matched so that all links
 * match, too. Otherwise, as many nodes are matched as possible.
 */
void match_shape(struct match *match, const struct topology *a, const struct topology *b);

#endif
