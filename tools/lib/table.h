/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Prints tables of text. A column is as wide as its widest cell. */
#ifndef HCA_TOOLS_TABLE_H
#define HCA_TOOLS_TABLE_H

#include <stddef.h>
#include <stdio.h>
#include "tools/lib/color.h"

/* A cell of a table */
struct table_cell {
	char *text;
	enum color color;
};

/*
 * A table. The caller sets @titles to the titles of the columns, and @columns to their number. The
 * other members are 0 at first.
 */
struct table {
	const char *const *titles;
	size_t columns;
	struct table_cell *cells; /* cells of all rows, row by row */
	size_t count;
};

/**
 * table_add() - add a cell after the last one
 * @table: the table
 * @text: allocated text of the cell, which the table frees
 * @color: color of the cell
 */
void table_add(struct table *table, char *text, enum color color);

/**
 * table_print() - print the titles and all rows, in colors if the file is a terminal
 * @file: the file to write to
 * @table: the table
 */
void table_print(FILE *file, const struct table *table);

/**
 * table_clear() - remove and free all cells
 * @table: the table, which can be filled again
 */
void table_clear(struct table *table);

#endif
