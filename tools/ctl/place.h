/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The place in a file that error messages are about. */
#ifndef HCACTL_PLACE_H
#define HCACTL_PLACE_H

#include <stdbool.h>

/* Sets the file and line that later messages name. @line 0: the whole file; @file NULL: no file. */
void set_place(const char *file, unsigned int line);
bool has_place(void);

/* Begins a message with the name of the program and the place, and erases a progress bar. */
void place_begin(void);

#endif
