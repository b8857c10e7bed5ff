/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The shape of a topology: what hangs together, and how far from the edge. */
#ifndef TOPOLOGY_LEVEL_H
#define TOPOLOGY_LEVEL_H

#include "topology.h"

/*
 * Of each node how many links it is away from the nearest channel adapter, which are level 0
 * themselves; switches that reach none have 1. To be freed. *highest: of all.
 */
unsigned int *topology_levels(const struct topology *topology, unsigned int *highest);

/*
 * Of each node the first node that it is joined with, by whatever path. To be freed.
 * *parts: how many such nodes there are.
 */
size_t *topology_parts(const struct topology *topology, size_t *parts);

#endif
