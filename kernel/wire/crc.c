// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* ICRC and VCRC. Both take the least significant bit of an octet first. */
#include <linux/crc32.h>
#include <linux/string.h>
#include "wire/crc.h"
#include "wire/headers.h"

/* Headers up to the BTH, with ones for what is not invariant (B4-449). Return: their length. */
static unsigned int mask_headers(u8 *masked, const u8 *packet)
{
	bool global = (packet[1] & 3) == HCA_LNH_GRH;
	unsigned int bth = HCA_LRH_BYTES + (global ? HCA_GRH_BYTES : 0);
	u8 *grh = masked + HCA_LRH_BYTES;

	memcpy(masked, packet, bth + HCA_BTH_BYTES);
	if (global) {
		memset(masked, 0xff, HCA_LRH_BYTES);
		grh[0] |= 0x0f; /* TClass, FlowLabel */
		memset(grh + 1, 0xff, 3);
		grh[7] = 0xff; /* HopLmt */
	} else {
		masked[0] |= 0xf0; /* VL */
	}
	masked[bth + 4] = 0xff; /* FECN, BECN, reserved */
	return bth + HCA_BTH_BYTES;
}

u32 hca_icrc(const u8 *packet, size_t len)
{
	u8 masked[HCA_LRH_BYTES + HCA_GRH_BYTES + HCA_BTH_BYTES];
	unsigned int headers = mask_headers(masked, packet);
	u32 crc = crc32_le(~0u, masked, headers);

	return ~crc32_le(crc, packet + headers, len - headers);
}

/*
 * The VCRC's remainder of each octet: the polynomial is 100Bh (B4-450), or D008h from its
 * other end. A CRC is linear: what an octet leaves is the sum of what its bits leave.
 */
#define BIT_LEAVES(n, bit, remainder) ((n) & (bit) ? (remainder) : 0)
#define LEAVES(n) \
	(BIT_LEAVES(n, 0x80, 0xd008) ^ BIT_LEAVES(n, 0x40, 0x6804) ^ \
	 BIT_LEAVES(n, 0x20, 0x3402) ^ BIT_LEAVES(n, 0x10, 0x1a01) ^ \
	 BIT_LEAVES(n, 0x08, 0xdd08) ^ BIT_LEAVES(n, 0x04, 0x6e84) ^ \
	 BIT_LEAVES(n, 0x02, 0x3742) ^ BIT_LEAVES(n, 0x01, 0x1ba1))
#define LEAVE_4(n) LEAVES(n), LEAVES((n) + 1), LEAVES((n) + 2), LEAVES((n) + 3)
#define LEAVE_16(n) LEAVE_4(n), LEAVE_4((n) + 4), LEAVE_4((n) + 8), LEAVE_4((n) + 12)
#define LEAVE_64(n) LEAVE_16(n), LEAVE_16((n) + 16), LEAVE_16((n) + 32), LEAVE_16((n) + 48)

static const u16 vcrc_table[256] = { LEAVE_64(0), LEAVE_64(64), LEAVE_64(128), LEAVE_64(192) };

u16 hca_vcrc(const u8 *packet, size_t len)
{
	u16 crc = 0xffff;

	for (; len; packet++, len--)
		crc = crc >> 8 ^ vcrc_table[(u8)crc ^ *packet];
	return ~crc;
}
