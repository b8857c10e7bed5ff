/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Times of the sending half of a port: rate, lifetime and HOQLife of packets, stalled VLs. */
#ifndef HCA_LINK_TIMING_H
#define HCA_LINK_TIMING_H

#include <linux/hrtimer.h>
#include <linux/types.h>
#include "link/flow_control.h"

/* Values of HOQLife and LifeTimeValue from here on mean infinite; below 4.096 us * 2^n. */
#define HCA_LIFE_FOREVER 20
#define HCA_LIFE_UNIT_NS 4096ull

/* PortXmitWait counts ticks of 2^10 ns; the interval of samples is a number of ticks, too. */
#define HCA_WAIT_TICK_SHIFT 10

/* Argument of hca_port_set_rate(): the rate of the active width and speed. */
#define HCA_RATE_OF_LINK U32_MAX

struct hca_port;

/* Guarded by the port's tx.lock. */
struct hca_timing {
	struct hrtimer timer; /* schedules the port's tx.run */
	u32 mbps; /* as set by hca_port_set_rate() */
	u32 ps_per_block; /* time of 64 octets on the link; 0: no rate */
	u32 ps; /* fraction of free_at, less than 1 ns */
	u64 free_at; /* when the last packet will have left, ns */
	bool backlogged; /* the link has been busy since: a late timer is made up for */
	u64 wait_since; /* since when packets have waited, none with credit, ns; 0: none waits */
	u64 vl_wait_since[HCA_DATA_VLS]; /* since when packets of a VL have waited for credit, ns */
	u16 waiting_vls; /* bit n: VL n has vl_wait_since */
};

/**
 * hca_port_set_rate() - limit the rate of a port's link
 * @port: the sender
 * @mbps: rate in Mb/s, counted in blocks of 64 octets; 0: no limit; HCA_RATE_OF_LINK: the rate of
 *        the active width and speed
 *
 * VL15 and loopback are not limited.
 * Context: process.
 */
void hca_port_set_rate(struct hca_port *port, u32 mbps);

/* Initialise the times of a port. Context: process. */
void hca_timing_init(struct hca_port *port);

/* Stop the timer. Context: process; tx.run is stopped. */
void hca_timing_stop(struct hca_port *port);

/* The link has been trained: apply its rate. Context: BH disabled; no lock held. */
void hca_timing_trained(struct hca_port *port);

/* The following functions are called with tx.lock held; @now is in ns. */

/* Return: the VLs, a bit for each, that are stalled and discard their packets. */
u16 hca_timing_stalled_vls(struct hca_port *port, u64 now);

/* Discard packets that have been in the switch for longer than LifeTimeValue (req C4-165). */
void hca_timing_expire(struct hca_port *port, u64 now);

/* Whether the link is free for another packet at its rate. */
bool hca_timing_link_is_free(const struct hca_port *port, u64 now);

/* @blocks of 64 octets have been sent: the link is busy for their time. */
void hca_timing_sent(struct hca_port *port, u64 now, u16 blocks);

/**
 * hca_timing_poll() - do what is due at the end of a run
 * @port: the port; a head of queue that is too old is discarded, and PortXmitWait is counted
 * @now: ns
 * @vls: VLs, a bit for each, with a packet and no credit for it; PortVLXmitWait is counted
 * @waits: there are packets, and no credit for any of them
 * @busy: there is a packet that may leave as soon as the link is free
 *
 * Sets the timer for what is due next.
 */
void hca_timing_poll(struct hca_port *port, u64 now, u16 vls, bool waits, bool busy);

#endif
