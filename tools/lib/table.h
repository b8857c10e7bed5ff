/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Tables of text whose columns are as wide as their cells. */
#ifndef HCA_TOOLS_TABLE_H
#define HCA_TOOLS_TABLE_H

#include <stddef.h>
#include <stdio.h>
#include "tools/lib/colour.h"

/* A cell of a row. */
struct table_cell {
	char *text;
	enum colour colour;
};

/* A table. The caller initializes the titles and their number. */
struct table {
	const char *const *titles;
	size_t columns;
	struct table_cell *cells; /* the cells, row by row */
	size_t count;
};

/**
 * table_add() - add the next cell
 * @table: the table
 * @text: contents of the cell, which the table frees
 * @colour: color of the cell
 */
void table_add(struct table *table, char *text, enum colour colour);

/**
 * table_print() - print the titles and all rows, in colors if the file is a terminal
 * @file: the file
 * @table: the table
 */
void table_print(FILE *file, const struct table *table);

/**
 * table_clear() - free all cells
 * @table: the table, which is then without rows
 */
void table_clear(struct table *table);

#endif
