// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reads devices and links from the kernel as JSON values. */
#include "tools/ctl/kernel/inventory.h"
#include <inttypes.h>
#include <netlink/attr.h>
#include <stdio.h>
#include <stdlib.h>
#include "tools/ctl/kernel/request.h"
#include "tools/ctl/kind.h"
#include "tools/ctl/noun/fault_netlink.h"
#include "tools/ctl/noun/fault_opcodes.h"
#include "tools/ctl/noun/fault_value.h"
#include "tools/ctl/noun/link.h"
#include "tools/ctl/noun/network.h"
#include "tools/ctl/noun/rnic.h"
#include "tools/ctl/noun/rnic_fault.h"
#include "tools/ctl/noun/shape.h"
#include "tools/lib/probability.h"

struct inventory {
	uint32_t type; /* kind of the devices that are read, or ALL_KINDS */
	struct json_object *devices;
	uint64_t last_guid; /* GUID of the last device in the array */
};

static struct nla_policy device_types[HCA_NL_DEVICE_MAX + 1] = {
	[HCA_NL_DEVICE_NAME] = { .type = NLA_STRING },
	[HCA_NL_DEVICE_PORTS] = { .type = NLA_U32 },
	[HCA_NL_DEVICE_GUID] = { .type = NLA_U64 },
	[HCA_NL_DEVICE_DESCRIPTION] = { .type = NLA_STRING },
	[HCA_NL_DEVICE_DRIVER_VERSION] = { .type = NLA_STRING },
	[HCA_NL_DEVICE_TYPE] = { .type = NLA_U32 },
	[HCA_NL_DEVICE_SYSTEM_IMAGE_GUID] = { .type = NLA_U64 },
};

static struct nla_policy port_types[HCA_NL_PORT_MAX + 1] = {
	[HCA_NL_PORT_NUMBER] = { .type = NLA_U32 },
	[HCA_NL_PORT_GUID] = { .type = NLA_U64 },
	[HCA_NL_PORT_STATE] = { .type = NLA_U32 },
	[HCA_NL_PORT_PHYS_STATE] = { .type = NLA_U32 },
	[HCA_NL_PORT_LID] = { .type = NLA_U32 },
	[HCA_NL_PORT_LMC] = { .type = NLA_U32 },
	[HCA_NL_PORT_SM_LID] = { .type = NLA_U32 },
	[HCA_NL_PORT_MTU] = { .type = NLA_U32 },
	[HCA_NL_PORT_PEER_DEVICE] = { .type = NLA_STRING },
	[HCA_NL_PORT_PEER_PORT] = { .type = NLA_U32 },
};

static struct nla_policy buffer_types[HCA_NL_BUFFER_MAX + 1] = {
	[HCA_NL_BUFFER_VL] = { .type = NLA_U32 },
	[HCA_NL_BUFFER_RESERVED] = { .type = NLA_U32 },
	[HCA_NL_BUFFER_OUTSTANDING] = { .type = NLA_U32 },
};

static struct nla_policy object_types[HCA_NL_OBJECT_MAX + 1] = {
	[HCA_NL_OBJECT_TYPE] = { .type = NLA_STRING },
	[HCA_NL_OBJECT_COUNT] = { .type = NLA_U32 },
};

static struct nla_policy link_types[HCA_NL_LINK_MAX + 1] = {
	[HCA_NL_LINK_DEVICE_A] = { .type = NLA_STRING },
	[HCA_NL_LINK_PORT_A] = { .type = NLA_U32 },
	[HCA_NL_LINK_DEVICE_B] = { .type = NLA_STRING },
	[HCA_NL_LINK_PORT_B] = { .type = NLA_U32 },
	[HCA_NL_LINK_ADMIN_DOWN] = { .type = NLA_U32 },
};

/* Names of port states, as ibstat(8) prints them. */
static const char *const port_states[] = {
	[1] = "Down",
	[2] = "Initializing",
	[3] = "Armed",
	[4] = "Active",
	[5] = "ActDefer",
};

static const char *const phys_states[] = {
	[1] = "Sleep",
	[2] = "Polling",
	[3] = "Disabled",
	[4] = "PortConfigurationTraining",
	[5] = "LinkUp",
	[6] = "LinkErrorRecovery",
};

/*
 * Converts a string to JSON. Control characters are replaced, because names and descriptions may
 * contain any octets.
 */
static struct json_object *inventory_text(struct nlattr *attr)
{
	char clean[128];
	size_t used = 0;
	const char *c = attr ? nla_get_string(attr) : "";

