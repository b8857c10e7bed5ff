// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl show: shows all devices and their ports, or only a named device or port. */
#include <json-c/json.h>
#include "tools/ctl/kernel/inventory.h"
#include "tools/ctl/kind.h"
#include "tools/ctl/noun/nouns.h"
#include "tools/ctl/port_table.h"
#include "tools/ctl/print.h"
#include "tools/ctl/select.h"
#include "tools/ctl/status.h"

/* Prints the only port of the only device in @devices. */
static void print_selected_port(struct json_object *devices)
{
	struct json_object *device = json_object_array_get_idx(devices, 0);

	print_port(json_object_array_get_idx(json_object_object_get(device, "ports"), 0));
}

static void show_print(struct json_object *devices, const struct selection *selection,
		       const struct options *options)
{
	if (port_table_is_wanted(options))
		port_table_print(devices, false, options);
	else if (selection->name.has_number && !options->json)
		print_selected_port(devices);
	else
		print_devices(devices, options);
}

static int show_run(const struct command *command, char **args, const struct options *options)
{
	const char *name = parse_optional_argument(&args);
	struct json_object *devices;
	struct selection selection;
	int status;

	if (!parse_end(command, args))
		return STATUS_USAGE;
	status = select_parse(command, name, &selection);
	if (status)
		return status;
	status = inventory_devices(ALL_KINDS, NULL, &devices) ?:
		 select_devices(command, &selection, &devices);
	if (!status)
		show_print(devices, &selection, options);
	json_object_put(devices);
	return status;
}

static const char show_help[] =
	"  Show all ports of channel adapters, switches and target channel adapters; of\n"
	"  a switch only port 0 and those that have a link. On a terminal, or with\n"
	"  --table, it is a table with a line for each port, otherwise, or with\n"
	"  --details, all that there is to say, also of the devices. With NAME, only the\n"
	"  one of that name; with NAME/PORT, as in hca0/1, only that port.\n";

static const struct command command = {
	.name = "show",
	.path = "show",
	.arguments = "[NAME[/PORT]]",
	.help = show_help,
	.table = true,
	.run = show_run,
};

const struct noun show_noun = { .name = "show", .alone = &command };
