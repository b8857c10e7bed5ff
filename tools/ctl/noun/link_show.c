// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl link show. */
#include "tools/ctl/kernel/inventory.h"
#include "tools/ctl/kind.h"
#include "tools/ctl/noun/link.h"
#include "tools/ctl/port_table.h"
#include "tools/ctl/print.h"
#include "tools/ctl/select.h"
#include "tools/ctl/status.h"

/* Prints links with all details. Return: 0, or an exit status. */
static int print_selected(const struct selection *selection, const struct options *options)
{
	struct json_object *links;
	int status;

	status = inventory_links(&links);
	if (!status) {
		select_links(selection, &links);
		print_links(links, options);
	}
	json_object_put(links);
	return status;
}

int link_show(const struct command *command, char **args, const struct options *options)
{
	const char *name = parse_optional_argument(&args);
	struct json_object *devices = NULL;
	struct selection selection;
	int status;

	if (!parse_end(command, args))
		return STATUS_USAGE;
	status = select_parse(command, name, &selection);
	if (!status && (name || port_table_is_wanted(options)))
		status = inventory_devices(ALL_KINDS, NULL, &devices) ?:
			 select_devices(command, &selection, &devices);
	if (!status && port_table_is_wanted(options))
		port_table_print(devices, true, options);
	else if (!status)
		status = print_selected(&selection, options);
	json_object_put(devices);
	return status;
}
