// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * RandomForwardingTable: each entry has the egress port of a LID and of the further LIDs that its
 * LMC adds. The attribute modifier selects a block of 16 entries (req C4-163, C4-246). The first
 * entry that contains a LID applies to it. Packets are forwarded by the linear table alone, so each
 * Set writes the result of the random table into the linear table.
 */
#include <linux/kernel.h>
#include "sma/attribute.h"
#include "wire/field.h"
#include "sma/switch.h"

#define HCA_RFT_BLOCK 16
#define HCA_RFT_ENTRY_BYTES 4

static const struct hca_field hca_rft_fields[] = {
	HCA_FIELD(struct hca_rft_entry, lid, 0, 0, 16),
	HCA_FIELD(struct hca_rft_entry, valid, 2, 0, 1),
	HCA_FIELD(struct hca_rft_entry, lmc, 2, 1, 3),
	HCA_FIELD(struct hca_rft_entry, port, 3, 0, 8),
};

static struct hca_rft_entry *rft_block(const struct hca_switch *sw, u32 block)
{
	return block < HCA_RFT_CAP / HCA_RFT_BLOCK ? sw->rft + block * HCA_RFT_BLOCK : NULL;
}

static u16 rft_mask(const struct hca_rft_entry *entry)
{
	return (1u << entry->lmc) - 1;
}

static bool rft_has(const struct hca_rft_entry *entry, u16 lid)
{
	return entry->valid && !((entry->lid ^ lid) & ~rft_mask(entry));
}

static u8 rft_egress(const struct hca_switch *sw, u16 lid)
{
	const struct hca_rft_entry *entry;

	for (entry = sw->rft; entry < sw->rft + HCA_RFT_CAP; entry++)
		if (rft_has(entry, lid))
			return entry->port;
	return HCA_NO_PORT;
}

/* Writes the egress ports of the LIDs of an entry into the linear table. */
static void rft_apply(struct hca_switch *sw, const struct hca_rft_entry *entry)
{
	u32 lid = entry->lid & ~rft_mask(entry), last = entry->lid | rft_mask(entry);

	if (!entry->valid)
		return;
	for (; lid <= last && lid < HCA_LFT_CAP; lid++)
		WRITE_ONCE(sw->lft[lid], rft_egress(sw, lid));
}

u16 hca_random_forwarding_table_get(struct hca_mad_request *rq)
{
	struct hca_switch *sw = hca_node_switch(rq->node);
	const struct hca_rft_entry *block = rft_block(sw, rq->modifier);
	unsigned int i;

	if (!block)
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	spin_lock_bh(&sw->lock);
	for (i = 0; i < HCA_RFT_BLOCK; i++)
		hca_fields_pack(hca_rft_fields, ARRAY_SIZE(hca_rft_fields), &block[i],
				rq->out + i * HCA_RFT_ENTRY_BYTES);
	spin_unlock_bh(&sw->lock);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

u16 hca_random_forwarding_table_set(struct hca_mad_request *rq)
{
	struct hca_switch *sw = hca_node_switch(rq->node);
	struct hca_rft_entry *block = rft_block(sw, rq->modifier), before;
	unsigned int i;

	if (!block)
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	spin_lock_bh(&sw->lock);
	for (i = 0; i < HCA_RFT_BLOCK; i++) {
		before = block[i];
		hca_fields_unpack(hca_rft_fields, ARRAY_SIZE(hca_rft_fields),
				  rq->in + i * HCA_RFT_ENTRY_BYTES, &block[i]);
		block[i].port = hca_switch_egress(sw, block[i].port);
		rft_apply(sw, &before);
		rft_apply(sw, &block[i]);
	}
	spin_unlock_bh(&sw->lock);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}
