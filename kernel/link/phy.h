/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What a link runs over, if that is no plain cable inside this kernel: a cable with faults, or
 * a way to a port elsewhere. It carries packets and flow-control packets; which, the link says.
 */
#ifndef HCA_LINK_PHY_H
#define HCA_LINK_PHY_H

#include <linux/types.h>

struct hca_packet;
struct hca_port;

struct hca_phy {
	/*
	 * A packet leaves for @peer, NULL if that is elsewhere, counted as sent and with credit
	 * for it; takes it over. Bottom halves disabled, on any CPUs at once; the port's tx_lock
	 * may be held. What is for a port of this kernel is handed on by hca_port_enqueue().
	 */
	void (*carry)(struct hca_phy *phy, struct hca_port *peer, struct hca_packet *pkt);
	/*
	 * Flow-control packets leave, of HCA_FLOW_BYTES each, one behind the other. They must not
	 * overtake packets. Context: as above, tx_lock held.
	 */
	void (*flow)(struct hca_phy *phy, struct hca_port *peer, const u8 *octets,
		     unsigned int len);
	/* The port wants a link, or not any more; may be NULL. Bottom halves disabled; no lock. */
	void (*will)(struct hca_phy *phy, bool enabled);

	/* What it hands on to, which leads elsewhere; NULL: to @peer, or it is such a one. */
	struct hca_phy *below;

	/* The link's, but if there is one below: */
	bool remote; /* the other end is not in this kernel; of both */
	bool up; /* it is there and willing, as hca_phy_up() has said */
	u8 mtu_cap; /* enum ib_mtu: the port's own, of which the medium may leave less */
};

/**
 * hca_phy_attach() - give a port a way to elsewhere
 * @port: without a cable
 * @phy: its functions set
 *
 * ->will() is called. The link comes up with hca_phy_up().
 * Context: process; the caller serialises this and plugging (the control mutex).
 */
void hca_phy_attach(struct hca_port *port, struct hca_phy *phy);

/**
 * hca_phy_detach() - take it away again
 * @port: has one
 *
 * There is none above it. The link goes down, and what is queued is lost. When this returns nobody carries any more; the
 * owner has seen to it that nothing arrives any more.
 * Context: process, may sleep; as above.
 */
void hca_phy_detach(struct hca_port *port);

/**
 * hca_phy_up() - the other end is there and wants a link
 * @port: has a medium
 * @mtu: enum ib_mtu: the largest that the medium can carry
 *
 * Trains the link, if the port is willing too. Context: process or BH; no lock held.
 */
void hca_phy_up(struct hca_port *port, u8 mtu);

/* The other end has gone, or does not want the link: it goes down. Context: as above. */
void hca_phy_down(struct hca_port *port);

/**
 * hca_phy_receive() - a packet has come from elsewhere
 * @port: where
 * @octets: its image, LRH to VCRC, which stays the caller's
 * @len: of it
 *
 * One that is damaged is counted as such. Context: BH disabled, no lock held; the engine is drained
 * later. Return: 0; -EBADMSG, -EINVAL: it is damaged; -ENOMEM; -ENOBUFS: no room for an SMP.
 */
int hca_phy_receive(struct hca_port *port, const u8 *octets, unsigned int len);

/* Flow-control packets have come, of HCA_FLOW_BYTES each. Context: as above. */
void hca_phy_flow(struct hca_port *port, const u8 *octets, unsigned int len);

/* Of a port with a way to elsewhere; others are left alone. Context: RCU or BH. */

bool hca_phy_is_remote(const struct hca_port *port);
bool hca_phy_is_up(const struct hca_port *port);
void hca_phy_enable(struct hca_port *port, bool enabled);

#endif
