/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Selects devices, ports and links of the inventory by name. */
#ifndef HCACTL_SELECT_H
#define HCACTL_SELECT_H

#include <json-c/json.h>
#include <stdbool.h>
#include "tools/ctl/portname.h"

/*
 * The name of a device or port, NAME or NAME/PORT. If all fields are zero, everything is selected.
 */
struct selection {
	const char *text;
	struct port_name name;
};

struct command;

/*
 * Parses the name of a device or port. If @text is NULL, everything is selected. Return: 0, or an
 * exit status after printing a message.
 */
int select_parse(const struct command *command, const char *text, struct selection *selection);

/*
 * Removes the devices that are not selected, and the ports of the selected device that are not
 * selected. Return: 0, or an exit status after printing a message if nothing is left.
 */
int select_devices(const struct command *command, const struct selection *selection,
		   struct json_object **devices);

/* Removes each link if neither of its ports is selected. */
void select_links(const struct selection *selection, struct json_object **links);

#endif
