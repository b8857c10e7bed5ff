/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Reception of frames from a port of another kernel: Hellos and the like go to the peer
 * (phy/peer.h), packets and flow-control packets to the port.
 */
#ifndef HCA_PHY_INGRESS_H
#define HCA_PHY_INGRESS_H

#include <linux/atomic.h>
#include "phy/peer.h"
#include "phy/reassembly.h"

struct hca_port;

/* Octets of the longest frame, with its tag. */
#define HCA_MAX_FRAME_BYTES (HCA_FRAME_HEADER + HCA_MAX_WIRE_BYTES + HCA_FRAME_TAG)

struct hca_ingress {
	struct hca_port *port;
	struct hca_peer *peer;
	struct hca_reassembly reassembly;
	atomic64_t malformed; /* dropped: frames that do not parse, segments that fit no packet */
};

/**
 * hca_ingress_receive() - receive a frame
 * @ingress: the receiving half of the link
 * @from: address of the sender
 * @octets: the frame without its tag, which the caller has verified if frames are authenticated;
 *          the memory is the caller's alone, so that nobody changes it meanwhile
 * @len: octets of the frame
 *
 * Context: BH disabled, no lock held; the caller calls hca_engine_run() afterwards.
 */
void hca_ingress_receive(struct hca_ingress *ingress, const struct hca_address *from,
			 const u8 *octets, unsigned int len);

#endif
