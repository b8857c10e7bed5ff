/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the agents know of a switch. */
#ifndef HCA_SMA_SWITCH_H
#define HCA_SMA_SWITCH_H

#include <linux/types.h>
#include "fabric/switch.h"

/* What ports filter, in PortInfo's order: P_Keys in and out, raw packets in and out. */
#define HCA_SWITCH_FILTERS 0xf
#define HCA_PARTITION_ENFORCEMENT_CAP HCA_PKEYS /* P_Keys of each external port */

/* A port to forward to. To one that does not exist nothing is forwarded (C4-162). */
static inline u8 hca_switch_exit(const struct hca_switch *sw, u8 port)
{
	return port <= sw->node.num_ports ? port : HCA_NO_PORT;
}

#endif