	for (; *c && used < sizeof(clean) - 1; c++)
		clean[used++] = *c >= ' ' && *c <= '~' ? *c : '?';
	return json_object_new_string_len(clean, used);
}

static struct json_object *inventory_number(struct nlattr *attr)
{
	return json_object_new_int64(attr ? nla_get_u32(attr) : 0);
}

static struct json_object *inventory_guid(struct nlattr *attr)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "0x%016" PRIx64, attr ? nla_get_u64(attr) : 0);
	return json_object_new_string(digits);
}

static struct json_object *inventory_state(struct nlattr *attr, const char *const *names,
					   size_t count)
{
	uint32_t value = attr ? nla_get_u32(attr) : 0;
	char unnamed[24];

	if (value < count && names[value])
		return json_object_new_string(names[value]);
	snprintf(unnamed, sizeof(unnamed), "state %" PRIu32, value);
	return json_object_new_string(unnamed);
}

#define STATE(attr, names) inventory_state(attr, names, sizeof(names) / sizeof((names)[0]))

/*
 * Returns a JSON object with the device and the port at an end of a cable; JSON null if @device is
 * NULL.
 */
static struct json_object *inventory_end(struct nlattr *device, struct nlattr *port)
{
	struct json_object *object;

	if (!device)
		return NULL;
	object = json_object_new_object();
	json_object_object_add(object, "device", inventory_text(device));
	json_object_object_add(object, "port", inventory_number(port));
	return object;
}

static struct json_object *inventory_chance(struct nlattr *attr)
{
	uint32_t value = attr ? nla_get_u32(attr) : 0;
	char digits[PROBABILITY_TEXT];

	return json_object_new_double_s(value == UINT32_MAX ? 1 : value / 4294967296.0,
					probability_format(value, digits));
}

static struct json_object *inventory_count(struct nlattr *attr)
{
	return json_object_new_int64(attr ? nla_get_u64(attr) : 0);
}

static struct json_object *slow_vl(struct nlattr **attr)
{
	struct json_object *object;

	if (!attr[HCA_NL_FAULT_SLOW_VL] || !attr[HCA_NL_FAULT_SLOW_VL_RATE])
		return NULL;
	object = json_object_new_object();
	json_object_object_add(object, "vl", inventory_number(attr[HCA_NL_FAULT_SLOW_VL]));
	json_object_object_add(object, "rate", inventory_number(attr[HCA_NL_FAULT_SLOW_VL_RATE]));
	return object;
}

static struct json_object *number_or_null(struct nlattr *attr)
{
	return attr ? inventory_number(attr) : NULL;
}

/* Returns the opcodes or classes that a fault is about, as text; JSON null if it is about all. */
static struct json_object *inventory_opcodes(struct nlattr **attr)
{
	struct json_object *object;
	struct opcodes list;
	char *names;

	fault_opcodes_read(attr, &list);
	names = fault_opcodes_text(&list);
	object = *names ? json_object_new_string(names) : NULL;
	free(names);
	return object;
}

/*
 * Adds the criteria that select the packets to be hit by a fault, and the number of packets that
 * have met these criteria.
 */
static void add_selection(struct json_object *object, struct nlattr **attr)
{
	json_object_object_add(object, "opcode", inventory_opcodes(attr));
	json_object_object_add(object, "qpn", number_or_null(attr[HCA_NL_FAULT_QPN]));
	json_object_object_add(object, "psn", number_or_null(attr[HCA_NL_FAULT_PSN]));
	json_object_object_add(object, "nth", number_or_null(attr[HCA_NL_FAULT_NTH]));
	json_object_object_add(object, "count", number_or_null(attr[HCA_NL_FAULT_COUNT]));
	json_object_object_add(object, "matched", inventory_count(attr[HCA_NL_FAULT_MATCHED]));
}

/* Adds the number of packets that each kind of fault has hit, and the sum of these numbers. */
static void add_hits(struct json_object *object, struct nlattr **attr)
{
	const struct fault_kind *kind;
	int64_t hit = 0;

	for (kind = fault_kinds; kind < fault_kinds + NUM_FAULT_KINDS; kind++)
		if (attr[kind->count])
			hit += nla_get_u64(attr[kind->count]);
	json_object_object_add(object, "hit", json_object_new_int64(hit));
	for (kind = fault_kinds; kind < fault_kinds + NUM_FAULT_KINDS; kind++)
		json_object_object_add(object, kind->counted, inventory_count(attr[kind->count]));
}

