// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl switch: commands for switches. */
#include "tools/ctl/guid.h"
#include "tools/ctl/noun/device.h"
#include "tools/ctl/noun/nouns.h"

enum { ADD, SET, DEL, SHOW };

static const char add_help[] =
	"  Make a switch. It forwards as a subnet manager tells it to.\n"
	"  NAME         of no device that there is, for example sw0\n"
	"  ports        how many there are for cables, 1 to 254; port 0 is inside of it\n"
	"  guid         of the switch and its ports; written as\n"
	"               " GUID_FORMS_HELP ";\n"
	"               if not given, made as for device add\n"
	"  description  as for device add\n"
	"  system-image of the system that it is part of, a GUID; its own if not given\n"
	"  enhanced     port 0 is an enhanced one\n"
	"  random       a random forwarding table; if not given, a linear one\n";

static const char show_help[] =
	"  Show all switches or one, with port 0 and those ports that have a cable.\n";

static const struct command commands[] = {
	[ADD] = {
		.name = "add",
		.path = "switch add",
		.arguments = "NAME ports N [guid GUID] [description TEXT] "
			     "[system-image GUID] [enhanced] [random]",
		.help = add_help,
		.kind = HCA_NL_TYPE_SWITCH,
		.run = device_add,
		.plan = device_plan,
	},
	[SET] = {
		.name = "set",
		.path = "switch set",
		.arguments = "NAME system-image GUID",
		.help = "  Make a switch part of another system. Subnet managers are notified.\n"
			"  system-image GUID of the system, the same for all its parts\n",
		.kind = HCA_NL_TYPE_SWITCH,
		.run = device_set,
	},
	[DEL] = {
		.name = "del",
		.alias = "delete",
		.path = "switch del",
		.arguments = "NAME",
		.help = "  Delete a switch. Its cables are disconnected.\n",
		.kind = HCA_NL_TYPE_SWITCH,
		.run = device_del,
	},
	[SHOW] = {
		.name = "show",
		.alias = "list",
		.path = "switch show",
		.arguments = "[NAME]",
		.help = show_help,
		.kind = HCA_NL_TYPE_SWITCH,
		.run = device_show,
	},
	{}
};

const struct noun switch_noun = {
	.name = "switch",
	.commands = commands,
	.alone = &commands[SHOW],
};
