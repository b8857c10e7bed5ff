/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The lines of a picture: links between the same boxes that are drawn as one. */
#ifndef TOPOLOGY_LINE_H
#define TOPOLOGY_LINE_H

#include "box.h"

struct line {
	struct topology_end upper, lower; /* of the first link; the box of upper is drawn above */
	enum link_state state;
	struct rate rate;
	size_t links;
};

struct lines {
	struct line *lines;
	size_t count;
	struct rate rate; /* what most links have */
	size_t links; /* what most lines between switches have */
};

/*
 * Makes lines of all links. With @merge, links between the same boxes are one line if state and
 * rate are the same, too.
 */
void lines_make(struct lines *lines, const struct boxes *boxes, bool merge);
void lines_clear(struct lines *lines);

#endif
