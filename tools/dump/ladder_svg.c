// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Prints a sequence diagram as an SVG picture. */
#include "ladder.h"
#include "mark.h"
#include "time_style.h"
#include "xml.h"

/* Distance of the columns if there are two columns. */
#define WIDE_GAP 640
/* Distance of the columns if there are more than two columns. */
#define GAP 400

#define LEFT 200
#define RIGHT 100
#define TOP 76
#define BOTTOM 24
#define ROW 38
#define PAUSE_ROW 46
#define TIME_X 96
/* Vertical distance between the two ends of an arrow */
#define SLOPE 8

#define BOX_WIDTH 150
#define BOX_HEIGHT 40
#define BOX_Y 14

struct picture {
	FILE *to;
	const struct ladder *ladder;
	u64 typical_ns;
	unsigned int y;
};

static const char *const class_names[LADDER_NUM_KINDS] = {
	[LADDER_OTHER] = "other",
	[LADDER_REQUEST] = "request",
	[LADDER_RESPONSE] = "response",
	[LADDER_REFUSAL] = "refusal",
	[LADDER_MANAGEMENT] = "management",
};

static const char *const colors[LADDER_NUM_KINDS] = {
	[LADDER_OTHER] = "#5f6368",
	[LADDER_REQUEST] = "#1a5fb4",
	[LADDER_RESPONSE] = "#26763b",
	[LADDER_REFUSAL] = "#b3541e",
	[LADDER_MANAGEMENT] = "#6d4aa2",
};

static const char style[] =
	"text { font-family: 'DejaVu Sans', Verdana, sans-serif; font-size: 13px; fill: #202124; }\n"
	".name { font-weight: bold; font-size: 15px; text-anchor: middle; }\n"
	".qp { font-size: 12px; fill: #5f6368; text-anchor: middle; }\n"
	".time { font-size: 12px; fill: #80868b; text-anchor: end; }\n"
	".label { text-anchor: middle; paint-order: stroke; stroke: white; stroke-width: 5px;\n"
	"  stroke-linejoin: round; }\n"
	".detail { fill: #5f6368; }\n"
	".mark { font-weight: bold; fill: #c5221f; }\n"
	".pause { font-size: 12px; font-style: italic; fill: #5f6368; text-anchor: end; }\n"
	".box { fill: #f1f3f4; stroke: #9aa0a6; }\n"
	".life { stroke: #bdc1c6; stroke-width: 1.5; }\n"
	".gap { stroke: white; stroke-width: 4; stroke-dasharray: 5 5; }\n"
	".arrow { fill: none; stroke-width: 2; }\n"
	".again { stroke-dasharray: 9 5; }\n"
	".cross { stroke: #c5221f; stroke-width: 3; }\n";

static unsigned int gap_of(const struct ladder *ladder)
{
	return ladder->num_columns > 2 ? GAP : WIDE_GAP;
}

static int x_of(const struct picture *picture, unsigned int column)
{
	return LEFT + column * gap_of(picture->ladder);
}

static unsigned int width_of(const struct picture *picture)
{
	unsigned int columns = picture->ladder->num_columns;

	return x_of(picture, columns < 2 ? 1 : columns - 1) + RIGHT;
}

static bool has_pause(const struct picture *picture, unsigned int event)
{
	char text[LADDER_DURATION_OCTETS];

	return ladder_pause(picture->ladder, event, picture->typical_ns, text);
}

static unsigned int height_of(const struct picture *picture)
{
	unsigned int i, height = TOP + BOTTOM + (picture->ladder->left_out ? ROW : 0);

	for (i = 0; i < picture->ladder->num_events; i++)
		height += ROW + (has_pause(picture, i) ? PAUSE_ROW : 0);
	return height;
}

static void print_markers(FILE *to)
{
	unsigned int kind;

	fputs("<defs>\n", to);
	for (kind = 0; kind < LADDER_NUM_KINDS; kind++)
		fprintf(to, "<marker id=\"%s\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\""
			" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">"
			"<path d=\"M0 0.8 L10 5 L0 9.2 z\" fill=\"%s\"/></marker>\n",
			class_names[kind], colors[kind]);
	fputs("</defs>\n", to);
}

static void print_head(const struct picture *picture)
{
	unsigned int width = width_of(picture), height = height_of(picture), kind;

	fprintf(picture->to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\""
		" viewBox=\"0 0 %u %u\">\n", width, height, width, height);
	fprintf(picture->to, "<style>\n%s", style);
	for (kind = 0; kind < LADDER_NUM_KINDS; kind++)
		fprintf(picture->to, ".%s { stroke: %s; }\n", class_names[kind], colors[kind]);
	fputs("</style>\n", picture->to);
	print_markers(picture->to);
	fputs("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n", picture->to);
}

static void print_text(FILE *to, const char *class, int x, int y, const char *text)
{
	fprintf(to, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class, x, y);
	xml_print(to, text);
	fputs("</text>\n", to);
}

