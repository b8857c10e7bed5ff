// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Boxes of a graph for graphviz. */
#include <inttypes.h>
#include <stdlib.h>
#include "dot_parts.h"
#include "label.h"
#include "names.h"
#include "tools/lib/memory.h"

/*
 * Writes the names of the nodes of a box. In a picture with rows, each name is on a line of its
 * own.
 */
static void put_names(FILE *file, const struct picture *picture, size_t box)
{
	bool narrow = !picture_is_mesh(picture);
	struct names_style style = {
		.gap = narrow ? "<br/>&#8230;<br/>" : " &#8230; ",
		.separator = narrow ? "<br/>" : ", ", .put = dot_put_text,
	};
	const char **names = need(malloc((picture->members[box] + 1) * sizeof(*names)));
	size_t node, count = 0;

	for (node = box; node != NO_NODE; node = boxes_next(&picture->boxes, node))
		names[count++] = topology_label(&picture->topology->nodes[node]);
	names_write(file, names, count, &style);
	if (count > 2)
		fprintf(file, "%s(%zu)", narrow ? "<br/>" : " ", count);
	free(names);
}

/* Writes the adapters that are drawn inside of a switch. */
static void put_inside(FILE *file, const struct picture *picture, size_t box)
{
	size_t i;

	for (i = 0; i < picture->topology->num_nodes; i++)
		if (picture->boxes.of[i] == i && picture->inside[i] == box) {
			fputs("<br/><font point-size=\"8\">", file);
			put_names(file, picture, i);
			fputs("</font>", file);
		}
}

/* Writes the label of a box, which begins with the names of the nodes of the box. */
static void put_label(FILE *file, const struct picture *picture, size_t box)
{
	const char *other = topology_other_label(&picture->topology->nodes[box]);
	bool is_switch = picture_is_switch(picture, box);

	fprintf(file, "label=<%s", is_switch ? "<b>" : "");
	put_names(file, picture, box);
	fputs(is_switch ? "</b>" : "", file);
	if (other && picture->members[box] == 1) {
		fputs("<br/><font point-size=\"7\" color=\"#606060\">", file);
		dot_put_text(file, other);
		fputs("</font>", file);
	}
	put_inside(file, picture, box);
	fputc('>', file);
}

/* Writes the text that a browser shows if the pointer is on the box. */
static void put_tooltip(FILE *file, const struct picture *picture, size_t box)
{
	const struct topology_node *node = &picture->topology->nodes[box];
	unsigned int port = node->type == NODE_SWITCH ? 0 : 1;

	fputs(" tooltip=\"", file);
	dot_put_quoted(file, topology_label(node));
	if (picture->members[box] > 1)
		fputs(" and others", file);
	else
		fprintf(file, ": guid 0x%016" PRIx64 " ports %u", node->guid, node->num_ports);
	if (picture->members[box] == 1 && node->ports[port].lid)
		fprintf(file, " lid %u", node->ports[port].lid);
	fputc('"', file);
}

/*
 * Returns the style of a box, which shows its type. A second outline shows that a box has several
 * nodes.
 */
static const char *style_of(const struct picture *picture, size_t box)
{
	static const char *const styles[2][2] = {
		{ "style=\"filled,rounded\" fillcolor=\"#ffffff\"",
		  "peripheries=2 fillcolor=\"#f4f4f4\"" },
		{ "fillcolor=\"#cfe2f3\"", "peripheries=2 fillcolor=\"#cfe2f3\"" },
	};

	return styles[picture_is_switch(picture, box)][picture->members[box] > 1];
}

void dot_put_boxes(FILE *file, const struct picture *picture)
{
	size_t i, box;

	for (i = 0; i < picture->topology->num_nodes; i++) {
		box = picture->boxes.sorted[i];
		if (!picture_has_box(picture, box))
			continue;
		fprintf(file, "\tn%zu [", box);
		put_label(file, picture, box);
		fprintf(file, " %s", style_of(picture, box));
		if (picture->spots)
			fprintf(file, " pos=\"%.1f,%.1f!\"", picture->spots[box].x,
				picture->spots[box].y);
		put_tooltip(file, picture, box);
		fputs("]\n", file);
	}
}
