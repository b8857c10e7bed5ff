// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Writes a list of names in a short form. */
#include "names.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 4
#define DIGITS_MAX 18

/* A name in three parts: the text before its last number, the number, and the text after it. */
struct parts {
	size_t before, digits;
	const char *behind;
};

static struct parts name_split(const char *name)
{
	size_t end = strlen(name), begin;

	while (end && !isdigit((unsigned char)name[end - 1]))
		end--;
	for (begin = end; begin && isdigit((unsigned char)name[begin - 1]); )
		begin--;
	return (struct parts){ begin, end - begin, name + end };
}

/* Returns whether @next is @name with its last number increased by 1. */
static bool is_next(const char *name, const char *next)
{
	struct parts a = name_split(name), b = name_split(next);

	if (!a.digits || a.digits > DIGITS_MAX || b.digits > DIGITS_MAX || a.before != b.before ||
	    memcmp(name, next, a.before) || strcmp(a.behind, b.behind))
		return false;
	return strtoull(name + a.before, NULL, 10) + 1 == strtoull(next + b.before, NULL, 10);
}

/*
 * Returns the length of the row that begins with the first name. It is 1 unless three or more names
 * form a row.
 */
static size_t row_length(const char *const *names, size_t count)
{
	size_t length = 1;

	while (length < count && is_next(names[length - 1], names[length]))
		length++;
	return length > 2 ? length : 1;
}

static size_t count_rows(const char *const *names, size_t count)
{
	size_t rows = 0, i;

	for (i = 0; i < count; i += row_length(names + i, count - i))
		rows++;
	return rows;
}

void names_write(FILE *file, const char *const *names, size_t count,
		 const struct names_style *style)
{
	size_t most = count_rows(names, count) > ROWS_MAX ? ROWS_MAX - 1 : ROWS_MAX;
	size_t rows, length, i = 0;

	for (rows = 0; i < count && rows < most; rows++, i += length) {
		length = row_length(names + i, count - i);
		if (rows)
			fputs(style->separator, file);
		style->put(file, names[i]);
		if (length == 1)
			continue;
		fputs(style->gap, file);
		style->put(file, names[i + length - 1]);
	}
	if (i < count)
		fprintf(file, "%sand %zu more", style->separator, count - i);
}
