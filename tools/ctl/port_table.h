/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A table with a line for each port. */
#ifndef HCACTL_PORT_TABLE_H
#define HCACTL_PORT_TABLE_H

#include <stdbool.h>
#include <json-c/json.h>

struct options;

/* Whether a table is to be printed: if that is asked for, or standard output is a terminal. */
bool port_table_is_wanted(const struct options *options);

/*
 * Prints the ports of devices: those with a link; or others too, but of a switch no external port
 * without a link.
 */
void port_table_print(struct json_object *devices, bool only_linked,
		      const struct options *options);

#endif
