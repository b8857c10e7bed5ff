// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Decimal numbers on the command line. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include "number.h"

bool number_parse(const char *text, uint32_t *number)
{
	unsigned long long value;
	char *end;

	/* strtoull() would take signs and leading blanks. */
	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	value = strtoull(text, &end, 10);
	if (*end || errno || value > UINT32_MAX)
		return false;
	*number = value;
	return true;
}
