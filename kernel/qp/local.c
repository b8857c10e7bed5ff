// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Execution of local requests, which bind, register and invalidate keys. */
#include "qp/local.h"
#include "qp/ci.h"
#include "qp/wr.h"
#include "tpt/key.h"

enum hca_vendor_err hca_local_execute(struct hca_qp *qp, const struct hca_request *req)
{
	struct hca_tpt *tpt = &qp->ci->tpt;
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

	switch (req->opcode) {
	case IB_WR_REG_MR:
		return hca_key_register(tpt, &binding);
	case IB_UVERBS_WR_BIND_MW:
		return hca_key_bind(tpt, &binding);
	default:
		return hca_key_invalidate(tpt, req->invalidate_rkey, qp->pd, qp->qpn, false);
	}
}
