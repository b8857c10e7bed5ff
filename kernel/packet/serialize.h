/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The wire format of a packet, from LRH to VCRC. */
#ifndef HCA_PACKET_SERIALIZE_H
#define HCA_PACKET_SERIALIZE_H

#include "packet/packet.h"

#define HCA_MAX_WIRE_BYTES \
	(HCA_MAX_HEADER_BYTES + HCA_MAX_MTU_BYTES + HCA_ICRC_BYTES + HCA_VCRC_BYTES)

/**
 * hca_packet_bytes() - length of a packet in its wire format
 * @pkt: a finished packet
 *
 * Context: any.
 * Return: octets from LRH to VCRC.
 */
static inline unsigned int hca_packet_bytes(const struct hca_packet *pkt)
{
	return pkt->h.lrh.pktlen * 4 + HCA_VCRC_BYTES;
}

/**
 * hca_packet_serialize() - write a packet in its wire format, with padding and CRCs
 * @pkt: a finished packet, its payload not borrowed
 * @buf: destination of hca_packet_bytes() octets
 *
 * Context: any.
 */
void hca_packet_serialize(const struct hca_packet *pkt, u8 *buf);

/**
 * hca_packet_serialize_start() - write the start of a packet's wire format
 * @pkt: a finished packet; it is not changed, and a borrowed payload stays borrowed
 * @buf: destination
 * @octets: size of @buf; if it is hca_packet_bytes(), the whole packet is written
 *
 * If @octets is smaller, padding and CRCs are not written. If the payload is borrowed from an MR
 * that has gone, only headers are written.
 * Context: BH disabled.
 * Return: octets written.
 */
u32 hca_packet_serialize_start(const struct hca_packet *pkt, u8 *buf, u32 octets);

/**
 * hca_packet_deserialize() - parse the wire format of a packet
 * @pkt: an empty packet; headers, payload and credits are set
 * @buf: the octets; the memory stays the caller's
 * @len: length of @buf
 *
 * The CRCs are checked first, then LVer, then the lengths against each other (req C4-158).
 * Context: BH disabled.
 * Return: 0; -EREMOTEIO if the VCRC is inverted, which is how a switch marks a bad packet (req
 * B4-452); -EBADMSG if a CRC is wrong; -EPROTO if LVer is wrong; -EINVAL if the packet is too short
 * or too long, or if PktLen is not its length; -EMSGSIZE if PayLen of the GRH is wrong;
 * -EPROTONOSUPPORT if the opcode is unknown; -ENOMEM. After an error the packet does not own a
 * buffer.
 */
int hca_packet_deserialize(struct hca_packet *pkt, const u8 *buf, size_t len);

#endif
