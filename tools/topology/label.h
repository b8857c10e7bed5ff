/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The names by which people know nodes. */
#ifndef TOPOLOGY_LABEL_H
#define TOPOLOGY_LABEL_H

#include "topology.h"

/*
 * Returns the name of a node, or its description if the name is only made of the GUID, as in
 * S-0002c90300001234.
 */
const char *topology_label(const struct topology_node *node);

/*
 * Returns what else is known of the node's name: the description of a node that is labelled by its
 * name, or the other way round; NULL if that is nothing new.
 */
const char *topology_other_label(const struct topology_node *node);

/* Compares labels, and numbers in them by their value. */
int topology_compare_labels(const struct topology_node *a, const struct topology_node *b);

/* Returns node indices sorted by label; the caller frees them. */
size_t *topology_sort_labels(const struct topology *topology);

#endif
