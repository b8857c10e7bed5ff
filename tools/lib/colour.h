/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Colors of text on terminals. */
#ifndef HCA_TOOLS_COLOUR_H
#define HCA_TOOLS_COLOUR_H

#include <stdbool.h>
#include <stdio.h>

enum colour { COLOUR_NONE, COLOUR_RED, COLOUR_GREEN, COLOUR_YELLOW, COLOUR_BLUE, COLOUR_MAGENTA };

/**
 * colour_is_wanted() - whether text that is written to a file should have colors
 * @file: the file
 *
 * Return: true if the file is a terminal that shows colors; false if it is not, or if the
 * environment variable NO_COLOR is set and not empty.
 */
bool colour_is_wanted(FILE *file);

/**
 * colour_begin() - the escape sequence that begins a color
 * @colour: the color; the sequence of COLOUR_NONE is empty
 */
const char *colour_begin(enum colour colour);

/**
 * colour_end() - the escape sequence that ends a color
 * @colour: the color that has begun
 */
const char *colour_end(enum colour colour);

#endif
