// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Prints how a command is called. */
#include <string.h>
#include "grammar.h"
#include "usage.h"

#define COLUMNS 80
#define INDENT 11 /* columns before the text of a continuation line */

/*
 * Returns the length of the first unit, behind which a line may end. Text in brackets is one unit,
 * so that a keyword stays beside its value.
 */
static size_t unit_length(const char *text)
{
	unsigned int depth = 0;
	size_t length;

	for (length = 0; text[length] && (depth || text[length] != ' '); length++) {
		depth += text[length] == '[';
		depth -= text[length] == ']';
	}
	return length;
}

void print_usage(FILE *file, const char *before, const struct command *command)
{
	size_t column = fprintf(file, "%shcactl %s", before, command->path), length;
	const char *rest = command->arguments;

	for (; *rest; rest += length + (rest[length] == ' ')) {
		length = unit_length(rest);
		if (column + 1 + length > COLUMNS)
			column = fprintf(file, "\n%*s", INDENT - 1, "") - 1;
		column += fprintf(file, " %.*s", (int)length, rest);
	}
	fputc('\n', file);
}
