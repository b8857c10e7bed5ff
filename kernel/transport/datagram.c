// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Unreliable datagrams, including those of QP0 and QP1. */
#include "transport/datagram.h"
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "compat.h"
#include "link/port/notice.h"
#include "link/tap/tap.h"
#include "qp/recv.h"
#include "qp/request.h"
#include "qp/segments.h"
#include "qp/wr.h"
#include "transport/iba_qp.h"
#include "transport/pace.h"
#include "transport/path.h"
#include "transport/payload.h"
#include "transport/raw.h"
#include "transport/requester.h"
#include "transport/retry.h"
#include "transport/scatter.h"
#include "transport/wr.h"

static void datagram_address(struct hca_qp *qp, const struct hca_request *req,
			     struct hca_packet *pkt)
{
	struct hca_headers *h = &pkt->h;
	u16 pkey_index = qp->type == IB_QPT_GSI ? req->pkey_index :
						  hca_qp_eec(qp)->attr.iba.pkey_index;

	hca_path_fill(pkt, hca_qp_eec(qp)->port, &req->av);
	h->bth.pkey = READ_ONCE(hca_qp_eec(qp)->port->tables.pkey[pkey_index]);
	h->deth.qkey = hca_qkey_of(qp, req->iba.remote_qkey);
	if (qp->type != IB_QPT_SMI)
		return;
	/*
	 * QP0 uses VL15, no Q_Key and the default P_Key. The source LID is the permissive LID if
	 * the port has no LID, or if the destination LID is permissive.
	 */
	h->lrh.vl = HCA_VL_MANAGEMENT;
	h->bth.pkey = 0xffff;
	h->deth.qkey = 0;
	if (h->lrh.dlid == HCA_LID_PERMISSIVE || !h->lrh.slid)
		h->lrh.slid = HCA_LID_PERMISSIVE;
}

static int datagram_build(struct hca_qp *qp, const struct hca_request *req,
			  struct hca_packet *pkt)
{
	struct hca_headers *h = &pkt->h;

	if (hca_qp_is_raw(qp))
		return hca_raw_build(qp, req, pkt);
	datagram_address(qp, req, pkt);
	h->bth.opcode = HCA_TRANSPORT_UD << 5 | hca_operation[req->opcode][HCA_ONLY];
	h->bth.flags = HCA_BTH_MIGREQ;
	if (req->flags & HCA_WQE_SOLICITED)
		h->bth.flags |= HCA_BTH_SOLICITED;
	h->bth.tver = 0;
	h->bth.destqp = req->iba.remote_qpn;
	h->bth.psn = hca_qp_eec(qp)->next_psn;
	h->deth.srcqp = qp->qpn;
	h->immdt = req->imm_data;
	return hca_payload_attach(qp, req, 0, req->length, pkt, true);
}

/*
 * Deliver a copy of a multicast packet to the members of the group at the sending port, including
 * @qp if it is a member (req C4-091, B4-422). The copy is lost if memory or space in the port's
 * queue is lacking, just as a packet on a cable may be lost.
 */
static void datagram_loop(struct hca_qp *qp, const struct hca_request *req)
{
	struct hca_packet *pkt;

	if (!hca_lid_is_multicast(req->av.dlid) ||
	    !hca_multicast_members(&hca_qp_eec(qp)->ca->groups))
		return;
	pkt = hca_packet_alloc(&hca_qp_eec(qp)->ca->pool);
	if (!pkt)
		return;
	if (datagram_build(qp, req, pkt)) {
		hca_packet_free(pkt);
		return;
	}
	hca_packet_finish(pkt);
	hca_port_loop_multicast(hca_qp_eec(qp)->port, pkt);
}

/* Return the maximum payload, in octets, of a datagram that the queue pair sends. */
static u32 datagram_limit(const struct hca_qp *qp)
{
	u32 mtu = hca_mtu_bytes(READ_ONCE(hca_qp_eec(qp)->port->info.neighbor_mtu));

	return hca_qp_is_raw(qp) ? hca_payload_limit(hca_raw_lnh(qp), mtu) : mtu;
}

