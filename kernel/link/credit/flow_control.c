// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Flow control of a port: sends flow-control packets, and begins and ends them. */
#include "link/credit/flow_control.h"
#include <linux/bottom_half.h>
#include <linux/ktime.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include "compat.h"
#include "link/credit/credit.h"
#include "link/credit/flow_state.h"
#include "link/port/notice.h"
#include "link/port/port.h"
#include "link/state/phy.h"
#include "link/tap/tap.h"
#include "wire/flow.h"

static_assert(HCA_DATA_VLS * HCA_FLOW_BYTES <= HCA_INLINE_BYTES);

/* --- sending */

static void flow_queue(struct hca_port *port, const u8 *octets, unsigned int len, u8 flags,
		       u16 round)
{
	struct hca_packet *pkt = hca_packet_alloc(port->pool);

	if (!pkt)
		return;
	memset(&pkt->h, 0, sizeof(pkt->h));
	memcpy(pkt->data, octets, len);
	pkt->payload_length = len;
	pkt->flags = HCA_PACKET_FLOW | flags;
	pkt->flow_round = round;
	pkt->link_generation = READ_ONCE(port->link_generation);
	hca_port_enqueue(port, pkt);
}

void hca_flow_deliver(struct hca_port *port, const u8 *octets, unsigned int len)
{
	flow_queue(port, octets, min_t(unsigned int, len, HCA_INLINE_BYTES), 0, 0);
}

/*
 * Write flow-control packets. Context: tx.lock held, so that FCTBS counts exactly the packets that
 * were sent before these flow-control packets.
 */
static unsigned int flow_write(struct hca_port *port, u8 *octets, unsigned int vls)
{
	struct hca_flow flow = {
		.op = READ_ONCE(port->info.state) <= IB_PORT_INIT ? HCA_FLOW_INIT :
								      HCA_FLOW_NORMAL,
	};

	for (flow.vl = 0; flow.vl < vls; flow.vl++, octets += HCA_FLOW_BYTES) {
		u32 limit = READ_ONCE(port->rx_buffer.fccl[flow.vl]);

		flow.fctbs = port->tx.fctbs[flow.vl];
		port->flow.fctbs_advertised[flow.vl] = port->tx.fctbs[flow.vl];
		flow.fccl = limit;
		WRITE_ONCE(port->flow.fccl_advertised[flow.vl], limit);
		hca_flow_pack(&flow, octets);
	}
	return vls * HCA_FLOW_BYTES;
}

static void flow_send(struct hca_port *port)
{
	struct hca_phy *phy = rcu_dereference_bh(port->phy);
	struct hca_port *peer = rcu_dereference_bh(port->peer);
	struct hca_flow_control *flow = &port->flow;
	u8 octets[HCA_DATA_VLS * HCA_FLOW_BYTES];
	unsigned int len;
	bool last;

	/* While a cable with faults is being removed, peer is NULL before phy is. */
	if (!peer && (!phy || !phy->remote))
		return;
	/*
	 * The last flow-control packets are sent for all VLs, because packets may have been lost on
	 * VLs that are not operational any more.
	 */
	last = hca_credit_is_ending(flow->state) && !phy;
	len = flow_write(port, octets, last ? HCA_DATA_VLS : hca_flow_vls(port));
	hca_port_flow(port, octets, len, HCA_TAP_OUT);
	hca_count(port, HCA_CTR_XMIT_FLOW_PACKETS, len / HCA_FLOW_BYTES);
	if (phy)
		phy->flow(phy, peer, octets, len);
	else if (last)
		flow_queue(peer, octets, len, HCA_PACKET_LAST, flow->round);
	else
		hca_flow_deliver(peer, octets, len);
}

void hca_flow_stuck(struct hca_port *port, u16 vls)
{
	unsigned int vl;

	for (vl = 0; vl < HCA_DATA_VLS; vl++)
		if (vls & 1 << vl && port->flow.fctbs_advertised[vl] != port->tx.fctbs[vl])
			hca_run_schedule(&port->flow.run);
}

/*
 * Return whether the peer should have sent flow-control packets since the last call. Return: false
 * if the peer is in this kernel, and has not ended a flow-control period since the last call;
 * otherwise true.
 */
static bool flow_is_missed(struct hca_port *port)
{
	struct hca_port *peer = rcu_dereference_bh(port->peer);
	u16 periods;

	if (!peer)
		return true;
	periods = READ_ONCE(peer->flow.periods);
	if (periods == port->flow.seen)
		return false;
	port->flow.seen = periods;
	return true;
}

