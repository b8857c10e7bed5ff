// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The sending half of a port, which sends, queues or loops back packets. */
#include "link/tx/tx.h"
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/rcupdate.h>
#include "link/credit/credit.h"
#include "link/port/discard.h"
#include "link/port/port.h"
#include "link/state/phy.h"
#include "link/tap/tap.h"
#include "packet/batch.h"

void hca_port_cancel_wait(struct hca_port *port, struct hca_blocked_sender *blocked)
{
	struct hca_packet *pkt;
	unsigned int vl;

	spin_lock(&port->tx.lock);
	if (!list_empty(&blocked->node))
		list_del_init(&blocked->node);
	for (vl = 0; vl < HCA_DATA_VLS && port->tx.pending; vl++)
		while ((pkt = hca_vl_queue_gather(&port->tx.vl_queue[vl], blocked)))
			hca_port_discard(port, pkt, HCA_DROP_NO_MEMORY);
	spin_unlock(&port->tx.lock);
}

static void port_count_xmit(struct hca_port *port, const struct hca_packet *pkt)
{
	bool multicast = hca_lid_is_multicast(pkt->h.lrh.dlid);
	struct hca_counter_set *counters = &port->counters;

	hca_counters_add(counters, HCA_CTR_XMIT_DATA_SL + pkt->h.lrh.sl,
			 pkt->h.lrh.pktlen * pkt->packets);
	hca_counters_add(counters, multicast ? HCA_CTR_MULTICAST_XMIT_PACKETS :
					       HCA_CTR_UNICAST_XMIT_PACKETS, pkt->packets);
	hca_tap_tx(port, pkt);
}

/* Return whether the port has a cable, to @peer (not NULL), or a phy to a remote port. */
static bool port_is_linked(const struct hca_port *port, const struct hca_port *peer)
{
	const struct hca_phy *phy;

	if (likely(peer))
		return true;
	phy = rcu_dereference_bh(port->phy);
	return phy && phy->remote;
}

/* Pass a packet to a phy, which carries single packets. A batch that cannot be split is lost. */
static noinline void port_carry(struct hca_port *port, struct hca_port *peer,
				struct hca_phy *phy, struct hca_packet *pkt)
{
	struct hca_packet *first;

	while (pkt->packets > 1) {
		first = hca_batch_split(pkt, 1);
		if (!first) {
			hca_trace_drop(port, pkt, HCA_DROP_NO_MEMORY);
			hca_packet_free(pkt);
			return;
		}
		phy->carry(phy, peer, first);
	}
	phy->carry(phy, peer, pkt);
}

/* Count a packet, release its buffer space reserved at this switch, and pass it to phy or peer. */
static __always_inline void port_hand_over(struct hca_port *port, struct hca_port *peer,
					   struct hca_packet *pkt)
{
	struct hca_phy *phy;

	port_count_xmit(port, pkt);
	if (unlikely(pkt->reserved_at))
		hca_packet_release_buffer(pkt);
	if (likely(peer))
		pkt->link_generation = READ_ONCE(peer->link_generation);
	phy = rcu_dereference_bh(port->phy);
	if (unlikely(phy))
		port_carry(port, peer, phy, pkt);
	else
		hca_port_enqueue(peer, pkt);
}

/* Send a packet of VL15, or drop it if the peer's buffer is full, since VL15 has no credits. */
static void port_send_management(struct hca_port *port, struct hca_port *peer,
				 struct hca_packet *pkt)
{
	/* A remote port checks its buffer itself. */
	if (peer && !hca_port_admits_smp(peer, pkt)) {
		port_count_xmit(port, pkt);
		hca_packet_free(pkt);
		return;
	}
	port_hand_over(port, peer, pkt);
}

/* Call port_hand_over() out of line, for callers that hold tx.lock. */
static noinline void port_hand_over_in_order(struct hca_port *port, struct hca_port *peer,
					     struct hca_packet *pkt)
{
	port_hand_over(port, peer, pkt);
}

