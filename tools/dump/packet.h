/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A captured packet and its dissected headers. */
#ifndef HCADUMP_PACKET_H
#define HCADUMP_PACKET_H

#include <stdbool.h>
#include "wire/flow.h"
#include "wire/headers.h"

/*
 * The largest number of octets of a packet that are read from a file. It is more than any packet
 * has.
 */
#define PACKET_MAX_OCTETS 8192

struct packet {
	/* Fields that the capture sets. */
	u64 time_ns;
	const char *port; /* name of the port; NULL: the file does not have it */
	u16 interface; /* index of the port among the captured ports */
	u8 direction; /* HCA_TAP_IN or HCA_TAP_OUT; 0: the file does not have it */
	u32 lost; /* packets lost just before this one */
	u32 length; /* octets on the link */
	u32 captured; /* octets that were captured */
	const u8 *octets;
	bool is_flow; /* a flow-control packet, which has no headers */

	/* Fields that packet_decode() sets from the packet's octets. */
	bool has_flow; /* flow is valid */
	bool has_lrh; /* h.lrh is valid */
	bool has_headers; /* all other headers are valid */
	bool is_raw; /* a raw packet, which has no BTH */
	u32 header_bytes;
	u32 payload_bytes; /* octets of the payload on the link, without padding */
	const u8 *mad; /* the MAD's header of 24 octets; NULL: none */
	bool is_smp; /* a MAD of QP0; otherwise of QP1 */
	struct hca_headers h;
	struct hca_flow flow;

	/* Fields that are set from other packets of the capture. */
	u32 marks; /* enum mark */
	/* the port at the other end is known: peer_port and peer_interface are valid */
	bool has_peer;
	const char *peer_port; /* NULL: the file does not have its name */
	u16 peer_interface;
	bool has_arrived; /* a sent packet was captured at the peer, too, at the time arrived_ns */
	u64 arrived_ns;
	bool is_shown; /* a received packet was shown already where it was sent */
};

/* Dissects a packet: sets the dissected fields from the captured ones. */
void packet_decode(struct packet *packet);

/*
 * Returns a text about the error of a packet; NULL if it is valid. *cut is set to whether the
 * validity is unknown, because a part of the packet was not captured.
 */
const char *packet_fault(const struct packet *packet, bool *cut);

/* Returns the name of a packet's opcode; the name of its kind if it does not have an opcode. */
const char *packet_name(const struct packet *packet);

#endif
