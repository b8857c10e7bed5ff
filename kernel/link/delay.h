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
	u32 reorder; /* probability, in units of 2^-32, that other packets overtake a packet */
	u32 seed; /* seed of the random numbers: the same packets and seed give the same delays */
};

/**
 * hca_delay_set() - set or remove the delay line of a port
 * @port: the receiver
 * @spec: the delay; if delay, jitter and reorder are 0, the delay line is removed
 *
 * Packets in an earlier delay line arrive at once, in their order.
 * Context: process, may sleep; the caller serializes this (the control mutex).
 * Return: 0; or -ENOMEM, and nothing has changed. Removing a delay line does not fail.
 */
int hca_delay_set(struct hca_port *port, const struct hca_delay_spec *spec);

/**
 * hca_delay_reordered() - number of packets of a delay line that others have overtaken
 * @port: the receiver
 *
 * Context: process; the caller serializes this (the control mutex).
 * Return: the number since hca_delay_set(), or 0 without a delay line.
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
