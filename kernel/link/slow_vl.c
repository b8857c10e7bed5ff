// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A slow VL: credits are returned by a timer. */
#include <linux/bottom_half.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include "compat.h"
#include "engine/run.h"
#include "link/slow_vl.h"
#include "link/port.h"

#define HCA_PS_PER_NS 1000
/* Credits are returned when 1/8 of a buffer is free, within these bounds of time. */
#define HCA_SLOW_VL_PART 8
#define HCA_SLOW_VL_MIN_NS 20000u
#define HCA_SLOW_VL_MAX_NS 1000000u

static void slow_vl_arm(struct hca_port *port, u64 now)
{
	struct hca_slow_vl *slow_vl = &port->slow_vl;
	u64 ps = (u64)slow_vl->ps_per_block * port->vl_buffer / HCA_SLOW_VL_PART;
	u32 wait = clamp_t(u64, div_u64(ps, HCA_PS_PER_NS), HCA_SLOW_VL_MIN_NS, HCA_SLOW_VL_MAX_NS);

	hrtimer_start(&slow_vl->timer, ns_to_ktime(now + wait), HRTIMER_MODE_ABS_SOFT);
}

/* Return: blocks that have become free by @now. Called under reserve_lock. */
static u32 slow_vl_elapsed(struct hca_port *port, u64 now)
{
	struct hca_slow_vl *slow_vl = &port->slow_vl;
	u64 ps = (now - slow_vl->since) * HCA_PS_PER_NS;
	u32 blocks = min_t(u64, div_u64(ps, slow_vl->ps_per_block), slow_vl->return_due);

	slow_vl->since += div_u64((u64)blocks * slow_vl->ps_per_block, HCA_PS_PER_NS);
	slow_vl->return_due -= blocks;
	if (slow_vl->return_due)
		slow_vl_arm(port, now);
	return blocks;
}

static enum hrtimer_restart slow_vl_expired(struct hrtimer *timer)
{
	struct hca_port *port = container_of(timer, struct hca_port, slow_vl.timer);
	struct hca_slow_vl *slow_vl = &port->slow_vl;
	u32 blocks = 0;
	u8 vl;

	spin_lock(&port->reserve_lock);
	vl = slow_vl->vl;
	if (slow_vl->return_due)
		blocks = slow_vl_elapsed(port, ktime_get_ns());
	spin_unlock(&port->reserve_lock);
	if (blocks)
		hca_flow_return_kept(port, vl, blocks);
	hca_engine_run();
	return HRTIMER_NORESTART;
}

bool hca_slow_vl_keeps(struct hca_port *port, u8 vl, u16 blocks)
{
	struct hca_slow_vl *slow_vl = &port->slow_vl;

	if (!slow_vl->ps_per_block || vl != slow_vl->vl)
		return false;
	if (!slow_vl->return_due) {
		slow_vl->since = ktime_get_ns();
		slow_vl_arm(port, slow_vl->since);
	}
	slow_vl->return_due += blocks;
	return true;
}

void hca_slow_vl_set(struct hca_port *port, u8 vl, u32 mbps)
{
	struct hca_slow_vl *slow_vl = &port->slow_vl;
	u32 return_due;
	u8 old;

	spin_lock_bh(&port->reserve_lock);
	return_due = slow_vl->return_due;
	old = slow_vl->vl;
	slow_vl->return_due = 0;
	slow_vl->vl = vl;
	slow_vl->ps_per_block = mbps ? max(512000000u / mbps, 1u) : 0;
	spin_unlock(&port->reserve_lock);
	if (return_due)
		hca_flow_return_kept(port, old, return_due);
	hca_engine_run();
	local_bh_enable();
}

void hca_slow_vl_init(struct hca_port *port)
{
	hrtimer_setup(&port->slow_vl.timer, slow_vl_expired, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_SOFT);
}

void hca_slow_vl_destroy(struct hca_port *port)
{
	hrtimer_cancel(&port->slow_vl.timer);
}
