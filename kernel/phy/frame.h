/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Frames of a link over a network. Frames carry packets to a port of another kernel, or messages by
 * which the two ends find each other. Numbers are big-endian on the wire. The header is:
 *
 *	octets 0-3	HCA_FRAME_MAGIC
 *	4		version
 *	5		type
 *	6-7		octets of the payload, which follows the header; the tag is not counted
 *	8-15		session of the sender
 *	16-23		session of the receiver; 0 if the sender does not know it
 *	24-31		number of the frame within the sender's session
 *	32		index of this segment of a packet, from 0
 *	33		number of segments of the packet
 *	34-35		octets of the whole packet
 *
 * A packet that is too long for one frame is sent as several segments, whose frames have
 * consecutive numbers. All segments have the same length; segment i begins at octet i * length of
 * the packet. The last segment is padded with zero octets, fewer than the number of segments.
 * Octets 32-35 are 0 in frames that do not carry a packet.
 *
 * Octets 0-23 of the header are the same in all versions.
 */
#ifndef HCA_PHY_FRAME_H
#define HCA_PHY_FRAME_H

#include <linux/types.h>

#define HCA_FRAME_MAGIC 0x68636121 /* "hca!" */
#define HCA_FRAME_VERSION 2
#define HCA_FRAME_HEADER 36 /* octets */
#define HCA_FRAME_TAG 16 /* octets of the tag (ICV) after the payload of authenticated frames */
#define HCA_FRAME_SEGMENTS 16 /* maximum number of segments of a packet */

enum hca_frame_type {
	HCA_FRAME_HELLO = 1, /* the payload is struct hca_hello */
	HCA_FRAME_REFUSE = 2, /* the payload is enum hca_refusal, 2 octets */
	HCA_FRAME_BYE = 3, /* the frame has no payload */
	/* the payload is a packet in wire format, LRH to VCRC, or a segment of one */
	HCA_FRAME_PACKET = 4,
	HCA_FRAME_FLOW = 5, /* the payload is flow-control packets of HCA_FLOW_BYTES each */
};

/* Reasons why the receiver of a Hello rejects the sender as a peer. */
enum hca_refusal {
	HCA_REFUSED_NOT = 0,
	HCA_REFUSED_VERSION = 1, /* the version of the Hello is not supported */
	HCA_REJECTED_BUSY = 2, /* the receiver has another peer */
	HCA_REJECTED_NOT_PEER = 3, /* the receiver is configured with another peer */
	HCA_REFUSED_SELF = 4, /* the sender and the receiver are the same port */
};

/* The header of a frame, in host byte order. */
struct hca_frame {
	u8 version;
	u8 type; /* enum hca_frame_type */
	u16 length; /* octets of the payload */
	u64 from, to; /* sessions of sender and receiver */
	u64 number; /* number of the frame in the sender's session */
	u8 segment, segments; /* index of the segment; number of segments of the packet */
	u16 total; /* octets of the whole packet */
};

#define HCA_HELLO_BYTES 56
#define HCA_HELLO_NAME 32

/*
 * The description of an end in a Hello. On the wire: 1 octet of flags (bit 0: enabled), 1 of MTU, 2
 * of the port number, 8 of the node GUID, 8 of the port GUID, 4 of zeros, 32 of the name.
 */
struct hca_hello {
	bool enabled; /* the port's link is enabled */
	u8 mtu_cap; /* enum ib_mtu */
	u16 port; /* number of the port, not 0 */
	u64 node_guid, port_guid;
	char name[HCA_HELLO_NAME]; /* name of the node; without a final 0 if all octets are used */
};

/**
 * hca_frame_pack() - write the header of a frame
 * @frame: the header
 * @buf: HCA_FRAME_HEADER octets
 *
 * Context: any.
 * Return: HCA_FRAME_HEADER.
 */
unsigned int hca_frame_pack(const struct hca_frame *frame, u8 *buf);

/**
 * hca_frame_octets() - length of a received frame without tag and padding
 * @buf: the first HCA_FRAME_HEADER octets of the frame
 * @room: octets received, at least HCA_FRAME_HEADER + @tag
 * @tag: octets of the tag after the payload, 0 or HCA_FRAME_TAG
 * @padded: octets to which the network pads shorter frames; 0 if it does not pad
 *
 * A frame of another version may have another header, with the length in another place. All
 * received octets of such a frame are therefore taken to be header, payload and tag.
 * Context: any.
 * Return: octets of header and payload; 0 if the frame is truncated, or followed by octets that are
 * not padding.
 */
unsigned int hca_frame_octets(const u8 *buf, size_t room, unsigned int tag, unsigned int padded);

/**
 * hca_frame_parse() - read and check the header of a frame
 * @frame: set to the header
 * @buf: the frame without its tag
 * @len: octets of @buf
 *
 * In a frame of another version, only the magic number and the sender's session are checked.
 * Context: any.
 * Return: 0; -EINVAL if the octets are not a frame, if the frame's length is not @len, or if index,
 * number and length of segments contradict the length of the packet.
 */
int hca_frame_parse(struct hca_frame *frame, const u8 *buf, size_t len);

/**
 * hca_hello_pack() - write the payload of a Hello
 * @hello: the payload
 * @buf: HCA_HELLO_BYTES octets
 *
 * Context: any.
 */
void hca_hello_pack(const struct hca_hello *hello, u8 *buf);

/**
 * hca_hello_parse() - read and check the payload of a Hello
 * @hello: set to the payload
 * @buf: the payload
 * @len: octets of @buf
 *
 * Context: any.
 * Return: 0; -EINVAL if the length is wrong, the MTU is not one of enum ib_mtu, or the port number
 * is 0.
 */
int hca_hello_parse(struct hca_hello *hello, const u8 *buf, size_t len);

#endif
