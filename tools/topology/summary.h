/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Summarizes a topology in a few numbers. */
#ifndef TOPOLOGY_SUMMARY_H
#define TOPOLOGY_SUMMARY_H

#include <json-c/json.h>
#include <stdio.h>
#include "topology.h"

/*
 * Returns a JSON object. "switches", "adapters" and "links" are counts. "levels" is an array with
 * the numbers of switches that are one, two and more links away from adapters. "rates" has the
 * number of links of each rate. "parts" is an array of connected components, each with its first
 * node and its number of nodes.
 */
struct json_object *topology_summary(const struct topology *topology);

/* Prints a summary for people. */
void print_summary(FILE *file, struct json_object *summary);

#endif
