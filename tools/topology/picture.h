/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A picture of a topology, which consists of boxes, lines and the positions of the boxes. */
#ifndef TOPOLOGY_PICTURE_H
#define TOPOLOGY_PICTURE_H

#include "box.h"
#include "dot.h"
#include "line.h"

struct spot {
	double x, y; /* coordinates of the middle of a box in points; y counts upwards */
};

/* A picture. Its arrays are indexed by the node that represents a box. */
struct picture {
	const struct topology *topology;
	struct boxes boxes;
	struct lines lines;
	size_t *members; /* number of nodes in the box */
	/* for a box of adapters that is drawn inside a switch, the switch's box; or NO_NODE */
	size_t *inside;
	struct spot *spots; /* positions of the boxes in rows; NULL: graphviz places the boxes */
	bool has_ports; /* each node has a box of its own, and each link has its port numbers */
};

/* Makes a picture. @expanded is the result of topology_expand(). */
void picture_make(struct picture *picture, const struct topology *topology,
		  const struct dot_wishes *wishes, const bool *expanded);
void picture_clear(struct picture *picture);

/* Returns whether the picture is a mesh, in which all switches are on one level. */
bool picture_is_mesh(const struct picture *picture);

/* Returns whether @node represents a box that is not drawn inside of another box. */
bool picture_has_box(const struct picture *picture, size_t node);

bool picture_is_switch(const struct picture *picture, size_t node);

/*
 * Sets the positions of boxes in a picture with several levels. The boxes of each level are a row.
 */
void picture_place(struct picture *picture);

#endif
