// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Prints the usage of a command. */
#include "tools/ctl/usage.h"
#include <string.h>
#include "tools/ctl/grammar.h"

#define COLUMNS 80
#define INDENT 11 /* number of columns before the text of a continuation line */

/*
 * Returns the length of the first part of a text that may not be divided into lines: a word, or all
 * text in brackets, so that a keyword and its value are on the same line.
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
