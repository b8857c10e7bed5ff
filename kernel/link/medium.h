/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What a link runs over, if that is no plain cable inside this kernel: a cable with faults, or
 * a way to a port elsewhere. It carries packets and flow-control packets; which, the link says.
 */
#ifndef HCA_LINK_MEDIUM_H
#define HCA_LINK_MEDIUM_H

#include <linux/types.h>

struct hca_packet;
struct hca_port;

struct hca_medium {
	/*
	 * A packet leaves for @peer, NULL if that is elsewhere, counted as sent and with credit
	 * for it; takes it over. Bottom halves disabled, on any CPUs at once; the port's tx_lock
	 * may be held. What is for a port of this kernel is handed on by hca_port_enqueue().
	 */
	void (*carry)(struct hca_medium *medium, struct hca_port *peer, struct hca_packet *pkt);
	/*
	 * Flow-control packets leave, of HCA_FLOW_BYTES each, one behind the other. They must not
	 * overtake packets. Context: as above, tx_lock held.
	 */
	void (*flow)(struct hca_medium *medium, struct hca_port *peer, const u8 *octets,
		     unsigned int len);
	/* The port wants a link, or not any more; may be NULL. Bottom halves disabled; no lock. */
	void (*will)(struct hca_medium *medium, bool willing);

	/* What it hands on to, which leads elsewhere; NULL: to @peer, or it is such a one. */
	struct hca_medium *below;

	/* The link's, but if there is one below: */
	bool elsewhere; /* the other end is not in this kernel; of both */
	bool up; /* it is there and willing, as hca_medium_up() has said */
	u8 mtu_cap; /* enum hca_mtu: the port's own, of which the medium may leave less */
};

/**
 * hca_medium_attach() - give a port a way to elsewhere
 * @port: without a cable
 * @medium: its functions set
 *
 * ->will() is called. The link comes up with hca_medium_up().
 * Context: process; the caller serialises this and plugging (the control mutex).
 */
void hca_medium_attach(struct hca_port *port, struct hca_medium *medium);

/**
 * hca_medium_detach() - take it away again
 * @port: has one
 *
 * There is none above it. The link goes down, and what is queued is lost. When this returns nobody carries any more; the
 * owner has seen to it that nothing arrives any more.
 * Context: process, may sleep; as above.
 */
void hca_medium_detach(struct hca_port *port);

/**
 * hca_medium_up() - the other end is there and wants a link
 * @port: has a medium
 * @mtu: enum hca_mtu: the largest that the medium can carry
 *
 * Trains the link, if the port is willing too. Context: process or BH; no lock held.
 */
void hca_medium_up(struct hca_port *port, u8 mtu);

/* The other end has gone, or does not want the link: it goes down. Context: as above. */
void hca_medium_down(struct hca_port *port);

/**
 * hca_medium_receive() - a packet has come from elsewhere
 * @port: where
 * @octets: its image, LRH to VCRC, which stays the caller's
 * @len: of it
 *
 * One that is damaged is counted as such. Context: BH disabled, no lock held; the engine is drained
 * later. Return: 0; -EBADMSG, -EINVAL: it is damaged; -ENOMEM; -ENOBUFS: no room for an SMP.
 */
int hca_medium_receive(struct hca_port *port, const u8 *octets, unsigned int len);

/* Flow-control packets have come, of HCA_FLOW_BYTES each. Context: as above. */
void hca_medium_flow(struct hca_port *port, const u8 *octets, unsigned int len);

/* Of a port with a way to elsewhere; others are left alone. Context: RCU or BH. */

bool hca_medium_is_elsewhere(const struct hca_port *port);
bool hca_medium_is_up(const struct hca_port *port);
void hca_medium_will(struct hca_port *port, bool willing);

#endif
