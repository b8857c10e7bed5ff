/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Compares two topologies. */
#ifndef TOPOLOGY_DIFF_H
#define TOPOLOGY_DIFF_H

#include "match.h"

/*
 * A node or a link that only one topology has, or that differs between them. An entry is NULL if
 * its topology does not have the node or link.
 */
struct difference {
	const struct topology_node *nodes[2];
	const struct topology_link *links[2];
};

struct differences {
	struct difference *items;
	size_t count;
};

/* The ends of a link in a report, sorted by label and then by port number. */
struct link_ends {
	const struct topology_node *nodes[2];
	unsigned int ports[2];
};

/*
 * Finds the differences of two topologies whose nodes have been matched. These are nodes with
 * different types or numbers of ports, links with different ends, and links with different rates,
 * if both rates are known. The differences are sorted, with nodes before links.
 */
void topology_diff(struct differences *differences, const struct topology *a,
		   const struct topology *b, const struct match *match);
void differences_clear(struct differences *differences);

/*
 * Returns the ends of a link of the second topology, or of the first if @match is NULL. A matched
 * node of the second topology is replaced by its node of the first, so that the names agree.
 */
struct link_ends topology_link_ends(const struct topology *a, const struct topology *b,
				    const struct match *match, const struct topology_link *link);

#endif
