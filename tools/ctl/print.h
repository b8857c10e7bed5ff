/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Prints the values of inventory.h as JSON or as text. */
#ifndef HCACTL_PRINT_H
#define HCACTL_PRINT_H

#include "tools/ctl/grammar.h"

struct json_object;

void print_devices(struct json_object *devices, const struct options *options);
void print_links(struct json_object *links, const struct options *options);

/*
 * Prints a port as text. The first line is its state. Its network, faults, shape and buffers
 * follow.
 */
void print_port(struct json_object *port);

/* Prints a JSON object; with options->pretty, in several lines. */
void print_object(struct json_object *object, const struct options *options);

#endif
