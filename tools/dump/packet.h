/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A captured packet and its dissected headers. */
#ifndef HCADUMP_PACKET_H
#define HCADUMP_PACKET_H

#include <stdbool.h>
#include "fpdu.h"
#include "wire/flow.h"
#include "wire/headers.h"

/*
 * The largest number of octets that are read of one packet of InfiniBand in a file. No valid packet
 * is longer.
 */
#define PACKET_MAX_OCTETS 8192
/* No start-up frame and no FPDU is longer. */
#define STREAM_MAX_OCTETS 66064

struct packet {
	/* Fields that are set by the source of the packet (a capture or a file) */
	u64 time_ns;
	const char *port; /* name of the port; NULL: the file does not contain it */
	u16 interface; /* index of the port among the captured ports */
	u8 direction; /* HCA_TAP_IN or HCA_TAP_OUT; 0: the file does not contain it */
	u32 lost; /* number of packets that the capture has lost just before this one */
	u32 length; /* number of octets of the packet on the link, or in the stream */
	u32 captured; /* number of octets that were captured */
	const u8 *octets;
	bool is_flow; /* the packet is a flow-control packet, which does not have headers */
	/* the packet is a start-up frame or an FPDU of an RNIC, whose place is @stream */
	bool is_stream;
	struct hca_tap_stream stream;

	/* Fields that packet_decode() sets from the packet's octets. */
	bool has_flow; /* @flow is valid */
	bool has_lrh; /* @h.lrh is valid */
	bool has_headers; /* all other headers in @h are valid */
	bool is_raw; /* the packet is a raw packet, which does not have a BTH */
	u32 header_bytes;
	u32 payload_bytes; /* octets of the payload on the link, without padding */
	const u8 *mad; /* the MAD's header of 24 octets; NULL: none */
	bool is_smp; /* true: the destination of the MAD is QP0; false: the MAD is from or to QP1 */
	struct hca_headers h;
	struct hca_flow flow;
	struct fpdu fpdu; /* valid if @is_stream is set */

	/* Fields that result from other packets of the capture */
	u32 marks; /* enum mark */
	/* the port at the other end is known, therefore @peer_port and @peer_interface are valid */
	bool has_peer;
	/* name of the port at the other end; NULL: the file does not contain it */
	const char *peer_port;
	u16 peer_interface;
	/* this sent packet was also received at the peer port, at the time @arrived_ns */
	bool has_arrived;
	u64 arrived_ns;
	bool is_shown; /* for a received packet: the matching sent packet was already printed */
};

/* Dissects the octets of a packet, and sets the fields from @has_flow to @fpdu. */
void packet_decode(struct packet *packet);

/*
 * Returns a text about the error of a packet; NULL if no error was found. *cut is set to whether a
 * part of the packet was not captured, in which case errors cannot be found.
 */
const char *packet_fault(const struct packet *packet, bool *cut);

/* Returns the name of a packet's opcode, or the name of its kind if it does not have an opcode. */
const char *packet_name(const struct packet *packet);

#endif
