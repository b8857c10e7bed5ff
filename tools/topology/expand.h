/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The switches of a picture that a user wants to see in detail. */
#ifndef TOPOLOGY_EXPAND_H
#define TOPOLOGY_EXPAND_H

#include "topology.h"

/*
 * Returns for each node whether it is a switch that @names has, which are names or labels with
 * commas between; NULL has none. The caller frees the array.
 * Return: NULL after reporting that there is no such switch.
 */
bool *topology_expand(const struct topology *topology, const char *names, struct report *report);

#endif
