/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Frames that have come for a port from another kernel: to its partner, or as packets to the port. */
#ifndef HCA_PHY_INGRESS_H
#define HCA_PHY_INGRESS_H

#include <linux/atomic.h>
#include "phy/peer.h"
#include "phy/reassembly.h"

struct hca_port;

/* The longest frame that there can be, with its tag. */
#define HCA_MAX_FRAME_BYTES (HCA_FRAME_HEADER + HCA_MAX_WIRE_BYTES + HCA_FRAME_TAG)

struct hca_ingress {
	struct hca_port *port;
	struct hca_peer *peer;
	struct hca_reassembly reassembly;
	atomic64_t malformed; /* frames that are none, and segments that fit no packet: dropped */
};

/**
 * hca_ingress_receive() - a frame has come
 * @ingress: of the link
 * @from: where it came from
 * @octets: the frame, without its tag, which was right if it needs one; nobody else can write it
 * @len: octets of it
 *
 * Context: BH disabled; no lock held; the engine is drained later.
 */
void hca_ingress_receive(struct hca_ingress *ingress, const struct hca_address *from,
			 const u8 *octets, unsigned int len);

#endif
