// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Flow control of a port: processes received flow-control packets. */
#include "link/credit/flow_receive.h"
#include <linux/rcupdate.h>
#include "link/credit/credit.h"
#include "link/credit/flow_state.h"
#include "link/port/port.h"
#include "link/tap/tap.h"
#include "wire/flow.h"

/* The fields that are used of a received flow-control packet. */
enum flow_use {
	FLOW_NONE, /* no field */
	FLOW_EXCHANGED, /* FCTBS and FCCL */
	FLOW_LAST, /* FCTBS and FCCL of a last flow-control packet */
	FLOW_REPEATED, /* FCCL of a last flow-control packet whose FCTBS has been processed */
};

/*
 * Use FCCL of a last flow-control packet only while this port still sends its own last ones.
 * Otherwise the packet is late, and the port already uses a newer limit: the one in the peer's
 * memory, or the one that hca_flow_begin() has saved.
 */
static void flow_accept_last_limit(struct hca_port *port, const struct hca_flow *flow)
{
	u32 *limit = &port->flow.fccl_received[flow->vl];

	spin_lock(&port->tx.lock);
	if (hca_credit_sends_last(port->flow.state))
		WRITE_ONCE(*limit, hca_flow_extend(port->tx.fctbs[flow->vl], flow->fccl));
	spin_unlock(&port->tx.lock);
}

/* Process one flow-control packet. Return: whether it is valid (req C4-160). */
static bool flow_accept(struct hca_port *port, const u8 *octets, enum flow_use use)
{
	bool last = use != FLOW_EXCHANGED;
	struct hca_flow flow;

	if (hca_flow_parse(&flow, octets, HCA_FLOW_BYTES)) {
		hca_count(port, HCA_CTR_LOCAL_PHYSICAL_ERRORS, 1);
		return false;
	}
	if (flow.vl >= (last ? HCA_DATA_VLS : hca_flow_vls(port))) {
		hca_count(port, HCA_CTR_MALFORMED_PACKET_ERRORS, 1);
		return false;
	}
	hca_count(port, HCA_CTR_RCV_FLOW_PACKETS, 1);
	if (use != FLOW_REPEATED)
		hca_rx_buffer_correct(port, flow.vl, flow.fctbs);
	if (last)
		flow_accept_last_limit(port, &flow);
	else
		WRITE_ONCE(port->flow.fccl_received[flow.vl],
			   hca_flow_extend(READ_ONCE(port->tx.fctbs[flow.vl]), flow.fccl));
	if (flow.op == HCA_FLOW_NORMAL)
		WRITE_ONCE(port->flow.past_init, true);
	/* A remote port that sends operand Init has lost the link before this port noticed. */
	if (flow.op == HCA_FLOW_INIT && READ_ONCE(port->info.state) == IB_PORT_ACTIVE &&
	    !rcu_access_pointer(port->peer))
		hca_link_event_raise(port, HCA_LINK_LOST);
	return true;
}

/*
 * Let the peer read the credit limit of @port in memory, since each packet of the peer has arrived
 * or is known to be lost. If another processor has called hca_flow_begin() meanwhile, the ports
 * ignore the events. Flow-control packets cannot end again before this function returns, since
 * hca_flow_begin() waits for an RCU grace period.
 */
static void flow_share(struct hca_port *port)
{
	struct hca_port *sender = rcu_dereference_bh(port->peer);

	if (!sender)
		return;
	spin_lock(&sender->tx.lock);
	hca_flow_event(sender, port, HCA_CREDIT_LAST_SENT);
	spin_unlock(&sender->tx.lock);
	spin_lock(&port->tx.lock);
	hca_flow_event(port, sender, HCA_CREDIT_LAST_RECEIVED);
	spin_unlock(&port->tx.lock);
	hca_port_wake(sender);
}

/*
 * Return: the fields of @pkt that are used. A last flow-control packet is ignored in two cases:
 *
 * - The sender has called hca_flow_begin() after it sent the packet. Newer flow-control packets
 *   follow. They do not cover VLs that have been closed meanwhile, and could therefore not correct
 *   an ABR that this packet would set on such a VL.
 * - This port has not begun to end flow-control packets. The sender repeats the packet.
 *
 * After this port has processed the last flow-control packets, the sender reads the limits in
 * memory and hands packets over in any order. FCTBS of a repeated last packet is therefore
 * meaningless; FCCL is used as long as this port needs it.
 */
static enum flow_use flow_use(const struct hca_port *port, const struct hca_packet *pkt)
{
	const struct hca_port *sender = rcu_dereference_bh(port->peer);
	enum hca_credit_state state = hca_flow_state(port);

	if (!(pkt->flags & HCA_PACKET_LAST))
		return FLOW_EXCHANGED;
	if (!sender || READ_ONCE(sender->flow.round) != pkt->flow_round)
		return FLOW_NONE;
	if (hca_credit_sends_last(hca_flow_state(sender)))
		return hca_credit_awaits_last(state) ? FLOW_LAST : FLOW_NONE;
	return state == HCA_CREDIT_ENDING_RX ? FLOW_REPEATED : FLOW_NONE;
}

void hca_flow_receive(struct hca_port *port, struct hca_packet *pkt)
{
	struct hca_flow_control *flow = &port->flow;
	enum flow_use use = flow_use(port, pkt);
	bool any = false;
	unsigned int i;

	hca_port_flow(port, pkt->data, pkt->payload_length, HCA_TAP_IN);
	if (use == FLOW_NONE) {
		hca_packet_free(pkt);
		return;
	}
	for (i = 0; i + HCA_FLOW_BYTES <= pkt->payload_length; i += HCA_FLOW_BYTES)
		any |= flow_accept(port, pkt->data + i, use);
	if (use == FLOW_LAST)
		flow_share(port);
	hca_packet_free(pkt);
	if (!any)
		return;
	WRITE_ONCE(flow->silent, 0);
	hca_port_wake(port);
	if (READ_ONCE(flow->no_flow_control)) {
		WRITE_ONCE(flow->no_flow_control, false);
		hca_link_event_raise(port, HCA_LINK_READY);
	}
}
