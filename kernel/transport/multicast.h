/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reception of multicast packets. */
#ifndef HCA_TRANSPORT_MULTICAST_H
#define HCA_TRANSPORT_MULTICAST_H

#include <linux/types.h>

struct hca_packet;
struct hca_port;

/**
 * hca_multicast_receive() - deliver a copy of a packet to each member of its group
 * @port: the port that received the packet; members at other ports accept no copy
 * @pkt: a packet with destination QP FFFFFFh, which the caller still owns
 *
 * Keys, state and receive requests are checked for each member separately.
 *
 * Context: called by the run function of @port (engine/run.h); BH disabled.
 * Return: false if no copy was made, because the packet has no GRH, the group does not exist, or
 * each member has sent the packet itself and blocks the loopback.
 */
bool hca_multicast_receive(struct hca_port *port, struct hca_packet *pkt);

#endif
