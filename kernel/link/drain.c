// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A VL that drains slowly. */
#include <linux/bottom_half.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include "compat.h"
#include "engine/run.h"
#include "link/drain.h"
#include "link/port.h"

#define HCA_PS_PER_NS 1000
/* What is given back together: this part of a buffer, but in no less and no more time than this. */
#define HCA_DRAIN_PART 8
#define HCA_DRAIN_MIN_NS 20000u
#define HCA_DRAIN_MAX_NS 1000000u

static void hca_drain_arm(struct hca_port *port, u64 now)
{
	struct hca_drain *drain = &port->drain;
	u64 ps = (u64)drain->ps_per_block * port->vl_buffer / HCA_DRAIN_PART;
	u32 wait = clamp_t(u64, div_u64(ps, HCA_PS_PER_NS), HCA_DRAIN_MIN_NS, HCA_DRAIN_MAX_NS);

	hrtimer_start(&drain->timer, ns_to_ktime(now + wait), HRTIMER_MODE_ABS_SOFT);
}

/* Blocks for which there has been time. Under hold_lock. */
static u32 hca_drain_take(struct hca_port *port, u64 now)
{
	struct hca_drain *drain = &port->drain;
	u64 ps = (now - drain->since) * HCA_PS_PER_NS;
	u32 blocks = min_t(u64, div_u64(ps, drain->ps_per_block), drain->owed);

	drain->since += div_u64((u64)blocks * drain->ps_per_block, HCA_PS_PER_NS);
	drain->owed -= blocks;
	if (drain->owed)
		hca_drain_arm(port, now);
	return blocks;
}

static enum hrtimer_restart hca_drain_expired(struct hrtimer *timer)
{
	struct hca_port *port = container_of(timer, struct hca_port, drain.timer);
	struct hca_drain *drain = &port->drain;
	u32 blocks = 0;
	u8 vl;

	spin_lock(&port->hold_lock);
	vl = drain->vl;
	if (drain->owed)
		blocks = hca_drain_take(port, ktime_get_ns());
	spin_unlock(&port->hold_lock);
	if (blocks)
		hca_flow_return(port, vl, blocks);
	hca_engine_drain();
	return HRTIMER_NORESTART;
}

bool hca_drain_keeps(struct hca_port *port, u8 vl, u16 blocks)
{
	struct hca_drain *drain = &port->drain;

	if (!drain->ps_per_block || vl != drain->vl)
		return false;
	if (!drain->owed) {
		drain->since = ktime_get_ns();
		hca_drain_arm(port, drain->since);
	}
	drain->owed += blocks;
	return true;
}

void hca_drain_set(struct hca_port *port, u8 vl, u32 mbps)
{
	struct hca_drain *drain = &port->drain;
	u32 owed;
	u8 old;

	spin_lock_bh(&port->hold_lock);
	owed = drain->owed;
	old = drain->vl;
	drain->owed = 0;
	drain->vl = vl;
	drain->ps_per_block = mbps ? max(512000000u / mbps, 1u) : 0;
	spin_unlock(&port->hold_lock);
	if (owed)
		hca_flow_return(port, old, owed);
	hca_engine_drain();
	local_bh_enable();
}

void hca_drain_init(struct hca_port *port)
{
	hrtimer_setup(&port->drain.timer, hca_drain_expired, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_SOFT);
}

void hca_drain_destroy(struct hca_port *port)
{
	hrtimer_cancel(&port->drain.timer);
}
