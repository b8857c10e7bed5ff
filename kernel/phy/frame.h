/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A frame of a link that leaves the kernel: what carries packets through another network, and
 * what its two ends say to each other besides. Numbers are big-endian on the wire.
 *
 *	octets 0-3	HCA_FRAME_MAGIC
 *	4		version
 *	5		type
 *	6-7		octets behind these 32, the tag not counted
 *	8-15		session of the sender
 *	16-23		session of the receiver, 0 if the sender does not know it
 *	24-27		number of the frame within the sender's session
 *	28-31		0
 */
#ifndef HCA_PHY_FRAME_H
#define HCA_PHY_FRAME_H

#include <linux/types.h>

#define HCA_FRAME_MAGIC 0x68636121 /* "hca!" */
#define HCA_FRAME_VERSION 1
#define HCA_FRAME_HEADER 32
#define HCA_FRAME_TAG 16 /* behind the payload, where frames are authenticated */

enum hca_frame_type {
	HCA_FRAME_HELLO = 1, /* struct hca_hello */
	HCA_FRAME_REFUSE = 2, /* a reason (enum hca_refusal), 2 octets */
	HCA_FRAME_BYE = 3, /* nothing */
	HCA_FRAME_PACKET = 4, /* a packet's image, LRH to VCRC */
	HCA_FRAME_FLOW = 5, /* flow-control packets */
};

/* Why an end does not want to be another's partner. */
enum hca_refusal {
	HCA_REFUSED_NOT = 0,
	HCA_REFUSED_VERSION = 1, /* it does not speak this version */
	HCA_REFUSED_TAKEN = 2, /* it has a partner */
	HCA_REFUSED_STRANGER = 3, /* it is told to be somebody else's */
	HCA_REFUSED_SELF = 4, /* it is the same port */
};

struct hca_frame {
	u8 version;
	u8 type; /* enum hca_frame_type */
	u16 length;
	u64 from, to;
	u32 number;
};

#define HCA_HELLO_BYTES 56
#define HCA_HELLO_NAME 32

/* What an end says of itself: 1 octet of flags, MTU, 2 of port, 2 GUIDs, 4 octets 0, name. */
struct hca_hello {
	bool willing; /* its port wants a link */
	u8 mtu_cap; /* enum hca_mtu */
	u16 port;
	u64 node_guid, port_guid;
	char name[HCA_HELLO_NAME]; /* without a 0 if it is that long */
};

/* Write the header; return: HCA_FRAME_HEADER. */
unsigned int hca_frame_pack(const struct hca_frame *frame, u8 *buf);

/* Read the header of a frame that hca_frame_parse() has found good. */
void hca_frame_unpack(struct hca_frame *frame, const u8 *buf);

/**
 * hca_frame_parse() - read a frame's header
 * @frame: result
 * @buf: the frame
 * @len: octets of @buf
 * @tag: octets of a tag behind the payload, 0 or HCA_FRAME_TAG
 *
 * Of another version only the header is looked at, which all versions share.
 * Context: any. Return: 0, or -EINVAL: it is none, or its length is not that of @buf.
 */
int hca_frame_parse(struct hca_frame *frame, const u8 *buf, size_t len, unsigned int tag);

void hca_hello_pack(const struct hca_hello *hello, u8 *buf);
/* Return: 0, or -EINVAL: nothing that a port could say. */
int hca_hello_parse(struct hca_hello *hello, const u8 *buf, size_t len);

#endif
