// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The attributes that control the forwarding of a switch: SwitchInfo, LinearForwardingTable,
 * RandomForwardingTable and MulticastForwardingTable.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include "fabric/switch.h"
#include "sma/attribute.h"
#include "wire/field.h"

/* Return: @port if it exists; otherwise HCA_NO_PORT, which means to drop packets (req C4-162). */
static u8 switch_egress(const struct hca_switch *sw, u8 port)
{
	return port <= sw->node.num_ports ? port : HCA_NO_PORT;
}

/* SwitchInfo: capabilities of a switch and parameters of its forwarding (req C4-232, C4-233). */

struct hca_switch_info_attribute {
	struct hca_switch_info info;
	u16 linear_fdb_cap, random_fdb_cap, multicast_fdb_cap;
	u16 lids_per_port;
	u16 partition_enforcement_cap;
	u8 optimized_sl_to_vl_cap;
	u8 filters;
};

#define FIELD(name, octet, bit, bits)                                                              \
	HCA_FIELD(struct hca_switch_info_attribute, name, octet, bit, bits)

static const struct hca_field hca_switch_info_fields[] = {
	FIELD(linear_fdb_cap, 0, 0, 16), /* 0 in a switch with a random table (req C4-245) */
	FIELD(random_fdb_cap, 2, 0, 16), /* 0 in a switch with a linear table (req C4-245) */
	FIELD(multicast_fdb_cap, 4, 0, 16),
	FIELD(info.linear_fdb_top, 6, 0, 16),
	FIELD(info.default_port, 8, 0, 8),
	FIELD(info.default_multicast_primary, 9, 0, 8),
	FIELD(info.default_multicast_not_primary, 10, 0, 8),
	FIELD(info.life_time, 11, 0, 5),
	FIELD(info.port_state_change, 11, 5, 1),
	FIELD(optimized_sl_to_vl_cap, 11, 6, 2),
	FIELD(lids_per_port, 12, 0, 16),
	FIELD(partition_enforcement_cap, 14, 0, 16),
	FIELD(filters, 16, 0, 4),
	FIELD(info.enhanced_port0, 16, 4, 1),
	FIELD(info.multicast_fdb_top, 18, 0, 16),
};