/*
 * Get the oldest request. If it was fetched before, the port did not accept its packet.
 * Return: the request, whose error is set if it is refused; NULL: there is none.
 */
static struct hca_request *datagram_next(struct hca_qp *qp)
{
	struct hca_request *req;

	if (qp->sq_done != qp->sq_fetched)
		req = hca_request_at(qp, qp->sq_done);
	else
		req = hca_request_fetch(qp);
	if (req && !req->error && req->length > datagram_limit(qp))
		req->error = HCA_VENDOR_ERR_DATAGRAM_LENGTH;
	return req;
}

enum hca_progress hca_datagram_send(struct hca_qp *qp, int *budget)
{
	struct hca_request *req;
	struct hca_packet *pkt;
	u32 pace;
	u16 pktlen;
	int ret;

	for (; *budget > 0; (*budget)--) {
		req = datagram_next(qp);
		if (!req)
			return HCA_DONE;
		if (req->error) {
			hca_requester_fail(hca_qp_eec(qp), req->error);
			return HCA_BUDGET;
		}
		pace = hca_pace_of(hca_qp_eec(qp)->port, req->av.static_rate);
		if (!hca_pace_ok(hca_qp_eec(qp), pace))
			return HCA_WAITING;
		pkt = hca_packet_alloc(&hca_qp_eec(qp)->ca->pool);
		ret = pkt ? datagram_build(qp, req, pkt) : -ENOMEM;
		if (ret) {
			if (pkt)
				hca_packet_free(pkt);
			if (ret == -EFAULT) {
				hca_requester_fail(hca_qp_eec(qp), hca_request_refusal(qp, req));
				return HCA_BUDGET;
			}
			hca_retry_soon(hca_qp_eec(qp));
			return HCA_WAITING;
		}
		hca_packet_finish(pkt);
		pktlen = pkt->h.lrh.pktlen;
		if (!hca_port_send(hca_qp_eec(qp)->port, pkt, &hca_qp_eec(qp)->blocked)) {
			hca_packet_free(pkt);
			return HCA_WAITING;
		}
		if (pace)
			hca_paced(hca_qp_eec(qp), pace, pktlen);
		datagram_loop(qp, req);
		hca_qp_eec(qp)->next_psn = hca_psn_add(hca_qp_eec(qp)->next_psn, 1);
		qp->sq_current = qp->sq_done + 1;
		if (!hca_request_complete(qp, HCA_VENDOR_ERR_NONE))
			return HCA_BUDGET;
	}
	return HCA_BUDGET;
}

/*
 * Copy a datagram to a receive request. The first 40 octets are left for the GRH, even if the
 * packet has none.
 */
static int datagram_scatter(struct hca_qp *qp, const struct hca_packet *pkt)
{
	struct hca_segment segment[HCA_MAX_SGE] HCA_UNINITIALIZED;
	struct hca_recv *recv = &qp->recv;
	u8 grh[HCA_GRH_BYTES];
	int n;

	if (hca_packet_has_grh(pkt)) {
		n = hca_sge_segments(qp, recv->sge, recv->num_sge, 0, sizeof(grh), segment);
		if (n < 0)
			return n;
		hca_grh_pack(&pkt->h.grh, grh);
		hca_copy_in(segment, grh, sizeof(grh));
		hca_segments_put(segment, n);
	}
	return hca_recv_scatter(qp, recv, HCA_GRH_BYTES, pkt);
}

