// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl topology: fabrics that files describe. */
#include <string.h>
#include "nouns.h"
#include "place.h"
#include "print.h"
#include "status.h"
#include "topology.h"
#include "tools/lib/message.h"
#include "tools/topology/dot.h"
#include "tools/topology/json.h"
#include "tools/topology/read.h"
#include "tools/topology/summary.h"
#include "tools/topology/write.h"

static void print_error(void *arg, const struct place *place, const char *message)
{
	(void)arg;
	set_place(place->file, place->line);
	print_message("%s", message);
	set_place(NULL, 0);
}

struct report topology_report(void)
{
	return (struct report){ .notify = print_error };
}

int topology_read_file(const char *path, struct topology *topology)
{
	struct report report = topology_report();

	*topology = (struct topology){};
	if (topology_read(path, topology, &report))
		return 0;
	topology_clear(topology);
	return STATUS_USAGE;
}

static void print_net(const struct topology *topology, const struct options *options)
{
	(void)options;
	topology_write_net(stdout, topology);
}

static void print_discover(const struct topology *topology, const struct options *options)
{
	(void)options;
	topology_write_discover(stdout, topology);
}

static void print_dot(const struct topology *topology, const struct options *options)
{
	(void)options;
	topology_write_dot(stdout, topology, topology->num_nodes > DOT_EACH_MAX);
}

static void print_json(const struct topology *topology, const struct options *options)
{
	struct json_object *object = topology_to_json(topology);

	print_object(object, options);
	json_object_put(object);
}

static const struct {
	const char *name;
	void (*print)(const struct topology *topology, const struct options *options);
} formats[] = {
	{ "net", print_net },
	{ "discover", print_discover },
	{ "dot", print_dot },
	{ "json", print_json },
};

#define FORMAT_NAMES "net, discover, dot, json"

int topology_print(const struct command *command, const struct topology *topology,
		   const char *format, const struct options *options)
{
	size_t i;

	if (!format)
		format = options->json ? "json" : "net";
	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strcmp(formats[i].name, format)) {
			formats[i].print(topology, options);
			return 0;
		}
	return usage_error(command, "'%s' is none of: " FORMAT_NAMES, format);
}

static int check(const struct command *command, char **args, const struct options *options)
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

static int convert(const struct command *command, char **args, const struct options *options)
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

enum { HOSTS };
static const char *const dot_keywords[] = { [HOSTS] = "hosts", NULL };

static int dot(const struct command *command, char **args, const struct options *options)
{
	const char *value[sizeof(dot_keywords) / sizeof(dot_keywords[0])];
	const char *path = parse_argument(command, &args, "FILE"), *hosts;
	struct topology topology;
	int status;

	(void)options;
	if (!path || !parse_keywords(command, args, dot_keywords, value))
		return STATUS_USAGE;
	hosts = value[HOSTS];
	if (hosts && strcmp(hosts, "each") && strcmp(hosts, "grouped"))
		return usage_error(command, "hosts '%s' is neither of: each, grouped", hosts);
	status = topology_read_file(path, &topology);
	if (status)
		return status;
	topology_write_dot(stdout, &topology,
			   hosts ? !strcmp(hosts, "grouped") : topology.num_nodes > DOT_EACH_MAX);
	topology_clear(&topology);
	return 0;
}

#define FILE_HELP \
	"  FILE   what ibnetdiscover prints, or a net file of ibsim; - is standard input\n"

enum { CHECK, CONVERT, DOT, GENERATE, LOAD, SAVE };

static const char convert_help[] =
	"  Print the same in another format.\n"
	FILE_HELP
	"  to     net, as ibsim reads it; discover, as ibnetdiscover prints it; dot;\n"
	"         json, as --json is, too. If not given, it is net\n";

static const char dot_help[] =
	"  Print it as graphviz draws it: hcactl topology dot FILE | dot -Tsvg\n"
	FILE_HELP
	"  hosts  each: every adapter and every port number; grouped: those of a switch\n"
	"         as one. If not given, large ones are grouped\n";

static const char generate_help[] =
	"  Print a topology made by rule.\n"
	"  fat-tree   of switches with K ports, half of them up: 36, in 2 levels\n"
	"  torus      a switch with N adapters, 1, at each point; SIZES as in 4x4x4\n"
	"  dragonfly  groups of A switches, 4, with P adapters, 2, and H links, 2, to other\n"
	"             groups each; as many groups as there can be\n"
	"  random     N nodes, 100; S of them switches, 10, with K ports, 36, joined with L\n"
	"             links, 10, more than there must be; X as in 1 makes always the same\n"
	"  to         net, discover, dot or json\n";

static const char load_help[] =
	"  Make all nodes and links of FILE, or none if one cannot be made.\n"
	FILE_HELP
	"  hosts  which adapters are to be RDMA devices here: all, as many as this number,\n"
	"         or names with commas between; the others do only what a subnet manager\n"
	"         asks of them. If not given, none\n"
	"  guids  file: as it has them, if not given; new: others\n";

static const struct command commands[] = {
	[CHECK] = {
		.name = "check",
		.path = "topology check",
		.arguments = "FILE",
		.help = "  Read a file, print what is wrong with it, and otherwise what is in it.\n"
			FILE_HELP,
		.run = check,
	},
	[CONVERT] = {
		.name = "convert",
		.path = "topology convert",
		.arguments = "FILE [to FORMAT]",
		.help = convert_help,
		.run = convert,
	},
	[DOT] = {
		.name = "dot",
		.path = "topology dot",
		.arguments = "FILE [hosts HOW]",
		.help = dot_help,
		.run = dot,
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
	{}
};

const struct noun topology_noun = { .name = "topology", .commands = commands };
