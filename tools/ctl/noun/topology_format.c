// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Prints a fabric in the formats of "hcactl topology", and reports errors in topology files. */
#include <string.h>
#include "tools/ctl/noun/topology.h"
#include "tools/ctl/place.h"
#include "tools/ctl/print.h"
#include "tools/ctl/status.h"
#include "tools/lib/message.h"
#include "tools/topology/dot.h"
#include "tools/topology/json.h"
#include "tools/topology/write.h"

static void print_error(void *arg, const struct place *place, const char *message)
{
	(void)arg;
	set_place(place->file, place->line);
	print_message("%s", message);
	set_place(NULL, 0);
}

static void print_warning(void *arg, const struct place *place, const char *message)
{
	(void)arg;
	set_place(place->file, place->line);
	print_message("warning: %s", message);
	set_place(NULL, 0);
}

struct report topology_report(void)
{
	return (struct report){ .notify = print_error, .warn = print_warning };
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
	static const struct dot_wishes none;
	struct report report = topology_report();

	(void)options;
	topology_write_dot(stdout, topology, &none, &report);
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
