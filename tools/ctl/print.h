/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Prints the values of inventory.h, as JSON or for people. */
#ifndef HCACTL_PRINT_H
#define HCACTL_PRINT_H

#include "grammar.h"

struct json_object;

void print_devices(struct json_object *devices, const struct options *options);
void print_links(struct json_object *links, const struct options *options);

/* Prints the lines of a port for people. */
void print_port(struct json_object *port);

/* Prints any object as JSON. */
void print_object(struct json_object *object, const struct options *options);

#endif
