// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Allocates memory. The program ends with a message if there is not enough. */
#define _GNU_SOURCE 1
#include "tools/lib/memory.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "tools/lib/message.h"

void *need(void *memory)
{
	if (!memory)
		die("out of memory");
	return memory;
}

void *grow(void *items, size_t count, size_t size)
{
	if (count & (count - 1))
		return items;
	return need(reallocarray(items, count ? 2 * count : 1, size));
}

char *need_text(const char *format, ...)
{
	va_list args;
	char *text;
	int length;

	va_start(args, format);
	length = vasprintf(&text, format, args);
	va_end(args);
	return need(length < 0 ? NULL : text);
}
