/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The in-kernel cable: two ports of this kernel, joined. */
#ifndef HCA_PHY_CABLE_H
#define HCA_PHY_CABLE_H

struct hca_port;
struct list_head;

/**
 * hca_cable_connect() - join two ports, raise both to Init
 * @a: one end
 * @b: the other end; may be another port of the same node, not @a
 *
 * Context: process; the caller serialises plugging (the control mutex).
 * Return: 0, -EBUSY if one has a cable or another link, -EINVAL if @a is @b.
 */
int hca_cable_connect(struct hca_port *a, struct hca_port *b);

/**
 * hca_cable_disconnect() - part a port from its peer, take both down
 * @a: either end
 *
 * What was under way is lost, and the faults of the cable go with it. Returns after the
 * last sender has left the cable.
 * Context: process, may sleep; the caller serialises plugging.
 * Return: 0, or -ENOTCONN.
 */
int hca_cable_disconnect(struct hca_port *a);

/**
 * hca_cable_unlink() - unplug, first half: nobody enters the cable any more
 * @a: either end
 * @parted: both ends are added to it, for hca_cable_sync()
 *
 * Context: process; the caller serialises plugging until hca_cable_sync() has returned.
 * Return: 0, or -ENOTCONN.
 */
int hca_cable_unlink(struct hca_port *a, struct list_head *unlinked);

/**
 * hca_cable_sync() - unplug, second half: as hca_cable_disconnect(), waiting once for all cables
 * @parted: ends of cables, as hca_cable_unlink() has left them; empty when this returns
 *
 * Context: process, may sleep.
 */
void hca_cable_sync(struct list_head *unlinked);

#endif
