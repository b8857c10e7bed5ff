// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Prints tables of text. A column is as wide as its widest cell. */
#include "tools/lib/table.h"
#include <stdlib.h>
#include <string.h>
#include "tools/lib/memory.h"

#define GAP 2 /* blanks between columns */

void table_add(struct table *table, char *text, enum color color)
{
	table->cells = grow(table->cells, table->count, sizeof(*table->cells));
	table->cells[table->count++] = (struct table_cell){ text, color };
}

/*
 * Returns the width of a column, including the gap after it; 0 for the last column, which is not
 * padded.
 */
static size_t column_width(const struct table *table, size_t column)
{
	size_t i, length, width = strlen(table->titles[column]);

	if (column == table->columns - 1)
		return 0;
	for (i = column; i < table->count; i += table->columns) {
		length = strlen(table->cells[i].text);
		width = length > width ? length : width;
	}
	return width + GAP;
}

static void print_cell(FILE *file, const char *text, enum color color, size_t width)
{
	size_t length = strlen(text);

	fprintf(file, "%s%s%s%*s", color_begin(color), text, color_end(color),
		(int)(width > length ? width - length : 0), "");
}

void table_print(FILE *file, const struct table *table)
{
	size_t *widths = need(calloc(table->columns, sizeof(*widths))), i, column;
	bool colored = color_is_wanted(file);

	for (column = 0; column < table->columns; column++) {
		widths[column] = column_width(table, column);
		print_cell(file, table->titles[column], COLOR_NONE, widths[column]);
	}
	fputc('\n', file);
	for (i = 0; i < table->count; i++) {
		column = i % table->columns;
		print_cell(file, table->cells[i].text,
			   colored ? table->cells[i].color : COLOR_NONE, widths[column]);
		if (column == table->columns - 1)
			fputc('\n', file);
	}
	free(widths);
}

void table_clear(struct table *table)
{
	size_t i;

	for (i = 0; i < table->count; i++)
		free(table->cells[i].text);
	free(table->cells);
	*table = (struct table){};
}
