/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A captured packet, taken apart as far as there is something of it. */
#ifndef HCADUMP_PACKET_H
#define HCADUMP_PACKET_H

#include <stdbool.h>
#include "wire/flow.h"
#include "wire/headers.h"

struct packet {
	/* As it was captured. */
	u64 time_ns;
	const char *port; /* NULL: from a file, which does not say */
	u16 interface; /* the port's number among those that are captured */
	u8 direction; /* HCA_TAP_IN, HCA_TAP_OUT; 0: a file that does not say */
	u32 lost; /* others, just before it */
	u32 length; /* octets on the link */
	u32 captured; /* of these */
	const u8 *octets;
	bool is_flow; /* a flow-control packet, which has none of the headers */

	/* As it is understood. */
	bool has_flow; /* flow is right */
	bool has_lrh; /* h.lrh is right */
	bool has_headers; /* the others are, too */
	bool is_raw; /* without BTH */
	u32 header_bytes;
	u32 payload_bytes; /* by the length on the link, without padding */
	const u8 *mad; /* its header, 24 octets, if there is one */
	bool is_smp; /* on QP0; else on QP1 */
	struct hca_headers h;
	struct hca_flow flow;
};

/* Fill in the second half from the first. */
void packet_decode(struct packet *packet);

/* What is wrong with it: NULL: nothing. *cut: that cannot be said, as there is not all of it. */
const char *packet_fault(const struct packet *packet, bool *cut);

/* Of its opcode, or of what it is else. */
const char *packet_name(const struct packet *packet);

#endif
