// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl device: channel adapters. */
#include <inttypes.h>
#include <json-c/json.h>
#include "guid.h"
#include "identity.h"
#include "inventory.h"
#include "nouns.h"
#include "number.h"
#include "print.h"
#include "request.h"
#include "say.h"

enum { PORTS, GUID };
static const char *const add_keywords[] = { [PORTS] = "ports", [GUID] = "guid", NULL };

static int add(const struct command *command, char **args, const struct options *options)
{
	const char *name = take_word(command, &args, "NAME");
	const char *value[sizeof(add_keywords) / sizeof(add_keywords[0])];
	struct request *request;
	bool derived = true;
	uint32_t ports = 1;
	uint64_t guid;
	int status;

	(void)options;
	take_keywords(command, args, add_keywords, value);
	if (value[PORTS] && !number_parse(value[PORTS], &ports))
		usage_error(command, "ports '%s' is not a number", value[PORTS]);
	if (value[GUID] && !guid_parse(value[GUID], &guid))
		usage_error(command, "guid '%s' is not written as " GUID_FORMS, value[GUID]);
	if (!value[GUID])
		derived = identity_guid(name, &guid);

	request = request_new(HCA_CMD_DEVICE_ADD, "device add %s", name);
	request_put_string(request, HCA_NL_DEVICE_NAME, "name", name);
	request_put_number(request, HCA_NL_DEVICE_PORTS, "port count", ports);
	request_put_guid(request, HCA_NL_DEVICE_GUID, "guid", guid);
	status = request_do(request, NULL, NULL);
	if (!status && !derived)
		say("%s: no machine-id; GUID 0x%016" PRIx64 " was chosen at random", name, guid);
	return status;
}

static int del(const struct command *command, char **args, const struct options *options)
{
	const char *name = take_word(command, &args, "NAME");
	struct request *request;

	(void)options;
	take_end(command, args);
	request = request_new(HCA_CMD_DEVICE_DEL, "device del %s", name);
	request_put_string(request, HCA_NL_DEVICE_NAME, "name", name);
	return request_do(request, NULL, NULL);
}

static int show(const struct command *command, char **args, const struct options *options)
{
	const char *name = take_optional_word(&args);
	struct json_object *devices;
	int status;

	take_end(command, args);
	status = inventory_devices(name, &devices);
	if (!status)
		print_devices(devices, options);
	json_object_put(devices);
	return status;
}

enum { ADD, DEL, SHOW };

static const struct command commands[] = {
	[ADD] = {
		.name = "add",
		.path = "device add",
		.arguments = "NAME [ports N] [guid GUID]",
		.help = "  Make a channel adapter.\n"
			"  NAME   as the RDMA core will know it, for example hca0\n"
			"  ports  how many ports, 1 to 4; 1 if not given\n"
			"  guid   of the node, port n has GUID + n; written as\n"
			"         " GUID_FORMS ";\n"
			"         if not given, made of " MACHINE_ID_FILE
			", of $" NODE_SEED_VARIABLE " or else\n"
			"         " NODE_SEED_FILE ", and of NAME\n",
		.run = add,
	},
	[DEL] = {
		.name = "del",
		.alias = "delete",
		.path = "device del",
		.arguments = "NAME",
		.help = "  Delete a channel adapter. Its cables are unplugged, its users lose it.\n",
		.run = del,
	},
	[SHOW] = {
		.name = "show",
		.alias = "list",
		.path = "device show",
		.arguments = "[NAME]",
		.help = "  Show all channel adapters or one, with ports and live objects.\n",
		.run = show,
	},
	{}
};

const struct noun device_noun = { "device", commands, &commands[SHOW] };
