// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl show: everything there is. */
#include <json-c/json.h>
#include "inventory.h"
#include "kind.h"
#include "nouns.h"
#include "print.h"
#include "say.h"

static int show(const struct command *command, char **args, const struct options *options)
{
	struct json_object *devices;
	int status;

	if (!take_end(command, args))
		return STATUS_USAGE;
	status = inventory_devices(ALL_KINDS, NULL, &devices);
	if (!status)
		print_devices(devices, options);
	json_object_put(devices);
	return status;
}

static const struct command command = {
	.name = "show",
	.path = "show",
	.arguments = "",
	.help = "  Show everything: channel adapters with ports, cables and live objects; switches and\n"
		"  bare adapters with ports and cables.\n",
	.run = show,
};

const struct noun show_noun = { "show", NULL, &command };
