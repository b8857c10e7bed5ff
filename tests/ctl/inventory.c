// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Replaces tools/ctl/kernel/inventory.c and resource_read.c in hcactl-recorded. Devices, links and
 * objects are those of the file that HCACTL_RECORD names, whose object has the members "devices",
 * "links", "qp" and others as hcactl -j show, link show and qp show print them.
 */
#include <stdlib.h>
#include <string.h>
#include "tools/ctl/kernel/inventory.h"
#include "tools/ctl/kind.h"
#include "tools/ctl/noun/resource.h"
#include "tools/lib/message.h"

static struct json_object *recorded(const char *key)
{
	const char *path = getenv("HCACTL_RECORD");
	struct json_object *record = path ? json_object_from_file(path) : NULL, *array;

	if (!record)
		die("HCACTL_RECORD names no file of JSON");
	array = json_object_get(json_object_object_get(record, key));
	json_object_put(record);
	return array;
}

static const char *text(struct json_object *object, const char *key)
{
	return json_object_get_string(json_object_object_get(object, key));
}

int inventory_devices(uint32_t type, const char *name, struct json_object **devices)
{
	struct json_object *all = recorded("devices"), *device;
	size_t i;

	*devices = json_object_new_array();
	for (i = 0; i < json_object_array_length(all); i++) {
		device = json_object_array_get_idx(all, i);
		if ((type == ALL_KINDS || !strcmp(text(device, "type"), kind_noun(type))) &&
		    (!name || !strcmp(text(device, "name"), name)))
			json_object_array_add(*devices, json_object_get(device));
	}
	json_object_put(all);
	return 0;
}

int resource_read(const struct resource *resource, struct json_object **rows)
{
	*rows = recorded(resource->noun);
	return 0;
}

int inventory_links(struct json_object **links)
{
	*links = recorded("links");
	return 0;
}
