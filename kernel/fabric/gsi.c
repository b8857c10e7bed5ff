// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The general services interface (GSI) of nodes without queue pairs, which answers GMPs. */
#include "fabric/gsi.h"
#include <linux/string.h>
#include "fabric/forward.h"
#include "link/port/notice.h"
#include "packet/payload.h"
#include "trace/hca.h"
#include "wire/mad.h"
#include "wire/opcode.h"

#define HCA_GSI_QPN 1
#define HCA_GSI_QKEY 0x80010000 /* req C4-289 */

/* Check the headers (IBA 9.6.1). Multicast LIDs fail, since the node is in no multicast group. */
static bool gsi_headers_ok(const struct hca_port *port, const struct hca_packet *pkt)
{
	const struct hca_headers *h = &pkt->h;

	if (hca_packet_is_raw(pkt) || h->bth.tver || !hca_port_owns_lid(port, h->lrh.dlid))
		return false;
	return !hca_packet_has_grh(pkt) ||
	       (h->grh.ipver == HCA_GRH_IPVER && h->grh.nxthdr == HCA_GRH_NXTHDR_IBA &&
		hca_port_has_gid(port, &h->grh.dgid));
}

/* Return: the 256 octets of the MAD; NULL if the packet is not a GMP for this port. */
static const struct hca_mad *gsi_validate(struct hca_port *port, struct hca_packet *pkt)
{
	const struct hca_headers *h = &pkt->h;
	int index;

	if (!gsi_headers_ok(port, pkt) || h->bth.opcode != HCA_OPCODE(UD, SEND_ONLY) ||
	    h->bth.destqp != HCA_GSI_QPN || pkt->payload_length != HCA_MAD_BYTES ||
	    pkt->payload_kind == HCA_PAYLOAD_BORROWED)
		return NULL;
	index = hca_port_find_pkey(port, h->bth.pkey);
	if (index < 0) {
		hca_port_pkey_violation(port, pkt);
		return NULL;
	}
	if (h->deth.qkey != HCA_GSI_QKEY) {
		hca_port_qkey_violation(port, pkt);
		return NULL;
	}
	pkt->pkey_index = index;
	return (const struct hca_mad *)hca_packet_payload(pkt);
}

/*
 * Return: the P_Key of the response: the full member's P_Key if the port's table contains it, and
 * otherwise the table's entry that has matched the request.
 */
static u16 gsi_pkey(const struct hca_port *port, const struct hca_packet *rq)
{
	u16 full = rq->h.bth.pkey | HCA_PKEY_FULL;
	unsigned int i;

	for (i = 0; i < HCA_PKEYS; i++)
		if (READ_ONCE(port->tables.pkey[i]) == full)
			return full;
	return READ_ONCE(port->tables.pkey[rq->pkey_index]);
}

/*
 * Write the headers of @rsp, a response to the sender of @rq, with partition and SL of @rq (req
 * B4-161).
 */
static void gsi_address(struct hca_port *port, struct hca_packet *rsp,
			const struct hca_packet *rq)
{
	struct hca_headers *h = &rsp->h;

	memset(h, 0, sizeof(*h));
	h->lrh.sl = rq->h.lrh.sl;
	h->lrh.lnh = rq->h.lrh.lnh;
	h->lrh.dlid = rq->h.lrh.slid;
	h->lrh.slid = rq->h.lrh.dlid;
	if (hca_packet_has_grh(rq)) {
		h->grh = rq->h.grh;
		h->grh.sgid = rq->h.grh.dgid;
		h->grh.dgid = rq->h.grh.sgid;
		h->grh.hoplmt = 0xff;
	}
	h->bth.opcode = HCA_OPCODE(UD, SEND_ONLY);
	h->bth.pkey = gsi_pkey(port, rq);
	h->bth.destqp = rq->h.deth.srcqp;
	h->deth.qkey = HCA_GSI_QKEY;
	h->deth.srcqp = HCA_GSI_QPN;
	rsp->payload_length = HCA_MAD_BYTES;
	hca_packet_finish(rsp);
}

static void gsi_send(struct hca_port *port, struct hca_packet *rsp)
{
	if (port->node->type == RDMA_NODE_IB_SWITCH)
		hca_switch_send(hca_node_switch(port->node), rsp);
	else if (!hca_port_send(port, rsp, NULL))
		hca_packet_free(rsp);
}

void hca_gsi_receive(struct hca_port *port, struct hca_packet *pkt)
{
	const struct hca_mad *mad = gsi_validate(port, pkt);
	struct hca_packet *rsp = mad ? hca_packet_alloc(port->node->pool) : NULL;

	if (rsp && port->node->agent->process(port->node, port->num, pkt->h.lrh.slid, mad,
					      (struct hca_mad *)rsp->data, false) ==
			   HCA_AGENT_REPLY) {
		gsi_address(port, rsp, pkt);
		gsi_send(port, rsp);
	} else if (rsp) {
		hca_packet_free(rsp);
	}
	if (!rsp)
		trace_hca_drop(port, pkt, mad ? HCA_DROP_NO_MEMORY : HCA_DROP_NO_MAD);
	hca_packet_free(pkt);
}
