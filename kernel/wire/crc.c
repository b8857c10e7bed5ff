// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Computation of ICRC and VCRC. Both process the least significant bit of an octet first. */
#include "wire/crc.h"
#include <linux/crc32.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include "compat.h"
#include "wire/headers.h"

/*
 * Copy the headers up to and including the BTH, but at most @len octets, and replace the bits that
 * switches or routers may change by ones (req B4-449). Return: number of octets copied.
 */
static unsigned int crc_mask_headers(u8 *masked, const u8 *packet, size_t len)
{
	bool global = len > 1 && (packet[1] & 3) == IB_LNH_IBA_GLOBAL;
	unsigned int bth = HCA_LRH_BYTES + (global ? HCA_GRH_BYTES : 0);
	u8 *grh = masked + HCA_LRH_BYTES;

	len = min_t(size_t, len, bth + HCA_BTH_BYTES);
	memcpy(masked, packet, len);
	if (global) {
		memset(masked, 0xff, HCA_LRH_BYTES);
		grh[0] |= 0x0f; /* TClass, FlowLabel */
		memset(grh + 1, 0xff, 3);
		grh[7] = 0xff; /* HopLmt */
	} else {
		masked[0] |= 0xf0; /* VL */
	}
	masked[bth + 4] = 0xff; /* FECN, BECN, reserved */
	return len;
}

u32 hca_icrc(const u8 *packet, size_t len)
{
	u8 masked[HCA_LRH_BYTES + HCA_GRH_BYTES + HCA_BTH_BYTES];
	unsigned int headers = crc_mask_headers(masked, packet, len);
	u32 crc = crc32_le(~0u, masked, headers);

	return ~crc32_le(crc, packet + headers, len - headers);
}

/*
 * Remainders of the VCRC, whose polynomial is 100Bh (req B4-450), or D008h with its bits reversed.
 * A CRC is linear: the remainder of an octet is the XOR of the remainders of its bits. The VCRC is
 * computed for eight octets at a time. ROW_n contains the remainders of the eight bits of an octet
 * that n more octets follow, beginning with the most significant bit.
 */
#define ROW_0 0xd008, 0x6804, 0x3402, 0x1a01, 0xdd08, 0x6e84, 0x3742, 0x1ba1
#define ROW_1 0xddd8, 0x6eec, 0x3776, 0x1bbb, 0xddd5, 0xbee2, 0x5f71, 0xffb0
#define ROW_2 0x7fd8, 0x3fec, 0x1ff6, 0x0ffb, 0xd7f5, 0xbbf2, 0x5df9, 0xfef4
#define ROW_3 0x7f7a, 0x3fbd, 0xcfd6, 0x67eb, 0xe3fd, 0xa1f6, 0x50fb, 0xf875
#define ROW_4 0xac32, 0x5619, 0xfb04, 0x7d82, 0x3ec1, 0xcf68, 0x67b4, 0x33da
#define ROW_5 0x19ed, 0xdcfe, 0x6e7f, 0xe737, 0xa393, 0x81c1, 0x90e8, 0x4874
#define ROW_6 0x243a, 0x121d, 0xd906, 0x6c83, 0xe649, 0xa32c, 0x5196, 0x28cb
#define ROW_7 0xc46d, 0xb23e, 0x591f, 0xfc87, 0xae4b, 0x872d, 0x939e, 0x49cf

#define BIT_REMAINDER(n, bit, remainder) ((n) & (bit) ? (remainder) : 0)
#define OCTET_REMAINDER(n, b7, b6, b5, b4, b3, b2, b1, b0) \
	(BIT_REMAINDER(n, 0x80, b7) ^ BIT_REMAINDER(n, 0x40, b6) ^ BIT_REMAINDER(n, 0x20, b5) ^ \
	 BIT_REMAINDER(n, 0x10, b4) ^ BIT_REMAINDER(n, 0x08, b3) ^ BIT_REMAINDER(n, 0x04, b2) ^ \
	 BIT_REMAINDER(n, 0x02, b1) ^ BIT_REMAINDER(n, 0x01, b0))
#define REMAINDER(n, ...) OCTET_REMAINDER(n, __VA_ARGS__)
#define REMAINDERS_4(n, ...) \
	REMAINDER(n, __VA_ARGS__), REMAINDER((n) + 1, __VA_ARGS__), \
		REMAINDER((n) + 2, __VA_ARGS__), REMAINDER((n) + 3, __VA_ARGS__)
#define REMAINDERS_16(n, ...) \
	REMAINDERS_4(n, __VA_ARGS__), REMAINDERS_4((n) + 4, __VA_ARGS__), \
		REMAINDERS_4((n) + 8, __VA_ARGS__), REMAINDERS_4((n) + 12, __VA_ARGS__)
#define REMAINDERS_64(n, ...) \
	REMAINDERS_16(n, __VA_ARGS__), REMAINDERS_16((n) + 16, __VA_ARGS__), \
		REMAINDERS_16((n) + 32, __VA_ARGS__), REMAINDERS_16((n) + 48, __VA_ARGS__)
#define REMAINDERS_256(...) \
	{ REMAINDERS_64(0, __VA_ARGS__), REMAINDERS_64(64, __VA_ARGS__), \
	  REMAINDERS_64(128, __VA_ARGS__), REMAINDERS_64(192, __VA_ARGS__) }

static const u16 vcrc_table[8][256] = {
	REMAINDERS_256(ROW_0), REMAINDERS_256(ROW_1), REMAINDERS_256(ROW_2), REMAINDERS_256(ROW_3),
	REMAINDERS_256(ROW_4), REMAINDERS_256(ROW_5), REMAINDERS_256(ROW_6), REMAINDERS_256(ROW_7),
};

static u16 vcrc_of_8_octets(u64 n)
{
	return vcrc_table[7][(u8)n] ^ vcrc_table[6][(u8)(n >> 8)] ^
	       vcrc_table[5][(u8)(n >> 16)] ^ vcrc_table[4][(u8)(n >> 24)] ^
	       vcrc_table[3][(u8)(n >> 32)] ^ vcrc_table[2][(u8)(n >> 40)] ^
	       vcrc_table[1][(u8)(n >> 48)] ^ vcrc_table[0][n >> 56];
}

u16 hca_vcrc(const u8 *packet, size_t len)
{
	u16 crc = 0xffff;

	for (; len >= 8; packet += 8, len -= 8)
		crc = vcrc_of_8_octets(get_unaligned_le64(packet) ^ crc);
	for (; len; packet++, len--)
		crc = crc >> 8 ^ vcrc_table[0][(u8)crc ^ *packet];
	return ~crc;
}
