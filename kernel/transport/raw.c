// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Raw datagrams: packets that contain IPv6, or the protocol of an EtherType in the header. */
#include "transport/raw.h"
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/rculist.h>
#include <linux/string.h>
#include "compat.h"
#include "link/tap/tap.h"
#include "qp/recv.h"
#include "transport/group.h"
#include "transport/iba_qp.h"
#include "transport/path.h"
#include "transport/payload.h"
#include "transport/scatter.h"

int hca_raw_add(struct hca_qp *qp)
{
	struct hca_raw_qps *raw_qps = &hca_qp_eec(qp)->ca->raw_qps;
	bool fits;

	spin_lock_bh(&raw_qps->lock);
	fits = raw_qps->num_qps < HCA_MAX_RAW_QP;
	if (fits) {
		raw_qps->num_qps++;
		list_add_tail_rcu(&hca_iba_qp(qp)->raw, &raw_qps->qps);
	}
	spin_unlock_bh(&raw_qps->lock);
	return fits ? 0 : -ENOMEM;
}

void hca_raw_del(struct hca_qp *qp)
{
	struct hca_raw_qps *raw_qps = &hca_qp_eec(qp)->ca->raw_qps;

	spin_lock_bh(&raw_qps->lock);
	list_del_rcu(&hca_iba_qp(qp)->raw);
	raw_qps->num_qps--;
	spin_unlock_bh(&raw_qps->lock);
}

/* Pad the payload to whole 4-octet words and to a raw packet's minimum length (req C4-072). */
static void raw_pad(struct hca_packet *pkt)
{
	u8 *data = pkt->payload_kind == HCA_PAYLOAD_GATHERED ? pkt->buffer : pkt->data;
	u32 least = HCA_RAW_MIN_BYTES - hca_headers_bytes(pkt->h.lrh.lnh, 0);
	u32 length = max(ALIGN(pkt->payload_length, 4), least);

	memset(data + pkt->payload_length, 0, length - pkt->payload_length);
	pkt->payload_length = length;
}

int hca_raw_build(struct hca_qp *qp, const struct hca_request *req, struct hca_packet *pkt)
{
	int ret;

	hca_path_fill(pkt, hca_qp_eec(qp)->port, &req->av);
	pkt->h.lrh.lnh = hca_raw_lnh(qp);
	pkt->h.rwh_ethertype = req->ethertype;
	ret = hca_payload_attach(qp, req, 0, req->length, pkt, true);
	if (!ret)
		raw_pad(pkt);
	return ret;
}

static void raw_accept(struct hca_qp *qp, const struct hca_packet *pkt)
{
	struct hca_cqe cqe = {
		.status = IB_WC_SUCCESS,
		.opcode = IB_WC_RECV,
		.byte_len = pkt->payload_length,
		.slid = pkt->h.lrh.slid,
		.sl = pkt->h.lrh.sl,
		.dlid_path_bits = hca_path_bits(hca_qp_eec(qp)->port, pkt->h.lrh.dlid),
		.ethertype = qp->type == IB_QPT_RAW_ETHERTYPE ? pkt->h.rwh_ethertype : 0,
	};

	if (!hca_recv_consume(qp, &qp->recv)) {
		hca_recv_drop(hca_qp_eec(qp), pkt);
		return;
	}
	hca_recv_finish(qp, pkt, hca_recv_scatter(qp, &qp->recv, 0, pkt), &cqe);
}

/*
 * Return whether the queue pair receives the packet. The queue pair must be for the packet's kind
 * (IPv6 or EtherType), use @port, and be attached to the group of a multicast packet.
 */
static bool raw_fits(struct hca_qp *qp, const struct hca_port *port,
		     const struct hca_packet *pkt)
{
	return pkt->h.lrh.lnh == hca_raw_lnh(qp) && READ_ONCE(hca_qp_eec(qp)->port) == port &&
	       (!hca_lid_is_multicast(pkt->h.lrh.dlid) ||
		hca_multicast_is_member(qp, pkt->h.lrh.dlid));
}

bool hca_raw_receive(struct hca_port *port, struct hca_packet *pkt)
{
	struct hca_ca *ca = container_of(port->node, struct hca_ca, node);
	struct hca_iba_qp *iba;
	bool any = false;

	/* the list has at most HCA_MAX_RAW_QP entries */
	list_for_each_entry_rcu(iba, &ca->raw_qps.qps, raw) {
		struct hca_qp *qp = &iba->qp;

		if (!raw_fits(qp, port, pkt) || !refcount_inc_not_zero(&qp->users))
			continue;
		port->rx.copies += any;
		any = true;
		spin_lock(&qp->common.recv_lock);
		if (hca_eec_receives(hca_qp_eec(qp)))
			raw_accept(qp, pkt);
		spin_unlock(&qp->common.recv_lock);
		hca_qp_put(qp);
	}
	return any;
}
