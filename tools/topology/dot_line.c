// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Lines of a graph for graphviz. */
#include "dot_parts.h"
#include "label.h"

/* The colors of link states. They are also distinct for people who confuse red and green. */
static const char *const colors[LINK_STATES] = {
	[LINK_UNKNOWN] = "#606060",
	[LINK_DOWN] = "#c62828",
	[LINK_INITIALIZING] = "#ef8a00",
	[LINK_ARMED] = "#1565c0",
	[LINK_ACT_DEFER] = "#8e24aa",
	[LINK_ACTIVE] = "#2e9b57",
};

const char *dot_color(enum link_state state)
{
	return colors[state];
}

/*
 * Returns whether a line has the usual number of links, which is not written. For a line to
 * adapters, this is one link for each adapter of the box. For a line between switches, it is the
 * number that most of these lines have.
 */
static bool is_usual_number(const struct picture *picture, const struct line *line)
{
	size_t lower = picture->boxes.of[line->lower.node];

	if (picture->boxes.levels[lower])
		return line->links == picture->lines.links;
	return line->links == picture->members[lower];
}

/*
 * Adjacent entries of the list of lines that join the same two boxes. They are drawn as one line
 * with a stripe for each entry.
 */
struct stripes {
	const struct line *lines;
	size_t count;
};

static bool has_label(const struct picture *picture, const struct line *line)
{
	return !rate_equal(&line->rate, &picture->lines.rate) ||
	       (!picture->has_ports && !is_usual_number(picture, line));
}

/* Writes the rate and the number of links of a line, if they differ from the usual ones. */
static void put_difference(FILE *file, const struct picture *picture, const struct line *line)
{
	bool has_number = !picture->has_ports && !is_usual_number(picture, line);
	char text[RATE_TEXT];

	fprintf(file, "<font color=\"%s\">", dot_color(line->state));
	if (has_number)
		fprintf(file, "%zu link%s ", line->links, line->links == 1 ? "" : "s");
	if (!rate_equal(&line->rate, &picture->lines.rate))
		fputs(rate_format(&line->rate, text), file);
	fputs("</font>", file);
}

static void put_label(FILE *file, const struct picture *picture, const struct stripes *stripes)
{
	const struct line *line;
	bool any = false;

	for (line = stripes->lines; line < stripes->lines + stripes->count; line++) {
		if (!has_label(picture, line))
			continue;
		fputs(any ? "<br/>" : " label=<", file);
		put_difference(file, picture, line);
		any = true;
	}
	if (any)
		fputc('>', file);
}

static void put_end(FILE *file, const struct picture *picture, const struct topology_end *end)
{
	dot_put_quoted(file, topology_label(&picture->topology->nodes[end->node]));
	fprintf(file, "/%u ", end->port);
}

/* Writes the text that a browser shows if the pointer is on the line. */
static void put_tooltip(FILE *file, const struct picture *picture, const struct stripes *stripes)
{
	const struct line *line;
	const char *state;
	char text[RATE_TEXT];

	fputs(" edgetooltip=\"", file);
	for (line = stripes->lines; line < stripes->lines + stripes->count; line++) {
		fputs(line > stripes->lines ? "; " : "", file);
		put_end(file, picture, &line->upper);
		put_end(file, picture, &line->lower);
		state = link_state_name(line->state);
		fprintf(file, "%s%s%s", rate_format(&line->rate, text), state ? " " : "",
			state ?: "");
		if (line->links > 1)
			fprintf(file, ", and %zu more", line->links - 1);
	}
	fputc('"', file);
}

static void put_colors(FILE *file, const struct stripes *stripes)
{
	size_t i;

	fputs("color=\"", file);
	for (i = 0; i < stripes->count; i++)
		fprintf(file, "%s%s", i ? ":" : "", dot_color(stripes->lines[i].state));
	fputc('"', file);
	if (stripes->count == 1 && stripes->lines->state == LINK_DOWN)
		fputs(" style=dashed penwidth=1.5", file);
	if (stripes->count > 1)
		fputs(" penwidth=1", file);
}

static void put_stripes(FILE *file, const struct picture *picture, const struct stripes *stripes)
{
	const struct line *line = stripes->lines;

	fprintf(file, "\tn%zu -- n%zu [", picture->boxes.of[line->upper.node],
		picture->boxes.of[line->lower.node]);
	put_colors(file, stripes);
	if (picture->has_ports)
		fprintf(file, " taillabel=\"%u\" headlabel=\"%u\"", line->upper.port,
			line->lower.port);
	put_label(file, picture, stripes);
	put_tooltip(file, picture, stripes);
	fputs("]\n", file);
}

static bool is_drawn(const struct picture *picture, const struct line *line)
{
	return picture->inside[picture->boxes.of[line->upper.node]] == NO_NODE &&
	       picture->inside[picture->boxes.of[line->lower.node]] == NO_NODE;
}

static bool have_same_boxes(const struct picture *picture, const struct line *a,
			    const struct line *b)
{
	const size_t *of = picture->boxes.of;

	return of[a->upper.node] == of[b->upper.node] && of[a->lower.node] == of[b->lower.node];
}

void dot_put_lines(FILE *file, const struct picture *picture)
{
	const struct line *end = picture->lines.lines + picture->lines.count;
	struct stripes stripes = { .lines = picture->lines.lines };

	for (; stripes.lines < end; stripes.lines += stripes.count) {
		stripes.count = 1;
		while (!picture->has_ports && stripes.lines + stripes.count < end &&
		       have_same_boxes(picture, stripes.lines, stripes.lines + stripes.count))
			stripes.count++;
		if (is_drawn(picture, stripes.lines))
			put_stripes(file, picture, &stripes);
	}
}
