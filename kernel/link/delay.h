/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The delay line of a cable: packets arrive later, and may be reordered. */
#ifndef HCA_LINK_DELAY_H
#define HCA_LINK_DELAY_H

#include <linux/types.h>

struct hca_packet;
struct hca_port;

struct hca_delay_spec {
	u64 delay; /* ns */
	u64 jitter; /* ns; the delay is random within +- jitter, and packets keep their order */
	u32 reorder; /* probability, of 2^32, that a packet is late and others overtake it */
	u32 seed; /* of the random numbers: equal packets have equal delays with an equal seed */
};

/**
 * hca_delay_set() - set or remove the delay line of a port
 * @port: the receiver
 * @spec: the delay; if delay, jitter and reorder are 0 there is none
 *
 * Packets in an earlier delay line arrive at once, in their order.
 * Context: process, may sleep; the caller serialises this (the control mutex).
 * Return: 0; or -ENOMEM, and nothing has changed. Removing a delay line does not fail.
 */
int hca_delay_set(struct hca_port *port, const struct hca_delay_spec *spec);

/**
 * hca_delay_reordered() - number of packets that a delay line has let others overtake
 * @port: the receiver
 *
 * Context: process; the caller serialises this (the control mutex).
 * Return: the number since hca_delay_set(), or 0 without delay line.
 */
u64 hca_delay_reordered(const struct hca_port *port);

/**
 * hca_port_enqueue() - put a packet on the receive queue of a port, or into its delay line
 * @port: the receiving port, whose run is scheduled
 * @pkt: the packet or batch; consumed
 *
 * Context: BH disabled; a sender's tx.lock may be held; hca_engine_run() follows.
 */
void hca_port_enqueue(struct hca_port *port, struct hca_packet *pkt);

#endif