/*
 * Queue a packet that cannot be sent at once; tx.run checks link and credit again. Context: tx.lock
 * held. Return: false if the queue is full.
 */
static noinline bool port_queue(struct hca_port *port, struct hca_packet *pkt,
				struct hca_blocked_sender *blocked)
{
	struct hca_vl_queue *queue = &port->tx.vl_queue[pkt->h.lrh.vl];
	bool queued = pkt->reserved_at || hca_vl_queue_admits(queue, blocked);

	trace_hca_credit_wait(port, pkt->h.lrh.vl, hca_batch_blocks(pkt));
	WRITE_ONCE(port->tx.pending, port->tx.pending | 1 << pkt->h.lrh.vl);
	if (queued)
		hca_vl_queue_push(queue, pkt, blocked);
	else if (blocked)
		hca_vl_queue_wait(queue, blocked);
	hca_run_schedule(&port->tx.run);
	return queued;
}

/* Send a packet over the link, on its VL, which must be operational. */
static __always_inline bool port_transmit(struct hca_port *port, struct hca_packet *pkt,
					  struct hca_blocked_sender *blocked, u8 state)
{
	u8 vl = pkt->h.lrh.vl;
	bool management = vl == HCA_VL_MANAGEMENT;
	bool deferred = state == IB_PORT_ACTIVE_DEFER;
	struct hca_port *peer = rcu_dereference_bh(port->peer);
	bool linked = port_is_linked(port, peer);
	u32 blocks;

	if (!linked || state < (management ? IB_PORT_INIT : IB_PORT_ACTIVE) ||
	    (management && deferred)) {
		hca_port_discard(port, pkt, linked ? HCA_DROP_PORT_STATE : HCA_DROP_NO_CABLE);
		return true;
	}
	if (management) {
		port_send_management(port, peer, pkt);
		return true;
	}

	spin_lock(&port->tx.lock);
	blocks = hca_batch_blocks(pkt);
	if (unlikely(port->tx.pending || deferred ||
		     !hca_flow_allows(READ_ONCE(port->tx.limit[vl]), port->tx.fctbs[vl],
				      blocks))) {
		bool queued = port_queue(port, pkt, blocked);

		spin_unlock(&port->tx.lock);
		return queued;
	}
	port->tx.fctbs[vl] += blocks;
	if (unlikely(port->tx.limit == port->flow.fccl_received)) {
		/*
		 * Keep tx.lock, so that FCTBS counts exactly the packets that were handed over
		 * earlier.
		 */
		port_hand_over_in_order(port, peer, pkt);
		spin_unlock(&port->tx.lock);
		return true;
	}
	spin_unlock(&port->tx.lock);
	port_hand_over(port, peer, pkt);
	return true;
}

bool hca_port_send(struct hca_port *port, struct hca_packet *pkt,
		   struct hca_blocked_sender *blocked)
{
	struct hca_lrh *lrh = &pkt->h.lrh;
	bool management = lrh->vl == HCA_VL_MANAGEMENT;
	u8 state = READ_ONCE(port->info.state);
	bool own;

	if (!management) {
		/* VL15 in SLtoVLMapping means that the packet must not be sent (IBA 7.6.6). */
		lrh->vl = READ_ONCE(port->tables.sl2vl[lrh->sl]);
		if (!hca_info_has_vl(&port->info, lrh->vl)) {
			hca_port_discard(port, pkt, HCA_DROP_SL);
			return true;
		}
	}
	own = hca_port_owns_lid(port, lrh->dlid);
	if (!hca_packet_fits(pkt, READ_ONCE(port->info.neighbor_mtu))) { /* IBA 7.7.8 */
		hca_port_discard(port, pkt, HCA_DROP_TOO_LONG);
		return true;
	}
	if (own && state >= (management ? IB_PORT_INIT : IB_PORT_ACTIVE))
		return hca_loopback_send(port, pkt, blocked);
	return port_transmit(port, pkt, blocked, state);
}

