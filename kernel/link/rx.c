// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The receiving half of a port: queue, packet checks, receive-buffer accounting. */
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "link/delay.h"
#include "link/serialize.h"
#include "link/integrity.h"
#include "link/port.h"
#include "link/rx.h"
#include "link/state.h"
#include "link/tap.h"
#include "link/batch.h"
#include "link/tx.h"

void hca_port_arrive(struct hca_port *port, struct hca_packet *pkt)
{
	llist_add(&pkt->node, &port->rx_queue);
	hca_run_schedule(&port->rx_run);
}

bool hca_port_admits_smp(struct hca_port *port, const struct hca_packet *pkt)
{
	if (likely(atomic_inc_return(&port->vl15_queued) <= HCA_VL15_BUFFER))
		return true;
	atomic_dec(&port->vl15_queued);
	hca_count(port, HCA_CTR_VL15_DROPPED, 1);
	trace_hca_drop(port, pkt, HCA_DROP_VL15_FULL);
	return false;
}

/* Each packet of a batch has a delay of its own. */
static noinline void port_delay(struct hca_port *port, struct hca_packet *pkt)
{
	struct hca_packet *first;

	while (pkt->packets > 1 && (first = hca_batch_split(pkt, 1)))
		hca_delay_enqueue(port, first);
	hca_delay_enqueue(port, pkt);
}

void hca_port_enqueue(struct hca_port *port, struct hca_packet *pkt)
{
	if (unlikely(rcu_access_pointer(port->delay)) && !(pkt->flags & HCA_PACKET_LOOPBACK))
		port_delay(port, pkt);
	else
		hca_port_arrive(port, pkt);
}

static void port_raise_limit(struct hca_port *port, u8 vl, u32 blocks)
{
	WRITE_ONCE(port->fccl[vl], port->fccl[vl] + blocks);
	trace_hca_credit_back(port, vl, blocks);
}

static void port_wake_sender(struct hca_port *port)
{
	struct hca_port *sender = rcu_dereference_bh(port->peer);

	if (sender)
		hca_port_wake(sender);
}

/* Return the credits of a packet, and wake a sender that waits for them. */
static void port_credit(struct hca_port *port, const struct hca_packet *pkt)
{
	u8 vl = pkt->h.lrh.vl;

	if (unlikely(port->advertises)) {
		hca_flow_return_credits(port, vl, hca_batch_blocks(pkt));
		return;
	}
	port_raise_limit(port, vl, hca_batch_blocks(pkt));
	port_wake_sender(port);
}

/*
 * Keep the buffer space of a packet reserved. Its blocks may differ from those that it consumes
 * at the next hop: a duplicate has consumed none.
 */
static void port_reserve(struct hca_port *port, struct hca_packet *pkt)
{
	pkt->reserved_at = port;
	pkt->reserved_blocks = pkt->blocks;
	pkt->reserved_generation = pkt->link_generation;
	pkt->reserved_vl = pkt->h.lrh.vl;
	pkt->blocks = hca_packet_blocks(hca_packet_bytes(pkt));
}

void hca_packet_release_buffer(struct hca_packet *pkt)
{
	struct hca_port *port = pkt->reserved_at;

	pkt->reserved_at = NULL;
	if (pkt->payload_kind == HCA_PAYLOAD_SHARED &&
	    !refcount_dec_and_test(&pkt->shared->holders))
		return;
	if (pkt->reserved_generation != READ_ONCE(port->link_generation))
		return; /* that cable has been removed, and its credits were reset */
	if (unlikely(READ_ONCE(port->advertises))) {
		hca_flow_return_credits(port, pkt->reserved_vl,
					pkt->reserved_blocks * pkt->packets);
		return;
	}
	spin_lock(&port->reserve_lock);
	port_raise_limit(port, pkt->reserved_vl, pkt->reserved_blocks * pkt->packets);
	spin_unlock(&port->reserve_lock);
	port_wake_sender(port);
}

/* Receive buffer overrun: the sender ignored FCCL (IBA 7.9.4.3, req C4-158). */
static noinline bool port_is_overrun(const struct hca_port *port, const struct hca_packet *pkt)
{
	u8 vl = pkt->h.lrh.vl;

	return (s32)(READ_ONCE(port->fccl[vl]) - (port->abr[vl] + hca_batch_blocks(pkt))) < 0;
}

/* Account for the buffer space of a dequeued packet. Return: false if it overran the buffer. */
static __always_inline bool port_charge(struct hca_port *port, struct hca_packet *pkt)
{
	u8 vl = pkt->h.lrh.vl;

	if (vl == HCA_VL_MANAGEMENT) {
		atomic_dec(&port->vl15_queued);
	} else if (pkt->flags & HCA_PACKET_LOOPBACK) {
		WRITE_ONCE(port->loop_limit, port->loop_limit + hca_batch_blocks(pkt));
		hca_port_wake_loop(port);
	} else {
		if (unlikely(port->advertises) && port_is_overrun(port, pkt))
			return false;
		WRITE_ONCE(port->abr[vl], port->abr[vl] + hca_batch_blocks(pkt));
		if (port->ops->relays)
			port_reserve(port, pkt);
		else
			port_credit(port, pkt);
	}
	return true;
}

