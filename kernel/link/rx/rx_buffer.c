// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The receive buffer of a port: the space that packets use, and the return of their credits. The
 * credits of one VL may be returned slowly, by a timer.
 */
#include "link/rx/rx_buffer.h"
#include <linux/bottom_half.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include "compat.h"
#include "link/credit/credit.h"
#include "link/port/port.h"
#include "packet/batch.h"
#include "packet/serialize.h"
#include "trace/hca.h"

#define HCA_PS_PER_NS 1000
/* Credits of a slow VL are returned when 1/HCA_SLOW_VL_PART of its buffer has become free. */
#define HCA_SLOW_VL_PART 8
/* Minimum time between two returns of credits of a slow VL. */
#define HCA_SLOW_VL_MIN_NS 20000u
/* Maximum time between two returns of credits of a slow VL. */
#define HCA_SLOW_VL_MAX_NS 1000000u

bool hca_port_admits_smp(struct hca_port *port, const struct hca_packet *pkt)
{
	if (likely(atomic_inc_return(&port->rx_buffer.vl15_queued) <= HCA_VL15_BUFFER))
		return true;
	atomic_dec(&port->rx_buffer.vl15_queued);
	hca_count(port, HCA_CTR_VL15_DROPPED, 1);
	trace_hca_drop(port, pkt, HCA_DROP_VL15_FULL);
	return false;
}

static void rx_raise_limit(struct hca_port *port, u8 vl, u32 blocks)
{
	WRITE_ONCE(port->rx_buffer.fccl[vl], port->rx_buffer.fccl[vl] + blocks);
	trace_hca_credit_back(port, vl, blocks);
}

static void rx_wake_sender(struct hca_port *port)
{
	struct hca_port *sender = rcu_dereference_bh(port->peer);

	if (sender)
		hca_port_wake(sender);
}

/*
 * Return whether to advertise FCCL now, that is, whether the credits not advertised yet are at
 * least half of the buffer, or the advertised credits do not suffice for the largest packet.
 */
static bool rx_fccl_is_due(const struct hca_port *port, u8 vl)
{
	u32 advertised = READ_ONCE(port->flow.fccl_advertised[vl]);
	u32 more = READ_ONCE(port->rx_buffer.fccl[vl]) - advertised;
	s32 left = advertised - READ_ONCE(port->rx_buffer.abr[vl]);

	return more && (2 * more >= port->rx_buffer.vl_blocks ||
			left < hca_packet_blocks(hca_mtu_bytes(READ_ONCE(port->info.neighbor_mtu)) +
						 HCA_MAX_HEADER_BYTES + HCA_ICRC_BYTES +
						 HCA_VCRC_BYTES));
}

/* Advertise a raised FCCL if rx_fccl_is_due(), and wake a sender that reads FCCL in memory. */
static void rx_advertise(struct hca_port *port, u8 vl)
{
	struct hca_port *peer = rcu_dereference_bh(port->peer);

	if (rx_fccl_is_due(port, vl))
		hca_run_schedule(&port->flow.run);
	/* The peer may already read the limit in memory again. */
	if (peer)
		hca_port_wake(peer);
}

static void slow_vl_arm(struct hca_port *port, u64 now)
{
	struct hca_slow_vl *slow_vl = &port->rx_buffer.slow_vl;
	u64 ps = (u64)slow_vl->ps_per_block * port->rx_buffer.vl_blocks / HCA_SLOW_VL_PART;
	u32 wait = clamp_t(u64, div_u64(ps, HCA_PS_PER_NS), HCA_SLOW_VL_MIN_NS, HCA_SLOW_VL_MAX_NS);

	hrtimer_start(&slow_vl->timer, ns_to_ktime(now + wait), HRTIMER_MODE_ABS_SOFT);
}

/*
 * Reduce return_due by the blocks of the slow VL that have become free by @now. Return: number of
 * these blocks. Context: rx_buffer.lock held.
 */