/*
 * Set no_flow_control. The next flow-control packet that arrives clears it, even a last one.
 * Return: false, with no_flow_control unchanged, if flow-control packets are already ending.
 */
static bool flow_expire(struct hca_port *port)
{
	bool exchanged;

	spin_lock(&port->tx.lock);
	exchanged = port->flow.state == HCA_CREDIT_EXCHANGED;
	if (exchanged)
		WRITE_ONCE(port->flow.no_flow_control, true);
	spin_unlock(&port->tx.lock);
	return exchanged;
}

/* Return the time, in ms, without flow-control packets after which the link goes Down. */
static unsigned int flow_patience(const struct hca_port *port)
{
	return rcu_access_pointer(port->peer) ? HCA_FLOW_WATCHDOG_MS : HCA_FLOW_NETWORK_WATCHDOG_MS;
}

/*
 * The watchdog (req C4-149): without flow-control packets there are no credits, so the link goes
 * Down. Time is counted in flow-control periods of this port. If the peer is in this kernel, a
 * period counts only if the peer has ended one meanwhile. A pause of either end's processor
 * therefore does not take the link Down. If the peer is in another kernel, the watchdog awaits more
 * periods.
 */
static void flow_watch(struct hca_port *port)
{
	struct hca_flow_control *flow = &port->flow;
	unsigned int vl;

	if (!flow_is_missed(port))
		return;
	WRITE_ONCE(flow->silent, flow->silent + 1);
	if (flow->silent <= flow_patience(port) / HCA_FLOW_PERIOD_MS)
		return;
	WRITE_ONCE(flow->silent, 0);
	if (READ_ONCE(port->info.state) < IB_PORT_INIT)
		return;
	if (!flow_expire(port))
		return;
	for (vl = 0; vl < hca_flow_vls(port); vl++)
		hca_count(port, HCA_CTR_FLOW_UPDATE_ERRORS_VL + vl, 1);
	hca_notice_port(port, HCA_TRAP_FLOW_UPDATE);
	hca_link_event_raise(port, HCA_LINK_LOST);
}

static bool flow_run(struct hca_runnable *r, int *budget)
{
	struct hca_port *port = container_of(r, struct hca_port, flow.run);
	struct hca_flow_control *flow = &port->flow;
	u64 now = ktime_get_ns();
	bool period = now >= READ_ONCE(flow->next);

	if (period && hca_flow_state(port) == HCA_CREDIT_EXCHANGED)
		flow_watch(port);
	spin_lock(&port->tx.lock);
	if (hca_credit_is_sent(flow->state)) {
		if (hca_credit_is_ending(flow->state) || hca_port_phys_enabled(port))
			flow_send(port);
		if (period) {
			WRITE_ONCE(flow->periods, flow->periods + 1);
			WRITE_ONCE(flow->next, now + HCA_FLOW_PERIOD_MS * 1000000ull);
			hrtimer_start(&flow->timer, ns_to_ktime(flow->next),
				      HRTIMER_MODE_ABS_SOFT);
		}
	}
	spin_unlock(&port->tx.lock);
	return false;
}

static enum hrtimer_restart flow_expired(struct hrtimer *timer)
{
	hca_run_schedule(&container_of(timer, struct hca_port, flow.timer)->flow.run);
	hca_engine_run();
	return HRTIMER_NORESTART;
}

/* --- start and end */

void hca_flow_init(struct hca_port *port)
{
	hrtimer_setup(&port->flow.timer, flow_expired, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_SOFT);
	hca_run_init(&port->flow.run, flow_run);
	hca_flow_set_state(port, NULL, HCA_CREDIT_SILENT);
}

void hca_flow_destroy(struct hca_port *port)
{
	hca_flow_stop(port);
	hca_run_stop(&port->flow.run);
	hrtimer_cancel(&port->flow.timer);
}

void hca_flow_reset(struct hca_port *port, const struct hca_port *peer)
{
	struct hca_flow_control *flow = &port->flow;
	unsigned int vl;

	WRITE_ONCE(port->link_generation, port->link_generation + 1);
	for (vl = 0; vl < HCA_NUM_VLS; vl++) {
		port->tx.fctbs[vl] = 0;
		port->rx_buffer.abr[vl] = 0;
		port->rx_buffer.fccl[vl] = port->rx_buffer.vl_blocks;
		flow->fccl_received[vl] = 0;
		flow->fccl_advertised[vl] = 0;
		flow->fctbs_advertised[vl] = 0;
	}
	hca_flow_set_state(port, peer, peer ? HCA_CREDIT_SHARED : HCA_CREDIT_SILENT);
	flow->no_flow_control = false;
}

