/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The lines of a picture. Links between two boxes are drawn as one line. */
#ifndef TOPOLOGY_LINE_H
#define TOPOLOGY_LINE_H

#include "box.h"

struct line {
	/* ends of the first link of the line; the box of @upper is drawn above the box of @lower */
	struct topology_end upper, lower;
	enum link_state state;
	struct rate rate;
	size_t links;
};

struct lines {
	struct line *lines;
	size_t count;
	struct rate rate; /* rate that most links have */
	size_t links; /* number of links that most lines between switches have */
};

/*
 * Makes the lines of a picture. If @merge is true, links between the same two boxes that have the
 * same state and rate are one line. Otherwise each link is a line.
 */
void lines_make(struct lines *lines, const struct boxes *boxes, bool merge);
void lines_clear(struct lines *lines);

#endif
