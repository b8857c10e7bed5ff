/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Checks that names and GUIDs are unique. */
#ifndef TOPOLOGY_UNIQUE_H
#define TOPOLOGY_UNIQUE_H

#include "topology.h"

/* Checks names. @sorted is the result of topology_sort_names(). Errors are reported. */
void check_unique_names(const struct topology *topology, const size_t *sorted,
			struct report *report);

/*
 * Checks that no two nodes, and no two ports of a node, share a GUID. A port may have its node's
 * GUID.
 */
void check_unique_guids(const struct topology *topology, struct report *report);

#endif
