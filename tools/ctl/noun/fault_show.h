/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Prints the JSON values of a cable's faults and shape as text. */
#ifndef HCACTL_FAULT_SHOW_H
#define HCACTL_FAULT_SHOW_H

#include <json-c/json.h>
#include <stdio.h>

/* Functions that print faults, or a shape, as arguments of "link set". */
void fault_print_arguments(FILE *file, struct json_object *faults);
void shape_print_arguments(FILE *file, struct json_object *shape);

/*
 * Functions that print counters. fault_print_counters() prints how many packets the faults have
 * matched and hit. shape_print_counters() prints how many packets the shape has reordered, and how
 * often flapping has interrupted the signal.
 */
void fault_print_counters(FILE *file, struct json_object *faults);
void shape_print_counters(FILE *file, struct json_object *shape);

#endif
