/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The two CRCs that end a packet (B4-449, B4-450). */
#ifndef HCA_WIRE_CRC_H
#define HCA_WIRE_CRC_H

#include <linux/types.h>

/**
 * hca_icrc() - invariant CRC of a packet with a BTH
 * @packet: the packet as it is on the wire, LRH first
 * @len: octets from the LRH to the padding; no more are read, whatever LNH says
 *
 * What a switch or router may change counts as ones.
 * Context: any. Return: the CRC; the wire has its least significant octet first.
 */
u32 hca_icrc(const u8 *packet, size_t len);

/**
 * hca_vcrc() - variant CRC of a packet
 * @packet: the packet as it is on the wire, LRH first
 * @len: octets from the LRH to the ICRC, both included
 *
 * Context: any. Return: the CRC; the wire has its least significant octet first.
 */
u16 hca_vcrc(const u8 *packet, size_t len);

#endif
