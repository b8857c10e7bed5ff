/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_STRINGHASH_H
#define SHIM_LINUX_STRINGHASH_H

#include <linux/types.h>

static inline unsigned int full_name_hash(const void *salt, const char *name, unsigned int len)
{
	unsigned int hash = 0;

	while (len--)
		hash = hash * 31 + (u8)*name++;
	return hash;
}

#endif
