/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Names and GUIDs that only one may have. */
#ifndef TOPOLOGY_UNIQUE_H
#define TOPOLOGY_UNIQUE_H

#include "topology.h"

/* @sorted is of topology_sort_names(). What is wrong is reported. */
void check_unique_names(const struct topology *topology, const size_t *sorted,
			struct report *report);

/* No two nodes share a GUID, nor two ports of one; a port may have that of its node. */
void check_unique_guids(const struct topology *topology, struct report *report);

#endif