/* Whether a packet is for this port; a relaying port accepts all. */
static bool port_is_addressed(struct hca_port *port, const struct hca_lrh *lrh)
{
	return port->ops->relays || hca_port_owns_lid(port, lrh->dlid);
}

/*
 * Packet checks of the link (IBA 7.3) other than those of hca_packet_deserialize(); each returns
 * true if the packet passes. port_accepts() applies all of them, port_refusal() in their order.
 */

static bool port_is_up(const struct hca_port *port, bool management)
{
	return READ_ONCE(port->info.state) >= (management ? IB_PORT_INIT : IB_PORT_ARMED);
}

static bool port_fits(const struct hca_port *port, const struct hca_packet *pkt,
		      bool management)
{
	u8 mtu = management ? IB_MTU_256 : READ_ONCE(port->info.mtu_cap);

	return pkt->payload_length <= hca_mtu_bytes(mtu);
}

static bool port_reaches(struct hca_port *port, const struct hca_lrh *lrh, bool management)
{
	return port_is_addressed(port, lrh) ||
	       (management ? lrh->dlid == HCA_LID_PERMISSIVE : hca_lid_is_multicast(lrh->dlid));
}

static bool port_has_vl(const struct hca_port *port, u8 vl, bool management)
{
	return management || vl < hca_vl_count(READ_ONCE(port->info.operational_vls));
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

	return port_is_up(port, management) && port_fits(port, pkt, management) &&
	       port_reaches(port, lrh, management) &&
	       port_has_vl(port, lrh->vl, management) && port_routes(lrh, management);
}

/* Count for PortOpRcvCounters. */
static noinline void port_count_opcode(struct hca_port *port, const struct hca_packet *pkt)
{
	if (hca_packet_is_raw(pkt) || pkt->h.bth.opcode + 1 != READ_ONCE(port->watched_opcode))
		return;
	hca_count(port, HCA_CTR_OPCODE_PACKETS, pkt->packets);
	hca_count(port, HCA_CTR_OPCODE_DATA, pkt->h.lrh.pktlen * pkt->packets);
}

static __always_inline void port_count_rcv(struct hca_port *port, const struct hca_packet *pkt)
{
	bool multicast = pkt->h.lrh.dlid >= HCA_LID_MULTICAST &&
			 pkt->h.lrh.dlid != HCA_LID_PERMISSIVE;

	hca_count(port, HCA_CTR_RCV_DATA_SL + pkt->h.lrh.sl, pkt->h.lrh.pktlen * pkt->packets);
	hca_count(port, multicast ? HCA_CTR_MULTICAST_RCV_PACKETS : HCA_CTR_UNICAST_RCV_PACKETS,
		  pkt->packets);
	if (unlikely(READ_ONCE(port->watched_opcode)))
		port_count_opcode(port, pkt);
}

/*
 * The counter of a rejected packet, besides those of received packets; HCA_NUM_COUNTERS: none.
 * The last entry is for errors that the others do not name.
 */
struct hca_refusal {
	int err; /* hca_packet_deserialize()'s */
	enum hca_drop_reason reason;
	enum hca_counter counter;
};

static const struct hca_refusal hca_refusals[] = {
	{ -EREMOTEIO, HCA_DROP_MARKED_BAD, HCA_CTR_RCV_REMOTE_PHYSICAL_ERRORS },
	{ -EBADMSG, HCA_DROP_DAMAGED, HCA_CTR_LOCAL_PHYSICAL_ERRORS },
	{ -EPROTO, HCA_DROP_LVER, HCA_CTR_MALFORMED_PACKET_ERRORS },
	{ -EINVAL, HCA_DROP_LENGTH, HCA_CTR_MALFORMED_PACKET_ERRORS },
	/* The link finds no error in these. */
	{ -EMSGSIZE, HCA_DROP_GRH, HCA_NUM_COUNTERS },
	{ -EPROTONOSUPPORT, HCA_DROP_OPCODE, HCA_NUM_COUNTERS },
	{ 0, HCA_DROP_LENGTH, HCA_CTR_MALFORMED_PACKET_ERRORS },
};