static void print_column(const struct picture *picture, unsigned int i)
{
	const struct ladder_column *column = &picture->ladder->columns[i];
	bool has_one = ladder_has_qpn(picture->ladder, i);
	int x = x_of(picture, i);
	char text[16];

	fprintf(picture->to, "<line class=\"life\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%u\"/>\n",
		x, BOX_Y + BOX_HEIGHT, x, height_of(picture) - BOTTOM / 2);
	fprintf(picture->to, "<rect class=\"box\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\""
		" rx=\"6\"/>\n", x - BOX_WIDTH / 2, BOX_Y, BOX_WIDTH, BOX_HEIGHT);
	print_text(picture->to, "name", x, BOX_Y + (has_one ? 18 : 25), column->name);
	if (!has_one)
		return;
	snprintf(text, sizeof(text), "qp %u", column->qpn);
	print_text(picture->to, "qp", x, BOX_Y + 33, text);
}

static void print_label(const struct picture *picture, const struct ladder_event *event, int x)
{
	char detail[LADDER_DETAIL_OCTETS], marks[MARKS_TEXT_OCTETS];
	FILE *to = picture->to;

	fprintf(to, "<text class=\"label\" x=\"%d\" y=\"%u\">", x, picture->y - 6);
	xml_print(to, event->name);
	fputs(" <tspan class=\"detail\">", to);
	xml_print(to, ladder_detail(picture->ladder, event, detail));
	fputs("</tspan> <tspan class=\"mark\">", to);
	xml_print(to, marks_text(event->marks, marks));
	fputs("</tspan></text>\n", to);
}

static void print_cross(FILE *to, int x, int y)
{
	fprintf(to, "<path class=\"cross\" d=\"M%d %d l12 12 m0 -12 l-12 12\"/>\n", x - 6, y - 6);
}

static void print_arrow(const struct picture *picture, const struct ladder_event *event)
{
	int from = x_of(picture, event->from), to = x_of(picture, event->to), y = picture->y;
	bool is_lost = event->marks & MARK_LOST;
	int end_y = y + (is_lost ? SLOPE * 7 / 8 : SLOPE);

	if (from == to)
		return;
	if (is_lost)
		to = from + (to - from) * 7 / 8;
	fprintf(picture->to, "<line class=\"arrow %s%s\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"",
		class_names[event->kind],
		event->marks & (MARK_RETRANSMIT | MARK_DUPLICATE) ? " again" : "", from, y, to,
		end_y);
	if (!is_lost)
		fprintf(picture->to, " marker-end=\"url(#%s)\"", class_names[event->kind]);
	fputs("/>\n", picture->to);
	if (is_lost)
		print_cross(picture->to, to, end_y);
}

static void print_time(const struct picture *picture, const struct ladder_event *event)
{
	fprintf(picture->to, "<text class=\"time\" x=\"%d\" y=\"%u\">", TIME_X, picture->y + 4);
	time_print_difference(picture->to, picture->ladder->events[0].time_ns, event->time_ns);
	fputs("</text>\n", picture->to);
}

static void print_event(const struct picture *picture, const struct ladder_event *event)
{
	print_time(picture, event);
	print_arrow(picture, event);
	print_label(picture, event, (x_of(picture, event->from) + x_of(picture, event->to)) / 2);
}

/* Prints a pause. The vertical lines of the columns have a gap there. */
static void print_pause(struct picture *picture, unsigned int event)
{
	char text[LADDER_DURATION_OCTETS];
	unsigned int i;
	int x;

	if (!ladder_pause(picture->ladder, event, picture->typical_ns, text))
		return;
	for (i = 0; i < picture->ladder->num_columns; i++) {
		x = x_of(picture, i);
		fprintf(picture->to, "<line class=\"gap\" x1=\"%d\" y1=\"%u\" x2=\"%d\""
			" y2=\"%u\"/>\n", x, picture->y - 14, x, picture->y + 14);
	}
	print_text(picture->to, "pause", TIME_X, picture->y + 4, text);
	picture->y += PAUSE_ROW;
}

static void print_left_out(const struct picture *picture)
{
	if (picture->ladder->left_out)
		fprintf(picture->to, "<text x=\"%d\" y=\"%u\">%llu packets more</text>\n", LEFT + 20,
			picture->y, picture->ladder->left_out);
}

void ladder_print_svg(FILE *to, const struct ladder *ladder)
{
	struct picture picture = { to, ladder, ladder_typical_ns(ladder), TOP + ROW / 2 };
	unsigned int i;

	print_head(&picture);
	for (i = 0; i < ladder->num_columns; i++)
		print_column(&picture, i);
	for (i = 0; i < ladder->num_events; i++) {
		print_pause(&picture, i);
		print_event(&picture, &ladder->events[i]);
		picture.y += ROW;
	}
	print_left_out(&picture);
	fputs("</svg>\n", to);
}
