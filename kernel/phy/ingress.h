/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Reception of frames from a port of another kernel: Hellos, Byes and refusals go to the peer
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
	/*
	 * Taken with BH disabled; guards the fields below; held while the port receives a packet.
	 */
	spinlock_t lock;
	u64 session; /* session of the peer; 0: no frame has been handed over to the port */
	u64 last; /* number of the last frame of the session that was handed over to the port */
	/* Number of frames dropped because the port had already received a later frame. */
	u64 overtaken;
	/* Number of frames dropped because header, length or segment number was not valid. */
	atomic64_t malformed;
};

/**
 * hca_ingress_init() - initialize the receiving half of a link
 * @ingress: zeroed memory
 * @port: the port that receives
 * @peer: the peer at the other end
 *
 * Context: process, may sleep.
 * Return: 0; -ENOMEM. The caller may call hca_ingress_destroy() after an error, too.
 */
int hca_ingress_init(struct hca_ingress *ingress, struct hca_port *port, struct hca_peer *peer);

/**
 * hca_ingress_destroy() - free the memory of the receiving half
 * @ingress: the receiving half, initialized; frames do not arrive any more
 *
 * Context: process.
 */
void hca_ingress_destroy(struct hca_ingress *ingress);

/**
 * hca_ingress_receive() - receive a frame
 * @ingress: the receiving half of the link
 * @from: address of the sender
 * @octets: the frame without its tag, which the caller has verified if frames are authenticated;
 * only the caller can change the memory
 * @len: octets of the frame
 *
 * Frames that the network repeats or reorders are dropped, since packets do not arrive twice or out
 * of order on an InfiniBand link.
 * Context: BH disabled, no lock held; the caller calls hca_engine_run() afterwards.
 */
void hca_ingress_receive(struct hca_ingress *ingress, const struct hca_address *from,
			 const u8 *octets, unsigned int len);

#endif
