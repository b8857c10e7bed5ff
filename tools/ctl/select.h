/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The devices, ports and links of the inventory that a name stands for. */
#ifndef HCACTL_SELECT_H
#define HCACTL_SELECT_H

#include <stdbool.h>
#include <json-c/json.h>
#include "portname.h"

/* NAME or NAME/PORT; all zero stands for everything. */
struct selection {
	const char *text;
	struct port_name name;
};

struct command;

/* Parses a name, or NULL. Return: 0, or an exit status after printing a message. */
int select_parse(const struct command *command, const char *text, struct selection *selection);

/*
 * Replaces an array of devices by the one that is selected, with the one port that is. Return: 0,
 * or an exit status after printing a message: there is none.
 */
int select_devices(const struct command *command, const struct selection *selection,
		   struct json_object **devices);

/* Replaces an array of links by those that have a selected port. */
void select_links(const struct selection *selection, struct json_object **links);

#endif
