/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A topology in a few numbers. */
#ifndef TOPOLOGY_SUMMARY_H
#define TOPOLOGY_SUMMARY_H

#include <stdio.h>
#include <json-c/json.h>
#include "topology.h"

/*
 * An object: "switches", "adapters" and "links" are counts; "levels" is an array of how many
 * switches are one link away from adapters, two, and so on; "rates" is an object of how many
 * links have each; "parts" is an array of what is not joined with each other, each with a node
 * and how many there are.
 */
struct json_object *topology_summary(const struct topology *topology);

/* The same for people. */
void print_summary(FILE *file, struct json_object *summary);

#endif
