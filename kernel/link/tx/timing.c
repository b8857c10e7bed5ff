// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Timing of the sending half of a port: its rate, LifeTimeValue, HOQLife, and stalls of VLs. */
#include "link/tx/timing.h"
#include <linux/bottom_half.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include "compat.h"
#include "link/credit/credit.h"
#include "link/port/discard.h"
#include "link/port/port.h"
#include "link/state/rate.h"

/*
 * Bit of tx.pending: the rate of the link is limited. The number of the bit is that of VL15, which
 * does not have a queue.
 */
#define HCA_TX_PACED (1 << HCA_DATA_VLS)

/* The duration of a VL's stall, in multiples of HOQLife (IBA 18.2.5.4). */
#define HCA_STALL_LIVES 8
/* Maximum delay of a timer that is compensated, ns. */
#define HCA_LATE_NS 1000000ull

static enum hrtimer_restart timing_expired(struct hrtimer *timer)
{
	struct hca_port *port = container_of(timer, struct hca_port, tx.timing.timer);

	hca_run_schedule(&port->tx.run);
	hca_engine_run();
	return HRTIMER_NORESTART;
}

void hca_timing_init(struct hca_port *port)
{
	hrtimer_setup(&port->tx.timing.timer, timing_expired, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_SOFT);
}

void hca_timing_stop(struct hca_port *port)
{
	hrtimer_cancel(&port->tx.timing.timer);
}

/* --- rate */

static u32 timing_mbps(const struct hca_port *port)
{
	struct hca_link_rate active = hca_link_rate_active(&port->info);
	u32 mbps = port->tx.timing.mbps;

	return mbps == HCA_RATE_OF_LINK ? hca_link_mbps(&active) : mbps;
}

static void timing_apply(struct hca_port *port)
{
	struct hca_timing *timing = &port->tx.timing;
	u32 mbps = timing_mbps(port);

	timing->ps_per_block = mbps ? max(512000000u / mbps, 1u) : 0;
	timing->ps = 0;
	timing->free_at = 0;
	WRITE_ONCE(port->tx.pending, (port->tx.pending & ~HCA_TX_PACED) |
						(mbps ? HCA_TX_PACED : 0));
}

void hca_port_set_rate(struct hca_port *port, u32 mbps)
{
	spin_lock_bh(&port->tx.lock);
	port->tx.timing.mbps = mbps;
	timing_apply(port);
	hca_run_schedule(&port->tx.run);
	spin_unlock(&port->tx.lock);
	hca_engine_run();
	local_bh_enable();
}

void hca_timing_trained(struct hca_port *port)
{
	spin_lock_bh(&port->tx.lock);
	if (port->tx.timing.mbps == HCA_RATE_OF_LINK)
		timing_apply(port);
	spin_unlock_bh(&port->tx.lock);
}

bool hca_timing_link_is_free(const struct hca_port *port, u64 now)
{
	return !port->tx.timing.ps_per_block || now >= port->tx.timing.free_at;
}

void hca_timing_sent(struct hca_port *port, u64 now, u16 blocks)
{
	struct hca_timing *timing = &port->tx.timing;
	u64 since = timing->backlogged && now > HCA_LATE_NS ? now - HCA_LATE_NS : now;
	u64 ps = (u64)blocks * timing->ps_per_block + timing->ps;

	if (!timing->ps_per_block)
		return;
	timing->free_at = max(timing->free_at, since);
	timing->backlogged = true;
	timing->free_at += div_u64_rem(ps, 1000, &timing->ps);
}

/* --- head of queue */

/* Return: HOQLife in ns; 0: infinite, as always on a port of a CA (req C4-165). */
static u64 hoq_life(const struct hca_port *port)
{
	u8 life = READ_ONCE(port->info.hoq_life);

	return port->ops->relays && life < HCA_LIFE_FOREVER ? HCA_LIFE_UNIT_NS << life : 0;
}

u16 hca_timing_stalled_vls(struct hca_port *port, u64 now)
{
	unsigned int vl;
	u16 stalled = 0;

	for (vl = 0; vl < HCA_DATA_VLS; vl++) {
		struct hca_vl_queue *queue = &port->tx.vl_queue[vl];

		if (!queue->stalled_until)
			continue;
		if (now < queue->stalled_until)
			stalled |= 1 << vl;
		else
			queue->stalled_until = 0;
	}
	return stalled;
}

/* Discard the head of a queue. Return: true if VLStallCount is reached and the VL is stalled. */
static bool hoq_drop(struct hca_port *port, unsigned int vl)
{
	struct hca_vl_queue *queue = &port->tx.vl_queue[vl];
	u8 limit = READ_ONCE(port->info.vl_stall_count);

	hca_port_discard(port, hca_vl_queue_pop(queue), HCA_DROP_AGED);
	if (queue->drops_sent != port->tx.fctbs[vl])
		queue->drops = 0;
	queue->drops_sent = port->tx.fctbs[vl];
	if (!limit || ++queue->drops < limit)
		return false;
	queue->drops = 0;
	while (queue->first)
		hca_port_discard(port, hca_vl_queue_pop(queue), HCA_DROP_STALLED);
	return true;
}

