/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_STRING_H
#define SHIM_LINUX_STRING_H

#include <string.h>
#include <linux/errno.h>
#include <linux/types.h>

static inline ssize_t strscpy(char *dest, const char *src, size_t size)
{
	size_t len = strnlen(src, size);

	if (!size)
		return -E2BIG;
	if (len == size) {
		memcpy(dest, src, size - 1);
		dest[size - 1] = 0;
		return -E2BIG;
	}
	memcpy(dest, src, len + 1);
	return len;
}

/* Returns the address of the first octet that differs from @c, or NULL. */
static inline void *memchr_inv(const void *start, int c, size_t size)
{
	const u8 *p = start;

	for (; size; size--, p++)
		if (*p != (u8)c)
			return (void *)p;
	return NULL;
}

static inline void memzero_explicit(void *p, size_t size)
{
	explicit_bzero(p, size);
}

#endif
