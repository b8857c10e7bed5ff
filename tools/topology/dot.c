// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Writes a topology as a graph for graphviz. */
#include <stdlib.h>
#include <string.h>
#include "dot.h"
#include "level.h"
#include "tools/lib/memory.h"

struct picture {
	FILE *file;
	const struct topology *topology;
	unsigned int *levels, highest;
	bool grouped;
};

/* Writes quoted text with quotes and backslashes escaped. */
static void put_text(FILE *file, const char *text)
{
	for (; *text; text++) {
		if (strchr("\"\\", *text))
			fputc('\\', file);
		fputc(*text, file);
	}
}

/*
 * Returns the switch that an adapter is drawn with: the only one that it is linked to. Returns
 * NO_NODE if there are none or several, or if the adapter is linked to another adapter.
 */
static size_t group_of(const struct topology *topology, size_t node)
{
	struct topology_end from = { .node = node }, to;
	size_t found = NO_NODE;

	for (from.port = 1; from.port <= topology->nodes[node].num_ports; from.port++) {
		if (!topology_peer(topology, from, &to))
			continue;
		if (topology->nodes[to.node].type != NODE_SWITCH ||
		    (found != NO_NODE && found != to.node))
			return NO_NODE;
		found = to.node;
	}
	return found;
}

static bool is_grouped(const struct picture *picture, size_t node)
{
	return picture->grouped && picture->topology->nodes[node].type == NODE_CA &&
	       group_of(picture->topology, node) != NO_NODE;
}

static void put_node(const struct picture *picture, size_t index)
{
	const struct topology_node *node = &picture->topology->nodes[index];
	const char *description = node->description;

	fprintf(picture->file, "\tn%zu [label=\"", index);
	put_text(picture->file, node->name);
	if (description && strcmp(description, node->name)) {
		fputs("\\n", picture->file);
		put_text(picture->file, description);
	}
	fprintf(picture->file, "\"%s]\n",
		node->type == NODE_SWITCH ? " shape=box style=filled fillcolor=lightblue" : "");
}

/* Draws the switches of one level in a row, unless all switches are of one level. */
static void put_level(const struct picture *picture, unsigned int level)
{
	size_t i;

	fputs("\t{ rank=same;", picture->file);
	for (i = 0; i < picture->topology->num_nodes; i++)
		if (picture->levels[i] == level && !is_grouped(picture, i))
			fprintf(picture->file, " n%zu;", i);
	fputs(" }\n", picture->file);
}

/* Draws one box for the adapters of a leaf switch: their number, the first name and the last. */
static void put_group(const struct picture *picture, size_t leaf)
{
	const struct topology *topology = picture->topology;
	struct topology_end from = { .node = leaf }, to;
	size_t first = NO_NODE, last = NO_NODE, count = 0, links = 0;

	for (from.port = 1; from.port <= topology->nodes[leaf].num_ports; from.port++) {
		if (!topology_peer(topology, from, &to) || !is_grouped(picture, to.node))
			continue;
		links++;
		/* links of an adapter to one switch are adjacent in most cases */
		if (to.node != last)
			count++;
		if (first == NO_NODE)
			first = to.node;
		last = to.node;
	}
	if (!links)
		return;
	fprintf(picture->file, "\tg%zu [shape=box3d label=\"", leaf);
	put_text(picture->file, topology->nodes[first].name);
	if (count > 1) {
		fputs(count > 2 ? "\\n...\\n" : "\\n", picture->file);
		put_text(picture->file, topology->nodes[last].name);
	}
	fprintf(picture->file, "\\n%zu adapters, %zu links\"]\n\tn%zu -- g%zu\n", count, links,
		leaf, leaf);
}

/* Draws a link from the upper node to the lower one. The order does not matter within a level. */
static void put_link(const struct picture *picture, const struct topology_link *link)
{
	bool swap = picture->levels[link->a.node] < picture->levels[link->b.node];
	const struct topology_end *upper = swap ? &link->b : &link->a;
	const struct topology_end *lower = swap ? &link->a : &link->b;
	char text[RATE_TEXT];

	fprintf(picture->file,
		"\tn%zu -- n%zu [taillabel=\"%u\" headlabel=\"%u\" tooltip=\"%s\"]\n",
		upper->node, lower->node, upper->port, lower->port,
		rate_format(&link->rate, text));
}

/* Two nodes that are drawn and linked. */
struct pair {
	size_t upper, lower;
};

static int compare_pairs(const void *a, const void *b)
{
	const struct pair *one = a, *other = b;

	if (one->upper != other->upper)
		return one->upper < other->upper ? -1 : 1;
	return (one->lower > other->lower) - (one->lower < other->lower);
}

static size_t list_pairs(const struct picture *picture, struct pair *pairs)
{
	const struct topology *topology = picture->topology;
	const struct topology_link *link;
	size_t a, b, count = 0;

	for (link = topology->links; link < topology->links + topology->num_links; link++) {
		a = link->a.node;
		b = link->b.node;
		if (is_grouped(picture, a) || is_grouped(picture, b))
			continue;
		if (picture->levels[a] < picture->levels[b] ||
		    (picture->levels[a] == picture->levels[b] && a > b))
			pairs[count++] = (struct pair){ b, a };
		else
			pairs[count++] = (struct pair){ a, b };
	}
	return count;
}

/* Draws all links between the same two nodes as one line with their number. */
static void put_pairs(const struct picture *picture)
{
	struct pair *pairs = need(malloc((picture->topology->num_links + 1) * sizeof(*pairs)));
	size_t i, count = list_pairs(picture, pairs), same = 1;

	qsort(pairs, count, sizeof(*pairs), compare_pairs);
	for (i = 0; i < count; i++, same++) {
		if (i + 1 < count && !compare_pairs(&pairs[i], &pairs[i + 1]))
			continue;
		fprintf(picture->file, "\tn%zu -- n%zu", pairs[i].upper, pairs[i].lower);
		if (same > 1)
			fprintf(picture->file, " [label=\"%zu\"]", same);
		fputc('\n', picture->file);
		same = 0;
	}
	free(pairs);
}

void topology_write_dot(FILE *file, const struct topology *topology, bool grouped)
{
	struct picture picture = { .file = file, .topology = topology, .grouped = grouped };
	unsigned int level;
	size_t i;

	picture.levels = topology_levels(topology, &picture.highest);
	fputs("graph fabric {\n"
	      "\tgraph [nodesep=0.2 ratio=0.5 splines=line]\n"
	      "\tnode [shape=ellipse fontname=\"sans-serif\" fontsize=10]\n"
	      "\tedge [fontname=\"sans-serif\" fontsize=8 labeldistance=1.5]\n", file);
	/* A mesh has no levels; its layout follows the lengths of its edges. */
	if (picture.highest < 2)
		fputs("\tgraph [layout=neato overlap=false]\n", file);
	for (i = 0; i < topology->num_nodes; i++)
		if (!is_grouped(&picture, i))
			put_node(&picture, i);
	for (level = picture.highest + 1; picture.highest > 1 && level--; )
		put_level(&picture, level);
	for (i = 0; grouped && i < topology->num_nodes; i++)
		if (topology->nodes[i].type == NODE_SWITCH)
			put_group(&picture, i);
	if (grouped)
		put_pairs(&picture);
	for (i = 0; !grouped && i < topology->num_links; i++)
		put_link(&picture, &topology->links[i]);
	fputs("}\n", file);
	free(picture.levels);
}