/* Returns the faults of one direction of a cable; JSON null if there are none. */
static struct json_object *inventory_faults(struct nlattr *nest)
{
	struct nlattr *attr[HCA_NL_FAULT_MAX + 1];
	const struct fault_kind *kind;
	struct json_object *object;

	if (!fault_attributes(nest, attr))
		return NULL;
	object = json_object_new_object();
	for (kind = fault_kinds; kind < fault_kinds + NUM_FAULT_KINDS; kind++)
		json_object_object_add(object, kind->name, inventory_chance(attr[kind->chance]));
	json_object_object_add(object, "slow_vl", slow_vl(attr));
	json_object_object_add(object, "seed", inventory_number(attr[HCA_NL_FAULT_SEED]));
	add_selection(object, attr);
	add_hits(object, attr);
	return object;
}

/*
 * Returns the highest rate that @a and @b have in common, as in "4xEDR"; JSON null if there is
 * none.
 */
static struct json_object *inventory_rate(const struct rate_masks *a, const struct rate_masks *b)
{
	struct rate most = rate_of_masks(a, b);
	char digits[RATE_TEXT];

	return most.width && most.speed ? json_object_new_string(rate_format(&most, digits)) : NULL;
}

static struct json_object *port_rate(struct nlattr *nest)
{
	struct rate_masks masks = link_read_masks(nest);

	return inventory_rate(&masks, &masks);
}

/*
 * Returns a text that says whether two ports lack a common width or a common speed; JSON null if
 * they have a common rate.
 */
static struct json_object *inventory_lacking(struct nlattr *nest_a, struct nlattr *nest_b)
{
	struct rate_masks a = link_read_masks(nest_a), b = link_read_masks(nest_b);
	struct rate common = rate_of_masks(&a, &b);

	if (!common.width)
		return json_object_new_string("no width in common");
	return common.speed ? NULL : json_object_new_string("no speed in common");
}

static struct json_object *signed_number(struct nlattr *attr)
{
	return json_object_new_int64(attr ? (int32_t)nla_get_u32(attr) : 0);
}

static struct json_object *inventory_buffer(struct nlattr *nest)
{
	struct nlattr *attr[HCA_NL_BUFFER_MAX + 1];
	struct json_object *object;

	if (nla_parse_nested(attr, HCA_NL_BUFFER_MAX, nest, buffer_types))
		return NULL;
	object = json_object_new_object();
	json_object_object_add(object, "vl", inventory_number(attr[HCA_NL_BUFFER_VL]));
	json_object_object_add(object, "reserved", signed_number(attr[HCA_NL_BUFFER_RESERVED]));
	json_object_object_add(object, "outstanding",
			       signed_number(attr[HCA_NL_BUFFER_OUTSTANDING]));
	return object;
}

/*
 * Returns an array with an entry for each VL that has receive buffers in use at the port or at the
 * other end of its link.
 */
static struct json_object *inventory_buffers(struct nlattr *port)
{
	struct json_object *array = json_object_new_array();
	struct nlattr *nest;
	int left;

	nla_for_each_nested(nest, port, left)
		if (nla_type(nest) == HCA_NL_PORT_BUFFER)
			json_object_array_add(array, inventory_buffer(nest));
	return array;
}

