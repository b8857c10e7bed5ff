// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Checks of received packets that all transports share, between the port and the queue pair (IBA
 * 9.6.1).
 */
#include <linux/bits.h>
#include "link/notice.h"
#include "link/tap.h"
#include "transport/datagram.h"
#include "transport/iba_qp.h"
#include "transport/migrate.h"
#include "transport/multicast.h"
#include "transport/qp_table.h"
#include "transport/raw.h"
#include "transport/rd_eec.h"
#include "transport/responder.h"
#include "transport/unreliable.h"

/*
 * Maximum number of responses that wait for the EE context's run; a correct peer sends at most a
 * window.
 */
#define HCA_MAX_QUEUED_RESPONSES 1024

/* Report a dropped packet to traces and taps. Return: false. */
static bool refuse(struct hca_port *port, const struct hca_packet *pkt,
		   enum hca_drop_reason reason)
{
	hca_trace_drop(port, pkt, reason);
	return false;
}

static bool pkey_violation(struct hca_port *port, const struct hca_packet *pkt)
{
	hca_port_pkey_violation(port, pkt);
	return refuse(port, pkt, HCA_DROP_P_KEY);
}

/*
 * A connection accepts only packets that arrive on its path (req B4-042), or on the alternate path
 * if it may migrate.
 */
static bool path_ok(struct hca_eec *eec, struct hca_port *port, const struct hca_packet *pkt)
{
	const struct hca_qp_attr *attr = &eec->attr;
	u16 pkey_index = attr->pkey_index;

	if (READ_ONCE(eec->port) != port || pkt->h.lrh.slid != READ_ONCE(attr->av.dlid)) {
		if (!hca_migrates_by(eec, port, pkt))
			return refuse(port, pkt, HCA_DROP_NOT_PEERS);
		pkey_index = attr->alt_pkey_index;
	}
	if (!hca_pkey_match(READ_ONCE(port->tables.pkey[pkey_index]), pkt->h.bth.pkey))
		return pkey_violation(port, pkt);
	return hca_migrate_is_idle(eec, pkt) || hca_migrate_receive(eec, port, pkt) ||
	       refuse(port, pkt, HCA_DROP_NOT_PEERS);
}

static void queue_response(struct hca_eec *eec, struct hca_packet *pkt)
{
	if (atomic_inc_return(&eec->num_responses) > HCA_MAX_QUEUED_RESPONSES) {
		atomic_dec(&eec->num_responses);
		hca_packet_free(pkt);
		return;
	}
	llist_add(&pkt->node, &eec->responses);
	hca_eec_kick(eec);
}

/* Receive a packet for a connection or RD EE context, and free it. */
static void eec_receive(struct hca_eec *eec, struct hca_port *port, struct hca_packet *pkt)
{
	if (!hca_eec_fits(eec, pkt)) {
		refuse(port, pkt, HCA_DROP_QP_STATE);
		hca_packet_free(pkt);
	} else if (!path_ok(eec, port, pkt)) {
		hca_packet_free(pkt);
	} else if (hca_opcodes[pkt->h.bth.opcode].flags & HCA_IS_RESPONSE) {
		queue_response(eec, pkt);
	} else if (eec->transport == HCA_TRANSPORT_UC) {
		hca_unreliable_receive(eec, pkt);
	} else {
		hca_responder_receive(eec, pkt);
	}
}

static void qp_receive(struct hca_qp *qp, struct hca_port *port, struct hca_packet *pkt)
{
	if (hca_qp_eec(qp)->transport != HCA_TRANSPORT_UD)
		eec_receive(hca_qp_eec(qp), port, pkt);
	else
		hca_datagram_receive(qp, port, pkt);
}

static struct hca_qp *find_qp(struct hca_port *port, const struct hca_packet *pkt)
{
	struct hca_ca *ca = container_of(port->node, struct hca_ca, node);
	u32 qpn = pkt->h.bth.destqp;

