// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * LinearForwardingTable: the egress ports of LIDs. The attribute modifier selects a block of 64
 * LIDs (req C4-162, C4-245).
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include "sma/attribute.h"
#include "sma/switch.h"

#define HCA_LFT_BLOCK 64

/* The first entry of a block; NULL if the table has no such block. */
static u8 *lft_block(const struct hca_switch *sw, u32 block)
{
	return block < HCA_LFT_CAP / HCA_LFT_BLOCK ? sw->lft + block * HCA_LFT_BLOCK : NULL;
}

u16 hca_linear_forwarding_table_get(struct hca_mad_request *rq)
{
	struct hca_switch *sw = hca_node_switch(rq->node);
	u8 *block = lft_block(sw, rq->modifier);

	if (!block)
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	spin_lock_bh(&sw->lock);
	memcpy(rq->out, block, HCA_LFT_BLOCK);
	spin_unlock_bh(&sw->lock);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

u16 hca_linear_forwarding_table_set(struct hca_mad_request *rq)
{
	struct hca_switch *sw = hca_node_switch(rq->node);
	u8 *block = lft_block(sw, rq->modifier);
	unsigned int i;

	if (!block)
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	spin_lock_bh(&sw->lock);
	for (i = 0; i < HCA_LFT_BLOCK; i++)
		WRITE_ONCE(block[i], hca_switch_egress(sw, rq->in[i]));
	spin_unlock_bh(&sw->lock);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}
