/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Hello and HelloAck, which set a connection up. They are the private data of the REQ and the REP
 * of InfiniBand's communication management. Two bindings lay them out differently:
 * that of IBA (annex A4), where the addresses are in the Hello, and that of SDP for iWARP, which
 * has the numbers of RDMA Reads instead.
 */
#ifndef HCA_SDP_HELLO_H
#define HCA_SDP_HELLO_H

#include <linux/types.h>

#define SDP_BUFS_MIN 3 /* private buffers of a connection */
#define SDP_SIZE_MIN 37 /* octets of a private buffer: BSDH, SinkAvail's header, one of payload */
#define SDP_HELLO_MAX 92 /* octets: private data of a REQ */
#define SDP_HELLO_ACK_MAX 196 /* octets: private data of a REP */

enum sdp_binding {
	SDP_BINDING_IBA, /* IBA annex A4 */
	SDP_BINDING_IWARP, /* SDP for iWARP, by rdma_cm */
};

/* The service ID that a connection of binding IBA asks for: these octets, and the TCP port. */
#define SDP_SERVICE_ID_PREFIX 0x10000ull
#define SDP_SERVICE_ID_MASK 0xffffffffffff0000ull

struct sdp_hello {
	u16 bufs; /* private buffers that are posted */
	u16 max_adverts; /* advertisements that the sender accepts at a time */
	u32 size; /* octets of each private buffer of the sender */
	u32 desired_size; /* of Hello: what the sender would like the peer's to have; octets */
	u16 ird; /* of binding IWARP: RDMA Reads that the sender answers at a time */
	u16 ord; /* of binding IWARP: RDMA Reads that the sender has outstanding at a time */
	/* Of a Hello of binding IBA. IPv4 addresses are mapped (::ffff:a.b.c.d). */
	u16 port; /* TCP port of the sender */
	u8 src[16];
	u8 dst[16];
};

/**
 * sdp_hello_pack() - write a Hello
 * @binding: its form
 * @hello: what it says; for binding IBA, both addresses are IPv4 or both IPv6
 * @buf: octets to write, of SDP_HELLO_MAX; the rest is zero
 *
 * Context: any.
 * Return: octets of private data: 92 or 32.
 */
u32 sdp_hello_pack(enum sdp_binding binding, const struct sdp_hello *hello, u8 *buf);

/**
 * sdp_hello_parse() - read a Hello
 * @binding: its form
 * @hello: structure to fill
 * @buf: private data
 * @length: octets of it
 *
 * The major version must be 1 or 2 for binding IBA, where 2 is what deployed implementations send,
 * and 1 for the other. The minor version does not matter.
 *
 * Context: any.
 * Return: 0; -EINVAL: too short, another version, no advertisement or no RDMA Read allowed, fewer
 * than SDP_BUFS_MIN buffers, a size below SDP_SIZE_MIN or above SDP_SIZE_MAX, a version of IP
 * other than 4 and 6.
 */
int sdp_hello_parse(enum sdp_binding binding, struct sdp_hello *hello, const u8 *buf, u32 length);

/**
 * sdp_hello_ack_pack() - write a HelloAck
 * @binding: its form
 * @hello: what it says
 * @buf: octets to write, of SDP_HELLO_ACK_MAX; the rest is zero
 *
 * Context: any.
 * Return: octets of private data: 196 or 28.
 */
u32 sdp_hello_ack_pack(enum sdp_binding binding, const struct sdp_hello *hello, u8 *buf);

/**
 * sdp_hello_ack_parse() - read a HelloAck
 * @binding: its form
 * @hello: structure to fill
 * @buf: private data
 * @length: octets of it
 *
 * Context: any.
 * Return: 0; -EINVAL as sdp_hello_parse().
 */
int sdp_hello_ack_parse(enum sdp_binding binding, struct sdp_hello *hello, const u8 *buf,
			u32 length);

#endif
