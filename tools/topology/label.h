/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Labels: the names of nodes for people. */
#ifndef TOPOLOGY_LABEL_H
#define TOPOLOGY_LABEL_H

#include "topology.h"

/*
 * Returns the name of a node; its description if the name only has the GUID, as in
 * S-0002c90300001234.
 */
const char *topology_label(const struct topology_node *node);

/*
 * Returns the other name of a node: the description if the name is its label, and the name if the
 * description is; NULL if it is empty or equals the label.
 */
const char *topology_other_label(const struct topology_node *node);

/* Compares labels. Numbers in labels are compared by value. */
int topology_compare_labels(const struct topology_node *a, const struct topology_node *b);

/* Returns node indices sorted by label. The caller frees them. */
size_t *topology_sort_labels(const struct topology *topology);

#endif
