// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl link: the cables between ports. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>
#include "inventory.h"
#include "nouns.h"
#include "portname.h"
#include "print.h"
#include "request.h"
#include "say.h"

static void parse(const struct command *command, const char *text, struct port_name *name)
{
	const char *fault = port_name_parse(text, name);

	if (fault)
		usage_error(command, "port '%s' %s; as in hca0/1", text, fault);
}

static void put_port(struct request *request, int device_attr, int port_attr, const char *text,
		     const struct port_name *name)
{
	char *device = strndup(text, name->device_length);

	if (!device)
		die("out of memory");
	request_put_string(request, device_attr, "device", device);
	free(device);
	if (name->has_number)
		request_put_number(request, port_attr, "port", name->number);
}

static int add(const struct command *command, char **args, const struct options *options)
{
	const char *a = take_word(command, &args, "the port A");
	const char *b = take_word(command, &args, "the port B");
	struct port_name port_a, port_b;
	struct request *request;

	(void)options;
	take_end(command, args);
	parse(command, a, &port_a);
	parse(command, b, &port_b);

	request = request_new(HCA_CMD_LINK_ADD, "link add %s %s", a, b);
	put_port(request, HCA_NL_LINK_DEVICE_A, HCA_NL_LINK_PORT_A, a, &port_a);
	put_port(request, HCA_NL_LINK_DEVICE_B, HCA_NL_LINK_PORT_B, b, &port_b);
	return request_do(request, NULL, NULL);
}

static int del(const struct command *command, char **args, const struct options *options)
{
	const char *a = take_word(command, &args, "the port A");
	const char *b = take_optional_word(&args);
	struct port_name port_a, port_b;
	struct request *request;

	(void)options;
	take_end(command, args);
	parse(command, a, &port_a);
	if (b)
		parse(command, b, &port_b);

	request = request_new(HCA_CMD_LINK_DEL, "link del %s%s%s", a, b ? " " : "", b ?: "");
	put_port(request, HCA_NL_LINK_DEVICE_A, HCA_NL_LINK_PORT_A, a, &port_a);
	if (b)
		put_port(request, HCA_NL_LINK_DEVICE_B, HCA_NL_LINK_PORT_B, b, &port_b);
	return request_do(request, NULL, NULL);
}

static int show(const struct command *command, char **args, const struct options *options)
{
	struct json_object *links;
	int status;

	take_end(command, args);
	status = inventory_links(&links);
	if (!status)
		print_links(links, options);
	json_object_put(links);
	return status;
}

#define PORT_HELP "  A port is called DEVICE/PORT, as in hca0/1, or DEVICE if that has but one.\n"

enum { ADD, DEL, SHOW };

static const struct command commands[] = {
	[ADD] = {
		.name = "add",
		.path = "link add",
		.arguments = "A B",
		.help = "  Plug a cable into the ports A and B.\n" PORT_HELP,
		.run = add,
	},
	[DEL] = {
		.name = "del",
		.alias = "delete",
		.path = "link del",
		.arguments = "A [B]",
		.help = "  Unplug the cable of port A; with B, only if it leads there.\n" PORT_HELP,
		.run = del,
	},
	[SHOW] = {
		.name = "show",
		.alias = "list",
		.path = "link show",
		.arguments = "",
		.help = "  Show all cables, each as its two ports.\n",
		.run = show,
	},
	{}
};

const struct noun link_noun = { "link", commands, &commands[SHOW] };
