// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* From the port to the queue pair: what every transport checks of a packet (IBA 9.6.1). */
#include <linux/bits.h>
#include "transport/multicast.h"
#include "transport/qp_table.h"
#include "transport/receive.h"
#include "transport/send.h"
#include "wire/opcode.h"

/* Responses that wait for their queue pair's run; more than a window is no honest peer's. */
#define HCA_MAX_QUEUED_RESPONSES 1024

static const u8 hca_transport_of[] = {
	[HCA_QPT_SMI] = HCA_TRANSPORT_UD, [HCA_QPT_GSI] = HCA_TRANSPORT_UD,
	[HCA_QPT_RC] = HCA_TRANSPORT_RC,  [HCA_QPT_UC] = HCA_TRANSPORT_UC,
	[HCA_QPT_UD] = HCA_TRANSPORT_UD,
};

static void hca_pkey_violation(struct hca_port *port)
{
	spin_lock(&port->lock);
	if (port->info.p_key_violations != 0xffff)
		port->info.p_key_violations++;
	spin_unlock(&port->lock);
}

/* QP0 belongs to every partition, QP1 to all of the port's, others to one (C10-123 ff). */
static bool hca_pkey_ok(struct hca_qp *qp, struct hca_packet *pkt)
{
	struct hca_port *port = qp->port;
	int index = qp->attr.pkey_index;

	if (qp->type == HCA_QPT_SMI)
		index = 0;
	else if (qp->type == HCA_QPT_GSI)
		index = hca_port_find_pkey(port, pkt->h.bth.pkey);
	else if (!hca_pkey_match(READ_ONCE(port->pkey[index]), pkt->h.bth.pkey))
		index = -1;
	if (index < 0) {
		hca_pkey_violation(port);
		return false;
	}
	pkt->pkey_index = index;
	return true;
}

/* A connection takes packets from its peer's address only (B4-042). */
static bool hca_source_ok(const struct hca_qp *qp, const struct hca_packet *pkt)
{
	return qp->type != HCA_QPT_RC || pkt->h.lrh.slid == READ_ONCE(qp->attr.av.dlid);
}

bool hca_packet_ok(struct hca_qp *qp, struct hca_port *port, struct hca_packet *pkt)
{
	u8 state = READ_ONCE(qp->state);

	return qp->port == port && state != HCA_QPS_RESET && state != HCA_QPS_INIT &&
	       pkt->h.bth.tver == 0 &&
	       hca_opcode_transport(pkt->h.bth.opcode) == hca_transport_of[qp->type] &&
	       hca_opcodes[pkt->h.bth.opcode].name && hca_pkey_ok(qp, pkt) &&
	       hca_source_ok(qp, pkt);
}

static void hca_queue_response(struct hca_qp *qp, struct hca_packet *pkt)
{
	if (atomic_inc_return(&qp->num_responses) > HCA_MAX_QUEUED_RESPONSES) {
		atomic_dec(&qp->num_responses);
		hca_packet_free(pkt);
		return;
	}
	llist_add(&pkt->node, &qp->responses);
	hca_qp_kick(qp);
}

static struct hca_qp *hca_find_qp(struct hca_port *port, const struct hca_packet *pkt)
{
	struct hca_ca *ca = container_of(port->node, struct hca_ca, node);
	u32 qpn = pkt->h.bth.destqp;

	/* QP0 is reached by VL15 only, all others by data VLs only (IBA 7.6.4). */
	if ((pkt->h.lrh.vl == HCA_VL_MANAGEMENT) != (qpn == 0))
		return NULL;
	return qpn < 2 ? hca_qp_get_special(ca, port->num, qpn) : hca_qp_get(ca, qpn);
}

void hca_transport_receive(struct hca_port *port, struct hca_packet *pkt)
{
	struct hca_qp *qp = NULL;

	if (pkt->h.lrh.lnh >= HCA_LNH_BTH && hca_lid_is_multicast(pkt->h.lrh.dlid)) {
		if (pkt->h.bth.destqp == HCA_QPN_MULTICAST)
			hca_multicast_receive(port, pkt);
		hca_packet_free(pkt);
		return;
	}
	if (pkt->h.lrh.lnh >= HCA_LNH_BTH)
		qp = hca_find_qp(port, pkt);
	if (!qp) {
		hca_packet_free(pkt);
		return;
	}
	if (!hca_packet_ok(qp, port, pkt))
		hca_packet_free(pkt);
	else if (qp->type != HCA_QPT_RC)
		hca_datagram_receive(qp, pkt);
	else if (hca_opcodes[pkt->h.bth.opcode].flags & HCA_IS_RESPONSE)
		hca_queue_response(qp, pkt);
	else
		hca_responder_receive(qp, pkt);
	hca_qp_put(qp);
}
