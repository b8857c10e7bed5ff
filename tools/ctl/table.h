/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Tables of text whose columns are as wide as their cells. */
#ifndef HCACTL_TABLE_H
#define HCACTL_TABLE_H

#include <stddef.h>
#include <stdio.h>
#include "tools/lib/colour.h"

struct table_cell {
	char *text;
	enum colour colour;
};

struct table {
	const char *const *titles;
	size_t columns;
	struct table_cell *cells; /* row by row */
	size_t count;
};

/* Adds the next cell, which frees the text. */
void table_add(struct table *table, char *text, enum colour colour);

/* Prints the titles and all rows, in colours if the file is a terminal. */
void table_print(FILE *file, const struct table *table);

void table_clear(struct table *table);

#endif
