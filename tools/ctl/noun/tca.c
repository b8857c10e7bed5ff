// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl tca: commands for target channel adapters. */
#include "tools/ctl/guid.h"
#include "tools/ctl/noun/device.h"
#include "tools/ctl/noun/nouns.h"

enum { ADD, SET, DEL, SHOW };

static const char add_help[] =
	"  Make a target channel adapter: it answers management as a channel adapter\n"
	"  does, but programs cannot use it. It costs little, so that there may be\n"
	"  thousands.\n"
	"  NAME         of no device that there is, for example tca0\n"
	"  ports        how many ports, 1 to 254; 1 if not given\n"
	"  guid         of the node, port n has GUID + n; written as\n"
	"               " GUID_FORMS_HELP ";\n"
	"               if not given, made as for device add\n"
	"  description  as for device add\n"
	"  system-image of the system that it is part of, a GUID; its own if not given\n"
	"  node is another name for tca, as of earlier versions.\n";

static const struct command commands[] = {
	[ADD] = {
		.name = "add",
		.path = "tca add",
		.arguments = "NAME [ports N] [guid GUID] [description TEXT] "
			     "[system-image GUID]",
		.help = add_help,
		.kind = HCA_NL_TYPE_TCA,
		.run = device_add,
		.plan = device_plan,
	},
	[SET] = {
		.name = "set",
		.path = "tca set",
		.arguments = "NAME system-image GUID",
		.help = "  Make a target channel adapter part of another system. Subnet managers\n"
			"  are notified.\n"
			"  system-image GUID of the system, the same for all its parts\n",
		.kind = HCA_NL_TYPE_TCA,
		.run = device_set,
	},
	[DEL] = {
		.name = "del",
		.alias = "delete",
		.path = "tca del",
		.arguments = "NAME",
		.help = "  Delete a target channel adapter. Its cables are disconnected.\n",
		.kind = HCA_NL_TYPE_TCA,
		.run = device_del,
	},
	[SHOW] = {
		.name = "show",
		.alias = "list",
		.path = "tca show",
		.arguments = "[NAME]",
		.help = "  Show all target channel adapters or one, with ports.\n",
		.kind = HCA_NL_TYPE_TCA,
		.run = device_show,
	},
	{}
};

const struct noun tca_noun = {
	.name = "tca",
	.alias = "node",
	.commands = commands,
	.alone = &commands[SHOW],
};
