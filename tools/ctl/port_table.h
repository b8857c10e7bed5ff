/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A table with a line for each port. */
#ifndef HCACTL_PORT_TABLE_H
#define HCACTL_PORT_TABLE_H

#include <json-c/json.h>
#include <stdbool.h>

struct options;

/*
 * Returns whether to print a table: options->table requests one, or standard output is a terminal
 * and no option requests another format.
 */
bool port_table_is_wanted(const struct options *options);

/*
 * Prints the ports of devices as a table. If @only_linked is true, all ports without a link are
 * omitted. Otherwise, a port without a link is omitted only if it is an external port of a switch.
 */
void port_table_print(struct json_object *devices, bool only_linked,
		      const struct options *options);

#endif
