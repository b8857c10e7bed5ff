/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Links to remote ports: connecting, disconnecting, and receiving from them. */
#ifndef HCA_LINK_STATE_REMOTE_LINK_H
#define HCA_LINK_STATE_REMOTE_LINK_H

#include "link/state/phy.h"

/**
 * hca_phy_attach() - connect a port to a remote port by a phy
 * @port: the port, unlinked
 * @phy: the phy, its functions set; its will() is called
 *
 * hca_phy_up() brings the link up.
 * Context: process; the caller serializes connecting cables (the control mutex).
 */
void hca_phy_attach(struct hca_port *port, struct hca_phy *phy);

/**
 * hca_phy_detach() - disconnect a port from its remote port
 * @port: the port; its phy does not receive any more, and no other phy is above that phy
 *
 * The link goes Down, and queued packets are discarded. When this function returns, the phy's
 * functions are not called any more.
 * Context: process, may sleep; the caller serializes connecting cables (the control mutex).
 */
void hca_phy_detach(struct hca_port *port);

/**
 * hca_phy_up() - report that the remote port is present and enabled
 * @port: the port
 * @mtu: enum ib_mtu: the largest MTU that the phy can carry
 *
 * Training begins if the port is enabled, too.
 * Context: process or BH; no lock held.
 */
void hca_phy_up(struct hca_port *port, u8 mtu);

/**
 * hca_phy_down() - take a link Down because its remote port has gone or is disabled
 * @port: the port
 *
 * Context: process or BH; no lock held.
 */
void hca_phy_down(struct hca_port *port);

/**
 * hca_phy_receive() - receive a packet from a remote port
 * @port: the receiving port
 * @octets: the packet in its wire format, from LRH to VCRC; the memory stays the caller's
 * @len: length of @octets
 *
 * A damaged packet is counted.
 * Context: BH disabled; no lock held; hca_engine_run() must follow.
 * Return: 0; an error of hca_packet_deserialize() if the packet is damaged; -ENOMEM; -ENOBUFS if
 * the receive buffer of VL15 is full.
 */
int hca_phy_receive(struct hca_port *port, const u8 *octets, unsigned int len);

/**
 * hca_phy_flow() - receive flow-control packets from a remote port
 * @port: the receiving port
 * @octets: the flow-control packets, of HCA_FLOW_BYTES each; the memory stays the caller's
 * @len: length of @octets
 *
 * Context: BH disabled; no lock held; hca_engine_run() must follow.
 */
void hca_phy_flow(struct hca_port *port, const u8 *octets, unsigned int len);

#endif
