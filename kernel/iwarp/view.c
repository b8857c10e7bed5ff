// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Snapshots of an RNIC's queue pairs, for diagnosis. */
#include "iwarp/view.h"
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
