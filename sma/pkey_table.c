// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * P_KeyTable: the attribute modifier selects a block of 32 entries in bits 15 to 0 and, on a
 * switch, the port in bits 31 to 16 (req C4-241). An external port of a switch enforces partitions
 * by its table, whose size is PartitionEnforcementCap (req C4-242).
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include "sma/attribute.h"
#include "sma/switch.h"

#define HCA_PKEY_BLOCK 32

static u32 pkey_cap(const struct hca_port *port)
{
	if (port->node->type == RDMA_NODE_IB_SWITCH && port->num)
		return HCA_PARTITION_ENFORCEMENT_CAP;
	return min_t(u32, port->node->partition_cap, HCA_PKEYS);
}

/* The first entry and the size of the selected block; NULL if there is no such block. */
static u16 *pkey_block(struct hca_mad_request *rq, struct hca_port **port, u32 *count)
{
	u32 first = (rq->modifier & 0xffff) * HCA_PKEY_BLOCK;

	*port = hca_request_port(rq, rq->modifier >> 16);
	if (!*port || first >= pkey_cap(*port))
		return NULL;
	*count = min_t(u32, pkey_cap(*port) - first, HCA_PKEY_BLOCK);
	return &(*port)->pkey[first];
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
