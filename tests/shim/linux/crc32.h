/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_CRC32_H
#define SHIM_LINUX_CRC32_H

#include <linux/types.h>

/* Neither seed nor result is inverted. */
static inline u32 crc32_le(u32 crc, const unsigned char *p, size_t len)
{
	int bit;

	for (; len; p++, len--)
		for (crc ^= *p, bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
	return crc;
}

#endif
