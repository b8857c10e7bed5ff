// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Scans a line from left to right. */
#include "scan.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void scan_blanks(const char **at)
{
	*at += strspn(*at, " \t");
}

bool scan_text(const char **at, const char *text)
{
	size_t length = strlen(text);

	if (strncmp(*at, text, length))
		return false;
	*at += length;
	return true;
}

bool scan_mark(const char **at, const char *text)
{
	const char *here = *at;

	scan_blanks(&here);
	if (!scan_text(&here, text))
		return false;
	scan_blanks(&here);
	*at = here;
	return true;
}

bool scan_keyword(const char **at, const char **keyword, size_t *length)
{
	*keyword = *at;
	while (isalpha((unsigned char)**at))
		++*at;
	*length = *at - *keyword;
	return *length;
}

static bool scan_digits(const char **at, int base, uint64_t max, uint64_t *number)
{
	unsigned long long value;
	char *end;

	/* strtoull() would also accept signs and blanks, which are not part of a number here. */
	if (!isxdigit((unsigned char)**at))
		return false;
	errno = 0;
	value = strtoull(*at, &end, base);
	if (errno || end == *at || value > max)
		return false;
	*at = end;
	*number = value;
	return true;
}

bool scan_number(const char **at, uint64_t max, uint64_t *number)
{
	const char *here = *at;
	bool hexadecimal = here[0] == '0' && (here[1] == 'x' || here[1] == 'X');

	return scan_digits(at, hexadecimal ? 16 : 10, max, number);
}

bool scan_hex(const char **at, uint64_t *number)
{
	return scan_digits(at, 16, UINT64_MAX, number);
}

bool scan_quoted(const char **at, const char **text, size_t *length)
{
	const char *end = **at == '"' ? strchr(*at + 1, '"') : NULL;

	if (!end)
		return false;
	*text = *at + 1;
	*length = end - *text;
	*at = end + 1;
	return true;
}
