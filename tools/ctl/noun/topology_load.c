// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl topology load: creates the nodes and links that a file describes. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/ctl/kernel/present.h"
#include "tools/ctl/noun/device.h"
#include "tools/ctl/noun/link.h"
#include "tools/ctl/noun/topology.h"
#include "tools/ctl/place.h"
#include "tools/ctl/progress.h"
#include "tools/ctl/setup.h"
#include "tools/ctl/status.h"
#include "tools/lib/memory.h"
#include "tools/lib/message.h"
#include "tools/topology/load.h"

/* The type of device (enum hca_nl_type) for each kind of node */
static const uint32_t types[LOAD_KINDS] = {
	[LOAD_SWITCH] = HCA_NL_TYPE_SWITCH,
	[LOAD_NODE] = HCA_NL_TYPE_TCA,
	[LOAD_DEVICE] = HCA_NL_TYPE_DEVICE,
};

struct loading {
	const struct options *options;
	struct setup present;
};

static struct device to_device(const struct load_node *node)
{
	return (struct device){
		.name = node->name, .type = types[node->kind], .ports = node->node->num_ports,
		.guid = node->guid, .has_guid = true, .enhanced = node->node->enhanced,
		.description = topology_description(node->node),
	};
}

static const char *load_obstacle(void *arg, const struct load_node *node)
{
	struct loading *loading = arg;

	if (setup_find_device(&loading->present, node->name, strlen(node->name)))
		return "there is a device of this name; delete it, or rename one";
	return NULL;
}

static int add_node(void *arg, const struct load_node *node)
{
	struct loading *loading = arg;
	struct device device = to_device(node);
	int status = 0;

	set_place(node->node->place.file, node->node->place.line);
	if (loading->options->dry_run)
		print_device_line(stdout, &device);
	else
		status = device_make(&device);
	set_place(NULL, 0);
	return status;
}

static struct end make_end(const struct load_node *node, unsigned int port)
{
	struct end end = { .name = { strlen(node->name), true, port } };
	char *text;

	text = need_text("%s/%u", node->name, port);
	end.text = text;
	return end;
}

static int add_link(void *arg, const struct load_node *a, unsigned int a_port,
		    const struct load_node *b, unsigned int b_port,
		    const struct topology_link *from)
{
	static const struct rate usual = { 4, EDR };
	struct link link = { .a = make_end(a, a_port), .b = make_end(b, b_port) };
	struct loading *loading = arg;
	int status = 0;

	/* The rate is set only if it differs from the default rate of ports. */
	if (from->rate.width && from->rate.speed && !rate_equal(&from->rate, &usual))
		link.rate = from->rate;
	set_place(from->place.file, from->place.line);
	if (loading->options->dry_run)
		print_link_line(stdout, &link);
	else
		status = link_make(&link);
	set_place(NULL, 0);
	free((char *)link.a.text);
	free((char *)link.b.text);
	return status;
}

static int delete_node(void *arg, const struct load_node *node)
{
	struct device device = to_device(node);
	struct loading *loading = arg;

	return loading->options->dry_run ? 0 : device_delete(&device);
}

static volatile sig_atomic_t interrupted;

static void load_interrupt(int signal)
{
	(void)signal;
	interrupted = true;
}

static bool go_on(void *arg, size_t done, size_t all)
{
	struct loading *loading = arg;

	if (!loading->options->dry_run)
		progress_show("making it", done, all);
	return !interrupted;
}

static int load_apply(const struct command *command, struct load_plan *plan,
		      const struct options *options)
{
	struct sigaction action = { .sa_handler = load_interrupt, .sa_flags = SA_RESTART }, before;
	struct loading loading = { .options = options };
	struct load_kernel kernel = {
		.obstacle = load_obstacle, .add_node = add_node, .add_link = add_link,
		.delete_node = delete_node, .go_on = go_on, .arg = &loading,
	};
	struct report report = topology_report();
	enum load_result result;
	size_t undone;

	if (!options->dry_run && present_read(command->path, &loading.present))
		return STATUS_REFUSED;
	/*
	 * A load that is interrupted by a signal deletes the objects that it has created, so that
	 * no part of a fabric remains.
	 */
	sigaction(SIGINT, &action, &before);
	result = load_run(plan, &kernel, &report, &undone);
	sigaction(SIGINT, &before, NULL);
	progress_hide();
	setup_clear(&loading.present);
	if (interrupted)
		print_message("interrupted");
	if (result == LOAD_UNDONE)
		print_message("all is as it was; undone: %zu nodes", undone);
	if (result == LOAD_LEFT)
		print_message("not all that had been made could be undone");
	return result == LOAD_DONE ? 0 : STATUS_REFUSED;
}

enum { HOSTS, GUIDS };
static const char *const keywords[] = { [HOSTS] = "hosts", [GUIDS] = "guids", NULL };

int topology_load(const struct command *command, char **args, const struct options *options)
{
	const char *value[sizeof(keywords) / sizeof(keywords[0])];
	const char *path = parse_argument(command, &args, "FILE");
	struct report report = topology_report();
	struct load_wishes wishes = {};
	struct topology topology;
	struct load_plan plan;
	int status;

	if (!path || !parse_keywords(command, args, keywords, value))
		return STATUS_USAGE;
	if (value[GUIDS] && strcmp(value[GUIDS], "file") && strcmp(value[GUIDS], "new"))
		return usage_error(command, "guids '%s' is neither of: file, new", value[GUIDS]);
	wishes.hosts = value[HOSTS];
	wishes.new_guids = value[GUIDS] && !strcmp(value[GUIDS], "new");
	status = topology_read_file(path, &topology);
	if (status)
		return status;
	status = STATUS_USAGE;
	if (load_plan(&plan, &topology, &wishes, &report))
		status = load_apply(command, &plan, options);
	load_plan_clear(&plan);
	topology_clear(&topology);
	return status;
}
