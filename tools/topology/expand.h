/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Finds the switches that are not grouped in a picture. */
#ifndef TOPOLOGY_EXPAND_H
#define TOPOLOGY_EXPAND_H

#include "topology.h"

/*
 * Returns an array with an element for each node, which is true if the node is a switch in @names.
 * @names is a list of names or labels that commas separate; NULL is an empty list. The caller frees
 * the array. Return: NULL after reporting that a switch does not exist.
 */
bool *topology_expand(const struct topology *topology, const char *names, struct report *report);

#endif