	/* Only VL15 reaches QP0, and only data VLs reach all other queue pairs (IBA 7.6.4). */
	if ((pkt->h.lrh.vl == HCA_VL_MANAGEMENT) != (qpn == 0))
		return NULL;
	return qpn < 2 ? hca_qp_get_special(ca, port->num, qpn) : hca_qp_get(ca, qpn);
}

static void rd_eec_receive(struct hca_port *port, struct hca_packet *pkt)
{
	struct hca_ca *ca = container_of(port->node, struct hca_ca, node);
	struct hca_rd_eec *rd_eec = NULL;

	if (pkt->h.lrh.vl != HCA_VL_MANAGEMENT)
		rd_eec = hca_rd_eec_get(ca, pkt->h.rdeth_eecn);
	if (!rd_eec) {
		refuse(port, pkt, HCA_DROP_NO_QP);
		hca_packet_free(pkt);
		return;
	}
	eec_receive(&rd_eec->eec, port, pkt);
	hca_rd_eec_put(rd_eec);
}

/*
 * Check the DGID. With a multicast DLID it must be multicast; the group is looked up with its
 * members. With a unicast DLID it must be one of the port's GIDs (req C4-085, B4-107).
 */
static bool dgid_ok(const struct hca_port *port, const struct hca_packet *pkt)
{
	const union hca_gid *dgid = &pkt->h.grh.dgid;

	if (hca_lid_is_multicast(pkt->h.lrh.dlid))
		return hca_is_multicast_gid(dgid);
	return hca_port_has_gid(port, dgid);
}

/* Check the headers that are invalid for every queue pair (IBA 9.6.1.2, 9.6.1.3). */
static bool headers_ok(struct hca_port *port, const struct hca_packet *pkt)
{
	const struct hca_grh *grh = &pkt->h.grh;

	if (hca_packet_has_grh(pkt) &&
	    (grh->ipver != HCA_GRH_IPVER || grh->nxthdr != HCA_GRH_NXTHDR_IBA ||
	     !dgid_ok(port, pkt)))
		return refuse(port, pkt, HCA_DROP_GRH);
	if (pkt->h.bth.tver || !hca_opcodes[pkt->h.bth.opcode].name)
		return refuse(port, pkt, HCA_DROP_OPCODE);
	return true;
}

/*
 * Return whether the packet is the copy of a multicast for the sender's own port. Such a copy is
 * not lost if no queue pair of that port receives it: all other ports receive the packet on the
 * link.
 */
static bool is_own_multicast(const struct hca_packet *pkt)
{
	return (pkt->flags & HCA_PACKET_LOOPBACK) && hca_lid_is_multicast(pkt->h.lrh.dlid);
}

/* Deliver a copy of a raw or multicast packet to each queue pair that receives it, and free it. */
static void transport_copy(struct hca_port *port, struct hca_packet *pkt)
{
	bool any = false;

	if (hca_packet_is_raw(pkt))
		any = hca_raw_receive(port, pkt);
	else if (pkt->h.bth.destqp == HCA_QPN_MULTICAST)
		any = hca_multicast_receive(port, pkt);
	if (!any && !is_own_multicast(pkt))
		refuse(port, pkt, HCA_DROP_NO_QP);
	hca_packet_free(pkt);
}

void hca_transport_receive(struct hca_port *port, struct hca_packet *pkt)
{
	struct hca_qp *qp;

	if (!hca_packet_is_raw(pkt) && !headers_ok(port, pkt)) {
		hca_packet_free(pkt);
		return;
	}
	if (hca_packet_is_raw(pkt) || hca_lid_is_multicast(pkt->h.lrh.dlid)) {
		transport_copy(port, pkt);
		return;
	}
	if (hca_opcode_transport(pkt->h.bth.opcode) == HCA_TRANSPORT_RD) {
		rd_eec_receive(port, pkt);
		return;
	}
	qp = find_qp(port, pkt);
	if (!qp) {
		refuse(port, pkt, HCA_DROP_NO_QP);
		hca_packet_free(pkt);
		return;
	}
	qp_receive(qp, port, pkt);
	hca_qp_put(qp);
}
