/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Prints the JSON values of a cable's faults and shape for people. */
#ifndef HCACTL_FAULT_SHOW_H
#define HCACTL_FAULT_SHOW_H

#include <stdio.h>
#include <json-c/json.h>

/* Print faults or a shape as arguments of "link set". */
void fault_print_arguments(FILE *file, struct json_object *faults);
void shape_print_arguments(FILE *file, struct json_object *shape);

/* Print how many packets each fault, or the shape, has hit. */
void fault_print_counters(FILE *file, struct json_object *faults);
void shape_print_counters(FILE *file, struct json_object *shape);

#endif
