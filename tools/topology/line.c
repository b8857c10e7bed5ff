// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The lines of a picture. Links between two boxes are drawn as one line. */
#define _GNU_SOURCE
#include "line.h"
#include <stdlib.h>
#include "tools/lib/memory.h"

static int compare_sizes(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

static int compare_rates(const struct rate *a, const struct rate *b)
{
	return compare_sizes(a->speed, b->speed) ?: compare_sizes(a->width, b->width);
}

static size_t place_of(const struct boxes *boxes, size_t node)
{
	return boxes->place[boxes->of[node]];
}

static int compare_places(const struct boxes *boxes, const struct topology_end *a,
			  const struct topology_end *b)
{
	return compare_sizes(place_of(boxes, a->node), place_of(boxes, b->node));
}

/*
 * Compares the boxes, states and rates of two links. Links that are equal can be drawn as one line.
 */
static int compare_lines(const void *a, const void *b, void *arg)
{
	const struct line *one = a, *other = b;
	const struct boxes *boxes = arg;

	return compare_places(boxes, &one->upper, &other->upper) ?:
	       compare_places(boxes, &one->lower, &other->lower) ?:
	       compare_sizes(one->state, other->state) ?: compare_rates(&one->rate, &other->rate);
}

/*
 * Compares links in the order of their lines. Links of one line are in the order of their upper
 * ports.
 */
static int compare_links(const void *a, const void *b, void *arg)
{
	const struct line *one = a, *other = b;

	return compare_lines(a, b, arg) ?: compare_sizes(one->upper.node, other->upper.node) ?:
	       compare_sizes(one->upper.port, other->upper.port);
}

/*
 * Makes a line of one link. The upper box of the line is the box on the higher level. If both boxes
 * are on one level, the upper box is the first one by label.
 */
static struct line make_line(const struct boxes *boxes, const struct topology_link *link)
{
	size_t a = link->a.node, b = link->b.node;
	int order = compare_sizes(boxes->levels[b], boxes->levels[a]) ?:
		    compare_sizes(place_of(boxes, a), place_of(boxes, b));

	return (struct line){
		.upper = order <= 0 ? link->a : link->b, .lower = order <= 0 ? link->b : link->a,
		.state = link->state, .rate = link->rate, .links = 1,
	};
}

static void merge_equal(struct lines *lines, const struct boxes *boxes)
{
	size_t i, count = 0;

	for (i = 0; i < lines->count; i++) {
		if (count && !compare_lines(&lines->lines[count - 1], &lines->lines[i],
					    (void *)boxes))
			lines->lines[count - 1].links++;
		else
			lines->lines[count++] = lines->lines[i];
	}
	lines->count = count;
}

static int compare_line_rates(const void *a, const void *b)
{
	return compare_rates(&((const struct line *)a)->rate, &((const struct line *)b)->rate);
}

/*
 * Finds the rate that most links have, and sorts the lines by rate. The lines must not be merged
 * yet, because the function counts each line as one link.
 */
static struct rate usual_rate(struct lines *lines)
{
	struct rate usual = {};
	size_t i, count = 0, most = 0;

	if (lines->count)
		qsort(lines->lines, lines->count, sizeof(*lines->lines), compare_line_rates);
	for (i = 0; i < lines->count; i++) {
		if (i && compare_line_rates(&lines->lines[i - 1], &lines->lines[i]))
			count = 0;
		if (++count > most) {
			most = count;
			usual = lines->lines[i].rate;
		}
	}
	return usual;
}

/* Finds the number of links that most lines between switches have. */
static size_t usual_links(const struct lines *lines, const struct boxes *boxes, size_t num_links)
{
	size_t *counts = need(calloc(num_links + 1, sizeof(*counts))), i, usual = 1;
	const struct line *line;

	for (line = lines->lines; line < lines->lines + lines->count; line++)
		if (boxes->levels[line->lower.node])
			counts[line->links]++;
	for (i = 2; i <= num_links; i++)
		if (counts[i] > counts[usual])
			usual = i;
	free(counts);
	return usual;
}

void lines_make(struct lines *lines, const struct boxes *boxes, bool merge)
{
	const struct topology *topology = boxes->topology;
	size_t i;

	*lines = (struct lines){
		.lines = need(malloc((topology->num_links + 1) * sizeof(*lines->lines))),
		.count = topology->num_links,
	};
	for (i = 0; i < topology->num_links; i++)
		lines->lines[i] = make_line(boxes, &topology->links[i]);
	lines->rate = usual_rate(lines);
	qsort_r(lines->lines, lines->count, sizeof(*lines->lines), compare_links, (void *)boxes);
	if (merge)
		merge_equal(lines, boxes);
	lines->links = usual_links(lines, boxes, topology->num_links);
}

void lines_clear(struct lines *lines)
{
	free(lines->lines);
	*lines = (struct lines){};
}
