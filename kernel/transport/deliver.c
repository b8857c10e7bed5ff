// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Responder functions that only RD EE contexts need: the look-up of the destination queue pair of a
 * message, and the end of a message that the peer has abandoned.
 */
#include "transport/deliver.h"
#include <linux/bits.h>
#include <linux/kernel.h>
#include "link/port/notice.h"
#include "qp/recv.h"
#include "transport/iba_qp.h"
#include "transport/rd/rd_eec.h"
#include "transport/responses.h"

/*
 * Check the destination queue pair of a packet: type, reliable datagram domain and state, and for
 * the first packet of a message also the Q_Key (req C4-025). All packets of a message must have the
 * same destination.
 */
static bool deliver_dest_qp_ok(struct hca_eec *eec, const struct hca_qp *qp,
			       const struct hca_packet *pkt)
{
	if (qp->type != HCA_QPT_RD || hca_iba_qp(qp)->rdd != hca_rd_eec_of(eec)->rdd ||
	    !hca_state_receives(qp->common.state))
		return false;
	if (eec->message || eec->recv->valid)
		return qp->qpn == eec->message_dest;
	if (pkt->h.deth.qkey == hca_qp_eec(qp)->attr.iba.qkey)
		return true;
	hca_port_qkey_violation(eec->port, pkt);
	return false;
}

struct hca_qp *hca_rd_eec_dest_get(struct hca_eec *eec, const struct hca_packet *pkt)
{
	struct hca_qp *qp = hca_qp_get(&eec->ca->ci, pkt->h.bth.destqp);

	if (!qp)
		return NULL;
	spin_lock_nested(&qp->common.recv_lock, SINGLE_DEPTH_NESTING);
	if (deliver_dest_qp_ok(eec, qp, pkt)) {
		eec->message_dest = qp->qpn;
		/* This is only for sparse; the lock stays held until hca_rd_eec_dest_put(). */
		__release(&qp->common.recv_lock);
		return qp;
	}
	spin_unlock(&qp->common.recv_lock);
	hca_qp_put(qp);
	return NULL;
}

void hca_rd_eec_dest_put(struct hca_eec *eec, struct hca_qp *qp)
{
	__acquire(&qp->common.recv_lock);
	spin_unlock(&qp->common.recv_lock);
	hca_qp_put(qp);
}

void hca_rd_eec_abort(struct hca_eec *eec, enum hca_vendor_err error)
{
	struct hca_qp *qp = eec->recv->valid ? hca_qp_get(&eec->ca->ci, eec->message_dest) : NULL;

	if (qp) {
		spin_lock_nested(&qp->common.recv_lock, SINGLE_DEPTH_NESTING);
		hca_recv_fail(qp, eec->recv, error);
		spin_unlock(&qp->common.recv_lock);
		hca_qp_put(qp);
	}
	eec->recv->valid = false;
	eec->message = 0;
}

void hca_rd_eec_resync(struct hca_eec *eec, const struct hca_packet *pkt)
{
	s32 ahead = hca_psn_diff(pkt->h.bth.psn, eec->expected_psn);

	if (ahead < -1)
		return; /* the packet is a stale duplicate */
	if (ahead >= 0) {
		hca_rd_eec_abort(eec, HCA_VENDOR_ERR_REMOTE_ABORT);
		eec->expected_psn = hca_psn_add(pkt->h.bth.psn, 1);
		eec->nak_sent = false;
	}
	hca_responder_ack(eec, pkt->h.deth.srcqp, pkt->h.bth.psn, HCA_SYNDROME_ACK);
}

static void rd_eec_drop(struct hca_rd_eec *rd_eec, struct hca_qp *qp, bool flush)
{
	struct hca_eec *eec = &rd_eec->eec;

	spin_lock(&eec->common->recv_lock);
	if (eec->message_dest == qp->qpn) {
		if (eec->recv->valid && flush) {
			spin_lock_nested(&qp->common.recv_lock, SINGLE_DEPTH_NESTING);
			hca_recv_fail(qp, eec->recv, HCA_VENDOR_ERR_FLUSH_ERROR);
			spin_unlock(&qp->common.recv_lock);
		}
		eec->recv->valid = false;
		/* The remaining packets of the message then match no queue pair. */
		eec->message_dest = 0;
	}
	spin_unlock(&eec->common->recv_lock);
}

void hca_rd_eecs_drop(struct hca_qp *qp, bool flush)
{
	struct hca_id_table *rd_eecs = &hca_qp_eec(qp)->ca->rd_eecs;
	u32 i;

	for (i = 0; i < READ_ONCE(rd_eecs->next); i++) {
		struct hca_rd_eec *rd_eec = hca_id_find(rd_eecs, i);

		if (rd_eec)
			rd_eec_drop(rd_eec, qp, flush);
	}
}
