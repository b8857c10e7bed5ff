/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The two CRCs at the end of a packet, ICRC and VCRC (req B4-449, B4-450). */
#ifndef HCA_WIRE_CRC_H
#define HCA_WIRE_CRC_H

#include <linux/types.h>

/**
 * hca_icrc() - compute the invariant CRC of a packet with a BTH
 * @packet: packet in wire format, LRH first
 * @len: octets from the LRH to the padding; octets after @len are not read, for any value of LNH
 *
 * Bits that a switch or router may change are replaced by ones.
 *
 * Context: any.
 * Return: the ICRC, whose least significant octet is the first on the wire.
 */
u32 hca_icrc(const u8 *packet, size_t len);

/**
 * hca_vcrc() - compute the variant CRC of a packet
 * @packet: packet in wire format, LRH first
 * @len: octets from the LRH to the ICRC, both included
 *
 * Context: any.
 * Return: the VCRC, whose least significant octet is the first on the wire.
 */
u16 hca_vcrc(const u8 *packet, size_t len);

#endif
