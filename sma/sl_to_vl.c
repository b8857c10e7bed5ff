// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * SLtoVLMappingTable: 16 nibbles, SL 0 first (C4-243). An adapter has one per port and ignores the
 * modifier; a switch's modifier is the input port (15:8), which its ports do not tell apart yet,
 * and the output port (7:0).
 */
#include <linux/kernel.h>
#include "sma/attribute.h"

u16 hca_sl_to_vl_get(struct hca_mad_request *rq)
{
	struct hca_port *port = hca_request_port(rq, rq->modifier & 0xff);
	unsigned int i;

	if (!port)
		return HCA_MAD_BAD_VALUE;
	spin_lock_bh(&port->lock);
	for (i = 0; i < ARRAY_SIZE(port->sl2vl); i += 2)
		rq->out[i / 2] = port->sl2vl[i] << 4 | port->sl2vl[i + 1];
	spin_unlock_bh(&port->lock);
	return HCA_MAD_OK;
}

u16 hca_sl_to_vl_set(struct hca_mad_request *rq)
{
	struct hca_port *port = hca_request_port(rq, rq->modifier & 0xff);
	unsigned int i;

	if (!port)
		return HCA_MAD_BAD_VALUE;
	spin_lock_bh(&port->lock);
	for (i = 0; i < ARRAY_SIZE(port->sl2vl); i += 2) {
		WRITE_ONCE(port->sl2vl[i], rq->in[i / 2] >> 4);
		WRITE_ONCE(port->sl2vl[i + 1], rq->in[i / 2] & 0xf);
	}
	spin_unlock_bh(&port->lock);
	return HCA_MAD_OK;
}
