// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The subnet management interface, which forwards SMPs, answers them, or passes them to QP0. */
#include "fabric/smi.h"
#include <linux/string.h>
#include "fabric/dr.h"
#include "fabric/forward.h"
#include "packet/payload.h"
#include "trace/hca.h"
#include "wire/opcode.h"
#include "wire/smp.h"

#define HCA_PKEY_DEFAULT 0xffff

/* Return: the 256 octets of the MAD; NULL if the packet is not an SMP (req C4-204, B4-177). */
static struct hca_smp *smi_validate(struct hca_packet *pkt)
{
	const struct hca_headers *h = &pkt->h;
	struct hca_smp *smp;

	if (h->lrh.vl != HCA_VL_MANAGEMENT || h->lrh.lnh != IB_LNH_IBA_LOCAL ||
	    h->bth.opcode != HCA_OPCODE(UD, SEND_ONLY) || h->bth.destqp || h->deth.srcqp ||
	    pkt->payload_length != HCA_MAD_BYTES || pkt->payload_kind == HCA_PAYLOAD_BORROWED)
		return NULL;
	smp = (struct hca_smp *)hca_packet_payload(pkt);
	if (smp->base_version != 1 || (smp->mgmt_class != IB_MGMT_CLASS_SUBN_LID_ROUTED &&
				       smp->mgmt_class != IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE))
		return NULL;
	return smp;
}

/* Write the headers of an SMP, from QP0 to QP0 (req B4-161, C4-185). */
static void smi_address(struct hca_packet *pkt, u16 slid, u16 dlid)
{
	memset(&pkt->h, 0, sizeof(pkt->h));
	pkt->h.lrh.vl = HCA_VL_MANAGEMENT;
	pkt->h.lrh.lnh = IB_LNH_IBA_LOCAL;
	pkt->h.lrh.dlid = dlid;
	pkt->h.lrh.slid = slid;
	pkt->h.bth.opcode = HCA_OPCODE(UD, SEND_ONLY);
	pkt->h.bth.pkey = HCA_PKEY_DEFAULT;
	pkt->payload_length = HCA_MAD_BYTES;
}

/* Send a directed-route SMP with permissive LIDs through @port. */
static void smi_send_directed(struct hca_port *port, struct hca_packet *pkt)
{
	pkt->h.lrh.slid = HCA_LID_PERMISSIVE;
	pkt->h.lrh.dlid = HCA_LID_PERMISSIVE;
	hca_packet_finish(pkt);
	hca_port_send(port, pkt, NULL);
}

/*
 * Send an SMP to the LID in its header. A CA sends the SMP through @port. A switch sends it through
 * the output port of the LID.
 */
static void smi_send_routed(struct hca_port *port, struct hca_packet *pkt)
{
	hca_packet_finish(pkt);
	if (hca_node_is_switch(port->node))
		hca_switch_send_smp(hca_node_switch(port->node), pkt);
	else
		hca_port_send(port, pkt, NULL);
}

/*
 * Forward an SMP at the end of its directed part to the LID in the MAD. The source LID becomes the
 * LID of this switch, at which the directed part of the response starts (C14-9:3, C14-13:3).
 */
static void smi_exit_route(struct hca_port *port, struct hca_packet *pkt,
			   const struct hca_smp *smp)
{
	__be16 lid = hca_smp_is_returning(smp) ? smp->dr_slid : smp->dr_dlid;

	pkt->h.lrh.dlid = be16_to_cpu(lid);
	pkt->h.lrh.slid = READ_ONCE(hca_node_port(port->node, 0)->info.lid);
	smi_send_routed(port, pkt);
}

