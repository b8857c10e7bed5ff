/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A topology as a picture: text that graphviz draws. */
#ifndef TOPOLOGY_DOT_H
#define TOPOLOGY_DOT_H

#include <stdio.h>
#include "topology.h"

/* With more nodes than these, a picture of each would be too small to be read. */
#define DOT_EACH_MAX 60

/*
 * @grouped: adapters of one switch are one box, and links between the same two switches one
 * line; else everything is drawn by itself, with port numbers.
 */
void topology_write_dot(FILE *file, const struct topology *topology, bool grouped);

#endif
