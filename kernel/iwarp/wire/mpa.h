/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The frames that begin an MPA connection: the request of the initiator and the reply of the
 * responder (RFC 5044, 7.1), and the octets by which they negotiate (RFC 6581).
 */
#ifndef HCA_IWARP_WIRE_MPA_H
#define HCA_IWARP_WIRE_MPA_H

#include <linux/types.h>

#define HCA_MPA_HEADER_BYTES 20 /* key, flags, revision, PD_Length */
#define HCA_MPA_ENHANCED_BYTES 4 /* at the beginning of the private data of an enhanced frame */
#define HCA_MPA_PRIVATE_MAX 512 /* octets of private data, those of the enhancement included */
#define HCA_MPA_FRAME_MAX (HCA_MPA_HEADER_BYTES + HCA_MPA_PRIVATE_MAX)
#define HCA_MPA_NOT_NEGOTIATED 0x3fff /* IRD or ORD: the value is not negotiated */

/* Revisions of MPA. Those of RFC 6581 may be enhanced frames. */
#define HCA_MPA_REVISION_1 1
#define HCA_MPA_REVISION_2 2

/* A request or a reply. The members from @peer_to_peer on are valid if @enhanced is set. */
struct hca_mpa_frame {
	bool is_reply;
	bool markers; /* M: the sender wants markers in what it receives */
	bool crc; /* C: the sender wants CRCs */
	bool rejected; /* R: the connection is rejected; replies only */
	bool enhanced; /* S: the private data begin with the members from @peer_to_peer on */
	u8 revision;
	u16 private_length; /* octets of private data for the ULP */
	const u8 *private_data;
	bool peer_to_peer; /* A: the initiator sends an RTR message first */
	bool rtr_send; /* B: a Send without payload may be the RTR message */
	bool rtr_write; /* C: an RDMA Write without payload may be it */
	bool rtr_read; /* D: an RDMA Read Request of no octets may be it */
	u16 ird; /* Read Requests that the sender serves at a time, 14 bits */
	u16 ord; /* Read Requests that the sender issues at a time, 14 bits */
	u32 bytes; /* octets of the frame; set by hca_mpa_parse() */
};

/* Results of reading octets that should be a frame. */
enum hca_mpa_result {
	HCA_MPA_OK, /* they are one */
	HCA_MPA_INCOMPLETE, /* they are the beginning of one */
	HCA_MPA_KEY, /* the key is not that of the frame that is due */
	HCA_MPA_REVISION, /* the revision is unknown */
	HCA_MPA_LENGTH, /* PD_Length is above 512, or too small for an enhanced frame */
};

/**
 * hca_mpa_pack() - write a frame in wire format
 * @frame: the frame; its IRD and ORD are truncated to 14 bits
 * @buf: HCA_MPA_FRAME_MAX octets to write
 *
 * Bits that have no meaning in the frame are sent as 0: R of a request, and B, C and D without A.
 *
 * Context: any.
 * Return: octets of the frame; 0 if there are more private data than it can contain.
 */
u32 hca_mpa_pack(const struct hca_mpa_frame *frame, u8 *buf);

/**
 * hca_mpa_parse() - read a frame, of which any number of octets may have arrived
 * @frame: frame to fill; its private data remain in @buf
 * @buf: octets from the beginning of the connection on
 * @len: number of octets of @buf, more or fewer than the frame has
 * @is_reply: whether a reply is due
 *
 * A frame is refused as soon as an octet is there that is wrong.
 *
 * Context: any.
 * Return: HCA_MPA_OK; HCA_MPA_INCOMPLETE, and only @frame->bytes is valid, the octets that must be
 * there before it is worthwhile to call the function again; otherwise why to close the connection.
 */
enum hca_mpa_result hca_mpa_parse(struct hca_mpa_frame *frame, const u8 *buf, u32 len,
				  bool is_reply);

#endif
