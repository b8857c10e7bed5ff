// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The check of a peer's right to access memory. */
#include "transport/access.h"
#include "tpt/entry.h"
#include "transport/aeth.h"
#include "transport/iba_qp.h"
#include "transport/nak.h"

u16 hca_remote_access(const struct hca_qp *qp, u32 access, u32 rkey, u64 va, u32 length)
{
	if (access & ~hca_qp_eec(qp)->attr.access)
		return hca_nak(HCA_NAK_REASON_QP_ACCESS);
	if (length && !hca_tpt_entry_find(&qp->ci->tpt, rkey, qp->pd, qp->qpn, access, va,
					  length))
		return hca_nak_key(&qp->ci->tpt, rkey, qp->pd, qp->qpn, access, va, length);
	return HCA_SYNDROME_ACK;
}
