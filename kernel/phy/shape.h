/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The shape of one direction of a cable or of a link over a network: its rate, its delay, and
 * interruptions of its signal (flapping).
 */
#ifndef HCA_PHY_SHAPE_H
#define HCA_PHY_SHAPE_H

#include <linux/types.h>
#include "phy/delay.h"

struct hca_port;

struct hca_shape_spec {
	u32 mbps; /* rate, Mb/s (hca_port_set_rate()); 0: not limited */
	struct hca_delay_spec delay;
	/*
	 * flap_every: time from the start of an interruption of the signal to the start of the
	 * next, ns; 0: no interruptions. flap_for: duration of each interruption, ns.
	 */
	u64 flap_every, flap_for;
};

/* reordered: number of reordered packets. flapped: number of interruptions of the signal. */
struct hca_shape_counts {
	u64 reordered, flapped;
};

/**
 * hca_shape_set() - set rate, delay and flapping of the direction from a port to its peer
 * @port: the sender, which has a cable or a link over a network
 * @spec: replaces the present shape; all fields 0 remove it. The delay of a link over a network is
 *        ignored.
 *
 * Context: process, may sleep; the caller holds the control mutex, which serializes this function,
 * hca_shape_get() and changes of cables.
 * Return: 0; -ENOMEM, in which case the shape is unchanged.
 */
int hca_shape_set(struct hca_port *port, const struct hca_shape_spec *spec);

/**
 * hca_shape_end() - remove the shape of a port that has lost its link, if it has one
 * @port: the sender
 *
 * Context: process, may sleep; the caller holds the control mutex.
 */
void hca_shape_end(struct hca_port *port);

/**
 * hca_shape_get() - query the shape of the direction from a port to its peer
 * @port: the sender
 * @counts: set to the counts, unless NULL is returned
 *
 * Context: process; the caller holds the control mutex.
 * Return: the shape, valid until hca_shape_set() or hca_shape_end(); NULL if the port has no shape.
 */
const struct hca_shape_spec *hca_shape_get(const struct hca_port *port,
					   struct hca_shape_counts *counts);

#endif
