// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The attributes that are tables of a port: GUIDInfo, P_KeyTable, SLtoVLMappingTable and
 * VLArbitrationTable. The attribute modifier selects a part of a table.
 */
#include <linux/kernel.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include "fabric/switch.h"
#include "sma/attribute.h"
#include "wire/field.h"

/*
 * P_KeyTable: the attribute modifier selects a block of 32 entries in bits 15 to 0 and, on a
 * switch, the port in bits 31 to 16 (req C4-241). An external port of a switch enforces partitions
 * by its table, whose size is PartitionEnforcementCap (req C4-242).
 */

#define HCA_PKEY_BLOCK 32

static u32 pkey_cap(const struct hca_port *port)
{
	if (port->node->type == RDMA_NODE_IB_SWITCH && port->num)
		return HCA_PARTITION_ENFORCEMENT_CAP;
	return min_t(u32, port->node->partition_cap, HCA_PKEYS);
}

/* Return: the first entry of the selected block; or NULL. *@count is set to the block's size. */
static u16 *pkey_block(struct hca_mad_request *rq, struct hca_port **port, u32 *count)
{
	u32 first = (rq->modifier & 0xffff) * HCA_PKEY_BLOCK;

	*port = hca_request_port(rq, rq->modifier >> 16);
	if (!*port || first >= pkey_cap(*port))
		return NULL;
	*count = min_t(u32, pkey_cap(*port) - first, HCA_PKEY_BLOCK);
	return &(*port)->tables.pkey[first];
}

u16 hca_pkey_table_get(struct hca_mad_request *rq)
{
	struct hca_port *port;
	__be16 pkey;
	u16 *block;
	u32 i, n;

	block = pkey_block(rq, &port, &n);
	if (!block)
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	spin_lock_bh(&port->lock);
	for (i = 0; i < n; i++) {
		pkey = cpu_to_be16(block[i]);
		memcpy(rq->out + i * sizeof(pkey), &pkey, sizeof(pkey));
	}
	spin_unlock_bh(&port->lock);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

u16 hca_pkey_table_set(struct hca_mad_request *rq)
{
	struct hca_port *port;
	bool changed = false;
	__be16 pkey;
	u16 *block;
	u32 i, n;

	block = pkey_block(rq, &port, &n);
	if (!block)
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	spin_lock_bh(&port->lock);
	for (i = 0; i < n; i++) {
		memcpy(&pkey, rq->in + i * sizeof(pkey), sizeof(pkey));
		changed |= block[i] != be16_to_cpu(pkey);
		WRITE_ONCE(block[i], be16_to_cpu(pkey));
	}
	spin_unlock_bh(&port->lock);
	if (changed)
		hca_port_event(port, HCA_EVENT_PKEY_CHANGE);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

/* GUIDInfo: a port's GUIDs. The attribute modifier selects a block of eight GUIDs (req C4-234). */

#define HCA_GUID_BLOCK 8

u16 hca_guid_info_get(struct hca_mad_request *rq)
{
	struct hca_port *port = rq->home;

	if (rq->modifier >= HCA_GUIDS / HCA_GUID_BLOCK)
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	spin_lock_bh(&port->lock);
	memcpy(rq->out, &port->tables.guid[rq->modifier * HCA_GUID_BLOCK],
	       HCA_GUID_BLOCK * sizeof(__be64));
	spin_unlock_bh(&port->lock);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

u16 hca_guid_info_set(struct hca_mad_request *rq)
{
	/* GUID 0 is the port's own and is read-only (IBA 14.2.5.5). */
	u32 first = rq->modifier ? 0 : 1;
	struct hca_port *port = rq->home;
	bool changed = false;
	__be64 guid;
	u32 i;

	if (rq->modifier >= HCA_GUIDS / HCA_GUID_BLOCK)
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	spin_lock_bh(&port->lock);
	for (i = first; i < HCA_GUID_BLOCK; i++) {
		__be64 *entry = &port->tables.guid[rq->modifier * HCA_GUID_BLOCK + i];

		memcpy(&guid, rq->in + i * sizeof(guid), sizeof(guid));
		changed |= guid != *entry;
		*entry = guid;
	}
	spin_unlock_bh(&port->lock);
	if (changed)
		hca_port_event(port, HCA_EVENT_GID_CHANGE);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

/*
 * SLtoVLMappingTable: 16 VLs of four bits each, beginning with the VL of SL 0 (req C4-243). A CA
 * has one table for each port and ignores the attribute modifier. A switch has one table for each
 * pair of an input port (bits 15 to 8) and an output port (bits 7 to 0). Bit 17 selects all input
 * ports and bit 16 all output ports; the port numbers are then ignored. A Get that selects several
 * pairs returns the table of the first.
 */

#define HCA_SL_TO_VL_ALL_OUTPUTS (1u << 16)
#define HCA_SL_TO_VL_ALL_INPUTS (1u << 17)

#define HCA_SLS 16
#define HCA_SL_TO_VL_BITS 4

/* The ranges of input and output ports that an attribute modifier selects, both ends included. */
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
	return rq->modifier < 2 * HCA_SL_TO_VL_ALL_INPUTS && range->in <= last &&
	       range->out <= last;
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
	sl_to_vl_pack(rq->home->tables.sl2vl, rq->out);
	spin_unlock_bh(&rq->home->lock);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

u16 hca_sl_to_vl_set(struct hca_mad_request *rq)
{
	if (rq->node->type == RDMA_NODE_IB_SWITCH)
		return switch_sl_to_vl_set(rq);
	spin_lock_bh(&rq->home->lock);
	sl_to_vl_unpack(rq->home->tables.sl2vl, rq->in);
	spin_unlock_bh(&rq->home->lock);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

/*
 * VLArbitrationTable: pairs of VL and weight. The attribute modifier selects a block of 32 pairs in
 * bits 31 to 16 (req C4-244) and, on a switch, the port in bits 15 to 0.
 */

#define HCA_VLARB_BLOCK 32

/*
 * Return: the table that contains the selected block; NULL if the block is unknown. *@first is set
 * to the index of the first pair of the block.
 */
static struct hca_vlarb_table *vlarb_block(struct hca_mad_request *rq, struct hca_port **port,
					   unsigned int *first)
{
	u16 block = rq->modifier >> 16;

	*port = hca_request_port(rq, rq->modifier & 0xffff);
	if (!*port || block < 1 || block > 4)
		return NULL;
	*first = (block - 1) % 2 * HCA_VLARB_BLOCK;
	return block <= 2 ? &(*port)->tables.vlarb_low : &(*port)->tables.vlarb_high;
}

u16 hca_vl_arbitration_get(struct hca_mad_request *rq)
{
	struct hca_vlarb_table *table;
	struct hca_port *port;
	unsigned int first;

	table = vlarb_block(rq, &port, &first);
	if (!table)
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	spin_lock_bh(&port->lock);
	memcpy(rq->out, table->entry[first], HCA_VLARB_BLOCK * sizeof(*table->entry));
	spin_unlock_bh(&port->lock);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

u16 hca_vl_arbitration_set(struct hca_mad_request *rq)
{
	struct hca_vlarb_table *table;
	unsigned int first, i;
	struct hca_port *port;

	table = vlarb_block(rq, &port, &first);
	if (!table)
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	spin_lock_bh(&port->lock);
	for (i = 0; i < HCA_VLARB_BLOCK; i++)
		hca_vlarb_set(table, first + i, rq->in[2 * i] & 0xf, rq->in[2 * i + 1]);
	spin_unlock_bh(&port->lock);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}
