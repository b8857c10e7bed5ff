/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Packets as hcadump captures them, made from their headers. */
#ifndef HCA_TESTS_CAPTURED_H
#define HCA_TESTS_CAPTURED_H

#include "tools/dump/packet.h"

#define CAPTURED_OCTETS 512

/*
 * Makes a packet of @headers and @octets of @payload, with padding and CRCs, in @wire, which has
 * CAPTURED_OCTETS octets, and dissects it. It was captured nowhere and at no time.
 */
void captured_make(struct packet *packet, u8 *wire, const struct hca_headers *headers,
		   const u8 *payload, u32 octets);

/* A packet at one end of a cable between two ports: hca0/1 has LID 1, hca1/1 has LID 2. */
struct captured {
	struct packet packet;
	u8 wire[CAPTURED_OCTETS];
};

enum captured_port { HCA0, HCA1 };

/*
 * Requests go to QP 18 of hca1/1, their responses to QP 17 of hca0/1; @syndrome is of those with an
 * AETH. The packet is sent.
 */
void captured_rc(struct captured *captured, u8 operation, u32 psn, u8 syndrome);

/* Says where and when the packet is captured. */
void captured_at(struct captured *captured, enum captured_port port, u8 direction, u64 ns);

#endif
