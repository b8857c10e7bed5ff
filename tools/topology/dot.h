/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Writes a topology as a graph for graphviz. */
#ifndef TOPOLOGY_DOT_H
#define TOPOLOGY_DOT_H

#include <stdio.h>
#include "topology.h"

/* With more nodes, single nodes would be too small to be read. */
#define DOT_EACH_MAX 60

/*
 * @grouped: adapters of one switch share a box, and links between the same two switches are one
 * line. Otherwise each node and link is drawn, with port numbers.
 */
void topology_write_dot(FILE *file, const struct topology *topology, bool grouped);

#endif
