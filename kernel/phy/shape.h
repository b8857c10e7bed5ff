/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The shape of a cable: how much one of its directions carries, how long that takes, whether it
 * holds.
 */
#ifndef HCA_PHY_SHAPE_H
#define HCA_PHY_SHAPE_H

#include <linux/types.h>
#include "link/delay.h"

struct hca_port;

struct hca_shape_spec {
	u32 mbps; /* as of hca_port_set_rate() */
	struct hca_delay_spec delay;
	/* So often the signal is gone, and for so long, ns; 0: never. */
	u64 flap_every, flap_for;
};

/* How often what can happen by chance or time has happened. */
struct hca_shape_counts {
	u64 reordered, flapped;
};

/**
 * hca_shape_set() - give a shape to the way from a port to its peer
 * @port: the sender, with a cable or a way to elsewhere, which has no delay
 * @spec: in place of what it has; all 0: none
 *
 * Context: process, may sleep; the caller serialises this, hca_shape_get() and plugging (the
 * control mutex). Return: 0; or -ENOMEM, and nothing has changed.
 */
int hca_shape_set(struct hca_port *port, const struct hca_shape_spec *spec);

/**
 * hca_shape_end() - take away the shape of a way that is no more
 * @port: the port that sent by it, unplugged
 *
 * Context: as above.
 */
void hca_shape_end(struct hca_port *port);

/* Context: as above. Return: valid until it is set anew; NULL: none. */
const struct hca_shape_spec *hca_shape_get(const struct hca_port *port,
					   struct hca_shape_counts *counts);

#endif
