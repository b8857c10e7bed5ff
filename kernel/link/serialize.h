/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A packet as octets on a wire, from LRH to VCRC. */
#ifndef HCA_LINK_SERIALIZE_H
#define HCA_LINK_SERIALIZE_H

#include "link/packet.h"

#define HCA_MAX_WIRE_BYTES \
	(HCA_MAX_HEADER_BYTES + HCA_MAX_MTU_BYTES + HCA_ICRC_BYTES + HCA_VCRC_BYTES)

/* Octets of its image. */
static inline unsigned int hca_packet_bytes(const struct hca_packet *pkt)
{
	return pkt->h.lrh.pktlen * 4 + HCA_VCRC_BYTES;
}

/**
 * hca_packet_serialize() - a packet's image, with padding and both CRCs
 * @pkt: a finished packet with a BTH, its payload not borrowed
 * @buf: where to, hca_packet_bytes() octets
 *
 * Context: any.
 */
void hca_packet_serialize(const struct hca_packet *pkt, u8 *buf);

/**
 * hca_packet_serialize_start() - what a packet's image begins with
 * @pkt: a finished packet; it is not changed, and what it borrows stays borrowed
 * @buf: where to
 * @octets: room there; from hca_packet_bytes() it is all of the image
 *
 * What is not all of it ends before padding and CRCs; and before the payload if that is
 * borrowed from a region that has gone.
 * Context: BH disabled. Return: octets written.
 */
u32 hca_packet_serialize_start(const struct hca_packet *pkt, u8 *buf, u32 octets);

/**
 * hca_packet_deserialize() - a packet from its image
 * @pkt: an empty packet; headers, payload and credits are set
 * @buf: the image, which stays the caller's
 * @len: octets of @buf
 *
 * CRCs are checked before anything is believed, then LVer, then lengths against each other (C4-158).
 * Context: BH disabled. Return: 0; -EREMOTEIO: its VCRC is inverted, by which a switch marks what is
 * bad (B4-452); -EBADMSG: a CRC is wrong; -EPROTO: LVer is; -EINVAL: it is too short or too long, or
 * PktLen is not its length; -EMSGSIZE: GRH's PayLen is not; -EPROTONOSUPPORT: there is no such
 * opcode; -ENOMEM. If not 0, the packet owns no buffer.
 */
int hca_packet_deserialize(struct hca_packet *pkt, const u8 *buf, size_t len);

#endif
