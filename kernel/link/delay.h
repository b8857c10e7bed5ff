/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The length of a cable: what a port is sent arrives some time later, and may change places. */
#ifndef HCA_LINK_DELAY_H
#define HCA_LINK_DELAY_H

#include <linux/types.h>

struct hca_packet;
struct hca_port;

struct hca_delay_spec {
	u64 delay; /* ns */
	u64 jitter; /* ns: as much less or more, by chance; packets keep their order */
	u32 reorder; /* of 2^32: the chance that a packet is late, so that others overtake it */
	u32 seed; /* of both: the same packets in the same order take as long with the same seed */
};

/**
 * hca_delay_set() - how long what a port is sent is under way
 * @port: the receiver
 * @spec: all 0: it arrives at once
 *
 * What is under way by the last setting arrives at once, in its order.
 * Context: process, may sleep; the caller serialises this (the control mutex).
 * Return: 0; or -ENOMEM, and nothing has changed, which cannot be where all is 0.
 */
int hca_delay_set(struct hca_port *port, const struct hca_delay_spec *spec);

/* How many packets have been late. Context: as above. */
u64 hca_delay_reordered(const struct hca_port *port);

/* For hca_port_enqueue(), of a port that has one: takes the packet. Context: BH disabled. */
void hca_delay_enqueue(struct hca_port *port, struct hca_packet *pkt);

#endif
