// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl show: shows all devices and links, or the device of a name. */
#include <json-c/json.h>
#include <string.h>
#include "inventory.h"
#include "kind.h"
#include "nouns.h"
#include "print.h"
#include "status.h"
#include "tools/lib/message.h"

/* Returns an array of the devices that have this name. */
static struct json_object *named(struct json_object *devices, const char *name)
{
	struct json_object *found = json_object_new_array(), *device, *value;
	size_t i;

	for (i = 0; i < json_object_array_length(devices); i++) {
		device = json_object_array_get_idx(devices, i);
		if (json_object_object_get_ex(device, "name", &value) &&
		    !strcmp(json_object_get_string(value), name))
			json_object_array_add(found, json_object_get(device));
	}
	return found;
}

/* Replaces the array by that of the device of this name. Return: 0, or an exit status. */
static int choose(struct json_object **devices, const char *name)
{
	struct json_object *all = *devices;

	*devices = named(all, name);
	json_object_put(all);
	if (json_object_array_length(*devices))
		return 0;
	print_message("show %s: name '%s': there is no such device", name, name);
	return STATUS_REFUSED;
}

static int show(const struct command *command, char **args, const struct options *options)
{
	const char *name = parse_optional_argument(&args);
	struct json_object *devices;
	int status;

	if (!parse_end(command, args))
		return STATUS_USAGE;
	status = inventory_devices(ALL_KINDS, NULL, &devices);
	if (!status && name)
		status = choose(&devices, name);
	if (!status)
		print_devices(devices, options);
	json_object_put(devices);
	return status;
}

static const char show_help[] =
	"  Show everything: channel adapters with ports, cables and live objects; switches and\n"
	"  target channel adapters with ports and cables. With NAME, only the one of that name.\n";

static const struct command command = {
	.name = "show",
	.path = "show",
	.arguments = "[NAME]",
	.help = show_help,
	.run = show,
};

const struct noun show_noun = { .name = "show", .alone = &command };
