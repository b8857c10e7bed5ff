// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl topology diff: compares two fabrics. */
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>
#include "tools/ctl/noun/topology.h"
#include "tools/ctl/print.h"
#include "tools/ctl/status.h"
#include "tools/lib/color.h"
#include "tools/topology/diff.h"
#include "tools/topology/label.h"

/* Exit statuses, which are the same as those of diff(1) */
enum { SAME, DIFFERENT };

struct sides {
	struct topology topologies[2];
	const char *names[2]; /* names of the two files */
	struct match match;
	bool by_shape;
};

static const char *const type_names[] = { [NODE_CA] = "ca", [NODE_SWITCH] = "switch" };

/* The character and the color that mark a line of each of the two files */
static const struct {
	char mark;
	const char *file_mark, *key;
	enum color color;
} lines[2] = {
	{ '-', "---", "in_a", COLOR_RED },
	{ '+', "+++", "in_b", COLOR_GREEN },
};

static struct link_ends ends_of(const struct sides *sides, const struct topology_link *link,
				int side)
{
	return topology_link_ends(&sides->topologies[0], &sides->topologies[1],
				  side ? &sides->match : NULL, link);
}

static void print_link(const struct sides *sides, const struct topology_link *link, int side)
{
	struct link_ends ends = ends_of(sides, link, side);
	char text[RATE_TEXT];

	printf("link \"%s\"[%u] \"%s\"[%u] %s", topology_label(ends.nodes[0]), ends.ports[0],
	       topology_label(ends.nodes[1]), ends.ports[1], rate_format(&link->rate, text));
}

static void print_line(const struct sides *sides, const struct difference *difference, int side,
		       bool colored)
{
	enum color color = colored ? lines[side].color : COLOR_NONE;
	const struct topology_node *node = difference->nodes[side];
	const struct topology_link *link = difference->links[side];

	if (!node && !link)
		return;
	printf("%s%c", color_begin(color), lines[side].mark);
	if (node)
		printf("%s \"%s\" ports %u", type_names[node->type], topology_label(node),
		       node->num_ports);
	else
		print_link(sides, link, side);
	puts(color_end(color));
}

static void print_differences(const struct sides *sides, const struct differences *differences)
{
	bool colored = color_is_wanted(stdout);
	const struct difference *difference;
	int side;

	if (!differences->count)
		return;
	for (side = 0; side < 2; side++)
		printf("%s %s\n", lines[side].file_mark, sides->names[side]);
	for (difference = differences->items;
	     difference < differences->items + differences->count; difference++)
		for (side = 0; side < 2; side++)
			print_line(sides, difference, side, colored);
}

static struct json_object *node_json(const struct topology_node *node)
{
	struct json_object *object;

	if (!node)
		return NULL;
	object = json_object_new_object();
	json_object_object_add(object, "type", json_object_new_string(type_names[node->type]));
	json_object_object_add(object, "num_ports", json_object_new_int64(node->num_ports));
	return object;
}

static struct json_object *link_json(const struct topology_link *link)
{
	struct json_object *object;
	char text[RATE_TEXT];

	if (!link)
		return NULL;
	object = json_object_new_object();
	rate_format(&link->rate, text);
	json_object_object_add(object, "rate", link->rate.speed && link->rate.width ?
					       json_object_new_string(text) : NULL);
	return object;
}

static struct json_object *end_json(const struct link_ends *ends, int which)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "node",
			       json_object_new_string(topology_label(ends->nodes[which])));
	json_object_object_add(object, "port", json_object_new_int64(ends->ports[which]));
	return object;
}

static struct json_object *difference_json(const struct sides *sides,
					   const struct difference *difference)
{
	struct json_object *object = json_object_new_object();
	struct link_ends ends;
	int side;

	if (difference->nodes[0] || difference->nodes[1]) {
		json_object_object_add(object, "name",
				       json_object_new_string(topology_label(
					       difference->nodes[0] ?: difference->nodes[1])));
	} else {
		ends = ends_of(sides, difference->links[0] ?: difference->links[1],
			       !difference->links[0]);
		json_object_object_add(object, "a", end_json(&ends, 0));
		json_object_object_add(object, "b", end_json(&ends, 1));
	}
	for (side = 0; side < 2; side++)
		json_object_object_add(object, lines[side].key,
				       node_json(difference->nodes[side]) ?:
					       link_json(difference->links[side]));
	return object;
}

static void print_json(const struct sides *sides, const struct differences *differences,
		       const struct options *options)
{
	struct json_object *object = json_object_new_object();
	struct json_object *nodes = json_object_new_array(), *links = json_object_new_array();
	const struct difference *difference;

	for (difference = differences->items;
	     difference < differences->items + differences->count; difference++)
		json_object_array_add(difference->nodes[0] || difference->nodes[1] ? nodes : links,
				      difference_json(sides, difference));
	json_object_object_add(object, "same", json_object_new_boolean(!differences->count));
	json_object_object_add(object, "by",
			       json_object_new_string(sides->by_shape ? "shape" : "names"));
	json_object_object_add(object, "nodes", nodes);
	json_object_object_add(object, "links", links);
	print_object(object, options);
	json_object_put(object);
}

/*
 * Matches the nodes of the two topologies by name, or by the shape of the topologies (the links
 * between nodes). The shape is used if @by requests it, or if @by is NULL and the topologies do not
 * have any names in common.
 */
static void diff_match(struct sides *sides, const char *by)
{
	const struct topology *a = &sides->topologies[0], *b = &sides->topologies[1];

	match_init(&sides->match, a, b);
	sides->by_shape = by && !strcmp(by, "shape");
	if (!sides->by_shape)
		sides->by_shape = !match_names(&sides->match, a, b) && !by;
	if (sides->by_shape)
		match_shape(&sides->match, a, b);
}

static int diff_compare(struct sides *sides, const char *by, const struct options *options)
{
	struct differences differences;
	int status;

	diff_match(sides, by);
	topology_diff(&differences, &sides->topologies[0], &sides->topologies[1], &sides->match);
	if (options->json)
		print_json(sides, &differences, options);
	else
		print_differences(sides, &differences);
	status = differences.count ? DIFFERENT : SAME;
	differences_clear(&differences);
	match_clear(&sides->match);
	return status;
}

enum { BY };
static const char *const keywords[] = { [BY] = "by", NULL };

int topology_diff_run(const struct command *command, char **args, const struct options *options)
{
	const char *value[sizeof(keywords) / sizeof(keywords[0])];
	struct sides sides = {};
	int status = 0;

	sides.names[0] = parse_argument(command, &args, "FILE A");
	sides.names[1] = sides.names[0] ? parse_argument(command, &args, "FILE B") : NULL;
	if (!sides.names[1] || !parse_keywords(command, args, keywords, value))
		return command->misuse;
	if (value[BY] && strcmp(value[BY], "names") && strcmp(value[BY], "shape"))
		return usage_error(command, "by '%s' is neither of: names, shape", value[BY]);
	if (topology_read_file(sides.names[0], &sides.topologies[0]) ||
	    topology_read_file(sides.names[1], &sides.topologies[1]))
		status = STATUS_REFUSED;
	status = status ?: diff_compare(&sides, value[BY], options);
	topology_clear(&sides.topologies[0]);
	topology_clear(&sides.topologies[1]);
	return status;
}
