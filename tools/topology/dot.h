/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Writes a topology as a graph for graphviz. */
#ifndef TOPOLOGY_DOT_H
#define TOPOLOGY_DOT_H

#include <stdio.h>
#include "topology.h"

enum dot_detail {
	DOT_AS_FITS, /* one box for each node if there are few nodes, otherwise grouped */
	DOT_EACH,
	DOT_GROUPED,
};

/* Options of a picture. If all are zero, the picture suits most topologies. */
struct dot_wishes {
	/*
	 * detail of adapters; if grouped, adapters that are linked with the same nodes are one box
	 */
	enum dot_detail hosts;
	/*
	 * detail of switches; if grouped, switches that are linked with the same nodes are one box
	 */
	enum dot_detail switches;
	/* names or labels of switches that are not grouped, separated by commas; NULL: none */
	const char *expand;
};

/*
 * Writes a graph, or reports that a switch in @wishes->expand does not exist. If each node has a
 * box of its own, each link is a line with port numbers. Otherwise all links between two boxes are
 * one line. Return: whether the graph was written.
 */
bool topology_write_dot(FILE *file, const struct topology *topology,
			const struct dot_wishes *wishes, struct report *report);

#endif
