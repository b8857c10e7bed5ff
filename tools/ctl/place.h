/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The file and line to which error messages refer. */
#ifndef HCACTL_PLACE_H
#define HCACTL_PLACE_H

#include <stdbool.h>

/*
 * Sets the file and line to which later messages refer. If @line is 0, they refer to the whole
 * file. If @file is NULL, they do not refer to a file.
 */
void set_place(const char *file, unsigned int line);
bool has_place(void);

/*
 * Erases a progress bar. Then begins a message with the program's name and, if they are set, the
 * file and line.
 */
void place_begin(void);

#endif
