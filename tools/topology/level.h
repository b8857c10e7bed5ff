/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Computes levels and connected components of a topology. */
#ifndef TOPOLOGY_LEVEL_H
#define TOPOLOGY_LEVEL_H

#include "topology.h"

/*
 * Returns the distance of each node from the nearest channel adapter, in links; adapters have level
 * 0, and switches that reach no adapter 1. The caller frees the array. *highest is the highest
 * level.
 */
unsigned int *topology_levels(const struct topology *topology, unsigned int *highest);

/*
 * Returns for each node the first node of its connected component. The caller frees the array.
 * *parts is the number of components.
 */
size_t *topology_parts(const struct topology *topology, size_t *parts);

#endif
