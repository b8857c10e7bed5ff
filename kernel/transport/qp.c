// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The errors that end a queue pair's work, whatever file finds them. */
#include "transport/qp.h"

void hca_qp_error(struct hca_qp *qp)
{
	WRITE_ONCE(qp->eec.state, IB_QPS_ERR);
	hca_qp_kick(qp);
}

void hca_qp_send_error(struct hca_qp *qp)
{
	if (qp->eec.state == IB_QPS_RTS || qp->eec.state == IB_QPS_SQD)
		WRITE_ONCE(qp->eec.state, IB_QPS_SQE);
}

void hca_qp_fatal(struct hca_qp *qp)
{
	if (READ_ONCE(qp->eec.state) == IB_QPS_ERR)
		return;
	hca_eec_raise(&qp->eec, HCA_QP_FATAL);
	hca_qp_error(qp);
}
