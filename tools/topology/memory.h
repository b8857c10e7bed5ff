/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Memory that is there, or the program ends. */
#ifndef TOPOLOGY_MEMORY_H
#define TOPOLOGY_MEMORY_H

#include <stddef.h>

/* What it is given, unless that is NULL: then the program says so and ends. */
void *need(void *memory);

/* Room for one item more than @count: twice as much whenever that is a power of two. */
void *grow(void *items, size_t count, size_t size);

#endif
