/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The devices, ports and links of the inventory that a name stands for. */
#ifndef HCACTL_SELECT_H
#define HCACTL_SELECT_H

#include <stdbool.h>
#include <json-c/json.h>
#include "portname.h"

/* The name of a device or port: NAME or NAME/PORT. All zero selects everything. */
struct selection {
	const char *text;
	struct port_name name;
};

struct command;

/* Parses a name, or NULL. Return: 0, or an exit status after printing a message. */
int select_parse(const struct command *command, const char *text, struct selection *selection);

/*
 * Removes the devices, and the ports of a device, that are not selected.
 * Return: 0, or an exit status after printing a message if nothing is left.
 */
int select_devices(const struct command *command, const struct selection *selection,
		   struct json_object **devices);

/* Removes the links that do not have a selected port. */
void select_links(const struct selection *selection, struct json_object **links);

#endif
