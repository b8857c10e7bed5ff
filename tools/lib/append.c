// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Appends formatted text to a buffer of a fixed size. */
#include "append.h"
#include <stdarg.h>
#include <stdio.h>

size_t text_append(char *text, size_t size, size_t used, const char *format, ...)
{
	va_list args;
	int more;

	va_start(args, format);
	more = vsnprintf(text + used, size - used, format, args);
	va_end(args);
	if (more < 0) {
		text[used] = '\0';
		return used;
	}
	return (size_t)more < size - used ? used + more : size - 1;
}
