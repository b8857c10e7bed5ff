/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Parts of a graph for graphviz. */
#ifndef TOPOLOGY_DOT_PARTS_H
#define TOPOLOGY_DOT_PARTS_H

#include <stdio.h>
#include "picture.h"

/* Writes text, escaped as HTML-like labels of graphviz require. */
void dot_put_text(FILE *file, const char *text);

/* Writes text, escaped as quoted strings of graphviz require. */
void dot_put_quoted(FILE *file, const char *text);

/* Returns the color of links in a state. */
const char *dot_color(enum link_state state);

/* Functions that write all boxes, and all lines between them. */
void dot_put_boxes(FILE *file, const struct picture *picture);
void dot_put_lines(FILE *file, const struct picture *picture);

#endif
