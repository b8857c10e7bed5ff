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

#endif
