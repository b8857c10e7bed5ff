// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Parses numbers that are written as text. */
#include "tools/lib/number.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

bool number_scan(const char *text, int base, char **end, uint64_t *number)
{
	/* strtoull() would also accept signs and leading blanks. */
	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*number = strtoull(text, end, base);
	return !errno;
}

bool number_parse_range(const char *text, int base, uint64_t min, uint64_t max, uint64_t *number)
{
	char *end;

	return number_scan(text, base, &end, number) && !*end && *number >= min && *number <= max;
}

bool number_parse(const char *text, uint32_t *number)
{
	uint64_t value;

	if (!number_parse_range(text, 10, 0, UINT32_MAX, &value))
		return false;
	*number = value;
	return true;
}
