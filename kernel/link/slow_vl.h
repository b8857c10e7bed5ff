/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A slow VL: its receive buffer becomes free at a rate, not at once. */
#ifndef HCA_LINK_SLOW_VL_H
#define HCA_LINK_SLOW_VL_H

#include <linux/hrtimer.h>
#include <linux/types.h>

struct hca_port;

/* Guarded by the port's reserve_lock. */
struct hca_slow_vl {
	struct hrtimer timer; /* pending while return_due is not 0 */
	u32 ps_per_block; /* time of 64 octets; 0: no VL is slow */
	u32 return_due; /* blocks that are free and whose credits have not been returned yet */
	u64 since; /* time up to which credits have been returned, ns */
	u8 vl;
};

/* Initialise a port without a slow VL. Context: process. */
void hca_slow_vl_init(struct hca_port *port);

/* Stop the timer. Context: process; the port is unlinked. */
void hca_slow_vl_destroy(struct hca_port *port);

/**
 * hca_slow_vl_set() - make a VL of a port slow
 * @port: the receiver; it advertises its credit limit (hca_flow_begin())
 * @vl: a data VL
 * @mbps: rate at which its buffer becomes free, in Mb/s of blocks of 64 octets; 0: no VL is slow
 *
 * Credits of an earlier slow VL are returned at once.
 * Context: process.
 */
void hca_slow_vl_set(struct hca_port *port, u8 vl, u32 mbps);

/* Keep the credits of a slow VL. Return: false if @vl is not slow. Context: reserve_lock held. */
bool hca_slow_vl_keeps(struct hca_port *port, u8 vl, u16 blocks);

#endif
