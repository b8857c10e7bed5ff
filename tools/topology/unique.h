/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Checks that names and GUIDs are unique. */
#ifndef TOPOLOGY_UNIQUE_H
#define TOPOLOGY_UNIQUE_H

#include "topology.h"

/*
 * Checks that names are unique. @sorted is the result of topology_sort_names(). Errors are reported
 * to @report.
 */
void check_unique_names(const struct topology *topology, const size_t *sorted,
			struct report *report);

/*
 * Checks that GUIDs are unique, except that a port may have the GUID of its node. Errors are
 * reported to @report.
 */
void check_unique_guids(const struct topology *topology, struct report *report);

#endif
