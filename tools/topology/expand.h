/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Finds the switches of a picture that are drawn one by one. */
#ifndef TOPOLOGY_EXPAND_H
#define TOPOLOGY_EXPAND_H

#include "topology.h"

/*
 * Returns for each node whether it is a switch in @names, a list of names or labels that commas
 * separate; NULL is an empty list. The caller frees the array.
 * Return: NULL after reporting that a switch does not exist.
 */
bool *topology_expand(const struct topology *topology, const char *names, struct report *report);

#endif
