/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Links to remote ports: connecting and disconnecting them, and what they receive. */
#ifndef HCA_LINK_REMOTE_LINK_H
#define HCA_LINK_REMOTE_LINK_H

#include "link/phy.h"

/**
 * hca_phy_attach() - connect a port to a remote port by a phy
 * @port: the port, unlinked
 * @phy: the phy, its functions set; its will() is called
 *
 * The link comes up by hca_phy_up().
 * Context: process; the caller serialises connecting cables (the control mutex).
 */
void hca_phy_attach(struct hca_port *port, struct hca_phy *phy);

/**
 * hca_phy_detach() - disconnect a port from its remote port
 * @port: the port; its phy has no other above it, and receives nothing any more
 *
 * The link goes Down, and what is queued is discarded. When this returns, the phy's functions are
 * not called any more.
 * Context: process, may sleep; the caller serialises connecting cables (the control mutex).
 */
void hca_phy_detach(struct hca_port *port);

/**
 * hca_phy_up() - the remote port is there and enabled
 * @port: the port
 * @mtu: enum ib_mtu: the largest MTU that the phy can carry
 *
 * Training begins if the port is enabled, too.
 * Context: process or BH; no lock held.
 */
void hca_phy_up(struct hca_port *port, u8 mtu);

/**
 * hca_phy_down() - the remote port has gone, or is disabled: the link goes Down
 * @port: the port
 *
 * Context: process or BH; no lock held.
 */
void hca_phy_down(struct hca_port *port);

/**
 * hca_phy_receive() - receive a packet from a remote port
 * @port: the receiving port
 * @octets: the packet in its wire format, from LRH to VCRC, which stays the caller's
 * @len: length of @octets
 *
 * A damaged packet is counted.
 * Context: BH disabled; no lock held; hca_engine_run() follows.
 * Return: 0; an error of hca_packet_deserialize() if the packet is damaged; -ENOMEM; -ENOBUFS if
 * there is no room for an SMP.
 */
int hca_phy_receive(struct hca_port *port, const u8 *octets, unsigned int len);

/**
 * hca_phy_flow() - receive flow-control packets from a remote port
 * @port: the receiving port
 * @octets: the flow-control packets, of HCA_FLOW_BYTES each, which stay the caller's
 * @len: length of @octets
 *
 * Context: BH disabled; no lock held; hca_engine_run() follows.
 */
void hca_phy_flow(struct hca_port *port, const u8 *octets, unsigned int len);

#endif
