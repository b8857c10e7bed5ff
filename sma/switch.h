/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Properties of a switch that several attributes share. */
#ifndef HCA_SMA_SWITCH_H
#define HCA_SMA_SWITCH_H

#include <linux/types.h>
#include "fabric/switch.h"

/* Filters of the ports, in PortInfo's order: P_Key inbound, outbound; raw inbound, outbound. */
#define HCA_SWITCH_FILTERS 0xf
#define HCA_PARTITION_ENFORCEMENT_CAP HCA_PKEYS /* P_Keys of each external port */

/* The forwarding table entry for @port: a port that does not exist drops packets (req C4-162). */
static inline u8 hca_switch_egress(const struct hca_switch *sw, u8 port)
{
	return port <= sw->node.num_ports ? port : HCA_NO_PORT;
}

#endif