static u32 slow_vl_elapsed(struct hca_port *port, u64 now)
{
	struct hca_slow_vl *slow_vl = &port->rx_buffer.slow_vl;
	u64 ps = (now - slow_vl->since) * HCA_PS_PER_NS;
	u32 blocks = min_t(u64, div_u64(ps, slow_vl->ps_per_block), slow_vl->return_due);

	slow_vl->since += div_u64((u64)blocks * slow_vl->ps_per_block, HCA_PS_PER_NS);
	slow_vl->return_due -= blocks;
	if (slow_vl->return_due)
		slow_vl_arm(port, now);
	return blocks;
}

static bool slow_vl_keeps(struct hca_port *port, u8 vl, u16 blocks)
{
	struct hca_slow_vl *slow_vl = &port->rx_buffer.slow_vl;

	if (!slow_vl->ps_per_block || vl != slow_vl->vl)
		return false;
	if (!slow_vl->return_due) {
		slow_vl->since = ktime_get_ns();
		slow_vl_arm(port, slow_vl->since);
	}
	slow_vl->return_due += blocks;
	return true;
}

static void rx_return_kept(struct hca_port *port, u8 vl, u32 blocks)
{
	spin_lock(&port->rx_buffer.lock);
	rx_raise_limit(port, vl, blocks);
	spin_unlock(&port->rx_buffer.lock);
	rx_advertise(port, vl);
}

static void rx_return_credits(struct hca_port *port, u8 vl, u16 blocks)
{
	bool kept;

	spin_lock(&port->rx_buffer.lock);
	kept = slow_vl_keeps(port, vl, blocks);
	if (!kept)
		rx_raise_limit(port, vl, blocks);
	spin_unlock(&port->rx_buffer.lock);
	if (!kept)
		rx_advertise(port, vl);
}

/* The difference between FCTBS and ABR is the number of lost blocks (req C4-151). */
void hca_rx_buffer_correct(struct hca_port *port, u8 vl, u16 fctbs)
{
	u32 sent = hca_flow_extend(port->rx_buffer.abr[vl], fctbs);
	u32 lost = sent - port->rx_buffer.abr[vl];

	if (!lost)
		return;
	spin_lock(&port->rx_buffer.lock);
	WRITE_ONCE(port->rx_buffer.abr[vl], sent);
	rx_raise_limit(port, vl, lost);
	spin_unlock(&port->rx_buffer.lock);
	if (rx_fccl_is_due(port, vl))
		hca_run_schedule(&port->flow.run);
}

/* Return the credits of a packet, and wake a sender that waits for them. */
static void rx_credit(struct hca_port *port, u8 vl, u32 blocks)
{
	if (unlikely(port->rx_buffer.advertises)) {
		rx_return_credits(port, vl, blocks);
		return;
	}
	rx_raise_limit(port, vl, blocks);
	rx_wake_sender(port);
}

/*
 * Keep the buffer space of a packet reserved. The blocks reserved here may differ from the blocks
 * for the next hop, because a duplicate packet has not consumed credits at this port.
 */
static void rx_reserve(struct hca_port *port, struct hca_packet *pkt)
{
	pkt->reserved_at = port;
	pkt->release = hca_packet_release_buffer;
	pkt->reserved_copies = NULL;
	pkt->reserved_blocks = pkt->blocks;
	pkt->reserved_generation = pkt->link_generation;
	pkt->reserved_vl = pkt->h.lrh.vl;
	pkt->blocks = hca_packet_blocks(hca_packet_bytes(pkt));
}

/* Return: whether this is the last copy of the packet that uses the reserved buffer space. */
static bool rx_is_last_copy(const struct hca_packet *pkt)
{
	if (likely(!pkt->reserved_copies))
		return true;
	if (!refcount_dec_and_test(pkt->reserved_copies))
		return false;
	kfree(pkt->reserved_copies);
	return true;
}

void hca_packet_release_buffer(struct hca_packet *pkt)
{
	struct hca_port *port = pkt->reserved_at;

	pkt->reserved_at = NULL;
	if (!rx_is_last_copy(pkt))
		return;
	if (pkt->reserved_generation != READ_ONCE(port->link_generation))
		return; /* the cable has been removed, and its credits were reset */
	if (unlikely(READ_ONCE(port->rx_buffer.advertises))) {
		rx_return_credits(port, pkt->reserved_vl,
					pkt->reserved_blocks * pkt->packets);
		return;
	}
	spin_lock(&port->rx_buffer.lock);
	rx_raise_limit(port, pkt->reserved_vl, pkt->reserved_blocks * pkt->packets);
	spin_unlock(&port->rx_buffer.lock);
	rx_wake_sender(port);
}

