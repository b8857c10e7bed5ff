/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What a port's queues owe to time: a link's rate, the life of a head of queue, stalled VLs. */
#ifndef HCA_LINK_TIMING_H
#define HCA_LINK_TIMING_H

#include <linux/hrtimer.h>
#include <linux/types.h>
#include "link/flow_control.h"

/* HOQLife or LifeTimeValue from which on a packet lives for ever; below it 4.096 us * 2^n. */
#define HCA_LIFE_FOREVER 20
#define HCA_LIFE_UNIT_NS 4096ull

/* PortXmitWait counts ticks of 1024 ns, and a sample lasts some of them. */
#define HCA_WAIT_TICK_SHIFT 10

/* Of hca_port_set_rate(): that of the width and speed at work. */
#define HCA_RATE_OF_LINK U32_MAX

struct hca_port;

/* Guarded by the port's tx_lock. */
struct hca_timing {
	struct hrtimer timer; /* has the port's tx_run run again */
	u32 mbps; /* as it was set */
	u32 ps_per_block; /* of 64 octets; 0: as fast as it goes */
	u32 ps; /* what free_at lacks */
	u64 free_at; /* when the last packet will have left; ns */
	bool backlogged; /* the link has been busy since: a late timer is made up for */
	u64 wait_since; /* packets are there, and credit is not; ns, 0: no */
	u64 vl_wait_since[HCA_DATA_VLS]; /* of each VL, though another may send */
	u16 waiting_vls; /* a bit for each that has one */
};

void hca_timing_init(struct hca_port *port);

/* No timer any more. Context: process; tx_run is stopped. */
void hca_timing_stop(struct hca_port *port);

/* The link has come up. Context: BH disabled; no lock held. */
void hca_timing_trained(struct hca_port *port);

/* For these tx_lock is held. @now: ns. */

/* The VLs, a bit for each, that drop what they are given, for they do not get rid of it. */
u16 hca_timing_stalled_vls(struct hca_port *port, u64 now);

/* Drop what has been in the switch for longer than LifeTimeValue (C4-165). */
void hca_timing_expire(struct hca_port *port, u64 now);

bool hca_timing_link_is_free(const struct hca_port *port, u64 now);
void hca_timing_sent(struct hca_port *port, u64 now, u16 blocks);

/**
 * hca_timing_poll() - what is due at the end of a run
 * @port: the port; a head of queue that is too old is dropped, PortXmitWait counted
 * @now: ns
 * @vls: that have a packet and no credit for it, a bit for each; PortVLXmitWait is counted
 * @waits: there are packets, and no credit for any of them
 * @busy: there is one that may leave as soon as the link is free
 *
 * Sets the timer for what is due next.
 */
void hca_timing_poll(struct hca_port *port, u64 now, u16 vls, bool waits, bool busy);

#endif
