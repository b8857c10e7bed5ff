/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Allocates memory, or ends the program. */
#ifndef HCA_TOOLS_MEMORY_H
#define HCA_TOOLS_MEMORY_H

#include <stddef.h>

/**
 * need() - check memory without which the program cannot continue
 * @memory: the result of an allocation
 *
 * Return: @memory; if it is NULL, the program ends with a message.
 */
void *need(void *memory);

/**
 * grow() - make room for one more item in an array
 * @items: the array, or NULL
 * @count: number of its items; there is room for up to the next power of two
 * @size: octets of an item
 *
 * Return: the array, which may have moved.
 */
void *grow(void *items, size_t count, size_t size);

/**
 * need_text() - format a text in allocated memory
 * @format: format of printf()
 *
 * Return: the text, which the caller frees.
 */
__attribute__((format(printf, 1, 2))) char *need_text(const char *format, ...);

#endif
