/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_CRC32C_H
#define SHIM_LINUX_CRC32C_H

#include <linux/types.h>

/* The remainder that each octet leaves. */
static inline const u32 *shim_crc32c_table(void)
{
	static u32 table[256];
	u32 octet, i;

	if (table[1])
		return table;
	for (octet = 0; octet < 256; octet++) {
		u32 crc = octet;

		for (i = 0; i < 8; i++)
			crc = crc & 1 ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
		table[octet] = crc;
	}
	return table;
}

/* Neither the seed nor the result is inverted. */
static inline u32 crc32c(u32 crc, const void *address, unsigned int length)
{
	const u32 *table = shim_crc32c_table();
	const u8 *p = address;

	for (; length; p++, length--)
		crc = crc >> 8 ^ table[(crc ^ *p) & 0xff];
	return crc;
}

#endif