static void flow_kick(struct hca_port *port)
{
	local_bh_disable();
	hca_run_schedule(&port->flow.run);
	hca_engine_run();
	local_bh_enable();
}

void hca_flow_start(struct hca_port *port)
{
	struct hca_flow_control *flow = &port->flow;

	spin_lock(&port->tx.lock);
	WRITE_ONCE(flow->silent, 0);
	WRITE_ONCE(flow->next, 0);
	hca_flow_event(port, NULL, HCA_CREDIT_START);
	spin_unlock(&port->tx.lock);
	hca_run_schedule(&flow->run);
	hca_engine_raise();
}

void hca_flow_stop(struct hca_port *port)
{
	spin_lock_bh(&port->tx.lock);
	hca_flow_event(port, NULL, HCA_CREDIT_STOP);
	spin_unlock_bh(&port->tx.lock);
}

/*
 * Save the current credit limits in fccl_received and fccl_advertised. The saved limits are used
 * until flow-control packets replace them.
 */
static void flow_enter(struct hca_port *port)
{
	struct hca_flow_control *flow = &port->flow;
	unsigned int vl;

	spin_lock_bh(&port->tx.lock);
	for (vl = 0; vl < HCA_NUM_VLS; vl++) {
		flow->fccl_received[vl] = READ_ONCE(port->tx.limit[vl]);
		WRITE_ONCE(flow->fccl_advertised[vl], READ_ONCE(port->rx_buffer.fccl[vl]));
	}
	hca_flow_event(port, NULL, HCA_CREDIT_BEGIN);
	flow->round++;
	spin_unlock_bh(&port->tx.lock);
}

bool hca_flow_is_needed(const struct hca_port *a, const struct hca_port *b)
{
	return rcu_access_pointer(a->phy) || rcu_access_pointer(a->taps) ||
	       rcu_access_pointer(b->phy) || rcu_access_pointer(b->taps);
}

void hca_flow_begin(struct hca_port *a, struct hca_port *b)
{
	/* Both ports of a cable begin together; therefore the state of @a is enough. */
	if (hca_flow_state(a) == HCA_CREDIT_EXCHANGED)
		return;
	flow_enter(a);
	flow_enter(b);
	/*
	 * Wait until each packet counted as sent has been handed over to the receiver. After that,
	 * packets are handed over in the order in which they are counted.
	 */
	synchronize_rcu_expedited();
	local_bh_disable();
	hca_flow_start(a);
	hca_flow_start(b);
	hca_engine_run();
	local_bh_enable();
}

static void flow_quit(struct hca_port *port)
{
	spin_lock_bh(&port->tx.lock);
	hca_flow_event(port, NULL, HCA_CREDIT_END);
	spin_unlock_bh(&port->tx.lock);
}

void hca_flow_end(struct hca_port *a, struct hca_port *b)
{
	if (hca_flow_state(a) != HCA_CREDIT_EXCHANGED || hca_flow_is_needed(a, b))
		return;
	flow_quit(a);
	flow_quit(b);
	flow_kick(a);
	flow_kick(b);
}

void hca_flow_update(struct hca_port *port)
{
	struct hca_port *peer = rcu_dereference_protected(port->peer, true);

	if (!peer)
		return;
	if (hca_flow_is_needed(port, peer))
		hca_flow_begin(port, peer);
	else
		hca_flow_end(port, peer);
}

void hca_flow_trained(struct hca_port *port)
{
	struct hca_flow_control *flow = &port->flow;

	WRITE_ONCE(flow->past_init, false);
	if (hca_flow_state(port) == HCA_CREDIT_SHARED)
		return;
	spin_lock(&port->tx.lock);
	/* A limit that equals FCTBS means no credit until FCCL is received. */
	if (hca_credit_is_received(flow->state))
		memcpy(flow->fccl_received, port->tx.fctbs, sizeof(flow->fccl_received));
	spin_unlock(&port->tx.lock);
	WRITE_ONCE(flow->silent, 0);
	hca_run_schedule(&flow->run);
	hca_engine_raise();
}

void hca_flow_armed(struct hca_port *port)
{
	if (!hca_credit_is_sent(hca_flow_state(port)))
		return;
	hca_run_schedule(&port->flow.run);
	hca_engine_raise();
}
