/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The lines of a picture. Links between two boxes are drawn as one line. */
#ifndef TOPOLOGY_LINE_H
#define TOPOLOGY_LINE_H

#include "box.h"

struct line {
	/* ends of the first link; the box of upper is drawn above */
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
 * Makes lines of all links. With @merge, links between two boxes with one state and one rate are
 * one line.
 */
void lines_make(struct lines *lines, const struct boxes *boxes, bool merge);
void lines_clear(struct lines *lines);

#endif
