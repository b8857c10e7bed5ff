/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Hello and HelloAck, which set a connection up. These messages are the private data of the REQ and
 * the REP of InfiniBand's communication management. Their layout depends on the binding. In the
 * binding of IBA (annex A4), the Hello contains the addresses. In the binding of SDP for iWARP,
 * both messages contain the maximum numbers of RDMA Reads instead.
 */
#ifndef HCA_SDP_PROTOCOL_HELLO_H
#define HCA_SDP_PROTOCOL_HELLO_H

#include <linux/types.h>

#define SDP_BUFS_MIN 3 /* minimum number of private buffers of a connection */
#define SDP_SIZE_MIN 37 /* minimum octets of a private buffer: headers of SinkAvail, 1 of payload */
#define SDP_HELLO_MAX 92 /* octets of private data of a REQ */
#define SDP_HELLO_ACK_MAX 196 /* octets of private data of a REP */

enum sdp_binding {
	SDP_BINDING_IBA, /* IBA annex A4 */
	SDP_BINDING_IWARP, /* SDP for iWARP, by rdma_cm */
};

/* In binding IBA, a service ID consists of this prefix and the TCP port. */
#define SDP_SERVICE_ID_PREFIX 0x10000ull
#define SDP_SERVICE_ID_MASK 0xffffffffffff0000ull /* bits of the prefix */

struct sdp_hello {
	u16 bufs; /* private buffers that the sender has posted */
	u16 max_adverts; /* advertisements that the sender accepts at a time */
	u32 size; /* octets of each private buffer of the sender */
	u32 desired_size; /* Hello: octets that the sender requests for each buffer of the peer */
	u16 ird; /* binding IWARP: RDMA Reads that the sender answers at a time */
	u16 ord; /* binding IWARP: RDMA Reads that the sender has outstanding at a time */
	/* Fields of a Hello of binding IBA. IPv4 addresses are mapped (::ffff:a.b.c.d). */
	u16 port; /* TCP port of the sender */
	u8 src[16];
	u8 dst[16];
};

/**
 * sdp_hello_pack() - write a Hello
 * @binding: layout of the message
 * @hello: contents; for binding IBA, both addresses are IPv4 or both IPv6
 * @buf: buffer of SDP_HELLO_MAX octets; unused octets of the message become zero
 *
 * Context: any.
 * Return: octets of private data: 92 in binding IBA, 32 in binding IWARP.
 */
u32 sdp_hello_pack(enum sdp_binding binding, const struct sdp_hello *hello, u8 *buf);

/**
 * sdp_hello_parse() - read a Hello
 * @binding: layout of the message
 * @hello: structure to fill
 * @buf: private data
 * @length: octets of private data
 *
 * The major version must be 1 for binding IWARP, and 1 or 2 for binding IBA, where deployed
 * implementations send 2. The minor version does not matter.
 *
 * Context: any.
 * Return: 0; -EINVAL: the message is too short, or not a Hello, or has another version; it allows
 * zero advertisements or RDMA Reads; it has fewer than SDP_BUFS_MIN buffers, a size below
 * SDP_SIZE_MIN or above SDP_SIZE_MAX, or a version of IP other than 4 and 6.
 */
int sdp_hello_parse(enum sdp_binding binding, struct sdp_hello *hello, const u8 *buf, u32 length);

/**
 * sdp_hello_ack_pack() - write a HelloAck
 * @binding: layout of the message
 * @hello: contents
 * @buf: buffer of SDP_HELLO_ACK_MAX octets; unused octets of the message become zero
 *
 * Context: any.
 * Return: octets of private data: 196 in binding IBA, 28 in binding IWARP.
 */
u32 sdp_hello_ack_pack(enum sdp_binding binding, const struct sdp_hello *hello, u8 *buf);

/**
 * sdp_hello_ack_parse() - read a HelloAck
 * @binding: layout of the message
 * @hello: structure to fill
 * @buf: private data
 * @length: octets of private data
 *
 * Context: any.
 * Return: 0; -EINVAL for the reasons of sdp_hello_parse().
 */
int sdp_hello_ack_parse(enum sdp_binding binding, struct sdp_hello *hello, const u8 *buf,
			u32 length);

#endif
