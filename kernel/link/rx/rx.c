// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The receiving half of a port: it dequeues and checks packets, and calls the port's operations. */
#include "link/rx/rx.h"
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include <linux/slab.h>
#include "link/credit/flow_receive.h"
#include "link/port/discard.h"
#include "link/port/port.h"
#include "link/rx/integrity.h"
#include "link/state/state.h"
#include "link/tap/tap.h"
#include "packet/batch.h"
#include "packet/serialize.h"

/* Return whether a packet is for this port; a relaying port accepts all packets. */
static bool port_is_addressed(struct hca_port *port, const struct hca_lrh *lrh)
{
	return port->ops->relays || hca_port_owns_lid(port, lrh->dlid);
}

/*
 * The packet checks of the link (IBA 7.3) that hca_packet_deserialize() does not make. Each
 * function returns true if the packet passes. port_accepts() applies all checks, in any order;
 * after that, port_refusal() finds the first check that the packet has failed, in the order of the
 * IBA.
 */

static bool port_is_up(const struct hca_port *port, bool management)
{
	return READ_ONCE(port->info.state) >= (management ? IB_PORT_INIT : IB_PORT_ARMED);
}

static u8 port_mtu(const struct hca_port *port, bool management)
{
	return management ? IB_MTU_256 : READ_ONCE(port->info.mtu_cap);
}

static bool port_reaches(struct hca_port *port, const struct hca_lrh *lrh, bool management)
{
	return port_is_addressed(port, lrh) ||
	       (management ? lrh->dlid == HCA_LID_PERMISSIVE : hca_lid_is_multicast(lrh->dlid));
}

/* SMPs do not leave the subnet, and are not raw packets. */
static bool port_routes(const struct hca_lrh *lrh, bool management)
{
	return !management || lrh->lnh == IB_LNH_IBA_LOCAL;
}

static __always_inline bool port_accepts(struct hca_port *port, const struct hca_packet *pkt,
					 bool management)
{
	const struct hca_lrh *lrh = &pkt->h.lrh;
	u8 mtu = port_mtu(port, management);

	return port_is_up(port, management) && port_routes(lrh, management) &&
	       port_reaches(port, lrh, management) &&
	       (management || hca_info_has_vl(&port->info, lrh->vl)) &&
	       hca_packet_fits(pkt, mtu);
}

/*
 * Parse a packet that arrived in its wire format. The function is not inlined, to keep the path of
 * other packets short. Return: whether the packet is valid.
 */
static noinline bool port_decode(struct hca_port *port, struct hca_packet *pkt)
{
	u8 *wire = pkt->buffer;
	u32 octets = hca_packet_bytes(pkt);
	int err;

	pkt->flags &= ~HCA_PACKET_SERIALIZED;
	pkt->payload_kind = HCA_PAYLOAD_INLINE;
	err = hca_packet_deserialize(pkt, wire, octets);
	if (err)
		hca_port_reject_octets(port, pkt, wire, octets, err);
	kfree(wire);
	return !err;
}

/* Return: the reason why port_accepts() or hca_rx_buffer_charge() has refused a packet. */
static noinline enum hca_drop_reason port_refusal(struct hca_port *port,
						  const struct hca_packet *pkt,
						  bool management)
{
	const struct hca_lrh *lrh = &pkt->h.lrh;

	if (!port_is_up(port, management))
		return HCA_DROP_PORT_STATE;
	if (!hca_packet_fits(pkt, port_mtu(port, management)))
		return HCA_DROP_LENGTH;
	if (!port_reaches(port, lrh, management))
		return HCA_DROP_NOT_OURS;
	if (!management && !hca_info_has_vl(&port->info, lrh->vl))
		return HCA_DROP_VL;
	return port_routes(lrh, management) ? HCA_DROP_OVERRUN : HCA_DROP_VL15;
}

static void port_receive(struct hca_port *port, struct hca_packet *pkt)
{
	bool management = pkt->h.lrh.vl == HCA_VL_MANAGEMENT;
	bool room;

	if (pkt->link_generation != READ_ONCE(port->link_generation) &&
	    !(pkt->flags & HCA_PACKET_LOOPBACK)) {
		/* The packet was on a cable that has been removed; the credits were reset then. */
		if (management)
			atomic_dec(&port->rx_buffer.vl15_queued);
		hca_trace_drop(port, pkt, HCA_DROP_UNPLUGGED);
		hca_packet_free(pkt);
		return;
	}
	if (unlikely(pkt->flags & HCA_PACKET_FLOW)) {
		hca_flow_receive(port, pkt);
		return;
	}
	room = hca_rx_buffer_charge(port, pkt);
	if (unlikely(pkt->flags & HCA_PACKET_SERIALIZED) && !port_decode(port, pkt)) {
		hca_packet_free(pkt);
		return;
	}
	if (unlikely(port->integrity.phy_errors))
		hca_integrity_good(&port->integrity);
	hca_tap_rx(port, pkt);
	if (!(pkt->flags & HCA_PACKET_LOOPBACK)) {
		if (!port_accepts(port, pkt, management) || !room) {
			hca_port_refuse(port, pkt, port_refusal(port, pkt, management));
			return;
		}
		hca_port_count_rcv(port, pkt);
		if (!management && unlikely(READ_ONCE(port->info.state) != IB_PORT_ACTIVE))
			hca_port_active_trigger(port);
	}
	if (management)
		port->ops->receive_smp(port, pkt);
	else
		port->ops->receive(port, pkt);
}

static struct hca_packet *port_next(struct hca_port *port)
{
	struct llist_node *node = port->rx.pending;

	if (!node) {
		if (llist_empty(&port->rx.queue))
			return NULL;
		node = hca_llist_dequeue_all(&port->rx.queue);
	}
	port->rx.pending = node->next;
	return llist_entry(node, struct hca_packet, node);
}

bool hca_rx_run(struct hca_runnable *r, int *budget)
{
	struct hca_port *port = container_of(r, struct hca_port, rx.run);
	struct hca_packet *pkt;

	while (*budget > 0) {
		pkt = port_next(port);
		if (!pkt)
			return false;
		*budget -= pkt->packets;
		port->rx.copies = 0;
		port_receive(port, pkt);
		*budget -= port->rx.copies;
	}
	return true;
}

void hca_rx_init(struct hca_port *port)
{
	init_llist_head(&port->rx.queue);
	hca_run_init(&port->rx.run, hca_rx_run);
}

void hca_rx_purge(struct hca_port *port)
{
	struct hca_packet *pkt;

	local_bh_disable();
	while ((pkt = port_next(port))) {
		hca_trace_drop(port, pkt, HCA_DROP_PORT_GONE);
		hca_packet_free(pkt);
	}
	local_bh_enable();
}
