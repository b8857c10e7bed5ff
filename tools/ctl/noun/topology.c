// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl topology: commands for fabrics that are described by files. */
#include "tools/ctl/noun/topology.h"
#include <string.h>
#include "tools/ctl/noun/nouns.h"
#include "tools/ctl/print.h"
#include "tools/ctl/status.h"
#include "tools/lib/message.h"
#include "tools/topology/read.h"
#include "tools/topology/summary.h"

int topology_read_file(const char *path, struct topology *topology)
{
	struct report report = topology_report();
	int status;

	*topology = (struct topology){};
	if (!strcmp(path, LIVE))
		status = topology_read_live(topology);
	else
		status = topology_read(path, topology, &report) ? 0 : STATUS_USAGE;
	if (status)
		topology_clear(topology);
	return status;
}

static int topology_check(const struct command *command, char **args, const struct options *options)
{
	const char *path = parse_argument(command, &args, "FILE");
	struct topology topology;
	struct json_object *summary;
	int status;

	if (!path || !parse_end(command, args))
		return STATUS_USAGE;
	status = topology_read_file(path, &topology);
	if (status)
		return status;
	summary = topology_summary(&topology);
	if (options->json)
		print_object(summary, options);
	else
		print_summary(stdout, summary);
	json_object_put(summary);
	topology_clear(&topology);
	return 0;
}

enum { TO };
static const char *const convert_keywords[] = { [TO] = "to", NULL };

static int topology_convert(const struct command *command, char **args,
			    const struct options *options)
{
	const char *value[sizeof(convert_keywords) / sizeof(convert_keywords[0])];
	const char *path = parse_argument(command, &args, "FILE");
	struct topology topology;
	int status;

	if (!path || !parse_keywords(command, args, convert_keywords, value))
		return STATUS_USAGE;
	status = topology_read_file(path, &topology);
	if (status)
		return status;
	status = topology_print(command, &topology, value[TO], options);
	topology_clear(&topology);
	return status;
}

#define FILE_HELP \
	"  FILE   what ibnetdiscover prints, or a net file of ibsim; - is standard input;\n" \
	"         live is what this machine has\n"

enum { CHECK, CONVERT, DIFF, DOT, GENERATE, LOAD, SAVE, SVG };

static const char convert_help[] =
	"  Print the same in another format.\n"
	FILE_HELP
	"  to     net, as ibsim reads it; discover, as ibnetdiscover prints it; dot;\n"
	"         json, as --json is, too. If not given, it is net\n";

static const char diff_help[] =
	"  Compare two files: nodes, their types and numbers of ports, links and their\n"
	"  rates. The exit status is 0 if they are the same, 1 if not, 2 after an error.\n"
	"  A, B   what ibnetdiscover prints, or a net file of ibsim; - is standard input;\n"
	"         live is what this machine has\n"
	"  by     names: nodes of the same name are compared; shape: nodes with the same\n"
	"         place among the others. If not given, names, if any are in common\n";

static const char generate_help[] =
	"  Print a topology made by rule.\n"
	"  fat-tree   of switches with K ports, half of them up: 36, in 2 levels\n"
	"  torus      a switch with N adapters, 1, at each point; SIZES as in 4x4x4\n"
	"  dragonfly  groups of A switches, 4, with P adapters, 2, and H links, 2, to\n"
	"             other groups each; as many groups as there can be\n"
	"  random     N nodes, 100; S of them switches, 10, with K ports, 36, joined with\n"
	"             L links, 10, more than there must be; X as in 1 makes always the\n"
	"             same\n"
	"  to         net, discover, dot or json\n";

static const char load_help[] =
	"  Make all nodes and links of FILE, or none if one cannot be made.\n"
	FILE_HELP
	"  hosts  which adapters are to be RDMA devices here: all, as many as this\n"
	"         number, or names with commas between; the others do only what a subnet\n"
	"         manager asks of them. If not given, none\n"
	"  guids  file: as it has them, if not given; new: others\n";

static const struct command commands[] = {
	[CHECK] = {
		.name = "check",
		.path = "topology check",
		.arguments = "FILE",
		.help = "  Read a file, print what is wrong with it, and otherwise what is in it.\n"
			FILE_HELP,
		.run = topology_check,
	},
	[CONVERT] = {
		.name = "convert",
		.path = "topology convert",
		.arguments = "FILE [to FORMAT]",
		.help = convert_help,
		.run = topology_convert,
	},
	[DIFF] = {
		.name = "diff",
		.path = "topology diff",
		.arguments = "A B [by HOW]",
		.help = diff_help,
		.misuse = STATUS_REFUSED,
		.run = topology_diff_run,
	},
	[DOT] = {
		.name = "dot",
		.path = "topology dot",
		.arguments = "FILE " TOPOLOGY_PICTURE_ARGUMENTS,
		.help = "  Print it for graphviz: hcactl topology dot FILE | dot -Tpng\n"
			FILE_HELP TOPOLOGY_PICTURE_HELP,
		.run = topology_dot,
	},
	[GENERATE] = {
		.name = "generate",
		.path = "topology generate",
		.arguments = "{fat-tree [ports K] [levels L] | torus SIZES [hosts N] | "
			     "dragonfly [routers A] [hosts P] [links H] | "
			     "random [nodes N] [switches S] [ports K] [links L] [seed X]} "
			     "[to FORMAT]",
		.help = generate_help,
		.run = topology_generate,
	},
	[LOAD] = {
		.name = "load",
		.path = "topology load",
		.arguments = "FILE [hosts WHICH] [guids WHOSE]",
		.help = load_help,
		.dry_run = true,
		.run = topology_load,
	},
	[SAVE] = {
		.name = "save",
		.path = "topology save",
		.arguments = "[to FORMAT]",
		.help = "  Print the switches, adapters and cables that there are.\n"
			"  to     discover, if not given; net, dot or json\n",
		.run = topology_save,
	},
	[SVG] = {
		.name = "svg",
		.path = "topology svg",
		.arguments = "FILE " TOPOLOGY_PICTURE_ARGUMENTS,
		.help = "  Draw it by graphviz, which must be installed, and print the picture.\n"
			FILE_HELP TOPOLOGY_PICTURE_HELP,
		.run = topology_svg,
	},
	{}
};

const struct noun topology_noun = { .name = "topology", .commands = commands };
