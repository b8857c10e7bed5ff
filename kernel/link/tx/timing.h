/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Times of the sending half of a port: rate, lifetime and HOQLife of packets, stalled VLs. */
#ifndef HCA_LINK_TIMING_H
#define HCA_LINK_TIMING_H

#include <linux/hrtimer.h>
#include <linux/types.h>
#include "link/flow_control.h"

/*
 * Values of HOQLife and LifeTimeValue from HCA_LIFE_FOREVER on are infinite; n means 4.096 us *
 * 2^n.
 */
#define HCA_LIFE_FOREVER 20
#define HCA_LIFE_UNIT_NS 4096ull

/* PortXmitWait counts ticks of 2^10 ns; the interval of samples is in ticks, too. */
#define HCA_WAIT_TICK_SHIFT 10

/* Argument of hca_port_set_rate(): the rate of the active width and speed. */
#define HCA_RATE_OF_LINK U32_MAX

struct hca_port;

/* Times of the sending half of a port, guarded by the port's tx.lock. */
struct hca_timing {
	struct hrtimer timer; /* schedules the port's tx.run */
	u32 mbps; /* rate set by hca_port_set_rate() */
	u32 ps_per_block; /* time of 64 octets on the link; 0: unlimited rate */
	u32 ps; /* fraction of free_at, less than 1 ns */
	u64 free_at; /* when the last packet will have left the link, ns */
	bool backlogged; /* the link has been busy since then: a late timer is compensated */
	/* Start of the time in which packets wait and none has credit, ns; 0: none waits. */
	u64 wait_since;
	u64 vl_wait_since[HCA_DATA_VLS]; /* start of a VL's wait for credit, ns */
	u16 waiting_vls; /* bit n: vl_wait_since of VL n is valid */
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

/* Initialize the times of a port. Context: process. */
void hca_timing_init(struct hca_port *port);

/* Stop the timer. Context: process; tx.run is stopped. */
void hca_timing_stop(struct hca_port *port);

/* Apply the rate of a link that has been trained. Context: BH disabled; no lock held. */
void hca_timing_trained(struct hca_port *port);

/* The following functions are called with tx.lock held; @now is in ns. */

/* Return: the VLs, a bit for each, that are stalled and discard their packets. */
u16 hca_timing_stalled_vls(struct hca_port *port, u64 now);

/* Discard packets that have been in the switch longer than LifeTimeValue (req C4-165). */
void hca_timing_expire(struct hca_port *port, u64 now);

/* Whether the rate of the link allows another packet now. */
bool hca_timing_link_is_free(const struct hca_port *port, u64 now);

/* Keep the link busy for the time of @blocks of 64 octets that have been sent. */
void hca_timing_sent(struct hca_port *port, u64 now, u16 blocks);

/**
 * hca_timing_poll() - do the work that is due at the end of a run
 * @port: the port; heads of queue that are too old are discarded, and PortXmitWait is counted
 * @now: ns
 * @vls: VLs, a bit for each, with a packet and no credit for it; PortVLXmitWait is counted
 * @waits: packets are queued, and none of them has credit
 * @busy: a packet may leave as soon as the link is free
 *
 * The timer is set to the time at which work is due next.
 */
void hca_timing_poll(struct hca_port *port, u64 now, u16 vls, bool waits, bool busy);

#endif
