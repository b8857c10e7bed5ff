// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * hcactl device: commands for RDMA devices, which are channel adapters and RNICs, and functions for
 * devices of all kinds.
 */
#include "tools/ctl/noun/device.h"
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <string.h>
#include <time.h>
#include "tools/ctl/guid.h"
#include "tools/ctl/identity.h"
#include "tools/ctl/kernel/inventory.h"
#include "tools/ctl/kernel/request.h"
#include "tools/ctl/noun/nouns.h"
#include "tools/ctl/print.h"
#include "tools/ctl/status.h"
#include "tools/lib/message.h"
#include "tools/lib/number.h"

/*
 * Keywords of commands that add a device. Those of all kinds come first. Those of a switch that
 * follow them have no value; those of an RDMA device have one.
 */
enum {
	PORTS, GUID, DESCRIPTION, SYSTEM_IMAGE, NUM_VALUES,
	ENHANCED = NUM_VALUES, RANDOM,
	TYPE = NUM_VALUES, RNIC, NUM_RDMA_VALUES = RNIC + NUM_RNIC_KEYWORDS,
	NUM_KEYWORDS = NUM_RDMA_VALUES
};

#define COMMON_KEYWORDS \
	[PORTS] = "ports", [GUID] = "guid", [DESCRIPTION] = "description", \
	[SYSTEM_IMAGE] = "system-image"

static const char *const keywords[] = { COMMON_KEYWORDS, NULL };
static const char *const switch_keywords[] = {
	COMMON_KEYWORDS, [ENHANCED] = "enhanced", [RANDOM] = "random", NULL
};
static const char *const rdma_keywords[] = {
	COMMON_KEYWORDS, [TYPE] = "type", RNIC_KEYWORD_NAMES(RNIC), NULL
};

static struct keywords device_keywords(uint32_t kind)
{
	if (kinds[kind].is_switch)
		return (struct keywords){ .names = switch_keywords, .pairs = NUM_VALUES };
	if (kind == HCA_NL_TYPE_DEVICE)
		return (struct keywords){ .names = rdma_keywords, .pairs = NUM_RDMA_VALUES };
	return (struct keywords){ .names = keywords, .pairs = NUM_VALUES };
}

static int parse_guid(const struct command *command, const char *keyword, const char *text,
		      uint64_t *guid)
{
	if (guid_parse(text, guid))
		return 0;
	return usage_error(command, "%s '%s' is not written as " GUID_FORMS, keyword, text);
}

/* Parses the type of an RDMA device, and the keywords that only an RNIC has. */
static int parse_type(const struct command *command, const char **value, struct device *device)
{
	int i;

	if (value[TYPE] && !strcmp(value[TYPE], kind_noun(HCA_NL_TYPE_RNIC))) {
		device->type = HCA_NL_TYPE_RNIC;
		return rnic_parse(command, value + RNIC, &device->rnic);
	}
	if (value[TYPE] && strcmp(value[TYPE], "ca"))
		return usage_error(command, "type '%s' is neither ca nor rnic", value[TYPE]);
	for (i = RNIC; i < NUM_RDMA_VALUES; i++)
		if (value[i])
			return usage_error(command, "%s '%s': only type rnic has it",
					   rdma_keywords[i], value[i]);
	return 0;
}

static int parse_ports(const struct command *command, const char *text, struct device *device)
{
	const struct kind *kind = &kinds[device->type];

	device->ports = kind->default_ports;
	if (text && !number_parse(text, &device->ports))
		return usage_error(command, "ports '%s' is not a number", text);
	if (!text && !device->ports)
		return usage_error(command, "say how many ports, 1 to %" PRIu32, kind->max_ports);
	return 0;
}

static int parse_identity(const struct command *command, const char **value, struct device *device)
{
	if (value[GUID] && parse_guid(command, keywords[GUID], value[GUID], &device->guid))
		return STATUS_USAGE;
	if (value[SYSTEM_IMAGE] && parse_guid(command, keywords[SYSTEM_IMAGE], value[SYSTEM_IMAGE],
					      &device->system_image_guid))
		return STATUS_USAGE;
	if (value[DESCRIPTION] && strlen(value[DESCRIPTION]) > MAX_DESCRIPTION)
		return usage_error(command, "description '%s' has more than %d octets",
				   value[DESCRIPTION], MAX_DESCRIPTION);
	device->has_guid = value[GUID];
	device->description = value[DESCRIPTION];
	return 0;
}

