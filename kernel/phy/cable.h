/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The in-kernel cable, which connects two ports of this kernel. */
#ifndef HCA_PHY_CABLE_H
#define HCA_PHY_CABLE_H

struct hca_port;
struct list_head;

/**
 * hca_cable_connect() - connect two ports by a cable, and start link training
 * @a: the port at one end
 * @b: the port at the other end; it may belong to the same node but must not be @a
 *
 * Both ports go to Initialize if both are enabled.
 * Context: process; the caller holds the control mutex, which serializes all changes of cables.
 * Return: 0; -EBUSY if either port has a cable or another physical layer already; -EINVAL if @a
 * is @b.
 */
int hca_cable_connect(struct hca_port *a, struct hca_port *b);

/**
 * hca_cable_disconnect() - remove the cable of a port; both its ports go down
 * @a: the port at either end
 *
 * Packets on the cable are lost. The cable's faults (phy/fault.h) and shapes (phy/shape.h) are
 * freed. The function returns when senders do not use the cable any more.
 * Context: process, may sleep; the caller holds the control mutex.
 * Return: 0; -ENOTCONN if the port has no cable.
 */
int hca_cable_disconnect(struct hca_port *a);

/**
 * hca_cable_unlink() - start to remove a cable, so that new senders do not find it
 * @a: the port at either end
 * @unlinked: list to which both ports are added, for hca_cable_sync()
 *
 * Context: process; the caller holds the control mutex until hca_cable_sync() has returned.
 * Return: 0; -ENOTCONN if the port has no cable.
 */
int hca_cable_unlink(struct hca_port *a, struct list_head *unlinked);

/**
 * hca_cable_sync() - finish the removal of cables that hca_cable_unlink() has started
 * @unlinked: list of ports filled by hca_cable_unlink(); it is empty on return
 *
 * One grace period serves all cables of the list. An empty list is allowed.
 * Context: process, may sleep; the caller holds the control mutex.
 */
void hca_cable_sync(struct list_head *unlinked);

#endif