/*
 * Return whether a packet overruns the receive buffer: the sender ignored FCCL (IBA 7.9.4.3, req
 * C4-158).
 */
static noinline bool rx_is_overrun(const struct hca_port *port, const struct hca_packet *pkt)
{
	const struct hca_rx_buffer *buffer = &port->rx_buffer;
	u8 vl = pkt->h.lrh.vl;

	return (s32)(READ_ONCE(buffer->fccl[vl]) -
		     (buffer->abr[vl] + hca_batch_blocks(pkt))) < 0;
}

bool hca_rx_buffer_charge(struct hca_port *port, struct hca_packet *pkt)
{
	struct hca_rx_buffer *buffer = &port->rx_buffer;
	u8 vl = pkt->h.lrh.vl;
	u32 blocks;

	if (vl == HCA_VL_MANAGEMENT) {
		atomic_dec(&buffer->vl15_queued);
	} else if (pkt->flags & HCA_PACKET_LOOPBACK) {
		hca_loopback_return(port, hca_batch_blocks(pkt));
	} else {
		if (unlikely(buffer->advertises) && rx_is_overrun(port, pkt))
			return false;
		blocks = hca_batch_blocks(pkt);
		WRITE_ONCE(buffer->abr[vl], buffer->abr[vl] + blocks);
		if (port->ops->relays)
			rx_reserve(port, pkt);
		else
			rx_credit(port, vl, blocks);
	}
	return true;
}

s32 hca_rx_buffer_reserved(const struct hca_port *port, u8 vl)
{
	const struct hca_rx_buffer *buffer = &port->rx_buffer;

	if (vl == HCA_VL_MANAGEMENT)
		return atomic_read(&buffer->vl15_queued);
	return READ_ONCE(buffer->abr[vl]) + buffer->vl_blocks - READ_ONCE(buffer->fccl[vl]);
}

/* --- a slow VL */

static enum hrtimer_restart slow_vl_expired(struct hrtimer *timer)
{
	struct hca_port *port = container_of(timer, struct hca_port, rx_buffer.slow_vl.timer);
	struct hca_slow_vl *slow_vl = &port->rx_buffer.slow_vl;
	u32 blocks = 0;
	u8 vl;

	spin_lock(&port->rx_buffer.lock);
	vl = slow_vl->vl;
	if (slow_vl->return_due)
		blocks = slow_vl_elapsed(port, ktime_get_ns());
	spin_unlock(&port->rx_buffer.lock);
	if (blocks)
		rx_return_kept(port, vl, blocks);
	hca_engine_run();
	return HRTIMER_NORESTART;
}

void hca_slow_vl_set(struct hca_port *port, u8 vl, u32 mbps)
{
	struct hca_slow_vl *slow_vl = &port->rx_buffer.slow_vl;
	u32 return_due;
	u8 old;

	spin_lock_bh(&port->rx_buffer.lock);
	return_due = slow_vl->return_due;
	old = slow_vl->vl;
	slow_vl->return_due = 0;
	slow_vl->vl = vl;
	slow_vl->ps_per_block = mbps ? max(512000000u / mbps, 1u) : 0;
	spin_unlock(&port->rx_buffer.lock);
	if (return_due)
		rx_return_kept(port, old, return_due);
	hca_engine_run();
	local_bh_enable();
}

void hca_rx_buffer_init(struct hca_port *port)
{
	struct hca_rx_buffer *buffer = &port->rx_buffer;

	spin_lock_init(&buffer->lock);
	buffer->vl_blocks = HCA_VL_BUFFER_BLOCKS;
	hrtimer_setup(&buffer->slow_vl.timer, slow_vl_expired, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_SOFT);
}

void hca_rx_buffer_stop(struct hca_port *port)
{
	hrtimer_cancel(&port->rx_buffer.slow_vl.timer);
}
