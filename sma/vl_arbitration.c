// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * VLArbitrationTable: pairs of VL and weight. The attribute modifier selects a block of 32 pairs in
 * bits 31 to 16 (req C4-244) and, on a switch, the port in bits 15 to 0.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include "sma/attribute.h"

#define HCA_VLARB_BLOCK 32

/* The first pair of the selected block; NULL if there is no such block. */
static u8 (*vlarb_block(struct hca_mad_request *rq, struct hca_port **port))[2]
{
	*port = hca_request_port(rq, rq->modifier & 0xffff);
	if (!*port)
		return NULL;
	switch (rq->modifier >> 16) {
	case 1:
		return &(*port)->vlarb_low[0];
	case 2:
		return &(*port)->vlarb_low[HCA_VLARB_BLOCK];
	case 3:
		return &(*port)->vlarb_high[0];
	case 4:
		return &(*port)->vlarb_high[HCA_VLARB_BLOCK];
	default:
		return NULL;
	}
}

u16 hca_vl_arbitration_get(struct hca_mad_request *rq)
{
	struct hca_port *port;
	u8 (*block)[2] = vlarb_block(rq, &port);

	if (!block)
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	spin_lock_bh(&port->lock);
	memcpy(rq->out, block, HCA_VLARB_BLOCK * sizeof(*block));
	spin_unlock_bh(&port->lock);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

u16 hca_vl_arbitration_set(struct hca_mad_request *rq)
{
	struct hca_port *port;
	u8 (*block)[2] = vlarb_block(rq, &port);
	unsigned int i;

	if (!block)
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	spin_lock_bh(&port->lock);
	for (i = 0; i < HCA_VLARB_BLOCK; i++) {
		block[i][0] = rq->in[2 * i] & 0xf;
		block[i][1] = rq->in[2 * i + 1];
	}
	spin_unlock_bh(&port->lock);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}
