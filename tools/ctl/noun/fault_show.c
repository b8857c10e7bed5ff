// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Prints the JSON values of a cable's faults and shape as text. */
#include "tools/ctl/noun/fault_show.h"
#include <inttypes.h>
#include "tools/ctl/noun/fault_value.h"

static int64_t json_number(struct json_object *object, const char *key)
{
	return json_object_get_int64(json_object_object_get(object, key));
}

/* Prints the arguments that select the packets to be hit. A space follows each word. */
static void print_selection(FILE *file, struct json_object *faults)
{
	static const char *const keys[] = { "opcode", "qpn", "psn", "nth", "count" };
	struct json_object *value;
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		value = json_object_object_get(faults, keys[i]);
		if (value)
			fprintf(file, "%s %s ", keys[i], json_object_get_string(value));
	}
}

void fault_print_arguments(FILE *file, struct json_object *faults)
{
	struct json_object *slow_vl = json_object_object_get(faults, "slow_vl"), *chance;
	const struct fault_kind *kind;

	for (kind = fault_kinds; kind < fault_kinds + NUM_FAULT_KINDS; kind++) {
		chance = json_object_object_get(faults, kind->name);
		if (json_object_get_double(chance) > 0)
			fprintf(file, "%s %s ", kind->name, json_object_get_string(chance));
	}
	if (slow_vl)
		fprintf(file, "slow-vl %" PRId64 ":%" PRId64 " ", json_number(slow_vl, "vl"),
			json_number(slow_vl, "rate"));
	print_selection(file, faults);
	fprintf(file, "seed %" PRId64, json_number(faults, "seed"));
}

void fault_print_counters(FILE *file, struct json_object *faults)
{
	const struct fault_kind *kind;
	const char *separator = ": ";

	fprintf(file, ": %" PRId64 " matched, %" PRId64 " hit", json_number(faults, "matched"),
		json_number(faults, "hit"));
	for (kind = fault_kinds; kind < fault_kinds + NUM_FAULT_KINDS; kind++, separator = ", ")
		fprintf(file, "%s%" PRId64 " %s", separator, json_number(faults, kind->counted),
			kind->counted);
}

void shape_print_arguments(FILE *file, struct json_object *shape)
{
	static const char *const names[][2] = {
		{ "rate", "rate" }, { "delay", "delay" }, { "jitter", "jitter" },
		{ "reorder", "reorder" }, { "seed", "seed" },
		{ "flap_every", "flap every" }, { "flap_for", "for" },
	};
	const char *separator = "";
	struct json_object *value;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		value = json_object_object_get(shape, names[i][0]);
		if (!value || (json_object_is_type(value, json_type_double) &&
			       json_object_get_double(value) == 0))
			continue;
		fprintf(file, "%s%s %s", separator, names[i][1], json_object_get_string(value));
		separator = " ";
	}
}

void shape_print_counters(FILE *file, struct json_object *shape)
{
	fprintf(file, ": %" PRId64 " reordered, %" PRId64 " flapped",
		json_number(shape, "reordered"), json_number(shape, "flapped"));
}
