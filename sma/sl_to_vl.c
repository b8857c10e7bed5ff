// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * SLtoVLMappingTable: 16 nibbles, SL 0 first (C4-243). An adapter has one per port and ignores the
 * modifier. A switch has one for each way through it: from the input port (15:8) to the output port
 * (7:0), or from all of them (bit 17) and to all of them (bit 16), where it is of no matter which
 * ports the modifier names besides. A Get of several ways shows the first.
 */
#include <linux/kernel.h>
#include "sma/attribute.h"
#include "sma/switch.h"

#define HCA_SL_TO_VL_ALL_OUTPUTS (1u << 16)
#define HCA_SL_TO_VL_ALL_INPUTS (1u << 17)

#define HCA_SLS 16

/* The ways through a switch that a modifier names. */
struct hca_sl_to_vl_ways {
	u8 in, last_in;
	u8 out, last_out;
};

static bool sl_to_vl_find_ways(const struct hca_mad_request *rq, struct hca_sl_to_vl_ways *ways)
{
	u8 last = rq->node->num_ports;

	*ways = (struct hca_sl_to_vl_ways){ .last_in = last, .last_out = last };
	if (!(rq->modifier & HCA_SL_TO_VL_ALL_INPUTS))
		ways->in = ways->last_in = rq->modifier >> 8;
	if (!(rq->modifier & HCA_SL_TO_VL_ALL_OUTPUTS))
		ways->out = ways->last_out = rq->modifier;
	return rq->modifier < 2 * HCA_SL_TO_VL_ALL_INPUTS && ways->in <= last && ways->out <= last;
}

static void sl_to_vl_pack(const u8 *vl, u8 *data)
{
	unsigned int i;

	for (i = 0; i < HCA_SLS; i += 2)
		data[i / 2] = vl[i] << 4 | vl[i + 1];
}

static void sl_to_vl_unpack(u8 *vl, const u8 *data)
{
	unsigned int i;

	for (i = 0; i < HCA_SLS; i += 2) {
		WRITE_ONCE(vl[i], data[i / 2] >> 4);
		WRITE_ONCE(vl[i + 1], data[i / 2] & 0xf);
	}
}

static u16 switch_sl_to_vl_get(struct hca_mad_request *rq)
{
	struct hca_switch *sw = hca_node_switch(rq->node);
	struct hca_sl_to_vl_ways ways;

	if (!sl_to_vl_find_ways(rq, &ways))
		return HCA_MAD_BAD_VALUE;
	spin_lock_bh(&sw->lock);
	sl_to_vl_pack(hca_switch_sl2vl(sw, ways.in, ways.out), rq->out);
	spin_unlock_bh(&sw->lock);
	return HCA_MAD_OK;
}

static u16 switch_sl_to_vl_set(struct hca_mad_request *rq)
{
	struct hca_switch *sw = hca_node_switch(rq->node);
	struct hca_sl_to_vl_ways ways;
	unsigned int in, out;

	if (!sl_to_vl_find_ways(rq, &ways))
		return HCA_MAD_BAD_VALUE;
	for (in = ways.in; in <= ways.last_in; in++) {
		spin_lock_bh(&sw->lock);
		for (out = ways.out; out <= ways.last_out; out++)
			sl_to_vl_unpack(hca_switch_sl2vl(sw, in, out), rq->in);
		spin_unlock_bh(&sw->lock);
	}
	return HCA_MAD_OK;
}

u16 hca_sl_to_vl_get(struct hca_mad_request *rq)
{
	if (rq->node->type == HCA_NODE_SWITCH)
		return switch_sl_to_vl_get(rq);
	spin_lock_bh(&rq->home->lock);
	sl_to_vl_pack(rq->home->sl2vl, rq->out);
	spin_unlock_bh(&rq->home->lock);
	return HCA_MAD_OK;
}

u16 hca_sl_to_vl_set(struct hca_mad_request *rq)
{
	if (rq->node->type == HCA_NODE_SWITCH)
		return switch_sl_to_vl_set(rq);
	spin_lock_bh(&rq->home->lock);
	sl_to_vl_unpack(rq->home->sl2vl, rq->in);
	spin_unlock_bh(&rq->home->lock);
	return HCA_MAD_OK;
}
