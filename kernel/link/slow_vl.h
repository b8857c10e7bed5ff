/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A VL that drains slowly: the room its packets took is free again at a rate, not at once. */
#ifndef HCA_LINK_SLOW_VL_H
#define HCA_LINK_SLOW_VL_H

#include <linux/hrtimer.h>
#include <linux/types.h>

struct hca_port;

/* Guarded by the port's reserve_lock. */
struct hca_slow_vl {
	struct hrtimer timer; /* pending while something is owed */
	u32 ps_per_block; /* of 64 octets; 0: none drains slowly */
	u32 return_due; /* blocks that are free but not yet given back */
	u64 since; /* ns: till when they have been given back */
	u8 vl;
};

void hca_slow_vl_init(struct hca_port *port);

/* No timer any more. Context: process; the port is unplugged. */
void hca_slow_vl_destroy(struct hca_port *port);

/**
 * hca_slow_vl_set() - have a VL of a port drain slowly
 * @port: the receiver; its limits are told (hca_flow_begin())
 * @vl: a data VL
 * @mbps: Mb/s at which room is free again, in blocks of 64 octets; 0: all VLs drain at once
 *
 * What is owed for the VL before is given back. Context: process.
 */
void hca_slow_vl_set(struct hca_port *port, u8 vl, u32 mbps);

/* Keep blocks that are free. Return: false: they are not to be kept. Context: reserve_lock held. */
bool hca_slow_vl_keeps(struct hca_port *port, u8 vl, u16 blocks);

#endif
