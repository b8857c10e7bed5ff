/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What a picture of a topology has: boxes, lines, and where the boxes are. */
#ifndef TOPOLOGY_PICTURE_H
#define TOPOLOGY_PICTURE_H

#include "box.h"
#include "dot.h"
#include "line.h"

struct spot {
	double x, y; /* of the middle, in points; y counts upwards */
};

/* Arrays are indexed by the node that stands for a box. */
struct picture {
	const struct topology *topology;
	struct boxes boxes;
	struct lines lines;
	size_t *members; /* nodes of the box */
	size_t *inside; /* box of the switch in which a box of adapters is drawn, or NO_NODE */
	struct spot *spots; /* NULL: there are no rows; graphviz places the boxes */
	bool has_ports; /* each node has a box, and each link its port numbers */
};

/* @expanded is as of topology_expand(). */
void picture_make(struct picture *picture, const struct topology *topology,
		  const struct dot_wishes *wishes, const bool *expanded);
void picture_clear(struct picture *picture);

/* Whether the switches are a mesh: they are not on several levels. */
bool picture_is_mesh(const struct picture *picture);

/* Whether a box is drawn by itself, if @node stands for one. */
bool picture_has_box(const struct picture *picture, size_t node);

bool picture_is_switch(const struct picture *picture, size_t node);

/* Sets the spots of a picture that is no mesh: a row of boxes for each level. */
void picture_place(struct picture *picture);

#endif
