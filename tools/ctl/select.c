// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Selects devices, ports and links of the inventory by name. */
#include "tools/ctl/select.h"
#include <inttypes.h>
#include <string.h>
#include "tools/ctl/grammar.h"
#include "tools/ctl/status.h"
#include "tools/lib/message.h"

int select_parse(const struct command *command, const char *text, struct selection *selection)
{
	const char *fault;

	*selection = (struct selection){ .text = text };
	fault = text ? port_name_parse(text, &selection->name) : NULL;
	return fault ? usage_error(command, "'%s' %s; as in hca0/1", text, fault) : 0;
}

static const char *json_text(struct json_object *object, const char *key)
{
	return json_object_get_string(json_object_object_get(object, key));
}

static bool is_device(const struct selection *selection, const char *name)
{
	return !strncmp(name, selection->text, selection->name.device_length) &&
	       !name[selection->name.device_length];
}

static bool is_port(const struct selection *selection, struct json_object *number)
{
	return !selection->name.has_number ||
	       json_object_get_int64(number) == selection->name.number;
}

/* Removes the ports that are not selected. Return: whether the selected port exists. */
static bool select_port(const struct selection *selection, struct json_object *device)
{
	struct json_object *ports = json_object_object_get(device, "ports"), *port;
	struct json_object *found = json_object_new_array();
	size_t i, count;

	for (i = 0; i < json_object_array_length(ports); i++) {
		port = json_object_array_get_idx(ports, i);
		if (is_port(selection, json_object_object_get(port, "port")))
			json_object_array_add(found, json_object_get(port));
	}
	count = json_object_array_length(found);
	json_object_object_add(device, "ports", found);
	return count;
}

/* Returns an array with the selected device; an empty array if the device is not found. */
static struct json_object *find_device(const struct selection *selection,
				       struct json_object *devices)
{
	struct json_object *found = json_object_new_array(), *device;
	size_t i;

	for (i = 0; i < json_object_array_length(devices); i++) {
		device = json_object_array_get_idx(devices, i);
		if (is_device(selection, json_text(device, "name")))
			json_object_array_add(found, json_object_get(device));
	}
	return found;
}

int select_devices(const struct command *command, const struct selection *selection,
		   struct json_object **devices)
{
	struct json_object *all = *devices;

	if (!selection->text)
		return 0;
	*devices = find_device(selection, all);
	json_object_put(all);
	if (!json_object_array_length(*devices)) {
		print_message("%s %s: name '%.*s': there is no such device", command->path,
			      selection->text, (int)selection->name.device_length,
			      selection->text);
		return STATUS_REFUSED;
	}
	if (!selection->name.has_number ||
	    select_port(selection, json_object_array_get_idx(*devices, 0)))
		return 0;
	print_message("%s %s: port %" PRIu32 ": there is no such port", command->path,
		      selection->text, selection->name.number);
	return STATUS_REFUSED;
}

static bool is_end(const struct selection *selection, struct json_object *end)
{
	return end && is_device(selection, json_text(end, "device")) &&
	       is_port(selection, json_object_object_get(end, "port"));
}

void select_links(const struct selection *selection, struct json_object **links)
{
	struct json_object *all = *links, *link;
	size_t i;

	if (!selection->text)
		return;
	*links = json_object_new_array();
	for (i = 0; i < json_object_array_length(all); i++) {
		link = json_object_array_get_idx(all, i);
		if (is_end(selection, json_object_object_get(link, "a")) ||
		    is_end(selection, json_object_object_get(link, "b")))
			json_object_array_add(*links, json_object_get(link));
	}
	json_object_put(all);
}
