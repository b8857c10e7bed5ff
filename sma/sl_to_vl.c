// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * SLtoVLMappingTable: 16 VLs of four bits each, that of SL 0 first (req C4-243). A channel adapter
 * has one table for each port and ignores the attribute modifier. A switch has one table for each
 * pair of an input port (bits 15 to 8) and an output port (bits 7 to 0). Bit 17 selects all input
 * ports and bit 16 all output ports; the port numbers are then ignored. A Get that selects several
 * pairs returns the table of the first.
 */
#include <linux/kernel.h>
#include "sma/attribute.h"
#include "sma/switch.h"
#include "wire/field.h"

#define HCA_SL_TO_VL_ALL_OUTPUTS (1u << 16)
#define HCA_SL_TO_VL_ALL_INPUTS (1u << 17)

#define HCA_SLS 16
#define HCA_SL_TO_VL_BITS 4

/* The input and output ports that an attribute modifier selects, ends included. */
struct hca_sl_to_vl_range {
	u8 in, last_in;
	u8 out, last_out;
};

static bool sl_to_vl_find_range(const struct hca_mad_request *rq, struct hca_sl_to_vl_range *range)
{
	u8 last = rq->node->num_ports;

	*range = (struct hca_sl_to_vl_range){ .last_in = last, .last_out = last };
	if (!(rq->modifier & HCA_SL_TO_VL_ALL_INPUTS))
		range->in = range->last_in = rq->modifier >> 8;
	if (!(rq->modifier & HCA_SL_TO_VL_ALL_OUTPUTS))
		range->out = range->last_out = rq->modifier;
	return rq->modifier < 2 * HCA_SL_TO_VL_ALL_INPUTS && range->in <= last && range->out <= last;
}

static void sl_to_vl_pack(const u8 *vl, u8 *data)
{
	unsigned int i;

	for (i = 0; i < HCA_SLS; i++)
		hca_field_put(data, i * HCA_SL_TO_VL_BITS, HCA_SL_TO_VL_BITS, vl[i]);
}

static void sl_to_vl_unpack(u8 *vl, const u8 *data)
{
	unsigned int i;

	for (i = 0; i < HCA_SLS; i++)
		WRITE_ONCE(vl[i], hca_field_get(data, i * HCA_SL_TO_VL_BITS, HCA_SL_TO_VL_BITS));
}

static u16 switch_sl_to_vl_get(struct hca_mad_request *rq)
{
	struct hca_switch *sw = hca_node_switch(rq->node);
	struct hca_sl_to_vl_range range;

	if (!sl_to_vl_find_range(rq, &range))
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	spin_lock_bh(&sw->lock);
	sl_to_vl_pack(hca_switch_sl2vl(sw, range.in, range.out), rq->out);
	spin_unlock_bh(&sw->lock);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

static u16 switch_sl_to_vl_set(struct hca_mad_request *rq)
{
	struct hca_switch *sw = hca_node_switch(rq->node);
	struct hca_sl_to_vl_range range;
	unsigned int in, out;

	if (!sl_to_vl_find_range(rq, &range))
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	for (in = range.in; in <= range.last_in; in++) {
		spin_lock_bh(&sw->lock);
		for (out = range.out; out <= range.last_out; out++)
			sl_to_vl_unpack(hca_switch_sl2vl(sw, in, out), rq->in);
		spin_unlock_bh(&sw->lock);
	}
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

u16 hca_sl_to_vl_get(struct hca_mad_request *rq)
{
	if (rq->node->type == RDMA_NODE_IB_SWITCH)
		return switch_sl_to_vl_get(rq);
	spin_lock_bh(&rq->home->lock);
	sl_to_vl_pack(rq->home->sl2vl, rq->out);
	spin_unlock_bh(&rq->home->lock);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

u16 hca_sl_to_vl_set(struct hca_mad_request *rq)
{
	if (rq->node->type == RDMA_NODE_IB_SWITCH)
		return switch_sl_to_vl_set(rq);
	spin_lock_bh(&rq->home->lock);
	sl_to_vl_unpack(rq->home->sl2vl, rq->in);
	spin_unlock_bh(&rq->home->lock);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}
