// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Summarizes a topology in a few numbers. */
#include "summary.h"
#include <inttypes.h>
#include <stdlib.h>
#include "level.h"
#include "tools/lib/memory.h"

/* The largest number of printed components. Further components are only counted. */
#define PARTS_PRINTED 10

static void add_number(struct json_object *object, const char *key, size_t number)
{
	json_object_object_add(object, key, json_object_new_int64(number));
}

static struct json_object *summarize_levels(const struct topology *topology)
{
	unsigned int highest, *levels = topology_levels(topology, &highest);
	size_t *counts = need(calloc(highest + 1, sizeof(*counts))), i;
	struct json_object *array = json_object_new_array();

	for (i = 0; i < topology->num_nodes; i++)
		counts[levels[i]]++;
	for (i = 1; i <= highest; i++)
		json_object_array_add(array, json_object_new_int64(counts[i]));
	free(counts);
	free(levels);
	return array;
}

static struct json_object *summarize_rates(const struct topology *topology)
{
	struct json_object *object = json_object_new_object();
	const struct topology_link *link;
	char text[RATE_TEXT];

	for (link = topology->links; link < topology->links + topology->num_links; link++) {
		rate_format(&link->rate, text);
		add_number(object, text,
			   1 + json_object_get_int64(json_object_object_get(object, text)));
	}
	return object;
}

static struct json_object *summarize_parts(const struct topology *topology)
{
	struct json_object *array = json_object_new_array(), *object;
	size_t num_parts, *part = topology_parts(topology, &num_parts), i;
	size_t *counts = need(calloc(topology->num_nodes + 1, sizeof(*counts)));

	for (i = 0; i < topology->num_nodes; i++)
		counts[part[i]]++;
	for (i = 0; i < topology->num_nodes; i++) {
		if (!counts[i])
			continue;
		object = json_object_new_object();
		json_object_object_add(object, "node",
				       json_object_new_string(topology->nodes[i].name));
		add_number(object, "nodes", counts[i]);
		json_object_array_add(array, object);
	}
	free(counts);
	free(part);
	return array;
}

struct json_object *topology_summary(const struct topology *topology)
{
	struct json_object *object = json_object_new_object();

	add_number(object, "switches", topology->num_of[NODE_SWITCH]);
	add_number(object, "adapters", topology->num_of[NODE_CA]);
	add_number(object, "links", topology->num_links);
	json_object_object_add(object, "levels", summarize_levels(topology));
	json_object_object_add(object, "rates", summarize_rates(topology));
	json_object_object_add(object, "parts", summarize_parts(topology));
	return object;
}

static int64_t summary_number(struct json_object *object, const char *key)
{
	return json_object_get_int64(json_object_object_get(object, key));
}

static void print_parts(FILE *file, struct json_object *parts)
{
	size_t i, count = json_object_array_length(parts);
	struct json_object *part;

	if (count < 2)
		return;
	fprintf(file, "not connected, but %zu parts:\n", count);
	for (i = 0; i < count && i < PARTS_PRINTED; i++) {
		part = json_object_array_get_idx(parts, i);
		fprintf(file, "    %s and what is joined with it, nodes %" PRId64 "\n",
			json_object_get_string(json_object_object_get(part, "node")),
			summary_number(part, "nodes"));
	}
	if (i < count)
		fprintf(file, "    and %zu more\n", count - i);
}

void print_summary(FILE *file, struct json_object *summary)
{
	struct json_object *levels = json_object_object_get(summary, "levels");
	size_t i, count = json_object_array_length(levels);
	const char *separator = ": ";

	fprintf(file, "switches %" PRId64, summary_number(summary, "switches"));
	for (i = 0; count > 1 && i < count; i++, separator = ", ")
		fprintf(file, "%s%" PRId64 " at level %zu", separator,
			json_object_get_int64(json_object_array_get_idx(levels, i)), i + 1);
	fprintf(file, "\nadapters %" PRId64 "\nlinks %" PRId64,
		summary_number(summary, "adapters"), summary_number(summary, "links"));
	separator = ": ";
	json_object_object_foreach(json_object_object_get(summary, "rates"), rate, links) {
		fprintf(file, "%s%" PRId64 " %s", separator, json_object_get_int64(links), rate);
		separator = ", ";
	}
	fputc('\n', file);
	print_parts(file, json_object_object_get(summary, "parts"));
}
