// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* SwitchInfo: capabilities of a switch and parameters of its forwarding (req C4-232, C4-233). */
#include <linux/kernel.h>
#include "sma/attribute.h"
#include "wire/field.h"
#include "sma/switch.h"

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
	FIELD(linear_fdb_cap, 0, 0, 16), /* a switch has either this table or the random one, */
	FIELD(random_fdb_cap, 2, 0, 16), /* and the capacity of the other one is 0 (req C4-245) */
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

static bool set_linear_fdb_top(struct hca_switch *sw, u16 top)
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
 * multicast LID, means that none has one; 0 means that the whole table is used.
 */
static bool set_multicast_fdb_top(struct hca_switch_info *info, u16 top)
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
	ok &= set_linear_fdb_top(sw, want->linear_fdb_top);
	ok &= set_multicast_fdb_top(info, want->multicast_fdb_top);
	WRITE_ONCE(info->default_port, hca_switch_egress(sw, want->default_port));
	WRITE_ONCE(info->default_multicast_primary,
		   hca_switch_egress(sw, want->default_multicast_primary));
	WRITE_ONCE(info->default_multicast_not_primary,
		   hca_switch_egress(sw, want->default_multicast_not_primary));
	WRITE_ONCE(info->life_time, want->life_time);
	if (want->port_state_change) /* writing 1 clears the bit */
		info->port_state_change = false;
	spin_unlock_bh(&sw->lock);
	return ok ? IB_MGMT_MAD_STATUS_SUCCESS : IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
}
