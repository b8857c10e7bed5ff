/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Finds which node of a topology is which one of another. */
#ifndef TOPOLOGY_MATCH_H
#define TOPOLOGY_MATCH_H

#include "topology.h"

struct match {
	size_t *to; /* for each node of the first topology, that of the second, or NO_NODE */
	size_t *from; /* the other way round */
};

/* Begins with no node matched. */
void match_init(struct match *match, const struct topology *a, const struct topology *b);
void match_clear(struct match *match);

/* Matches nodes of one name; then, of the rest, those of one label. Return: how many. */
size_t match_names(struct match *match, const struct topology *a, const struct topology *b);

/*
 * Matches nodes by their types, numbers of ports, and the ports by which they are linked with
 * others, whatever their names are. If the topologies have the same shape, every node is matched in
 * such a way that every link is; otherwise, as many as are found.
 */
void match_shape(struct match *match, const struct topology *a, const struct topology *b);

#endif
