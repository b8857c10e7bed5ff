/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The physical layer of a link that is not a plain cable between two ports of this kernel: a cable
 * with faults, or a connection to a remote port, which is a port of another kernel. The phy carries
 * packets and flow-control packets.
 */
#ifndef HCA_LINK_STATE_PHY_H
#define HCA_LINK_STATE_PHY_H

#include <linux/types.h>

struct hca_packet;
struct hca_port;

struct hca_phy {
	/*
	 * Carries a packet, which has been counted and has credit, to @peer (NULL: a remote port),
	 * and consumes it. A port of this kernel receives the packet by hca_port_enqueue().
	 * Context: bottom halves disabled, on several CPUs at once; the port's tx.lock may be held.
	 */
	void (*carry)(struct hca_phy *phy, struct hca_port *peer, struct hca_packet *pkt);
	/*
	 * Carries flow-control packets of HCA_FLOW_BYTES each, which must not overtake packets.
	 * Context: bottom halves disabled; the port's tx.lock held.
	 */
	void (*flow)(struct hca_phy *phy, struct hca_port *peer, const u8 *octets,
		     unsigned int len);
	/*
	 * Called when the port is enabled or disabled; may be NULL. Context: bottom halves
	 * disabled; no lock held.
	 */
	void (*will)(struct hca_phy *phy, bool enabled);

	/* The phy to a remote port that carries the packets after this phy; NULL: none. */
	struct hca_phy *below;

	bool remote; /* the other end of the link is not in this kernel */
	/* The link layer writes the two fields below, only in a phy that has no phy below it. */
	bool up; /* the other end is present and enabled (hca_phy_up()) */
	u8 mtu_cap; /* enum ib_mtu: MTUCap of the port before the phy limited it */
};

/* Return: the phy to a remote port, or NULL. Context: RCU read lock held or BH disabled. */
struct hca_phy *hca_phy_to_remote(const struct hca_port *port);

/* Return whether a port has a phy to a remote port. Context: RCU read lock held or BH disabled. */
bool hca_phy_is_remote(const struct hca_port *port);

/*
 * Return whether the remote port is present and enabled; false without a remote port. Context: RCU
 * read lock held or BH disabled.
 */
bool hca_phy_is_up(const struct hca_port *port);

/* Call will() of the phy to a remote port, if any. Context: RCU read lock held or BH disabled. */
void hca_phy_enable(struct hca_port *port, bool enabled);

#endif
