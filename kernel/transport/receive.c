// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Reception of packets from a port: the checks that are common to all transports (IBA 9.6.1), and
 * the look-up of the destination.
 */
#include <linux/bits.h>
#include "link/port/notice.h"
#include "link/tap/tap.h"
#include "transport/datagram.h"
#include "transport/iba_qp.h"
#include "transport/migrate.h"
#include "transport/multicast.h"
#include "transport/qp_table.h"
#include "transport/raw.h"
#include "transport/rd/rd_eec.h"
#include "transport/responder.h"
#include "transport/unreliable.h"

/*
 * Maximum number of received responses that wait for the EE context's run function. Further
 * responses are dropped. A correct peer sends fewer, at most one for each packet of a window.
 */
#define HCA_MAX_QUEUED_RESPONSES 1024

/* Report a dropped packet to tracepoints and captures. Return: always false. */
static bool receive_refuse(struct hca_port *port, const struct hca_packet *pkt,
			   enum hca_drop_reason reason)
{
	hca_trace_drop(port, pkt, reason);
	return false;
}

static bool receive_pkey_violation(struct hca_port *port, const struct hca_packet *pkt)
{
	hca_port_pkey_violation(port, pkt);
	return receive_refuse(port, pkt, HCA_DROP_P_KEY);
}

/*
 * Check that the packet arrived on the path of the connection (req B4-042), or on the alternate
 * path if the connection may migrate. Check the P_Key, and process MigReq.
 */
static bool receive_path_ok(struct hca_eec *eec, struct hca_port *port,
			    const struct hca_packet *pkt)
{
	const struct hca_qp_attr *attr = &eec->attr;
	u16 pkey_index = attr->iba.pkey_index;

	if (READ_ONCE(eec->port) != port || pkt->h.lrh.slid != READ_ONCE(attr->iba.av.dlid)) {
		if (!hca_migrates_by(eec, port, pkt))
			return receive_refuse(port, pkt, HCA_DROP_NOT_PEERS);
		pkey_index = attr->iba.alt_pkey_index;
	}
	if (!hca_pkey_match(READ_ONCE(port->tables.pkey[pkey_index]), pkt->h.bth.pkey))
		return receive_pkey_violation(port, pkt);
	return hca_migrate_is_idle(eec, pkt) || hca_migrate_receive(eec, port, pkt) ||
	       receive_refuse(port, pkt, HCA_DROP_NOT_PEERS);
}

static void receive_queue_response(struct hca_eec *eec, struct hca_packet *pkt)
{
	if (atomic_inc_return(&eec->num_responses) > HCA_MAX_QUEUED_RESPONSES) {
		atomic_dec(&eec->num_responses);
		hca_packet_free(pkt);
		return;
	}
	llist_add(&pkt->node, &eec->responses);
	hca_eec_kick(eec);
}

/* Receive and consume a packet for a connection or RD EE context. */
static void receive_by_eec(struct hca_eec *eec, struct hca_port *port, struct hca_packet *pkt)
{
	if (!hca_eec_fits(eec, pkt)) {
		receive_refuse(port, pkt, HCA_DROP_QP_STATE);
		hca_packet_free(pkt);
	} else if (!receive_path_ok(eec, port, pkt)) {
		hca_packet_free(pkt);
	} else if (hca_opcodes[pkt->h.bth.opcode].flags & HCA_IS_RESPONSE) {
		receive_queue_response(eec, pkt);
	} else if (eec->transport == HCA_TRANSPORT_UC) {
		hca_unreliable_receive(eec, pkt);
	} else {
		hca_responder_receive(eec, pkt);
	}
}

static void receive_by_qp(struct hca_qp *qp, struct hca_port *port, struct hca_packet *pkt)
{
	if (hca_qp_eec(qp)->transport != HCA_TRANSPORT_UD)
		receive_by_eec(hca_qp_eec(qp), port, pkt);
	else
		hca_datagram_receive(qp, port, pkt);
}

static struct hca_qp *receive_find_qp(struct hca_port *port, const struct hca_packet *pkt)
{
	struct hca_ca *ca = container_of(port->node, struct hca_ca, node);
	u32 qpn = pkt->h.bth.destqp;