static void add_port(struct nlattr *nest, struct json_object *ports)
{
	struct nlattr *attr[HCA_NL_PORT_MAX + 1];
	struct json_object *port;

	if (nla_parse_nested(attr, HCA_NL_PORT_MAX, nest, port_types))
		return;
	port = json_object_new_object();
	json_object_object_add(port, "port", inventory_number(attr[HCA_NL_PORT_NUMBER]));
	json_object_object_add(port, "guid", inventory_guid(attr[HCA_NL_PORT_GUID]));
	json_object_object_add(port, "state", STATE(attr[HCA_NL_PORT_STATE], port_states));
	json_object_object_add(port, "physical_state",
			       STATE(attr[HCA_NL_PORT_PHYS_STATE], phys_states));
	json_object_object_add(port, "lid", inventory_number(attr[HCA_NL_PORT_LID]));
	json_object_object_add(port, "lmc", inventory_number(attr[HCA_NL_PORT_LMC]));
	json_object_object_add(port, "sm_lid", inventory_number(attr[HCA_NL_PORT_SM_LID]));
	json_object_object_add(port, "mtu", inventory_number(attr[HCA_NL_PORT_MTU]));
	json_object_object_add(port, "peer",
			       inventory_end(attr[HCA_NL_PORT_PEER_DEVICE],
					     attr[HCA_NL_PORT_PEER_PORT]));
	json_object_object_add(port, "faults", inventory_faults(attr[HCA_NL_PORT_FAULT]));
	json_object_object_add(port, "network", network_json(attr[HCA_NL_PORT_NETWORK]));
	json_object_object_add(port, "shape", shape_json(attr[HCA_NL_PORT_SHAPE]));
	json_object_object_add(port, "supported", port_rate(attr[HCA_NL_PORT_SUPPORTED]));
	json_object_object_add(port, "enabled", port_rate(attr[HCA_NL_PORT_ENABLED]));
	json_object_object_add(port, "rate", port_rate(attr[HCA_NL_PORT_ACTIVE]));
	json_object_object_add(port, "admin_down",
			       json_object_new_boolean(!!attr[HCA_NL_PORT_ADMIN_DOWN]));
	json_object_object_add(port, "buffers", inventory_buffers(nest));
	json_object_array_add(ports, port);
}

static void add_object(struct nlattr *nest, struct json_object *objects)
{
	struct nlattr *attr[HCA_NL_OBJECT_MAX + 1];

	if (nla_parse_nested(attr, HCA_NL_OBJECT_MAX, nest, object_types) ||
	    !attr[HCA_NL_OBJECT_TYPE])
		return;
	json_object_object_add(objects, nla_get_string(attr[HCA_NL_OBJECT_TYPE]),
			       inventory_number(attr[HCA_NL_OBJECT_COUNT]));
}

static struct json_object *inventory_identity(struct nlattr **attr, uint32_t type)
{
	struct json_object *device = json_object_new_object();

	json_object_object_add(device, "name", inventory_text(attr[HCA_NL_DEVICE_NAME]));
	json_object_object_add(device, "type", json_object_new_string(kind_noun(type)));
	json_object_object_add(device, "guid", inventory_guid(attr[HCA_NL_DEVICE_GUID]));
	json_object_object_add(device, "system_image_guid",
			       inventory_guid(attr[HCA_NL_DEVICE_SYSTEM_IMAGE_GUID]));
	json_object_object_add(device, "description",
			       inventory_text(attr[HCA_NL_DEVICE_DESCRIPTION]));
	json_object_object_add(device, "led", json_object_new_boolean(!!attr[HCA_NL_DEVICE_LED]));
	json_object_object_add(device, "going",
			       json_object_new_boolean(!!attr[HCA_NL_DEVICE_GOING]));
	json_object_object_add(device, "driver_version",
			       inventory_text(attr[HCA_NL_DEVICE_DRIVER_VERSION]));
	json_object_object_add(device, "ports", json_object_new_array());
	json_object_object_add(device, "objects", json_object_new_object());
	return device;
}

/*
 * Returns the JSON object of the device that a netlink message describes. The kernel may send
 * several successive messages about a device. A message with another GUID than the previous one
 * adds a new device to the array.
 */
static struct json_object *device_of(struct nlattr **attr, uint32_t type,
				     struct inventory *inventory)
{
	uint64_t node_guid = attr[HCA_NL_DEVICE_GUID] ? nla_get_u64(attr[HCA_NL_DEVICE_GUID]) : 0;
	size_t count = json_object_array_length(inventory->devices);

	if (count && node_guid == inventory->last_guid)
		return json_object_array_get_idx(inventory->devices, count - 1);
	inventory->last_guid = node_guid;
	json_object_array_add(inventory->devices, inventory_identity(attr, type));
	return json_object_array_get_idx(inventory->devices, count);
}

/* Adds what only an RNIC has. @attrs are the attributes of the message. */
static void add_rnic(struct json_object *device, struct nlattr *rnic, struct nlattr *attrs,
		     int length)
{
	struct json_object *faults = json_object_new_array();
	struct nlattr *nest;
	int left;

	nla_for_each_attr(nest, attrs, length, left)
		if (nla_type(nest) == HCA_NL_DEVICE_RNIC_FAULT)
			json_object_array_add(faults, rnic_fault_json(nest));
	json_object_object_add(device, "rnic", rnic_json(rnic));
	json_object_object_add(device, "faults", faults);
}

