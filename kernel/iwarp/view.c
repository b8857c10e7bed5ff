// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Snapshots of an RNIC's queue pairs, for diagnosis. */
#include "iwarp/view.h"
#include <linux/kernel.h>
#include <linux/string.h>
#include "iwarp/iwarp_qp.h"
#include "iwarp/modify.h"
#include "qp/view.h"

static void view_sends(const struct hca_qp *qp, struct hca_qp_view *view)
{
	view->parts |= HCA_VIEW_SQ;
	view->sq_entries = qp->sq.entries;
	view->sq_posted = READ_ONCE(qp->sq.ring->producer) - qp->sq_fetched;
	view->sq_fetched = qp->sq_fetched;
	view->sq_current = qp->sq_current;
	view->sq_done = qp->sq_done;
	view->sq_outstanding = qp->sq_fetched - qp->sq_done;
}

static void view_recvs(const struct hca_qp *qp, struct hca_qp_view *view)
{
	view->parts |= HCA_VIEW_RQ;
	view->rq_entries = qp->rq.entries;
	view->rq_consumed = qp->rq_consumed;
	view->rq_posted = hca_recvs_posted(&qp->rq, qp->rq_consumed);
	view->recv_in_progress = qp->recv.valid;
}

void hca_iwarp_view(struct hca_qp *qp, struct hca_qp_view *view)
{
	memset(view, 0, sizeof(*view));
	spin_lock_bh(&qp->common.send_lock);
	view->parts = HCA_VIEW_ANY;
	hca_iwarp_query(qp, &view->attr);
	hca_qp_common_query(&qp->common, &view->attr);
	view->state = qp->common.state;
	if (qp->sq.size)
		view_sends(qp, view);
	spin_lock(&qp->common.recv_lock);
	if (qp->rq.size)
		view_recvs(qp, view);
	spin_unlock(&qp->common.recv_lock);
	view->vendor_err = READ_ONCE(qp->last_error);
	if (view->vendor_err)
		view->parts |= HCA_VIEW_ERROR;
	spin_unlock_bh(&qp->common.send_lock);
}

static void view_connection(const struct hca_iwarp_qp *it, struct hca_iwarp_view *view)
{
	const struct hca_endpoint *ep = it->ep;

	*view = (struct hca_iwarp_view){
		.is_initiator = !(ep->raised & 1 << HCA_ENDPOINT_CONNECT_REQUEST),
		.revision = ep->own.revision,
		.crc = it->tx.crc,
		.markers_in = it->rx.markers,
		.markers_out = it->tx.markers,
		.ird = it->responder.ird,
		.ord = it->requester.ord,
		.reads_in = it->responder.count,
		.reads_out = it->requester.reads,
		.octets_in = ep->stream->received,
		.octets_out = ep->stream->sent,
	};
	memcpy(view->msn_in, it->ddp.msn, sizeof(view->msn_in));
	memcpy(view->msn_out, it->next_msn, sizeof(view->msn_out));
}

bool hca_iwarp_view_connection(struct hca_qp *qp, struct hca_iwarp_view *view,
			       void (*locked)(struct hca_endpoint *ep, void *arg), void *arg)
{
	struct hca_iwarp_qp *it = hca_iwarp_qp_of(qp);
	bool is_connected;

	spin_lock_bh(&qp->common.send_lock);
	is_connected = it->ep && it->ep->state >= HCA_STARTUP_REP_SENT;
	if (is_connected) {
		view_connection(it, view);
		locked(it->ep, arg);
	}
	spin_unlock_bh(&qp->common.send_lock);
	return is_connected;
}

static_assert(sizeof_field(struct hca_terminate_info, message) == HCA_TERMINATE_MAX);
static_assert(sizeof_field(struct hca_terminate_info, ddp) == HCA_DDP_BYTES_MAX);
static_assert(sizeof_field(struct hca_terminate_info, read) == HCA_READ_REQUEST_BYTES);

/* Copy the octets of the message. An error without a message has none. */
static void view_message(const struct hca_iwarp_qp *it, struct hca_terminate_info *info)
{
	const struct hca_terminate *terminate = &it->terminate;

	if (it->origin == HCA_TERMINATE_LOCAL)
		info->message_octets = hca_terminate_pack(terminate, info->message);
	if (it->origin != HCA_TERMINATE_REMOTE)
		return;
	info->message_octets = terminate->raw_bytes;
	memcpy(info->message, terminate->raw, terminate->raw_bytes);
}

static void view_headers(const struct hca_terminate *terminate, struct hca_terminate_info *info)
{
	info->layer = terminate->error >> 12;
	info->error_type = terminate->error >> 8 & 0xf;
	info->error_code = terminate->error;
	info->swapped = terminate->swapped;
	if (terminate->parts & HCA_TERMINATE_M)
		info->segment_length = terminate->segment_length;
	if (terminate->parts & HCA_TERMINATE_D) {
		info->ddp_octets = terminate->ddp_bytes;
		memcpy(info->ddp, terminate->ddp, terminate->ddp_bytes);
	}
	if (terminate->parts & HCA_TERMINATE_R) {
		info->read_octets = sizeof(info->read);
		memcpy(info->read, terminate->read, sizeof(info->read));
	}
}

void hca_iwarp_view_terminate(struct hca_qp *qp, struct hca_terminate_info *info)
{
	const struct hca_iwarp_qp *it = hca_iwarp_qp_of(qp);

	memset(info, 0, sizeof(*info));
	spin_lock_bh(&qp->common.send_lock);
	info->origin = it->origin;
	if (it->origin != HCA_TERMINATE_NONE) {
		view_headers(&it->terminate, info);
		view_message(it, info);
	}
	spin_unlock_bh(&qp->common.send_lock);
}
