// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Places the boxes of a picture in rows: adapters at the bottom, switches above them. */
#include <stdlib.h>
#include <string.h>
#include "label.h"
#include "picture.h"
#include "tools/lib/memory.h"

/*
 * All widths and distances are in points, for a font of 9 points. LETTER is the width of the widest
 * letters of the usual fonts, and SMALL_LETTER that of a smaller font.
 */
#define LETTER 6.4
#define SMALL_LETTER 4.9
#define MARGIN 10
#define GAP 8 /* space between boxes */

#define HOSTS_DISTANCE 75 /* space between the row of adapters and the row of their switches */
/*
 * The space between other rows is the picture's width times SLOPE, but not beyond these limits. It
 * grows with the width, because lines would otherwise be too flat.
 */
#define LEAST_DISTANCE 90
#define MOST_DISTANCE 420
#define SLOPE 0.2

/* A box in a row. */
struct seat {
	size_t box;
	size_t above; /* position by label of an adapter's first switch; 0 for switches */
	size_t place;
	double width, x;
};

struct row {
	struct seat *seats;
	size_t count;
};

/* Estimates the width of a box. Each name of the box is on a line of its own. */
static double width_of(const struct picture *picture, size_t box)
{
	const struct topology_node *nodes = picture->topology->nodes;
	const char *other = topology_other_label(&nodes[box]);
	size_t node, length, most = 1;
	double width, small = 0;

	if (other && picture->members[box] == 1)
		small = strlen(other) * SMALL_LETTER;
	for (node = box; node != NO_NODE; node = boxes_next(&picture->boxes, node)) {
		length = strlen(topology_label(&nodes[node]));
		if (length > most)
			most = length;
	}
	width = most * LETTER;
	return (width > small ? width : small) + MARGIN;
}

static int compare_seats(const void *a, const void *b)
{
	const struct seat *one = a, *other = b;

	if (one->above != other->above)
		return one->above < other->above ? -1 : 1;
	return (one->place > other->place) - (one->place < other->place);
}

/*
 * Returns the position, by label, of the first box that an adapter is linked with. Adapters without
 * links come last.
 */
static size_t place_above(const struct picture *picture, size_t host)
{
	struct topology_end from = { .node = host }, to;

	for (from.port = 1; from.port <= picture->topology->nodes[host].num_ports; from.port++)
		if (topology_peer(picture->topology, from, &to))
			return picture->boxes.place[picture->boxes.of[to.node]];
	return picture->topology->num_nodes;
}

/*
 * Makes the row of a level. Switches are sorted by label, and adapters by the order of their
 * switches.
 */
static struct row make_row(const struct picture *picture, unsigned int level)
{
	struct row row = {};
	struct seat *seat;
	size_t i;

	row.seats = need(malloc((picture->topology->num_nodes + 1) * sizeof(*row.seats)));
	for (i = 0; i < picture->topology->num_nodes; i++) {
		if (!picture_has_box(picture, i) || picture->boxes.levels[i] != level)
			continue;
		seat = &row.seats[row.count++];
		*seat = (struct seat){
			.box = i, .place = picture->boxes.place[i],
			.above = level ? 0 : place_above(picture, i),
			.width = width_of(picture, i),
		};
	}
	qsort(row.seats, row.count, sizeof(*row.seats), compare_seats);
	return row;
}

/* Returns the distance between the middles of box @i of a row and the box before it. */
static double row_pitch(const struct row *row, size_t i)
{
	return i ? (row->seats[i - 1].width + row->seats[i].width) / 2 + GAP : 0;
}

static double row_width(const struct row *row)
{
	double width = 0;
	size_t i;

	for (i = 0; i < row->count; i++)
		width += row->seats[i].width + GAP;
	return width;
}

/* Spreads the boxes of a row evenly over @width. */
static void row_spread(struct row *row, double width)
{
	double rest = width - row_width(row), x = 0;
	size_t i;

	for (i = 0; i < row->count; i++) {
		x += (row->seats[i].width + GAP + rest / row->count) / 2;
		row->seats[i].x = x;
		x += (row->seats[i].width + GAP + rest / row->count) / 2;
	}
}

/*
 * Returns the position midway between the leftmost and the rightmost box of adapters that are
 * linked with @box, a box of switches. Return: -1 if @box is not linked with adapters.
 */
static double middle_below(const struct picture *picture, size_t box)
{
	double left = -1, right = -1, x;
	const struct line *line;
	size_t i, lower;

	for (i = 0; i < picture->lines.count; i++) {
		line = &picture->lines.lines[i];
		lower = picture->boxes.of[line->lower.node];
		if (picture->boxes.of[line->upper.node] != box || picture->boxes.levels[lower])
			continue;
		x = picture->spots[lower].x;
		left = left < 0 || x < left ? x : left;
		right = x > right ? x : right;
	}
	return left < 0 ? -1 : (left + right) / 2;
}

/*
 * Places the switches of a row above their adapters, from left to right. A switch without adapters
 * is placed beside the previous switch.
 */
static void place_leaves(const struct picture *picture, struct row *row)
{
	double x, least;
	size_t i;

	for (i = 0; i < row->count; i++) {
		x = middle_below(picture, row->seats[i].box);
		least = i ? row->seats[i - 1].x + row_pitch(row, i) : row->seats[i].width / 2;
		row->seats[i].x = x > least ? x : least;
	}
}

/* Estimates the height of the highest box of a row. */
static double row_height(const struct picture *picture, const struct row *row)
{
	size_t i, most = 1;

	for (i = 0; i < row->count; i++)
		if (picture->members[row->seats[i].box] > most)
			most = picture->members[row->seats[i].box];
	return most > 2 ? 60 : most > 1 ? 35 : 24;
}

static double row_widest(const struct picture *picture)
{
	double width, most = 0;
	unsigned int level;
	struct row row;

	for (level = 0; level <= picture->boxes.highest; level++) {
		row = make_row(picture, level);
		width = row_width(&row);
		if (width > most)
			most = width;
		free(row.seats);
	}
	return most;
}

static double row_distance(unsigned int level, double width)
{
	if (!level)
		return 0;
	if (level == 1)
		return HOSTS_DISTANCE;
	return width * SLOPE < LEAST_DISTANCE ? LEAST_DISTANCE :
	       width * SLOPE > MOST_DISTANCE  ? MOST_DISTANCE :
						width * SLOPE;
}

void picture_place(struct picture *picture)
{
	double width = row_widest(picture), y = 0, height, below = 0;
	unsigned int level;
	struct row row;
	size_t i;

	picture->spots = need(calloc(picture->topology->num_nodes + 1, sizeof(*picture->spots)));
	for (level = 0; level <= picture->boxes.highest; level++) {
		row = make_row(picture, level);
		height = row_height(picture, &row);
		y += row_distance(level, width) + (below + height) / 2;
		below = height;
		row_spread(&row, width);
		if (level == 1)
			place_leaves(picture, &row);
		for (i = 0; i < row.count; i++)
			picture->spots[row.seats[i].box] = (struct spot){ row.seats[i].x, y };
		free(row.seats);
	}
}
