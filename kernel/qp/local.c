// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Local requests: bind, register and invalidate keys. */
#include "tpt/key.h"
#include "qp/local.h"
#include "qp/wr.h"

enum ib_wc_status hca_local_execute(struct hca_qp *qp, const struct hca_request *req)
{
	struct hca_tpt *tpt = qp->tpt;
	const struct hca_binding binding = {
		.pd = qp->pd,
		.qpn = qp->qpn,
		.windows = &qp->windows,
		.key = req->memory.key,
		.lkey = req->memory.lkey,
		.access = req->memory.access,
		.addr = req->memory.addr,
		.length = req->memory.length,
	};
	bool ok = false;

	switch (req->opcode) {
	case IB_WR_REG_MR:
		ok = hca_key_register(tpt, &binding);
		break;
	case IB_UVERBS_WR_BIND_MW:
		ok = hca_key_bind(tpt, &binding);
		break;
	case IB_UVERBS_WR_LOCAL_INV:
		ok = hca_key_invalidate(tpt, req->invalidate_rkey, qp->pd, qp->qpn, false);
		break;
	}
	return ok ? IB_WC_SUCCESS : IB_WC_MW_BIND_ERR;
}
