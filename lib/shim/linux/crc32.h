/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_CRC32_H
#define SHIM_LINUX_CRC32_H

#include <string.h>
#include <asm/byteorder.h>
#include <linux/types.h>

/* The remainder that one octet leaves when 0 to 3 more octets follow it. */
static inline const u32 (*shim_crc32_table(void))[256]
{
	static u32 table[4][256];
	u32 octet, i;

	if (table[0][1])
		return table;
	for (octet = 0; octet < 256; octet++) {
		u32 crc = octet;

		for (i = 0; i < 8; i++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
		table[0][octet] = crc;
	}
	for (i = 1; i < 4; i++)
		for (octet = 0; octet < 256; octet++)
			table[i][octet] = table[i - 1][octet] >> 8 ^
					  table[0][table[i - 1][octet] & 0xff];
	return table;
}

/* Neither the seed nor the result is inverted. */
static inline u32 crc32_le(u32 crc, const unsigned char *p, size_t len)
{
	const u32(*table)[256] = shim_crc32_table();

	for (; len >= 4; p += 4, len -= 4) {
		__le32 value;

		memcpy(&value, p, sizeof(value));
		crc ^= le32_to_cpu(value);
		crc = table[3][crc & 0xff] ^ table[2][crc >> 8 & 0xff] ^
		      table[1][crc >> 16 & 0xff] ^ table[0][crc >> 24];
	}
	for (; len; p++, len--)
		crc = crc >> 8 ^ table[0][(crc ^ *p) & 0xff];
	return crc;
}

#endif
