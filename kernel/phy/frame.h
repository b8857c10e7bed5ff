/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A frame of a link that leaves the kernel: what carries packets through another network, and
 * what its two ends say to each other besides. Numbers are big-endian on the wire.
 *
 *	octets 0-3	HCA_FRAME_MAGIC
 *	4		version
 *	5		type
 *	6-7		octets behind these 36, the tag not counted
 *	8-15		session of the sender
 *	16-23		session of the receiver, 0 if the sender does not know it
 *	24-31		number of the frame within the sender's session
 *	32		which segment of a packet this is, from 0
 *	33		segments of the packet
 *	34-35		octets of the whole packet
 *
 * A packet that is too long for one frame is sent in several, its segments, whose frames have consecutive
 * numbers. All segments are equally long; segment i begins at octet i * length of the packet, and the last
 * one is padded with zeros, fewer than there are segments. Frames that are no packet have octets 32-35 0.
 *
 * All versions share octets 0-23.
 */
#ifndef HCA_PHY_FRAME_H
#define HCA_PHY_FRAME_H

#include <linux/types.h>

#define HCA_FRAME_MAGIC 0x68636121 /* "hca!" */
#define HCA_FRAME_VERSION 2
#define HCA_FRAME_HEADER 36
#define HCA_FRAME_TAG 16 /* behind the payload, where frames are authenticated */
#define HCA_FRAME_SEGMENTS 16 /* of a packet at most */

enum hca_frame_type {
	HCA_FRAME_HELLO = 1, /* struct hca_hello */
	HCA_FRAME_REFUSE = 2, /* a reason (enum hca_refusal), 2 octets */
	HCA_FRAME_BYE = 3, /* nothing */
	HCA_FRAME_PACKET = 4, /* a packet's image, LRH to VCRC, or a segment of it */
	HCA_FRAME_FLOW = 5, /* flow-control packets */
};

/* Why an end does not want to be another's partner. */
enum hca_refusal {
	HCA_REFUSED_NOT = 0,
	HCA_REFUSED_VERSION = 1, /* it does not speak this version */
	HCA_REJECTED_BUSY = 2, /* it has a partner */
	HCA_REJECTED_NOT_PEER = 3, /* it is told to be somebody else's */
	HCA_REFUSED_SELF = 4, /* it is the same port */
};

struct hca_frame {
	u8 version;
	u8 type; /* enum hca_frame_type */
	u16 length;
	u64 from, to;
	u64 number;
	u8 segment, segments;
	u16 total; /* octets of the packet */
};

#define HCA_HELLO_BYTES 56
#define HCA_HELLO_NAME 32

/* What an end says of itself: 1 octet of flags, MTU, 2 of port, 2 GUIDs, 4 octets 0, name. */
struct hca_hello {
	bool enabled; /* its port wants a link */
	u8 mtu_cap; /* enum hca_mtu */
	u16 port;
	u64 node_guid, port_guid;
	char name[HCA_HELLO_NAME]; /* without a 0 if it is that long */
};

/* Write the header; return: HCA_FRAME_HEADER. */
unsigned int hca_frame_pack(const struct hca_frame *frame, u8 *buf);

/**
 * hca_frame_octets() - how much of what has come is a frame
 * @buf: its first HCA_FRAME_HEADER octets
 * @room: octets that have come, HCA_FRAME_HEADER and @tag at least
 * @tag: octets of a tag behind the payload, 0 or HCA_FRAME_TAG
 * @padded: the network pads what is shorter to so many octets; 0: it does not
 *
 * Of another version it is all.
 * Context: any. Return: octets of the frame without its tag; 0: it is cut off, or something follows it.
 */
unsigned int hca_frame_octets(const u8 *buf, size_t room, unsigned int tag, unsigned int padded);

/**
 * hca_frame_parse() - read a frame's header
 * @frame: result
 * @buf: the frame, without a tag
 * @len: octets of @buf
 *
 * Of another version only the header is looked at, as far as all versions share it.
 * Context: any. Return: 0, or -EINVAL: it is none, its length is not that of @buf, or there is no packet
 * of such segments.
 */
int hca_frame_parse(struct hca_frame *frame, const u8 *buf, size_t len);

void hca_hello_pack(const struct hca_hello *hello, u8 *buf);
/* Return: 0, or -EINVAL: nothing that a port could say. */
int hca_hello_parse(struct hca_hello *hello, const u8 *buf, size_t len);

#endif
