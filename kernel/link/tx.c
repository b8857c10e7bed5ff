// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The sending half of a port: VL, credits, the way to one's own LID. */
#include <linux/rcupdate.h>
#include "link/port.h"
#include "link/rx.h"
#include "link/tap.h"
#include "link/tx.h"

void hca_port_wake(struct hca_port *port)
{
	struct hca_waiter *waiter, *next;

	/* The new limit before our look; pairs with hca_take_credit(). */
	smp_mb();
	if (!READ_ONCE(port->has_waiters))
		return;
	spin_lock(&port->tx_lock);
	list_for_each_entry_safe(waiter, next, &port->waiters, node) {
		list_del_init(&waiter->node);
		hca_run_schedule(waiter->runnable);
	}
	WRITE_ONCE(port->has_waiters, false);
	spin_unlock(&port->tx_lock);
}

void hca_port_cancel_wait(struct hca_port *port, struct hca_waiter *waiter)
{
	spin_lock(&port->tx_lock);
	if (!list_empty(&waiter->node))
		list_del_init(&waiter->node);
	spin_unlock(&port->tx_lock);
}

static bool hca_credit_suffices(u32 sent, u16 blocks, const u32 *limit)
{
	return (s32)(READ_ONCE(*limit) - (sent + blocks)) >= 0;
}

/* Take @blocks of what @limit leaves of @sent, or note @waiter. */
static bool hca_take_credit(struct hca_port *port, u32 *sent, const u32 *limit, u16 blocks,
			    struct hca_waiter *waiter)
{
	bool ok;

	spin_lock(&port->tx_lock);
	ok = hca_credit_suffices(*sent, blocks, limit);
	if (!ok && waiter) {
		if (list_empty(&waiter->node))
			list_add_tail(&waiter->node, &port->waiters);
		WRITE_ONCE(port->has_waiters, true);
		/* Now whoever raises the limit sees us, or we see the limit. */
		smp_mb();
		ok = hca_credit_suffices(*sent, blocks, limit);
		if (ok)
			list_del_init(&waiter->node);
	}
	if (ok)
		*sent += blocks;
	spin_unlock(&port->tx_lock);
	return ok;
}

static bool hca_port_loop(struct hca_port *port, struct hca_packet *pkt, struct hca_waiter *waiter)
{
	if (pkt->h.lrh.vl == HCA_VL_MANAGEMENT) {
		if (atomic_inc_return(&port->vl15_queued) > HCA_VL15_BUFFER) {
			atomic_dec(&port->vl15_queued);
			trace_hca_drop(port, pkt, HCA_DROP_VL15_FULL);
			hca_packet_free(pkt);
			return true;
		}
	} else if (!hca_take_credit(port, &port->loop_sent, &port->loop_limit, pkt->blocks,
				    waiter)) {
		return false;
	}
	pkt->flags |= HCA_PACKET_LOOPBACK;
	hca_port_enqueue(port, pkt);
	return true;
}

static void hca_port_count_xmit(struct hca_port *port, const struct hca_packet *pkt)
{
	bool multicast = pkt->h.lrh.dlid >= HCA_LID_MULTICAST &&
			 pkt->h.lrh.dlid != HCA_LID_PERMISSIVE;

	hca_count(port, HCA_CTR_XMIT_PACKETS, 1);
	hca_count(port, HCA_CTR_XMIT_DATA, pkt->h.lrh.pktlen);
	hca_count(port,
		  multicast ? HCA_CTR_MULTICAST_XMIT_PACKETS : HCA_CTR_UNICAST_XMIT_PACKETS, 1);
	hca_port_leaves(port, pkt);
}

/* Nobody takes it: as on a cut cable. */
static bool hca_port_discard(struct hca_port *port, struct hca_packet *pkt,
			     enum hca_drop_reason reason)
{
	trace_hca_drop(port, pkt, reason);
	hca_count(port, HCA_CTR_XMIT_DISCARDS, 1);
	hca_packet_free(pkt);
	return true;
}

