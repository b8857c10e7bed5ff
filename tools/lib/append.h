/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Appends formatted text to a buffer of a fixed size. */
#ifndef HCA_TOOLS_APPEND_H
#define HCA_TOOLS_APPEND_H

#include <stddef.h>

/**
 * text_append() - append formatted text, of which as much is kept as there is room for
 * @text: the buffer
 * @size: octets of the buffer, at least 1
 * @used: octets in it that have been used, without the final NUL; less than @size
 * @format: as of printf(), with its arguments behind it
 *
 * Nothing is appended if an argument cannot be converted, as vsnprintf() reports it.
 * Return: the octets that are used now, without the final NUL; less than @size.
 */
size_t text_append(char *text, size_t size, size_t used, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

#endif
