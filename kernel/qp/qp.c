// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* State changes of a queue pair after errors, and the release of references. */
#include "qp/qp.h"
#include "qp/vendor_err.h"

void hca_qp_error(struct hca_qp *qp)
{
	WRITE_ONCE(qp->common.state, IB_QPS_ERR);
	hca_qp_kick(qp);
}

void hca_qp_send_error(struct hca_qp *qp)
{
	if (qp->ops->states[qp->common.state].sends)
		WRITE_ONCE(qp->common.state, IB_QPS_SQE);
}

void hca_qp_fatal(struct hca_qp *qp)
{
	if (READ_ONCE(qp->common.state) == IB_QPS_ERR)
		return;
	hca_qp_common_raise(&qp->common, HCA_QP_FATAL);
	hca_qp_error(qp);
}

void hca_qp_failed(struct hca_qp *qp, enum hca_vendor_err error)
{
	if (hca_vendor_err_status(error) != IB_WC_WR_FLUSH_ERR)
		WRITE_ONCE(qp->last_error, error);
}

void hca_qp_put(struct hca_qp *qp)
{
	if (refcount_dec_and_test(&qp->users))
		complete(&qp->unused);
}
