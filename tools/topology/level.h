/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Computes levels and connected components of a topology. */
#ifndef TOPOLOGY_LEVEL_H
#define TOPOLOGY_LEVEL_H

#include "topology.h"

/*
 * Returns the level of each node: its distance from the nearest channel adapter, in links. Adapters
 * have level 0; switches without a path to an adapter have level 1. The caller frees the array.
 * *highest is the highest level.
 */
unsigned int *topology_levels(const struct topology *topology, unsigned int *highest);

/*
 * Returns for each node the first node of its connected component. The caller frees the array.
 * *parts is the number of components.
 */
size_t *topology_parts(const struct topology *topology, size_t *parts);

#endif