	/*
	 * QP0 receives only from VL15, and all other queue pairs receive only from data VLs (IBA
	 * 7.6.4).
	 */
	if ((pkt->h.lrh.vl == HCA_VL_MANAGEMENT) != (qpn == 0))
		return NULL;
	return qpn < 2 ? hca_qp_get_special(ca, port->num, qpn) : hca_qp_get(&ca->ci, qpn);
}

static void receive_by_rd_eec(struct hca_port *port, struct hca_packet *pkt)
{
	struct hca_ca *ca = container_of(port->node, struct hca_ca, node);
	struct hca_rd_eec *rd_eec = NULL;

	if (pkt->h.lrh.vl != HCA_VL_MANAGEMENT)
		rd_eec = hca_rd_eec_get(ca, pkt->h.rdeth_eecn);
	if (!rd_eec) {
		receive_refuse(port, pkt, HCA_DROP_NO_QP);
		hca_packet_free(pkt);
		return;
	}
	receive_by_eec(&rd_eec->eec, port, pkt);
	hca_rd_eec_put(rd_eec);
}

/*
 * Check the DGID. With a multicast DLID, the DGID must also be multicast; hca_multicast_receive()
 * checks that the group exists. With a unicast DLID, the DGID must be one of the port's GIDs (req
 * C4-085, B4-107).
 */
static bool receive_dgid_ok(const struct hca_port *port, const struct hca_packet *pkt)
{
	const union hca_gid *dgid = &pkt->h.grh.dgid;

	if (hca_lid_is_multicast(pkt->h.lrh.dlid))
		return hca_is_multicast_gid(dgid);
	return hca_port_has_gid(port, dgid);
}

/*
 * Check the header fields for which every queue pair accepts the same values (IBA 9.6.1.2,
 * 9.6.1.3).
 */
static bool receive_headers_ok(struct hca_port *port, const struct hca_packet *pkt)
{
	const struct hca_grh *grh = &pkt->h.grh;

	if (hca_packet_has_grh(pkt) &&
	    (grh->ipver != HCA_GRH_IPVER || grh->nxthdr != HCA_GRH_NXTHDR_IBA ||
	     !receive_dgid_ok(port, pkt)))
		return receive_refuse(port, pkt, HCA_DROP_GRH);
	if (pkt->h.bth.tver || !hca_opcodes[pkt->h.bth.opcode].name)
		return receive_refuse(port, pkt, HCA_DROP_OPCODE);
	return true;
}

/*
 * Return whether the packet is the looped-back copy of a multicast packet. If the sending port has
 * no member of the group, the copy is not reported as dropped, because the packet itself was sent
 * on the link.
 */
static bool receive_is_own_multicast(const struct hca_packet *pkt)
{
	return (pkt->flags & HCA_PACKET_LOOPBACK) && hca_lid_is_multicast(pkt->h.lrh.dlid);
}

/* Deliver a copy of a raw or multicast packet to each receiving queue pair, and free the packet. */
static void transport_copy(struct hca_port *port, struct hca_packet *pkt)
{
	bool any = false;

	if (hca_packet_is_raw(pkt))
		any = hca_raw_receive(port, pkt);
	else if (pkt->h.bth.destqp == HCA_QPN_MULTICAST)
		any = hca_multicast_receive(port, pkt);
	if (!any && !receive_is_own_multicast(pkt))
		receive_refuse(port, pkt, HCA_DROP_NO_QP);
	hca_packet_free(pkt);
}

void hca_transport_receive(struct hca_port *port, struct hca_packet *pkt)
{
	struct hca_qp *qp;

	if (!hca_packet_is_raw(pkt) && !receive_headers_ok(port, pkt)) {
		hca_packet_free(pkt);
		return;
	}
	if (hca_packet_is_raw(pkt) || hca_lid_is_multicast(pkt->h.lrh.dlid)) {
		transport_copy(port, pkt);
		return;
	}
	if (hca_opcode_transport(pkt->h.bth.opcode) == HCA_TRANSPORT_RD) {
		receive_by_rd_eec(port, pkt);
		return;
	}
	qp = receive_find_qp(port, pkt);
	if (!qp) {
		receive_refuse(port, pkt, HCA_DROP_NO_QP);
		hca_packet_free(pkt);
		return;
	}
	receive_by_qp(qp, port, pkt);
	hca_qp_put(qp);
}