void hca_port_forward(struct hca_port *port, struct hca_packet *pkt)
{
	u8 vl = pkt->h.lrh.vl;

	if (vl != HCA_VL_MANAGEMENT && !hca_info_has_vl(&port->info, vl))
		hca_port_discard(port, pkt, HCA_DROP_SL);
	else if (!hca_packet_fits(pkt, READ_ONCE(port->info.neighbor_mtu)))
		hca_port_discard(port, pkt, HCA_DROP_TOO_LONG);
	else if (!port_transmit(port, pkt, NULL, READ_ONCE(port->info.state)))
		hca_port_discard(port, pkt, HCA_DROP_NO_CREDIT);
}

/* Return: the VLs, a bit for each, whose queues are kept; the queues of other VLs are discarded. */
static u16 port_open_vls(const struct hca_port *port, const struct hca_port *peer, u8 state)
{
	if (!port_is_linked(port, peer) || state < IB_PORT_ACTIVE)
		return 0;
	return (1 << hca_vl_count(READ_ONCE(port->info.operational_vls))) - 1;
}

static void port_drop_queued(struct hca_port *port, u16 vls, enum hca_drop_reason reason)
{
	unsigned int vl;

	/* HCA_VL_QUEUE_PACKETS or the receive buffers of a switch bound the queues. */
	for (vl = 0; vl < HCA_DATA_VLS; vl++)
		while (vls & 1 << vl && port->tx.vl_queue[vl].first)
			hca_port_discard(port, hca_vl_queue_pop(&port->tx.vl_queue[vl]), reason);
}

/* Return: the VLs, a bit for each, that have a packet and credit for it. */
static u16 port_ready_vls(const struct hca_port *port)
{
	unsigned int vl;
	u16 ready = 0;

	for (vl = 0; vl < HCA_DATA_VLS && port->tx.pending >> vl; vl++) {
		const struct hca_packet *pkt = hca_vl_queue_first(&port->tx.vl_queue[vl]);

		if (pkt && hca_flow_allows(READ_ONCE(port->tx.limit[vl]), port->tx.fctbs[vl],
					   pkt->blocks))
			ready |= 1 << vl;
	}
	return ready;
}

/*
 * Number of packets of the first batch that may leave together: only one if the rate of the link is
 * limited or another VL is ready.
 */
static u8 port_fitting(const struct hca_port *port, u8 vl, u16 ready)
{
	const struct hca_packet *pkt = hca_vl_queue_first(&port->tx.vl_queue[vl]);
	u32 credit = READ_ONCE(port->tx.limit[vl]) - port->tx.fctbs[vl];

	if (pkt->packets == 1 || ready != 1 << vl || port->tx.timing.ps_per_block)
		return 1;
	return min_t(u32, pkt->packets, credit / pkt->blocks);
}

/*
 * Send a queued packet that the arbiter chooses. Context: tx.lock held. Return: false if no packet
 * is ready.
 */
static bool port_send_queued(struct hca_port *port, struct hca_port *peer, u64 now)
{
	u16 ready = port_ready_vls(port);
	u8 vl = hca_arbiter_choose(port, ready);
	struct hca_packet *pkt;
	u32 blocks;

	if (vl == HCA_NO_VL)
		return false;
	pkt = hca_vl_queue_dequeue_some(&port->tx.vl_queue[vl], port_fitting(port, vl, ready));
	if (!pkt) {
		hca_port_discard(port, hca_vl_queue_pop(&port->tx.vl_queue[vl]),
				 HCA_DROP_NO_MEMORY);
		return true;
	}
	blocks = hca_batch_blocks(pkt);
	hca_arbiter_sent(port, blocks);
	hca_timing_sent(port, now, blocks);
	port->tx.fctbs[vl] += blocks;
	port_hand_over_in_order(port, peer, pkt);
	return true;
}

/* Schedule blocked senders if their queue has room. Return: true to be called again. */
static bool port_wake_blocked(struct hca_port *port)
{
	u16 pending = port->tx.pending;
	bool more = false;
	unsigned int vl;

	for (vl = 0; vl < HCA_DATA_VLS; vl++) {
		struct hca_vl_queue *queue = &port->tx.vl_queue[vl];

		if (!(pending & 1 << vl))
			continue;
		more |= hca_vl_queue_wake(queue);
		if (!queue->first && list_empty(&queue->blocked) && !queue->stalled_until)
			pending &= ~(1 << vl);
	}
	WRITE_ONCE(port->tx.pending, pending);
	return more;
}