/* Parses the arguments. The caller frees the member rnic of @device, also after an error. */
static int device_parse(const struct command *command, char **args, struct device *device)
{
	const struct keywords syntax = device_keywords(command->kind);
	bool is_switch = kinds[command->kind].is_switch;
	const char *value[NUM_KEYWORDS] = {};
	int status = 0;

	*device = (struct device){
		.name = parse_argument(command, &args, "NAME"),
		.type = command->kind,
	};
	if (!device->name || !parse_keywords_and_flags(command, args, &syntax, value))
		return STATUS_USAGE;
	if (command->kind == HCA_NL_TYPE_DEVICE)
		status = parse_type(command, value, device);
	device->enhanced = is_switch && value[ENHANCED];
	device->random = is_switch && value[RANDOM];
	return status ?: parse_ports(command, value[PORTS], device) ?:
			 parse_identity(command, value, device);
}

/* Begins a request about a device. @what is the command, as in "add", for messages. */
static struct request *device_begin(enum hca_command command, const char *what, uint32_t type,
				    const char *name)
{
	struct request *request = request_new(command, "%s %s %s", kind_command(type), what, name);

	request_put_string(request, HCA_NL_DEVICE_NAME, "name", name);
	request_put_number(request, HCA_NL_DEVICE_TYPE, "type", type);
	return request;
}

int device_make(const struct device *device)
{
	uint64_t guid = device->guid;
	struct request *request;
	bool certain = true;
	int status;

	if (!device->has_guid) {
		certain = identity_guid(device->name, &guid);
		guid &= ~kinds[device->type].guid_mask;
	}

	request = device_begin(HCA_CMD_DEVICE_ADD, "add", device->type, device->name);
	request_put_number(request, HCA_NL_DEVICE_PORTS, "port count", device->ports);
	request_put_guid(request, HCA_NL_DEVICE_GUID, "guid", guid);
	if (device->description)
		request_put_string(request, HCA_NL_DEVICE_DESCRIPTION, "description",
				   device->description);
	if (device->system_image_guid)
		request_put_guid(request, HCA_NL_DEVICE_SYSTEM_IMAGE_GUID, "system-image",
				 device->system_image_guid);
	if (device->enhanced)
		request_put_flag(request, HCA_NL_DEVICE_ENHANCED, "enhanced");
	if (device->random)
		request_put_flag(request, HCA_NL_DEVICE_RANDOM, "random");
	status = device->rnic.netdev ? rnic_put(request, &device->rnic) : 0;
	if (status) {
		request_drop(request);
		return status;
	}
	status = request_do(request, NULL, NULL);
	if (!status && !certain)
		print_message("%s: no machine-id; GUID 0x%016" PRIx64 " was chosen at random",
			      device->name, guid);
	return status;
}

int device_end(const struct device *device)
{
	if (device->going)
		return 0;
	return request_do(device_begin(HCA_CMD_DEVICE_DEL, "del", device->type, device->name), NULL,
			  NULL);
}

static void read_going(struct nlattr *attrs, int length, void *arg)
{
	struct nlattr *attr[HCA_NL_DEVICE_MAX + 1];
	bool *going = arg;

	if (!nla_parse(attr, HCA_NL_DEVICE_MAX, attrs, length, NULL))
		*going = attr[HCA_NL_DEVICE_GOING];
}

/* Sets *going to whether a device is still being deleted. Return: 0 or an exit status. */
static int ask_going(const struct device *device, bool *going)
{
	int error, status;

	*going = false;
	status = request_ask(device_begin(HCA_CMD_DEVICE_GET, "del", device->type, device->name),
			     read_going, going, &error);
	/* EBUSY means that the device has left the list of devices, but is not freed yet. */
	if (error == EBUSY)
		*going = true;
	return status;
}

