/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Compares two topologies. */
#ifndef TOPOLOGY_DIFF_H
#define TOPOLOGY_DIFF_H

#include "match.h"

/*
 * A node or a link that only one of the topologies has, or that both have otherwise. What the first
 * and the second have is NULL if it is not there.
 */
struct difference {
	const struct topology_node *nodes[2];
	const struct topology_link *links[2];
};

struct differences {
	struct difference *items;
	size_t count;
};

/* A link as it is reported: its lesser end first. */
struct link_ends {
	const struct topology_node *nodes[2];
	unsigned int ports[2];
};

/*
 * Finds the differences of two topologies whose nodes have been matched: types and numbers of ports
 * of nodes; the ends of links; and their rates, where both are known. Nodes are first, both are
 * sorted.
 */
void topology_diff(struct differences *differences, const struct topology *a,
		   const struct topology *b, const struct match *match);
void differences_clear(struct differences *differences);

/*
 * Returns the ends of a link of the second topology, or of the first if @match is NULL. Nodes that
 * are matched are those of the first, so that names are the same.
 */
struct link_ends topology_link_ends(const struct topology *a, const struct topology *b,
				    const struct match *match, const struct topology_link *link);

#endif
