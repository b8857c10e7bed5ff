/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reception of multicasts. */
#ifndef HCA_TRANSPORT_MULTICAST_H
#define HCA_TRANSPORT_MULTICAST_H

#include <linux/types.h>

struct hca_packet;
struct hca_port;

/**
 * hca_multicast_receive() - deliver a copy of a packet to each member of its group
 * @port: the port that received it; only queue pairs of this port are members
 * @pkt: a packet with destination QP FFFFFFh, which the caller still owns
 *
 * Keys, state and receive requests are checked for each member separately.
 *
 * Context: the port's run.
 * Return: whether any member receives it; false if all of them block the loopback.
 */
bool hca_multicast_receive(struct hca_port *port, struct hca_packet *pkt);

#endif
