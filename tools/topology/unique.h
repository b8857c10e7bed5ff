/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Checks that names and GUIDs are unique. */
#ifndef TOPOLOGY_UNIQUE_H
#define TOPOLOGY_UNIQUE_H

#include "topology.h"

/*
 * Checks that names are unique. @sorted is the result of topology_sort_names(). Errors are
 * reported.
 */
void check_unique_names(const struct topology *topology, const size_t *sorted,
			struct report *report);

/*
 * Checks that GUIDs are unique. Only a port and its own node may have the same GUID. Errors are
 * reported.
 */
void check_unique_guids(const struct topology *topology, struct report *report);

#endif
