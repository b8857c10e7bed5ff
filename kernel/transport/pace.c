// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Static rate control. The inter-packet delay of IBA 9.11.1 is the time that a packet takes at the
 * destination's rate. Kernel timers are much coarser than this delay. Therefore, after each tick,
 * all packets that were due during the tick may be sent at once, and only the average rate is
 * right. Each EE context and each datagram queue pair is paced separately, even if several share a
 * path.
 */
#include "transport/pace.h"
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include "link/state/rate.h"
#include "transport/retry.h"

#define HCA_PACE_BURST (2 * TICK_NSEC)

/* Static rates in units of 100 Mb/s, indexed by enum ib_rate. */
static const u16 hca_rates[] = {
	[2] = 25,   [5] = 50,	 [3] = 100,  [6] = 200,	  [4] = 300,   [7] = 400,  [8] = 600,
	[9] = 800,  [10] = 1200, [11] = 140, [12] = 560,  [13] = 1120, [14] = 1680, [15] = 250,
	[16] = 1000, [17] = 2000, [18] = 3000, [19] = 280, [20] = 500,  [21] = 4000, [22] = 6000,
	[23] = 8000,
};

/* Rates of one lane in units of 100 Mb/s, indexed by LinkSpeedActive. */
static const u16 hca_speeds[] = { [1] = 25, [2] = 50, [4] = 100 };
/* Rates of one lane in units of 100 Mb/s, indexed by LinkSpeedExtActive. */
static const u16 hca_speeds_ext[] = { [1] = 140, [2] = 250, [4] = 500, [8] = 1000 };

static u32 pace_port_rate(const struct hca_port *port)
{
	u32 lanes = hca_link_lanes(READ_ONCE(port->info.link_width_active));
	u8 speed = READ_ONCE(port->info.link_speed_active);
	u8 ext = READ_ONCE(port->info.link_speed_ext_active);

	if (ext && ext < ARRAY_SIZE(hca_speeds_ext))
		return lanes * hca_speeds_ext[ext];
	return speed < ARRAY_SIZE(hca_speeds) ? lanes * hca_speeds[speed] : 0;
}

u32 hca_pace_of(const struct hca_port *port, u8 static_rate)
{
	u32 rate = static_rate < ARRAY_SIZE(hca_rates) ? hca_rates[static_rate] : 0;

	return rate && rate < pace_port_rate(port) ? 80000 / rate : 0;
}

bool hca_pace_due(struct hca_eec *eec)
{
	u64 now = ktime_get_ns();

	if (now >= eec->paced_until)
		return true;
	hca_retry_later(eec, 1 + nsecs_to_jiffies(eec->paced_until - now));
	return false;
}

void hca_paced(struct hca_eec *eec, u32 pace, u16 pktlen)
{
	u64 earliest = ktime_get_ns();

	earliest = earliest > HCA_PACE_BURST ? earliest - HCA_PACE_BURST : 0;
	eec->paced_until = max(eec->paced_until, earliest) +
			   div_u64((u64)pktlen * 4 * pace, 1000);
}
