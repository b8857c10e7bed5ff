/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The place in a file that error messages are about. */
#ifndef HCACTL_PLACE_H
#define HCACTL_PLACE_H

#include <stdbool.h>

/* Messages from now on are about a file, and its line unless @line is 0. NULL: about no file. */
void set_place(const char *file, unsigned int line);
bool has_place(void);

/* Begin a message with the name of the program and the place; a bar of progress is erased. */
void place_begin(void);

#endif
