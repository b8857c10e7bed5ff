/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Writes a topology as a graph for graphviz. */
#ifndef TOPOLOGY_DOT_H
#define TOPOLOGY_DOT_H

#include <stdio.h>
#include "topology.h"

enum dot_detail {
	DOT_AS_FITS, /* each if there are few, otherwise grouped */
	DOT_EACH,
	DOT_GROUPED,
};

/* Options of a picture. Options that are all zero suit most topologies. */
struct dot_wishes {
	/* grouped: adapters that are linked with the same nodes are one box */
	enum dot_detail hosts;
	/* grouped: switches that are linked with the same nodes are one box */
	enum dot_detail switches;
	const char *expand; /* names, separated by commas, of switches that are not grouped */
};

/*
 * Writes a graph, or reports that a switch to expand does not exist. If each node has a box of its
 * own, links have port numbers; otherwise the links between two boxes are one line.
 * Return: whether the graph was written.
 */
bool topology_write_dot(FILE *file, const struct topology *topology,
			const struct dot_wishes *wishes, struct report *report);

#endif
