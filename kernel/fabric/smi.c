// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The subnet management interface: what VL15 brings is routed on, answered, or handed to QP0. */
#include <linux/string.h>
#include "fabric/dr.h"
#include "fabric/smi.h"
#include "sma/agent.h"
#include "sma/smp.h"
#include "wire/opcode.h"

#define HCA_PKEY_DEFAULT 0xffff

/* The packet's 256 octets; NULL if it is no SMP (C4-204, B4-177). */
static struct hca_smp *hca_smi_validate(struct hca_packet *pkt)
{
	const struct hca_headers *h = &pkt->h;
	struct hca_smp *smp;

	if (h->lrh.vl != HCA_VL_MANAGEMENT || h->lrh.lnh != HCA_LNH_BTH ||
	    h->bth.opcode != HCA_OPCODE(UD, SEND_ONLY) || h->bth.destqp || h->deth.srcqp ||
	    pkt->payload_length != HCA_MAD_BYTES || pkt->payload_kind == HCA_PAYLOAD_BORROWED)
		return NULL;
	smp = (struct hca_smp *)(pkt->payload_kind == HCA_PAYLOAD_GATHERED ? pkt->buffer :
									     pkt->data);
	if (smp->base_version != 1 || (smp->mgmt_class != HCA_CLASS_SUBN_LID &&
				       smp->mgmt_class != HCA_CLASS_SUBN_DIRECTED))
		return NULL;
	return smp;
}

/* The response's headers: QP0 to QP0, LIDs swapped (B4-161, C4-185). */
static void hca_smi_address(struct hca_packet *rsp, const struct hca_packet *rq)
{
	memset(&rsp->h, 0, sizeof(rsp->h));
	rsp->h.lrh.vl = HCA_VL_MANAGEMENT;
	rsp->h.lrh.lnh = HCA_LNH_BTH;
	rsp->h.lrh.dlid = rq->h.lrh.slid;
	rsp->h.lrh.slid = rq->h.lrh.dlid;
	rsp->h.bth.opcode = HCA_OPCODE(UD, SEND_ONLY);
	rsp->h.bth.pkey = HCA_PKEY_DEFAULT;
	rsp->payload_length = HCA_MAD_BYTES;
}

/* A directed route's links are crossed under permissive LIDs. */
static void hca_smi_send_directed(struct hca_port *port, struct hca_packet *pkt)
{
	pkt->h.lrh.slid = HCA_LID_PERMISSIVE;
	pkt->h.lrh.dlid = HCA_LID_PERMISSIVE;
	pkt->flags &= ~HCA_PACKET_LOOPBACK;
	hca_packet_finish(pkt);
	hca_port_send(port, pkt, NULL);
}

/* From the port the request came in by, but where a directed route says otherwise. */
static void hca_smi_respond(struct hca_port *port, struct hca_packet *rsp)
{
	struct hca_smp *smp = (struct hca_smp *)rsp->data;
	enum hca_dr_step step = HCA_DR_BY_LID;
	u8 exit;

	if (hca_smp_is_directed(smp))
		step = hca_dr_respond(smp, port->node, port->num, &exit);
	switch (step) {
	case HCA_DR_EXIT:
		hca_smi_send_directed(hca_node_port(port->node, exit), rsp);
		break;
	case HCA_DR_BY_LID:
		hca_packet_finish(rsp);
		hca_port_send(port, rsp, NULL);
		break;
	case HCA_DR_HERE: /* no hop, yet over a link: there is no way back */
	case HCA_DR_DISCARD:
		hca_packet_free(rsp);
	}
}

/* At its route's end: @smp is the packet's as this SMI has updated it. */
static void hca_smi_deliver(struct hca_port *port, struct hca_packet *pkt,
			    const struct hca_smp *smp)
{
	/* First what the answer goes in: a Set that cannot be answered is better not begun. */
	struct hca_packet *rsp = hca_packet_alloc(port->node->pool);

	if (!rsp) {
		hca_packet_free(pkt);
		return;
	}
	switch (hca_agent_process(port->node, port->num, (const struct hca_mad *)smp,
				  (struct hca_mad *)rsp->data, false)) {
	case HCA_AGENT_REPLY:
		hca_smi_address(rsp, pkt);
		hca_packet_free(pkt);
		hca_smi_respond(port, rsp);
		return;
	case HCA_AGENT_PASS:
		port->ops->receive(port, pkt);
		break;
	case HCA_AGENT_CONSUMED:
		hca_packet_free(pkt);
		break;
	}
	hca_packet_free(rsp);
}

void hca_smi_receive(struct hca_port *port, struct hca_packet *pkt)
{
	struct hca_smp *wire = hca_smi_validate(pkt);
	enum hca_dr_step step = HCA_DR_HERE;
	struct hca_smp smp;
	u8 exit;

	if (!wire) {
		hca_packet_free(pkt);
		return;
	}
	smp = *wire;
	if (hca_smp_is_directed(&smp))
		step = hca_dr_arrive(&smp, port->node, port->num, &exit);
	switch (step) {
	case HCA_DR_HERE:
		hca_smi_deliver(port, pkt, &smp);
		break;
	case HCA_DR_EXIT:
		*wire = smp;
		hca_smi_send_directed(hca_node_port(port->node, exit), pkt);
		break;
	case HCA_DR_BY_LID: /* takes a forwarding table, which no node has yet */
	case HCA_DR_DISCARD:
		hca_packet_free(pkt);
	}
}
