/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Labels, which are the names of nodes that people read. */
#ifndef TOPOLOGY_LABEL_H
#define TOPOLOGY_LABEL_H

#include "topology.h"

/*
 * Returns the label of a node. The label is the node's description if the node's name consists only
 * of a type and a GUID, as in S-0002c90300001234. Otherwise the label is the node's name.
 */
const char *topology_label(const struct topology_node *node);

/*
 * Returns the name or the description of a node: the one that topology_label() does not return.
 * Return: NULL if this text is empty or equals the label.
 */
const char *topology_other_label(const struct topology_node *node);

/* Compares labels. Numbers in labels are compared by value. */
int topology_compare_labels(const struct topology_node *a, const struct topology_node *b);

/* Returns an array of all node indices, sorted by label. The caller frees the array. */
size_t *topology_sort_labels(const struct topology *topology);

#endif
