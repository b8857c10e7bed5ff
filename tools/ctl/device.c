// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl device: channel adapters. */
#include <inttypes.h>
#include <json-c/json.h>
#include "device.h"
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

static int parse(const struct command *command, char **args, struct device *device)
{
	const char *value[sizeof(add_keywords) / sizeof(add_keywords[0])];

	*device = (struct device){ .name = take_word(command, &args, "NAME"), .ports = 1 };
	if (!device->name || !take_keywords(command, args, add_keywords, value))
		return STATUS_USAGE;
	if (value[PORTS] && !number_parse(value[PORTS], &device->ports))
		return usage_error(command, "ports '%s' is not a number", value[PORTS]);
	if (value[GUID] && !guid_parse(value[GUID], &device->guid))
		return usage_error(command, "guid '%s' is not written as " GUID_FORMS,
				   value[GUID]);
	device->has_guid = value[GUID];
	return 0;
}

int device_make(const struct device *device)
{
	uint64_t guid = device->guid;
	struct request *request;
	bool certain = true;
	int status;

	if (!device->has_guid)
		certain = identity_guid(device->name, &guid);

	request = request_new(HCA_CMD_DEVICE_ADD, "device add %s", device->name);
	request_put_string(request, HCA_NL_DEVICE_NAME, "name", device->name);
	request_put_number(request, HCA_NL_DEVICE_PORTS, "port count", device->ports);
	request_put_guid(request, HCA_NL_DEVICE_GUID, "guid", guid);
	status = request_do(request, NULL, NULL);
	if (!status && !certain)
		say("%s: no machine-id; GUID 0x%016" PRIx64 " was chosen at random", device->name,
		    guid);
	return status;
}

int device_delete(const char *name)
{
	struct request *request = request_new(HCA_CMD_DEVICE_DEL, "device del %s", name);

	request_put_string(request, HCA_NL_DEVICE_NAME, "name", name);
	return request_do(request, NULL, NULL);
}

static int add(const struct command *command, char **args, const struct options *options)
{
	struct device device;
	int status = parse(command, args, &device);

	(void)options;
	return status ?: device_make(&device);
}

static int plan(const struct command *command, char **args, struct setup *setup)
{
	struct device device;
	int status = parse(command, args, &device);

	if (!status)
		setup_add_device(setup, &device);
	return status;
}

static int del(const struct command *command, char **args, const struct options *options)
{
	const char *name = take_word(command, &args, "NAME");

	(void)options;
	if (!name || !take_end(command, args))
		return STATUS_USAGE;
	return device_delete(name);
}

static int show(const struct command *command, char **args, const struct options *options)
{
	const char *name = take_optional_word(&args);
	struct json_object *devices;
	int status;

	if (!take_end(command, args))
		return STATUS_USAGE;
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
		.plan = plan,
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
