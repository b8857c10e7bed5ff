/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Writes a topology as a graph for graphviz. */
#ifndef TOPOLOGY_DOT_H
#define TOPOLOGY_DOT_H

#include <stdio.h>
#include "topology.h"

enum dot_detail {
	DOT_AS_FITS, /* each as long as there are few */
	DOT_EACH,
	DOT_GROUPED,
};

/* All zero is what suits most topologies. */
struct dot_wishes {
	enum dot_detail hosts; /* grouped: those with the same neighbours are one box */
	enum dot_detail switches; /* grouped: so are switches above those that have adapters */
	const char *expand; /* names of switches that have no part in this, with commas between */
};

/*
 * Writes a graph, or reports that there is no such switch as is to be expanded. If each node has a
 * box of its own, links have port numbers; otherwise those between the same two boxes are one line.
 * Return: whether it was written.
 */
bool topology_write_dot(FILE *file, const struct topology *topology,
			const struct dot_wishes *wishes, struct report *report);

#endif