/* Send a response by the port of the request, unless a directed route leads by another port. */
static void smi_respond(struct hca_port *port, struct hca_packet *rsp)
{
	struct hca_smp *smp = (struct hca_smp *)rsp->data;
	enum hca_dr_step step = HCA_DR_BY_LID;
	u8 exit;

	if (hca_smp_is_directed(smp))
		step = hca_dr_respond(smp, port->node, port->num, &exit);
	switch (step) {
	case HCA_DR_EXIT:
		smi_send_directed(hca_node_port(port->node, exit), rsp);
		break;
	case HCA_DR_BY_LID:
		smi_send_routed(port, rsp);
		break;
	case HCA_DR_HERE: /* the request had no hops; therefore no route leads back over its link */
	case HCA_DR_DISCARD:
		trace_hca_drop(port, rsp, HCA_DROP_DIRECTED_ROUTE);
		hca_packet_free(rsp);
	}
}

/* Handle an SMP at the end of its route. @smp: the SMP in @pkt with an updated hop pointer. */
static void smi_deliver(struct hca_port *port, struct hca_packet *pkt,
			const struct hca_smp *smp)
{
	/* Allocate the response first: a Set that cannot be answered must not be executed. */
	struct hca_packet *rsp = hca_packet_alloc(port->node->pool);

	if (!rsp) {
		trace_hca_drop(port, pkt, HCA_DROP_NO_MEMORY);
		hca_packet_free(pkt);
		return;
	}
	switch (port->node->agent->process(port->node, port->num, pkt->h.lrh.slid,
					   (const struct hca_mad *)smp,
					   (struct hca_mad *)rsp->data, false)) {
	case HCA_AGENT_REPLY:
		smi_address(rsp, pkt->h.lrh.dlid, pkt->h.lrh.slid);
		hca_packet_free(pkt);
		smi_respond(port, rsp);
		return;
	case HCA_AGENT_PASS:
		if (port->ops->manager) {
			port->ops->manager(port, pkt);
			break;
		}
		trace_hca_drop(port, pkt, HCA_DROP_NO_MANAGER);
		hca_packet_free(pkt);
		break;
	case HCA_AGENT_CONSUMED:
		hca_packet_free(pkt);
		break;
	}
	hca_packet_free(rsp);
}

/* Return: whether the SMP is routed by LID to another node, and this switch only relays it. */
static bool smi_is_passing(const struct hca_port *port, const struct hca_packet *pkt)
{
	return hca_node_is_switch(port->node) && pkt->h.lrh.dlid != HCA_LID_PERMISSIVE &&
	       !hca_port_owns_lid(hca_node_port(port->node, 0), pkt->h.lrh.dlid);
}

void hca_smi_receive(struct hca_port *port, struct hca_packet *pkt)
{
	struct hca_smp *wire = smi_validate(pkt);
	enum hca_dr_step step = HCA_DR_HERE;
	struct hca_smp smp;
	u8 exit;

	if (!wire) {
		trace_hca_drop(port, pkt, HCA_DROP_NO_MAD);
		hca_packet_free(pkt);
		return;
	}
	if (smi_is_passing(port, pkt)) {
		hca_switch_relay_smp(port, pkt);
		return;
	}
	smp = *wire;
	if (hca_smp_is_directed(&smp))
		step = hca_dr_arrive(&smp, port->node, port->num,
				     pkt->h.lrh.dlid != HCA_LID_PERMISSIVE, &exit);
	switch (step) {
	case HCA_DR_HERE:
		smi_deliver(port, pkt, &smp);
		break;
	case HCA_DR_EXIT:
		*wire = smp;
		smi_send_directed(hca_node_port(port->node, exit), pkt);
		break;
	case HCA_DR_BY_LID:
		*wire = smp;
		smi_exit_route(port, pkt, &smp);
		break;
	case HCA_DR_DISCARD:
		trace_hca_drop(port, pkt, HCA_DROP_DIRECTED_ROUTE);
		hca_packet_free(pkt);
	}
}

void hca_smi_send_trap(struct hca_port *home, const struct hca_smp *smp)
{
	struct hca_packet *pkt = hca_packet_alloc(home->node->pool);

	if (!pkt)
		return;
	smi_address(pkt, READ_ONCE(home->info.lid), READ_ONCE(home->info.sm_lid));
	memcpy(pkt->data, smp, sizeof(*smp));
	smi_send_routed(home, pkt);
}
