/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Computes levels and connected components of a topology. */
#ifndef TOPOLOGY_LEVEL_H
#define TOPOLOGY_LEVEL_H

#include "topology.h"

/*
 * Returns an array with the level of each node, which is its distance in links from the nearest
 * channel adapter. Adapters have level 0. Switches without a path to an adapter have level 1.
 * *highest is set to the highest level. The caller frees the array.
 */
unsigned int *topology_levels(const struct topology *topology, unsigned int *highest);

/*
 * Returns an array that contains, for each node, the first node of its connected component. *parts
 * is set to the number of components. The caller frees the array.
 */
size_t *topology_parts(const struct topology *topology, size_t *parts);

#endif
