// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Stands for tools/ctl/kernel/counters.c in hcactl-recorded: counters are those of the objects "counters"
 * and "traffic", by port, in the file that HCACTL_RECORD names. If HCACTL_READINGS names a file,
 * its length is how often traffic was read, and what was recorded has been carried as often.
 */
#include <stdio.h>
#include <stdlib.h>
#include "tools/ctl/kernel/counters.h"
#include "tools/lib/memory.h"

/* The file is read once: there may be many ports. */
static struct json_object *recorded(const char *key, const char *device, unsigned int port)
{
	static struct json_object *record;
	char *name = need_text("%s/%u", device, port);
	struct json_object *object;

	record = record ?: json_object_from_file(getenv("HCACTL_RECORD"));
	object = json_object_object_get(record, key);
	object = json_object_get(json_object_object_get(object, name));
	free(name);
	return object;
}

struct json_object *counters_errors(const char *device, unsigned int port)
{
	return recorded("counters", device, port);
}

static int64_t count_reading(void)
{
	const char *path = getenv("HCACTL_READINGS");
	FILE *file = path ? fopen(path, "a") : NULL;
	int64_t count;

	if (!file)
		return 1;
	fputc('.', file);
	count = ftell(file);
	fclose(file);
	return count;
}

struct json_object *counters_traffic(const char *device, unsigned int port)
{
	struct json_object *object = recorded("traffic", device, port);
	int64_t readings;

	if (!object)
		return NULL;
	readings = count_reading();
	json_object_object_foreach(object, name, value) {
		(void)name;
		json_object_set_int64(value, readings * json_object_get_int64(value));
	}
	return object;
}
