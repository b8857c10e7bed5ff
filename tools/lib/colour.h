/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Colours of text on terminals. */
#ifndef HCA_TOOLS_COLOUR_H
#define HCA_TOOLS_COLOUR_H

#include <stdbool.h>
#include <stdio.h>

enum colour { COLOUR_NONE, COLOUR_RED, COLOUR_GREEN, COLOUR_YELLOW, COLOUR_BLUE, COLOUR_MAGENTA };

/**
 * colour_is_wanted() - whether a file is a terminal that shows colours
 * @file: the file
 *
 * Return: false if the environment variable NO_COLOR is set and not empty, too.
 */
bool colour_is_wanted(FILE *file);

/**
 * colour_begin() - the sequence that begins a colour
 * @colour: the colour; COLOUR_NONE has none
 */
const char *colour_begin(enum colour colour);

/**
 * colour_end() - the sequence that ends a colour
 * @colour: the colour that has begun
 */
const char *colour_end(enum colour colour);

#endif
