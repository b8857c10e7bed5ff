// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Writes a topology as a graph for graphviz. */
#include "dot.h"
#include <stdlib.h>
#include <string.h>
#include "dot_parts.h"
#include "expand.h"

/* The largest number of lines that are drawn thick. More thick lines would merge into one area. */
#define THICK_LINES 150
/*
 * The largest number of boxes for which graphviz leads lines around boxes. With more boxes, this
 * takes too long.
 */
#define BOXES_AROUND 48

/* Writes the meaning of the colors in the picture. */
static void put_legend(FILE *file, const struct picture *picture)
{
	size_t links[LINK_STATES] = {}, i;
	enum link_state state;

	for (i = 0; i < picture->topology->num_links; i++)
		links[picture->topology->links[i].state]++;
	if (links[LINK_UNKNOWN] == picture->topology->num_links)
		return;
	fputs("<br/>", file);
	for (state = LINK_STATES - 1; state > LINK_UNKNOWN; state--)
		if (links[state])
			fprintf(file, " <font color=\"%s\"><b>&#8212; %s (%zu)</b></font> ",
				dot_color(state), link_state_name(state), links[state]);
}

/* Writes the caption below the picture. */
static void put_caption(FILE *file, const struct picture *picture)
{
	const struct topology *topology = picture->topology;
	char text[RATE_TEXT];

	fputs("\tgraph [label=<", file);
	if (topology->file) {
		fputs("<b>", file);
		dot_put_text(file, topology->file);
		fputs("</b><br/>", file);
	}
	fprintf(file, "switches %zu, adapters %zu, links %zu", topology->num_of[NODE_SWITCH],
		topology->num_of[NODE_CA], topology->num_links);
	if (topology->num_links)
		fprintf(file, "; %s where nothing else is said",
			rate_format(&picture->lines.rate, text));
	if (picture->lines.links > 1)
		fprintf(file, "; %zu links a line between switches", picture->lines.links);
	put_legend(file, picture);
	fputs(">]\n", file);
}

static void put_layout(FILE *file, const struct picture *picture)
{
	bool few = boxes_count(&picture->boxes) <= BOXES_AROUND;

	fprintf(file, "\tgraph [layout=neato outputorder=edgesfirst splines=%s",
		few ? "true" : "line");
	/* graphviz places the boxes of a mesh by the lengths of its lines. */
	fputs(picture->spots ? " inputscale=72]\n" : " overlap=false sep=\"+8\"]\n", file);
	fprintf(file, "\tedge [penwidth=%s]\n",
		picture->lines.count > THICK_LINES ? "0.4" : "1");
}

bool topology_write_dot(FILE *file, const struct topology *topology,
			const struct dot_wishes *wishes, struct report *report)
{
	bool *expanded = topology_expand(topology, wishes->expand, report);
	struct picture picture;

	if (!expanded)
		return false;
	picture_make(&picture, topology, wishes, expanded);
	if (!picture_is_mesh(&picture))
		picture_place(&picture);
	fputs("graph fabric {\n"
	      "\tgraph [fontname=\"sans-serif\" fontsize=11 labelloc=b]\n"
	      "\tnode [shape=box style=filled color=\"#606060\" fontname=\"sans-serif\" fontsize=9"
	      " margin=\"0.05,0.03\" width=0.1 height=0.25]\n"
	      "\tedge [color=\"#606060\" fontname=\"sans-serif\" fontsize=7 fontcolor=\"#404040\""
	      " labeldistance=1.2]\n", file);
	put_layout(file, &picture);
	put_caption(file, &picture);
	dot_put_boxes(file, &picture);
	dot_put_lines(file, &picture);
	fputs("}\n", file);
	picture_clear(&picture);
	free(expanded);
	return true;
}