void hca_port_reject_octets(struct hca_port *port, const struct hca_packet *pkt, const u8 *wire,
			    u32 octets, int err)
{
	const struct hca_refusal *refusal = hca_refusals;

	if (err == -ENOMEM) {
		trace_hca_drop(port, pkt, HCA_DROP_NO_MEMORY);
		return;
	}
	while (refusal->err && refusal->err != err)
		refusal++;
	trace_hca_drop(port, pkt, refusal->reason);
	/* Packets with errors count as received, too (req C4-158, C4-336). */
	port_count_rcv(port, pkt);
	if (refusal->counter < HCA_NUM_COUNTERS)
		hca_count(port, refusal->counter, 1);
	hca_tap_octets(port, wire, octets, HCA_TAP_IN);
	if (err == -EBADMSG)
		hca_integrity_error(port);
}

/*
 * Parse a packet that arrived in its wire format. Kept out of line, so that other packets do not
 * pay for it. Return: whether it is valid.
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

/* Return: the reason why port_accepts() or port_charge() has refused a packet. */
static noinline enum hca_drop_reason port_refusal(struct hca_port *port,
						  const struct hca_packet *pkt,
						  bool management)
{
	const struct hca_lrh *lrh = &pkt->h.lrh;

	if (!port_is_up(port, management))
		return HCA_DROP_PORT_STATE;
	if (!port_fits(port, pkt, management))
		return HCA_DROP_LENGTH;
	if (!port_reaches(port, lrh, management))
		return HCA_DROP_NOT_OURS;
	if (!port_has_vl(port, lrh->vl, management))
		return HCA_DROP_VL;
	return port_routes(lrh, management) ? HCA_DROP_OVERRUN : HCA_DROP_VL15;
}

static noinline void port_refuse(struct hca_port *port, struct hca_packet *pkt,
				 bool management)
{
	enum hca_drop_reason reason = port_refusal(port, pkt, management);

	hca_trace_drop(port, pkt, reason);
	/* A link in that state does not receive (req C4-155). */
	if (reason != HCA_DROP_PORT_STATE)
		port_count_rcv(port, pkt);
	/* A packet for another port is not a packet with an error (req C4-336). */
	if (reason == HCA_DROP_OVERRUN) {
		hca_count(port, HCA_CTR_BUFFER_OVERRUN_ERRORS, pkt->packets);
		hca_integrity_overrun(port);
	} else if (reason != HCA_DROP_PORT_STATE && reason != HCA_DROP_NOT_OURS) {
		hca_count(port, HCA_CTR_MALFORMED_PACKET_ERRORS, pkt->packets);
	}
	hca_packet_free(pkt);
}

static void port_receive(struct hca_port *port, struct hca_packet *pkt)
{
	bool management = pkt->h.lrh.vl == HCA_VL_MANAGEMENT;
	bool room;

	if (pkt->link_generation != READ_ONCE(port->link_generation) &&
	    !(pkt->flags & HCA_PACKET_LOOPBACK)) {
		/* It was on a cable that has been removed; its credits were reset. */
		if (management)
			atomic_dec(&port->vl15_queued);
		hca_trace_drop(port, pkt, HCA_DROP_UNPLUGGED);
		hca_packet_free(pkt);
		return;
	}
	if (unlikely(pkt->flags & HCA_PACKET_FLOW)) {
		hca_flow_receive(port, pkt);
		return;
	}
	room = port_charge(port, pkt);
	if (unlikely(pkt->flags & HCA_PACKET_SERIALIZED) && !port_decode(port, pkt)) {
		hca_packet_free(pkt);
		return;
	}
	hca_integrity_good(port);
	hca_tap_rx(port, pkt);
	if (!(pkt->flags & HCA_PACKET_LOOPBACK)) {
		if (!port_accepts(port, pkt, management) || !room) {
			port_refuse(port, pkt, management);
			return;
		}
		port_count_rcv(port, pkt);
		if (!management)
			hca_port_active_trigger(port);
	}
	if (management)
		port->ops->receive_smp(port, pkt);
	else
		port->ops->receive(port, pkt);
}

static struct hca_packet *port_next(struct hca_port *port)
{
	struct llist_node *node = port->rx_pending;

	if (!node) {
		if (llist_empty(&port->rx_queue))
			return NULL;
		node = hca_llist_dequeue_all(&port->rx_queue);
	}
	port->rx_pending = node->next;
	return llist_entry(node, struct hca_packet, node);
}

bool hca_port_run(struct hca_runnable *r, int *budget)
{
	struct hca_port *port = container_of(r, struct hca_port, rx_run);
	struct hca_packet *pkt;

	while (*budget > 0) {
		pkt = port_next(port);
		if (!pkt)
			return false;
		*budget -= pkt->packets;
		port->rx_copies = 0;
		port_receive(port, pkt);
		*budget -= port->rx_copies;
	}
	return true;
}

void hca_port_purge(struct hca_port *port)
{
	struct hca_packet *pkt;

	local_bh_disable();
	while ((pkt = port_next(port))) {
		hca_trace_drop(port, pkt, HCA_DROP_PORT_GONE);
		hca_packet_free(pkt);
	}
	local_bh_enable();
}
