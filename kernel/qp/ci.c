// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The tables of a carrier's Channel Interface, and the look-up of queue pairs by QPN. */
#include "qp/ci.h"
#include <linux/bottom_half.h>
#include "engine/run.h"
#include "qp/limits.h"
#include "qp/qp.h"

#define CI_FIRST_QP_INDEX 2 /* 0 and 1 are the QPNs of QP0 and QP1 of a channel adapter */

int hca_ci_init(struct hca_ci *ci, const struct hca_ci_ops *ops, u32 max_message)
{
	int ret;

	BUILD_BUG_ON(HCA_MAX_MR + HCA_MAX_MW != 1 << HCA_KEY_INDEX_BITS);
	BUILD_BUG_ON(HCA_MAX_QP != 1 << HCA_QPN_INDEX_BITS);
	ci->ops = ops;
	ci->max_message = max_message;
	ret = hca_tpt_init(&ci->tpt, HCA_MAX_MR + HCA_MAX_MW);
	if (ret)
		return ret;
	ret = hca_id_table_init(&ci->qps, HCA_QPN_INDEX_BITS, CI_FIRST_QP_INDEX);
	if (ret)
		hca_tpt_destroy(&ci->tpt);
	return ret;
}

void hca_ci_destroy(struct hca_ci *ci)
{
	hca_id_table_destroy(&ci->qps);
	hca_tpt_destroy(&ci->tpt);
}

void hca_ci_fail(struct hca_ci *ci)
{
	struct hca_qp *qp;
	u32 i;

	for (i = 0; i < READ_ONCE(ci->qps.next); i++) {
		local_bh_disable();
		qp = hca_qp_get_index(ci, i);
		if (qp && !qp->kernel) {
			spin_lock(&qp->common.send_lock);
			hca_qp_error(qp);
			spin_unlock(&qp->common.send_lock);
		}
		if (qp)
			hca_qp_put(qp);
		hca_engine_run();
		local_bh_enable();
	}
}

struct hca_qp *hca_qp_find(struct hca_ci *ci, u32 qpn)
{
	struct hca_qp *qp = hca_id_find(&ci->qps, qpn);

	return qp && qp->qpn == qpn ? qp : NULL;
}

struct hca_qp *hca_qp_get(struct hca_ci *ci, u32 qpn)
{
	return hca_qp_use(hca_qp_find(ci, qpn));
}

struct hca_qp *hca_qp_get_index(struct hca_ci *ci, u32 index)
{
	return hca_qp_use(hca_id_find(&ci->qps, index));
}
