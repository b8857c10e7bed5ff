/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Allocates memory. The program ends with a message if there is not enough. */
#ifndef HCA_TOOLS_MEMORY_H
#define HCA_TOOLS_MEMORY_H

#include <stddef.h>

/**
 * need() - end the program with a message if an allocation has failed
 * @memory: the allocated memory, or NULL
 *
 * Return: @memory.
 */
void *need(void *memory);

/**
 * grow() - make room for one more item in an array
 * @items: the array, or NULL
 * @count: number of items; the array has room for this number rounded up to a power of two
 * @size: size of an item in octets
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
