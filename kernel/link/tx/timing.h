/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Timing of the sending half of a port: its rate, LifeTimeValue, HOQLife, and stalls of VLs. */
#ifndef HCA_LINK_TX_TIMING_H
#define HCA_LINK_TX_TIMING_H

#include <linux/hrtimer.h>
#include <linux/types.h>
#include "link/credit/flow_control.h"

/* Values of HOQLife and LifeTimeValue from HCA_LIFE_FOREVER on mean an infinite time. */
#define HCA_LIFE_FOREVER 20
/* A smaller value n of HOQLife or LifeTimeValue means HCA_LIFE_UNIT_NS * 2^n. */
#define HCA_LIFE_UNIT_NS 4096ull

/* A tick is 2^10 ns: the unit of PortXmitWait, and of the interval of PortSamplesControl. */
#define HCA_WAIT_TICK_SHIFT 10

/* Argument of hca_port_set_rate(): the rate of the active width and speed. */
#define HCA_RATE_OF_LINK U32_MAX

struct hca_port;

/* State of the timing of a port's sending half, guarded by the port's tx.lock. */
struct hca_timing {
	struct hrtimer timer; /* schedules the port's tx.run */
	u32 mbps; /* rate set by hca_port_set_rate() */
	u32 ps_per_block; /* time in which 64 octets are sent, ps; 0: unlimited rate */
	u32 ps; /* fraction of free_at below 1 ns, in ps */
	u64 free_at; /* time when the packets sent so far will have left the link, ns */
	/* Packets have waited for the link since free_at; a late timer is then compensated. */
	bool backlogged;
	/* Time since which packets wait and none of them has credit, ns; 0: no such wait. */
	u64 wait_since;
	u64 vl_wait_since[HCA_DATA_VLS]; /* start of each VL's wait for credit, ns */
	u16 waiting_vls; /* bit n: vl_wait_since of VL n is valid */
};

/**
 * hca_port_set_rate() - limit the rate of a port's link
 * @port: the sender
 * @mbps: rate in Mb/s, of packets rounded up to 64 octets; 0: no limit; HCA_RATE_OF_LINK: the rate
 *        of the active width and speed
 *
 * VL15 and loopback are not limited.
 * Context: process.
 */
void hca_port_set_rate(struct hca_port *port, u32 mbps);

/* Initialize the timing of a port. Context: process. */
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

/* Return whether the rate of the link allows another packet now. */
bool hca_timing_link_is_free(const struct hca_port *port, u64 now);

/* Keep the link busy for the time of @blocks of 64 octets that have been sent. */
void hca_timing_sent(struct hca_port *port, u64 now, u16 blocks);

/**
 * hca_timing_poll() - do the work of the timing at the end of tx.run
 * @port: the port
 * @now: the present time, ns
 * @vls: VLs, a bit for each, that have a packet and no credit for it
 * @waits: whether packets are queued, and none of them has credit
 * @busy: whether a packet may leave as soon as the link is free
 *
 * Packets that have been at the head of their queue for too long are discarded. PortXmitWait and
 * PortVLXmitWait are counted. The timer is set to the time of the next such work.
 */
void hca_timing_poll(struct hca_port *port, u64 now, u16 vls, bool waits, bool busy);

#endif