static void pause_for(long ms)
{
	const struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

#define PATIENCE 3000 /* time in ms after which a message names the reason why the deletion waits */

int device_wait(const struct device *device)
{
	long ms = 1, waited = 0;
	bool going, reported = false;
	int status;

	while (!(status = ask_going(device, &going)) && going) {
		if (waited > PATIENCE && !reported) {
			print_message("%s del %s: waits for programs that are in a call of verbs",
				      kind_command(device->type), device->name);
			reported = true;
		}
		pause_for(ms);
		waited += ms;
		ms = ms < 64 ? 2 * ms : ms;
	}
	return status;
}

int device_delete(const struct device *device)
{
	return device_end(device) ?: device_wait(device);
}

int device_add(const struct command *command, char **args, const struct options *options)
{
	struct device device;
	int status = device_parse(command, args, &device);

	(void)options;
	if (!status)
		status = device_make(&device);
	rnic_free(&device.rnic);
	return status;
}

int device_plan(const struct command *command, char **args, struct setup *setup)
{
	struct device device;
	int status = device_parse(command, args, &device);

	if (!status)
		setup_add_device(setup, &device);
	rnic_free(&device.rnic);
	return status;
}

static const char *const settings[] = { "system-image", NULL };

int device_set(const struct command *command, char **args, const struct options *options)
{
	const char *name = parse_argument(command, &args, "NAME"), *value[1] = {};
	struct request *request;
	uint64_t guid;

	(void)options;
	if (!name || !parse_keywords(command, args, settings, value))
		return STATUS_USAGE;
	if (!value[0])
		return usage_error(command, "say what to set: %s", settings[0]);
	if (parse_guid(command, settings[0], value[0], &guid))
		return STATUS_USAGE;
	request = device_begin(HCA_CMD_DEVICE_SET, "set", command->kind, name);
	request_put_guid(request, HCA_NL_DEVICE_SYSTEM_IMAGE_GUID, settings[0], guid);
	return request_do(request, NULL, NULL);
}

int device_del(const struct command *command, char **args, const struct options *options)
{
	struct device device = {
		.name = parse_argument(command, &args, "NAME"),
		.type = command->kind,
	};

	(void)options;
	if (!device.name || !parse_end(command, args))
		return STATUS_USAGE;
	return device_delete(&device);
}

int device_show(const struct command *command, char **args, const struct options *options)
{
	const char *name = parse_optional_argument(&args);
	struct json_object *devices;
	int status;

	if (!parse_end(command, args))
		return STATUS_USAGE;
	status = inventory_devices(command->kind, name, &devices);
	if (!status)
		print_devices(devices, options);
	json_object_put(devices);
	return status;
}

enum { ADD, SET, DEL, SHOW };

static const char add_help[] =
	"  Make a channel adapter or an RNIC.\n"
	"  NAME         as the RDMA core will know it, for example hca0\n"
	"  type         ca (default), or rnic: RDMA over TCP (iWARP)\n"
	"  ports        how many ports, 1 to 4; 1 if not given\n"
	"  guid         of the node, port n has GUID + n; written as\n"
	"               " GUID_FORMS_HELP ";\n"
	"               if not given, made of " MACHINE_ID_FILE
	", of $" NODE_SEED_VARIABLE "\n"
	"               or else " NODE_SEED_FILE ", and of NAME\n"
	"  description  NodeDescription, at most 64 octets; if not given, the host's\n"
	"               name and NAME\n"
	"  system-image of the system that it is part of, a GUID; its own if not given\n"
	"  Of an rnic:\n"
	"  netdev       network interface, which it needs\n"
	"  address      the only address that it serves; those of the interface if not\n"
	"               given; several RNICs of one interface need one each\n"
	"  netns        network namespace of the interface, if it is another one\n"
	"  crc          on (default) or off: ask peers for CRCs\n"
	"  markers      on or off (default): ask peers for markers\n"
	"  strict       on (default), or off: a Read needs no right of remote writing\n"
	"  mpa          highest revision of MPA, 1 or 2 (default)\n"
	"  rtr          messages by which a connection may begin, none or a list of\n"
	"               write, read and send; write,read if not given\n"
	"  timeout      seconds that an ending connection may take; 5 if not given\n";

static const char set_help[] =
	"  Make a channel adapter part of another system. Subnet managers are notified.\n"
	"  system-image GUID of the system, the same for all its parts\n";

static const char del_help[] =
	"  Delete a channel adapter or an RNIC. Its cables are disconnected, its users\n"
	"  lose it.\n";

static const struct command commands[] = {
	[ADD] = {
		.name = "add",
		.path = "device add",
		.arguments = "NAME [ports N] [guid GUID] [description TEXT] "
			     "[system-image GUID] [type ca|rnic] [netdev INTERFACE] "
			     "[address IP] [netns NAME] [crc on|off] [markers on|off] "
			     "[strict on|off] [mpa 1|2] [rtr none|write|read|send,...] "
			     "[timeout SECONDS]",
		.help = add_help,
		.kind = HCA_NL_TYPE_DEVICE,
		.run = device_add,
		.plan = device_plan,
	},
	[SET] = {
		.name = "set",
		.path = "device set",
		.arguments = "NAME system-image GUID",
		.help = set_help,
		.kind = HCA_NL_TYPE_DEVICE,
		.run = device_set,
	},
	[DEL] = {
		.name = "del",
		.alias = "delete",
		.path = "device del",
		.arguments = "NAME",
		.help = del_help,
		.kind = HCA_NL_TYPE_DEVICE,
		.run = device_del,
	},
	[SHOW] = {
		.name = "show",
		.alias = "list",
		.path = "device show",
		.arguments = "[NAME]",
		.help = "  Show all channel adapters and RNICs or one, with ports and live objects.\n",
		.kind = HCA_NL_TYPE_DEVICE,
		.run = device_show,
	},
	{}
};

const struct noun device_noun = {
	.name = "device",
	.alias = "d", /* the abbreviation "d" would be ambiguous, because there is a noun "drops" */
	.commands = commands,
	.alone = &commands[SHOW],
};