u16 hca_switch_info_get(struct hca_mad_request *rq)
{
	struct hca_switch *sw = hca_node_switch(rq->node);
	struct hca_switch_info_attribute a = {
		.linear_fdb_cap = sw->rft ? 0 : HCA_LFT_CAP,
		.random_fdb_cap = sw->rft ? HCA_RFT_CAP : 0,
		.lids_per_port = sw->rft ? HCA_RFT_CAP : 0,
		.multicast_fdb_cap = HCA_MFT_CAP,
		.partition_enforcement_cap = HCA_PARTITION_ENFORCEMENT_CAP,
		.optimized_sl_to_vl_cap = 1,
		.filters = HCA_SWITCH_FILTERS,
	};

	spin_lock_bh(&sw->lock);
	a.info = sw->info;
	if (sw->rft)
		a.info.linear_fdb_top = 0;
	spin_unlock_bh(&sw->lock);
	hca_fields_pack(hca_switch_info_fields, ARRAY_SIZE(hca_switch_info_fields), &a, rq->out);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

static bool switch_set_linear_fdb_top(struct hca_switch *sw, u16 top)
{
	if (sw->rft)
		return true;
	if (top >= HCA_LFT_CAP)
		return false;
	WRITE_ONCE(sw->info.linear_fdb_top, top);
	return true;
}

/*
 * MulticastFDBTop is the last multicast LID that has an entry. BFFFh, the value below the first
 * multicast LID, means that the table has no entry; 0 means that the whole table is used.
 */
static bool switch_set_multicast_fdb_top(struct hca_switch_info *info, u16 top)
{
	if (top && (top < HCA_LID_MULTICAST - 1 || top >= HCA_LID_MULTICAST + HCA_MFT_CAP))
		return false;
	WRITE_ONCE(info->multicast_fdb_top, top);
	return true;
}

u16 hca_switch_info_set(struct hca_mad_request *rq)
{
	struct hca_switch *sw = hca_node_switch(rq->node);
	struct hca_switch_info_attribute a;
	struct hca_switch_info *info = &sw->info, *want = &a.info;
	bool ok = true;

	hca_fields_unpack(hca_switch_info_fields, ARRAY_SIZE(hca_switch_info_fields), rq->in, &a);
	spin_lock_bh(&sw->lock);
	ok &= switch_set_linear_fdb_top(sw, want->linear_fdb_top);
	ok &= switch_set_multicast_fdb_top(info, want->multicast_fdb_top);
	WRITE_ONCE(info->default_port, switch_egress(sw, want->default_port));
	WRITE_ONCE(info->default_multicast_primary,
		   switch_egress(sw, want->default_multicast_primary));
	WRITE_ONCE(info->default_multicast_not_primary,
		   switch_egress(sw, want->default_multicast_not_primary));
	WRITE_ONCE(info->life_time, want->life_time);
	if (want->port_state_change) /* writing 1 clears the bit */
		info->port_state_change = false;
	spin_unlock_bh(&sw->lock);
	return ok ? IB_MGMT_MAD_STATUS_SUCCESS : IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
}

/*
 * Calls a function for each entry of the block that the attribute modifier selects, with the lock
 * of the switch held. @has: whether the table has this block.
 */
static u16 fdb_for_each(struct hca_mad_request *rq, bool has, unsigned int entries,
			void (*entry)(struct hca_mad_request *rq, struct hca_switch *sw,
				      unsigned int i))
{
	struct hca_switch *sw = hca_node_switch(rq->node);
	unsigned int i;

	if (!has)
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	spin_lock_bh(&sw->lock);
	for (i = 0; i < entries; i++)
		entry(rq, sw, i);
	spin_unlock_bh(&sw->lock);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

/*
 * LinearForwardingTable: the egress ports of LIDs. The attribute modifier selects a block of 64
 * LIDs (req C4-162, C4-245).
 */

#define HCA_LFT_BLOCK 64

static bool lft_has(u32 block)
{
	return block < HCA_LFT_CAP / HCA_LFT_BLOCK;
}

static void lft_get(struct hca_mad_request *rq, struct hca_switch *sw, unsigned int i)
{
	rq->out[i] = sw->lft[rq->modifier * HCA_LFT_BLOCK + i];
}

static void lft_set(struct hca_mad_request *rq, struct hca_switch *sw, unsigned int i)
{
	WRITE_ONCE(sw->lft[rq->modifier * HCA_LFT_BLOCK + i], switch_egress(sw, rq->in[i]));
}

u16 hca_linear_forwarding_table_get(struct hca_mad_request *rq)
{
	return fdb_for_each(rq, lft_has(rq->modifier), HCA_LFT_BLOCK, lft_get);
}

u16 hca_linear_forwarding_table_set(struct hca_mad_request *rq)
{
	return fdb_for_each(rq, lft_has(rq->modifier), HCA_LFT_BLOCK, lft_set);
}

/*
 * RandomForwardingTable: each entry contains a LID, an LMC and an egress port, and applies to 2^LMC
 * LIDs. The attribute modifier selects a block of 16 entries (req C4-163, C4-246). If several
 * entries apply to a LID, the first one is used. Packets are always forwarded by the linear table;
 * each Set therefore writes the resulting egress ports to the linear table.
 */

#define HCA_RFT_BLOCK 16
#define HCA_RFT_ENTRY_BYTES 4

static const struct hca_field hca_rft_fields[] = {
	HCA_FIELD(struct hca_rft_entry, lid, 0, 0, 16),
	HCA_FIELD(struct hca_rft_entry, valid, 2, 0, 1),
	HCA_FIELD(struct hca_rft_entry, lmc, 2, 1, 3),
	HCA_FIELD(struct hca_rft_entry, port, 3, 0, 8),
};

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

/* Writes the egress ports of all LIDs of an entry to the linear table. */
static void rft_apply(struct hca_switch *sw, const struct hca_rft_entry *entry)
{
	u32 lid = entry->lid & ~rft_mask(entry), last = entry->lid | rft_mask(entry);

	if (!entry->valid)
		return;
	for (; lid <= last && lid < HCA_LFT_CAP; lid++)
		WRITE_ONCE(sw->lft[lid], rft_egress(sw, lid));
}

static bool rft_has_block(u32 block)
{
	return block < HCA_RFT_CAP / HCA_RFT_BLOCK;
}

static void rft_get(struct hca_mad_request *rq, struct hca_switch *sw, unsigned int i)
{
	hca_fields_pack(hca_rft_fields, ARRAY_SIZE(hca_rft_fields),
			&sw->rft[rq->modifier * HCA_RFT_BLOCK + i],
			rq->out + i * HCA_RFT_ENTRY_BYTES);
}

static void rft_set(struct hca_mad_request *rq, struct hca_switch *sw, unsigned int i)
{
	struct hca_rft_entry *entry = &sw->rft[rq->modifier * HCA_RFT_BLOCK + i], before = *entry;

	hca_fields_unpack(hca_rft_fields, ARRAY_SIZE(hca_rft_fields),
			  rq->in + i * HCA_RFT_ENTRY_BYTES, entry);
	entry->port = switch_egress(sw, entry->port);
	rft_apply(sw, &before);
	rft_apply(sw, entry);
}

u16 hca_random_forwarding_table_get(struct hca_mad_request *rq)
{
	return fdb_for_each(rq, rft_has_block(rq->modifier), HCA_RFT_BLOCK, rft_get);
}

u16 hca_random_forwarding_table_set(struct hca_mad_request *rq)
{
	return fdb_for_each(rq, rft_has_block(rq->modifier), HCA_RFT_BLOCK, rft_set);
}

/*
 * MulticastForwardingTable: the egress ports of multicast LIDs, one bit for each port. The
 * attribute modifier selects 16 ports in bits 31 to 28 and 32 LIDs in bits 8 to 0 (req C4-164,
 * C4-246).
 */

#define HCA_MFT_BLOCK 32

static u32 mft_lids(u32 modifier)
{
	return modifier & 0x0fffffff;
}

static u32 mft_position(u32 modifier)
{
	return modifier >> 28;
}

static bool mft_has(const struct hca_mad_request *rq)
{
	return mft_lids(rq->modifier) < HCA_MFT_CAP / HCA_MFT_BLOCK &&
	       mft_position(rq->modifier) < hca_node_switch(rq->node)->mft_positions;
}

/* Return: a PortMask. Those of one LID are adjacent, one for each position. */
static u16 *mft_entry(const struct hca_switch *sw, u32 modifier, unsigned int i)
{
	return sw->mft + (mft_lids(modifier) * HCA_MFT_BLOCK + i) * sw->mft_positions +
	       mft_position(modifier);
}

/* Return: the mask of the ports that exist at a position. */
static u16 mft_ports(const struct hca_switch *sw, u32 position)
{
	int ports = sw->node.num_ports + 1 - position * HCA_MFT_POSITION_PORTS;

	return ports < HCA_MFT_POSITION_PORTS ? (1u << ports) - 1 : 0xffff;
}

static void mft_get(struct hca_mad_request *rq, struct hca_switch *sw, unsigned int i)
{
	__be16 ports = cpu_to_be16(*mft_entry(sw, rq->modifier, i));

	memcpy(rq->out + i * sizeof(ports), &ports, sizeof(ports));
}

static void mft_set(struct hca_mad_request *rq, struct hca_switch *sw, unsigned int i)
{
	u16 exist = mft_ports(sw, mft_position(rq->modifier));
	__be16 ports;

	memcpy(&ports, rq->in + i * sizeof(ports), sizeof(ports));
	WRITE_ONCE(*mft_entry(sw, rq->modifier, i), be16_to_cpu(ports) & exist);
}

u16 hca_multicast_forwarding_table_get(struct hca_mad_request *rq)
{
	return fdb_for_each(rq, mft_has(rq), HCA_MFT_BLOCK, mft_get);
}

u16 hca_multicast_forwarding_table_set(struct hca_mad_request *rq)
{
	return fdb_for_each(rq, mft_has(rq), HCA_MFT_BLOCK, mft_set);
}
