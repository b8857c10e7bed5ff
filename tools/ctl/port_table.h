/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A table with a line for each port. */
#ifndef HCACTL_PORT_TABLE_H
#define HCACTL_PORT_TABLE_H

#include <stdbool.h>
#include <json-c/json.h>

struct options;

/* Returns whether a table is printed: options request one, or standard output is a terminal. */
bool port_table_is_wanted(const struct options *options);

/*
 * Prints the ports of devices. Ports without a link are left out if @only_linked; otherwise only
 * the external ports of switches without a link are left out.
 */
void port_table_print(struct json_object *devices, bool only_linked,
		      const struct options *options);

#endif