static void add_device(struct nlattr *attrs, int length, void *arg)
{
	struct nlattr *attr[HCA_NL_DEVICE_MAX + 1], *nest;
	struct inventory *inventory = arg;
	struct json_object *device;
	uint32_t type = 0;
	int left;

	if (nla_parse(attr, HCA_NL_DEVICE_MAX, attrs, length, device_types))
		return;
	if (attr[HCA_NL_DEVICE_TYPE])
		type = nla_get_u32(attr[HCA_NL_DEVICE_TYPE]);
	if (!kind_includes(inventory->type, type))
		return;

	device = device_of(attr, type, inventory);
	nla_for_each_attr(nest, attrs, length, left) {
		if (nla_type(nest) == HCA_NL_DEVICE_PORT)
			add_port(nest, json_object_object_get(device, "ports"));
		if (nla_type(nest) == HCA_NL_DEVICE_OBJECT)
			add_object(nest, json_object_object_get(device, "objects"));
	}
	if (type == HCA_NL_TYPE_RNIC)
		add_rnic(device, attr[HCA_NL_DEVICE_RNIC], attrs, length);
	if (type != HCA_NL_TYPE_SWITCH)
		return;
	json_object_object_add(device, "enhanced",
			       json_object_new_boolean(!!attr[HCA_NL_DEVICE_ENHANCED]));
	json_object_object_add(device, "random",
			       json_object_new_boolean(!!attr[HCA_NL_DEVICE_RANDOM]));
}

static bool is_set(struct nlattr *attr)
{
	return attr && nla_get_u32(attr);
}

static void add_link(struct nlattr *attrs, int length, void *arg)
{
	struct json_object **links = arg, *link;
	struct nlattr *attr[HCA_NL_LINK_MAX + 1];

	if (nla_parse(attr, HCA_NL_LINK_MAX, attrs, length, link_types))
		return;
	link = json_object_new_object();
	json_object_object_add(link, "a",
			       inventory_end(attr[HCA_NL_LINK_DEVICE_A], attr[HCA_NL_LINK_PORT_A]));
	json_object_object_add(link, "b",
			       inventory_end(attr[HCA_NL_LINK_DEVICE_B], attr[HCA_NL_LINK_PORT_B]));
	json_object_object_add(link, "faults_from_a", inventory_faults(attr[HCA_NL_LINK_FAULT_A]));
	json_object_object_add(link, "faults_from_b", inventory_faults(attr[HCA_NL_LINK_FAULT_B]));
	json_object_object_add(link, "network", network_json(attr[HCA_NL_LINK_NETWORK]));
	json_object_object_add(link, "shape_from_a", shape_json(attr[HCA_NL_LINK_SHAPE_A]));
	json_object_object_add(link, "shape_from_b", shape_json(attr[HCA_NL_LINK_SHAPE_B]));
	json_object_object_add(link, "rate", port_rate(attr[HCA_NL_LINK_ACTIVE]));
	json_object_object_add(link, "lacking",
			       attr[HCA_NL_LINK_ACTIVE] ?
				       NULL :
				       inventory_lacking(attr[HCA_NL_LINK_ENABLED_A],
							 attr[HCA_NL_LINK_ENABLED_B]));
	json_object_object_add(link, "admin_down",
			       json_object_new_boolean(is_set(attr[HCA_NL_LINK_ADMIN_DOWN])));
	json_object_array_add(*links, link);
}

static void inventory_empty(void *arg)
{
	struct json_object **array = arg;

	json_object_put(*array);
	*array = json_object_new_array();
}

static void empty_inventory(void *arg)
{
	struct inventory *inventory = arg;

	inventory_empty(&inventory->devices);
}

int inventory_devices(uint32_t type, const char *name, struct json_object **devices)
{
	struct inventory inventory = { .type = type };
	struct request *request;
	int status;

	if (!name) {
		request = request_new(HCA_CMD_DEVICE_GET, "show");
		status = request_dump(request, empty_inventory, add_device, &inventory);
	} else {
		empty_inventory(&inventory);
		request = request_new(HCA_CMD_DEVICE_GET, "%s show %s", kind_noun(type), name);
		request_put_string(request, HCA_NL_DEVICE_NAME, "name", name);
		request_put_number(request, HCA_NL_DEVICE_TYPE, "type", type);
		status = request_do(request, add_device, &inventory);
	}
	*devices = inventory.devices;
	return status;
}

int inventory_links(struct json_object **links)
{
	*links = NULL;
	return request_dump(request_new(HCA_CMD_LINK_GET, "link show"), inventory_empty, add_link,
			    links);
}
