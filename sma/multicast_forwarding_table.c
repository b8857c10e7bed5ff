// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * MulticastForwardingTable: the egress ports of multicast LIDs, one bit for each port. The
 * attribute modifier selects 16 ports in bits 31 to 28 and 32 LIDs in bits 8 to 0 (req C4-164,
 * C4-246).
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include "sma/attribute.h"
#include "sma/switch.h"

#define HCA_MFT_BLOCK 32

struct hca_mft_block {
	u16 *first; /* entry of the first LID; entries are sw->mft_positions apart */
	u16 ports; /* bits of those of the 16 ports that exist */
};

/* Returns false if the table has no such block. */
static bool mft_find_block(const struct hca_mad_request *rq, struct hca_mft_block *block)
{
	const struct hca_switch *sw = hca_node_switch(rq->node);
	u32 lids = rq->modifier & 0x0fffffff, position = rq->modifier >> 28;
	int ports = sw->node.num_ports + 1 - position * HCA_MFT_POSITION_PORTS;

	if (lids >= HCA_MFT_CAP / HCA_MFT_BLOCK || position >= sw->mft_positions)
		return false;
	block->first = sw->mft + lids * HCA_MFT_BLOCK * sw->mft_positions + position;
	block->ports = ports < HCA_MFT_POSITION_PORTS ? (1u << ports) - 1 : 0xffff;
	return true;
}

u16 hca_multicast_forwarding_table_get(struct hca_mad_request *rq)
{
	struct hca_switch *sw = hca_node_switch(rq->node);
	struct hca_mft_block block;
	__be16 ports;
	unsigned int i;

	if (!mft_find_block(rq, &block))
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	spin_lock_bh(&sw->lock);
	for (i = 0; i < HCA_MFT_BLOCK; i++) {
		ports = cpu_to_be16(block.first[i * sw->mft_positions]);
		memcpy(rq->out + i * sizeof(ports), &ports, sizeof(ports));
	}
	spin_unlock_bh(&sw->lock);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

u16 hca_multicast_forwarding_table_set(struct hca_mad_request *rq)
{
	struct hca_switch *sw = hca_node_switch(rq->node);
	struct hca_mft_block block;
	__be16 ports;
	unsigned int i;

	if (!mft_find_block(rq, &block))
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	spin_lock_bh(&sw->lock);
	for (i = 0; i < HCA_MFT_BLOCK; i++) {
		memcpy(&ports, rq->in + i * sizeof(ports), sizeof(ports));
		WRITE_ONCE(block.first[i * sw->mft_positions], be16_to_cpu(ports) & block.ports);
	}
	spin_unlock_bh(&sw->lock);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}