static void datagram_accept(struct hca_qp *qp, const struct hca_packet *pkt)
{
	struct hca_cqe cqe = {
		.status = IB_WC_SUCCESS,
		.opcode = IB_WC_RECV,
		.byte_len = HCA_GRH_BYTES + pkt->payload_length,
		.src_qp = pkt->h.deth.srcqp,
		.slid = pkt->h.lrh.slid,
		.sl = pkt->h.lrh.sl,
		.dlid_path_bits = hca_path_bits(hca_qp_eec(qp)->port, pkt->h.lrh.dlid),
		.pkey_index = pkt->pkey_index,
	};

	if (!hca_recv_consume(qp, &qp->recv)) {
		hca_recv_drop(hca_qp_eec(qp), pkt); /* there is no receive request (IBA C9-84) */
		return;
	}
	if (hca_packet_has_grh(pkt))
		cqe.flags |= HCA_CQE_GRH;
	if (hca_opcodes[pkt->h.bth.opcode].flags & HCA_HAS_IMMDT) {
		cqe.flags |= HCA_CQE_WITH_IMM;
		cqe.imm_data = pkt->h.immdt;
	}
	if (pkt->h.bth.flags & HCA_BTH_SOLICITED)
		cqe.flags |= HCA_CQE_SOLICITED;
	hca_recv_finish(qp, pkt, datagram_scatter(qp, pkt), &cqe);
}

/* Report a dropped packet to tracepoints and captures. Return: always false. */
static bool datagram_refuse(struct hca_port *port, const struct hca_packet *pkt,
			    enum hca_drop_reason reason)
{
	hca_trace_drop(port, pkt, reason);
	return false;
}

/*
 * Return the index of the packet's P_Key in the port's P_Key table, or a negative value if the
 * queue pair does not accept the P_Key. QP0 accepts every P_Key, and 0 is returned. QP1 accepts all
 * P_Keys of the port, and other queue pairs accept only their own P_Key (IBA C10-123 ff).
 */
static int datagram_pkey_index_of(const struct hca_qp *qp, const struct hca_packet *pkt)
{
	const struct hca_port *port = hca_qp_eec(qp)->port;
	int index = hca_qp_eec(qp)->attr.iba.pkey_index;

	if (qp->type == IB_QPT_SMI)
		return 0;
	if (qp->type == IB_QPT_GSI)
		return hca_port_find_pkey(port, pkt->h.bth.pkey);
	return hca_pkey_match(READ_ONCE(port->tables.pkey[index]), pkt->h.bth.pkey) ? index : -1;
}

static bool datagram_ok(struct hca_qp *qp, struct hca_port *port, struct hca_packet *pkt)
{
	int index;

	if (hca_qp_eec(qp)->port != port || !hca_eec_fits(hca_qp_eec(qp), pkt))
		return datagram_refuse(port, pkt, HCA_DROP_QP_STATE);
	index = datagram_pkey_index_of(qp, pkt);
	if (index < 0) {
		hca_port_pkey_violation(port, pkt);
		return datagram_refuse(port, pkt, HCA_DROP_P_KEY);
	}
	pkt->pkey_index = index;
	return true;
}

/*
 * Check the Q_Key. QP0 accepts any Q_Key, and all other queue pairs accept only their own (IBA
 * C9-78).
 */
static bool datagram_qkey_ok(struct hca_qp *qp, const struct hca_packet *pkt)
{
	if (qp->type == IB_QPT_SMI || pkt->h.deth.qkey == hca_qp_eec(qp)->attr.iba.qkey)
		return true;
	hca_port_qkey_violation(hca_qp_eec(qp)->port, pkt);
	return datagram_refuse(hca_qp_eec(qp)->port, pkt, HCA_DROP_Q_KEY);
}

void hca_datagram_deliver(struct hca_qp *qp, struct hca_port *port, struct hca_packet *pkt)
{
	if (!datagram_ok(qp, port, pkt))
		return;
	spin_lock(&qp->common.recv_lock);
	if (hca_eec_receives(hca_qp_eec(qp)) && datagram_qkey_ok(qp, pkt))
		datagram_accept(qp, pkt);
	spin_unlock(&qp->common.recv_lock);
}

void hca_datagram_receive(struct hca_qp *qp, struct hca_port *port, struct hca_packet *pkt)
{
	hca_datagram_deliver(qp, port, pkt);
	hca_packet_free(pkt);
}