/* Over the link, if it is up; @pkt has its VL. */
static bool hca_port_transmit(struct hca_port *port, struct hca_packet *pkt,
			      struct hca_waiter *waiter)
{
	struct hca_lrh *lrh = &pkt->h.lrh;
	bool management = lrh->vl == HCA_VL_MANAGEMENT;
	u8 state = READ_ONCE(port->info.state);
	struct hca_medium *medium;
	struct hca_port *peer;

	peer = rcu_dereference_bh(port->peer);
	if (!peer)
		return hca_port_discard(port, pkt, HCA_DROP_NO_CABLE);
	if (state < (management ? HCA_PORT_INIT : HCA_PORT_ACTIVE))
		return hca_port_discard(port, pkt, HCA_DROP_PORT_STATE);
	if (management) {
		if (atomic_inc_return(&peer->vl15_queued) > HCA_VL15_BUFFER) {
			atomic_dec(&peer->vl15_queued);
			hca_port_count_xmit(port, pkt);
			hca_count(peer, HCA_CTR_VL15_DROPPED, 1);
			trace_hca_drop(peer, pkt, HCA_DROP_VL15_FULL);
			hca_packet_free(pkt);
			return true;
		}
	} else if (!hca_take_credit(port, &port->fctbs[lrh->vl], &peer->fccl[lrh->vl],
				    pkt->blocks, waiter)) {
		trace_hca_credit_wait(port, lrh->vl, pkt->blocks);
		return false;
	}
	hca_port_count_xmit(port, pkt);
	pkt->link_generation = READ_ONCE(peer->link_generation);
	medium = rcu_dereference_bh(port->medium);
	if (unlikely(medium))
		medium->carry(medium, peer, pkt);
	else
		hca_port_enqueue(peer, pkt);
	return true;
}

bool hca_port_send(struct hca_port *port, struct hca_packet *pkt, struct hca_waiter *waiter)
{
	struct hca_lrh *lrh = &pkt->h.lrh;
	bool management = lrh->vl == HCA_VL_MANAGEMENT;
	u8 state = READ_ONCE(port->info.state);

	if (!management) {
		lrh->vl = READ_ONCE(port->sl2vl[lrh->sl]);
		if (lrh->vl == HCA_VL_MANAGEMENT) /* the SL is not to be used (IBA 7.6.6) */
			return hca_port_discard(port, pkt, HCA_DROP_SL);
	}
	if (pkt->payload_length > hca_mtu_bytes(READ_ONCE(port->info.neighbor_mtu)))
		return hca_port_discard(port, pkt, HCA_DROP_TOO_LONG); /* IBA 7.7.8 */
	if (hca_port_owns_lid(port, lrh->dlid) &&
	    state >= (management ? HCA_PORT_INIT : HCA_PORT_ACTIVE))
		return hca_port_loop(port, pkt, waiter);

	return hca_port_transmit(port, pkt, waiter);
}

void hca_port_forward(struct hca_port *port, struct hca_packet *pkt)
{
	if (pkt->payload_length > hca_mtu_bytes(READ_ONCE(port->info.neighbor_mtu)))
		hca_port_discard(port, pkt, HCA_DROP_TOO_LONG); /* IBA 7.7.8 */
	else if (!hca_port_transmit(port, pkt, NULL))
		hca_port_discard(port, pkt, HCA_DROP_NO_CREDIT);
}

void hca_port_loop_multicast(struct hca_port *port, struct hca_packet *pkt)
{
	struct hca_lrh *lrh = &pkt->h.lrh;

	lrh->vl = READ_ONCE(port->sl2vl[lrh->sl]);
	if (lrh->vl == HCA_VL_MANAGEMENT || READ_ONCE(port->info.state) != HCA_PORT_ACTIVE ||
	    pkt->payload_length > hca_mtu_bytes(READ_ONCE(port->info.neighbor_mtu)) ||
	    !hca_port_loop(port, pkt, NULL)) {
		trace_hca_drop(port, pkt, HCA_DROP_LOOPBACK);
		hca_packet_free(pkt);
	}
}
