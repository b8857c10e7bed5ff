/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The delay line of a cable, which makes packets arrive later, and may reorder them. */
#ifndef HCA_PHY_DELAY_H
#define HCA_PHY_DELAY_H

#include <linux/types.h>

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
 * Packets in an earlier delay line of the port arrive at once, in the order of their times of
 * arrival.
 * Context: process, may sleep; the caller holds the control mutex.
 * Return: 0; -ENOMEM, in which case nothing has changed. Removing a delay line does not fail.
 */
int hca_delay_set(struct hca_port *port, const struct hca_delay_spec *spec);

/**
 * hca_delay_reordered() - number of packets that other packets have overtaken in a delay line
 * @port: the receiver
 *
 * Context: process; the caller holds the control mutex.
 * Return: the number since hca_delay_set(), or 0 without a delay line.
 */
u64 hca_delay_reordered(const struct hca_port *port);

#endif
