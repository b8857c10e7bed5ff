// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Memory that is there, or the program ends. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include "memory.h"

void *need(void *memory)
{
	if (memory)
		return memory;
	fputs("out of memory\n", stderr);
	exit(2);
}

void *grow(void *items, size_t count, size_t size)
{
	if (count & (count - 1))
		return items;
	return need(reallocarray(items, count ? 2 * count : 1, size));
}
