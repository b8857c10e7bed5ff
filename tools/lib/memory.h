/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Allocates memory for programs that end when there is none. */
#ifndef HCA_TOOLS_MEMORY_H
#define HCA_TOOLS_MEMORY_H

#include <stddef.h>

/**
 * need() - memory that the program cannot go on without
 * @memory: what an allocation has returned
 *
 * Return: @memory; if it is NULL, the program ends with a message.
 */
void *need(void *memory);

/**
 * grow() - room for one item more in an array
 * @items: the array, or NULL
 * @count: items that it has; there is room for the next power of two
 * @size: octets of an item
 *
 * Return: the array, which may have moved.
 */
void *grow(void *items, size_t count, size_t size);

/**
 * need_text() - a text made by printf() in memory of its own
 * @format: as of printf()
 *
 * Return: the text, which the caller frees.
 */
__attribute__((format(printf, 1, 2))) char *need_text(const char *format, ...);

#endif