/*
 * Discard the head of a queue if it is too old, and handle stalls. Return: time when the queue must
 * be checked again; U64_MAX: never.
 */
static u64 hoq_poll(struct hca_port *port, unsigned int vl, u64 now, u64 life)
{
	struct hca_vl_queue *queue = &port->tx.vl_queue[vl];

	if (queue->stalled_until)
		return queue->stalled_until;
	if (!queue->first)
		return U64_MAX;
	if (!queue->head_since)
		queue->head_since = now;
	if (now - queue->head_since >= life) {
		if (hoq_drop(port, vl)) {
			queue->stalled_until = now + HCA_STALL_LIVES * life;
			return queue->stalled_until;
		}
		if (!queue->first)
			return U64_MAX;
		queue->head_since = now;
	}
	return queue->head_since + life;
}

/*
 * --- lifetime in a switch. Packets are queued in the order of their arrival; therefore the first
 * packet of a queue expires first.
 */

static u64 hoq_head_deadline(const struct hca_vl_queue *queue)
{
	return queue->first && hca_vl_queue_first(queue)->expires ?
		       hca_vl_queue_first(queue)->expires :
		       U64_MAX;
}

static void hoq_expire_head(struct hca_port *port, unsigned int vl)
{
	struct hca_packet *pkt = hca_vl_queue_pop(&port->tx.vl_queue[vl]);
	bool credit = hca_flow_allows(READ_ONCE(port->tx.limit[vl]), port->tx.fctbs[vl],
				      pkt->blocks);

	hca_port_discard(port, pkt, credit ? HCA_DROP_LIFETIME : HCA_DROP_BLOCKED);
}

void hca_timing_expire(struct hca_port *port, u64 now)
{
	unsigned int vl;

	if (!port->ops->relays)
		return;
	/* The receive buffers of the switch's ports bound the number of queued packets. */
	for (vl = 0; vl < HCA_DATA_VLS && port->tx.pending >> vl; vl++)
		while (hoq_head_deadline(&port->tx.vl_queue[vl]) <= now)
			hoq_expire_head(port, vl);
}

static u64 timing_poll_heads(struct hca_port *port, u64 now)
{
	u64 life = hoq_life(port), next = U64_MAX;
	unsigned int vl;

	for (vl = 0; port->ops->relays && vl < HCA_DATA_VLS; vl++) {
		if (!(port->tx.pending >> vl & 1))
			continue;
		if (life)
			next = min(next, hoq_poll(port, vl, now, life));
		next = min(next, hoq_head_deadline(&port->tx.vl_queue[vl]));
	}
	return next;
}

/* --- ticks of waiting, and the timer of a port */

/*
 * Return: whole ticks from *since to @now; 0 if *since is 0. If @waits is true, the wait begins or
 * continues: *since is advanced by whole ticks, and the next call counts the rest. Otherwise *since
 * becomes 0.
 */
static u64 timing_wait_ticks(u64 *since, u64 now, bool waits)
{
	u64 ticks = *since ? (now - *since) >> HCA_WAIT_TICK_SHIFT : 0;

	if (!waits)
		*since = 0;
	else if (*since)
		*since += ticks << HCA_WAIT_TICK_SHIFT;
	else
		*since = now;
	return ticks;
}

/* Count PortVLXmitWait of each VL. A VL may wait for credit while other VLs send. */
static void timing_count_waits(struct hca_port *port, u64 now, u16 vls)
{
	struct hca_timing *timing = &port->tx.timing;
	u16 some = vls | timing->waiting_vls;
	unsigned int vl;
	u64 ticks;

	timing->waiting_vls = vls;
	for (vl = 0; some; vl++, some >>= 1) {
		ticks = some & 1 ? timing_wait_ticks(&timing->vl_wait_since[vl], now,
						     vls >> vl & 1) : 0;
		if (ticks)
			hca_count(port, HCA_CTR_XMIT_WAIT_VL + vl, ticks);
	}
}

void hca_timing_poll(struct hca_port *port, u64 now, u16 vls, bool waits, bool busy)
{
	struct hca_timing *timing = &port->tx.timing;
	u64 next = timing_poll_heads(port, now);
	u64 ticks = timing_wait_ticks(&timing->wait_since, now, waits);

	if (ticks)
		hca_count(port, HCA_CTR_XMIT_WAIT, ticks);
	timing_count_waits(port, now, vls);
	timing->backlogged = busy;
	if (busy)
		next = min(next, timing->free_at);
	if (next != U64_MAX)
		hrtimer_start(&timing->timer, ns_to_ktime(next), HRTIMER_MODE_ABS_SOFT);
}
