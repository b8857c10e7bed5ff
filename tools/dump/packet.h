/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A captured packet and its dissected headers. */
#ifndef HCADUMP_PACKET_H
#define HCADUMP_PACKET_H

#include <stdbool.h>
#include "wire/flow.h"
#include "wire/headers.h"

/* More than any packet has; what a file has beyond that is not read. */
#define PACKET_MAX_OCTETS 8192

struct packet {
	/* As captured: */
	u64 time_ns;
	const char *port; /* NULL: from a file, which does not have it */
	u16 interface; /* index of the port among those that are captured */
	u8 direction; /* HCA_TAP_IN or HCA_TAP_OUT; 0: the file does not have it */
	u32 lost; /* packets lost just before this one */
	u32 length; /* octets on the link */
	u32 captured; /* octets that were captured */
	const u8 *octets;
	bool is_flow; /* a flow-control packet, which has no headers */

	/* As dissected: */
	bool has_flow; /* flow is valid */
	bool has_lrh; /* h.lrh is valid */
	bool has_headers; /* all other headers are valid */
	bool is_raw; /* a raw packet, which has no BTH */
	u32 header_bytes;
	u32 payload_bytes; /* by the length on the link, without padding */
	const u8 *mad; /* the MAD's header of 24 octets; NULL: none */
	bool is_smp; /* of QP0; otherwise of QP1 */
	struct hca_headers h;
	struct hca_flow flow;

	/* As other packets of the capture show: */
	u32 marks; /* enum mark */
	bool has_peer; /* the port at the other end of the way is known: the next two members */
	const char *peer_port; /* NULL: the file does not have its name */
	u16 peer_interface;
	bool has_arrived; /* a sent packet: it was captured at the peer, too, at arrived_ns */
	u64 arrived_ns;
	bool is_shown; /* a received packet: it was shown where it was sent */
};

/* Dissects a packet: sets the second half of its fields from the first half. */
void packet_decode(struct packet *packet);

/*
 * Returns what is wrong with a packet, or NULL. *cut: its validity is unknown, since a part of it
 * was not captured.
 */
const char *packet_fault(const struct packet *packet, bool *cut);

/* Returns the name of its opcode, or of its kind if it has none. */
const char *packet_name(const struct packet *packet);

#endif
