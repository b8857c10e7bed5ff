/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Colors of text on terminals. */
#ifndef HCA_TOOLS_COLOR_H
#define HCA_TOOLS_COLOR_H

#include <stdbool.h>
#include <stdio.h>

enum color { COLOR_NONE, COLOR_RED, COLOR_GREEN, COLOR_YELLOW, COLOR_BLUE, COLOR_MAGENTA };

/**
 * color_is_wanted() - whether text that is written to a file should have colors
 * @file: the file
 *
 * Return: true if the file is a terminal that shows colors; false if it is not, or if the
 * environment variable NO_COLOR is set and not empty.
 */
bool color_is_wanted(FILE *file);

/**
 * color_begin() - the escape sequence that begins a color
 * @color: the color; the sequence of COLOR_NONE is empty
 */
const char *color_begin(enum color color);

/**
 * color_end() - the escape sequence that ends a color
 * @color: the color that has begun
 */
const char *color_end(enum color color);

#endif