/* At the end of tx_run(), account for waiting packets, and set the timer. */
static void port_rearm(struct hca_port *port, bool linked, u64 now)
{
	u16 ready = linked ? port_ready_vls(port) : 0;
	u16 queued = 0;
	unsigned int vl;

	for (vl = 0; vl < HCA_DATA_VLS; vl++)
		queued |= !!port->tx.vl_queue[vl].first << vl;
	if (unlikely(queued & ~ready && port->tx.limit == port->flow.fccl_received))
		hca_flow_stuck(port, queued & ~ready);
	hca_timing_poll(port, now, queued & ~ready, queued && !ready,
			ready && !hca_timing_link_is_free(port, now));
}

static bool tx_run(struct hca_runnable *r, int *budget)
{
	struct hca_port *port = container_of(r, struct hca_port, tx.run);
	struct hca_port *peer = rcu_dereference_bh(port->peer);
	u8 state = READ_ONCE(port->info.state);
	u16 open = port_open_vls(port, peer, state);
	u64 now = ktime_get_ns();
	u16 stalled;
	bool more;

	spin_lock(&port->tx.lock);
	port_drop_queued(port, ~open, HCA_DROP_LINK_CHANGED);
	stalled = hca_timing_stalled_vls(port, now);
	port_drop_queued(port, stalled, HCA_DROP_STALLED);
	open &= ~stalled;
	hca_timing_expire(port, now);
	while (open && state == IB_PORT_ACTIVE && *budget > 0 &&
	       hca_timing_link_is_free(port, now) && port_send_queued(port, peer, now))
		(*budget)--;
	port_rearm(port, port_is_linked(port, peer), now);
	more = port_wake_blocked(port);
	spin_unlock(&port->tx.lock);
	return more || *budget <= 0;
}

void hca_tx_init(struct hca_port *port)
{
	unsigned int vl;

	spin_lock_init(&port->tx.lock);
	for (vl = 0; vl < HCA_DATA_VLS; vl++)
		hca_vl_queue_init(&port->tx.vl_queue[vl]);
	hca_run_init(&port->tx.run, tx_run);
	port->tx.arbiter.high_left = 1;
	hca_timing_init(port);
}

void hca_tx_stop(struct hca_port *port)
{
	hca_run_stop(&port->tx.run);
	hca_timing_stop(port);
}

void hca_tx_purge(struct hca_port *port)
{
	spin_lock_bh(&port->tx.lock);
	port_drop_queued(port, (1 << HCA_DATA_VLS) - 1, HCA_DROP_LINK_CHANGED);
	spin_unlock_bh(&port->tx.lock);
}

s32 hca_tx_outstanding(struct hca_port *port, const struct hca_port *peer, u8 vl)
{
	s32 blocks;

	spin_lock_bh(&port->tx.lock);
	blocks = port->tx.fctbs[vl] + peer->rx_buffer.vl_blocks - READ_ONCE(port->tx.limit[vl]);
	spin_unlock_bh(&port->tx.lock);
	return blocks;
}

void hca_port_loop_multicast(struct hca_port *port, struct hca_packet *pkt)
{
	struct hca_lrh *lrh = &pkt->h.lrh;

	lrh->vl = READ_ONCE(port->tables.sl2vl[lrh->sl]);
	if (!hca_info_has_vl(&port->info, lrh->vl) ||
	    READ_ONCE(port->info.state) < IB_PORT_ACTIVE ||
	    !hca_packet_fits(pkt, READ_ONCE(port->info.neighbor_mtu)) ||
	    !hca_loopback_send(port, pkt, NULL)) {
		trace_hca_drop(port, pkt, HCA_DROP_LOOPBACK);
		hca_packet_free(pkt);
	}
}
