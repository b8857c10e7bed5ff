// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The tables that the queue pairs of one channel adapter share. */
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include "transport/ca.h"
#include "qp/qp.h"
#include "transport/qp_table.h"

int hca_ca_init(struct hca_ca *ca)
{
	int ret;

	BUILD_BUG_ON(HCA_MAX_INLINE != HCA_INLINE_BYTES);
	BUILD_BUG_ON(HCA_MAX_MR + HCA_MAX_MW != 1 << HCA_KEY_INDEX_BITS);
	ret = hca_tpt_init(&ca->tpt, HCA_MAX_MR + HCA_MAX_MW);
	if (ret)
		return ret;
	ret = hca_qp_table_init(&ca->qps);
	if (ret)
		goto destroy_tpt;
	ret = hca_id_table_init(&ca->rd_eecs, HCA_EEC_INDEX_BITS, 1);
	if (ret)
		goto destroy_qps;
	ret = hca_id_table_init(&ca->xrc_srqs, HCA_XRC_SRQ_INDEX_BITS, 1);
	if (ret)
		goto destroy_rd_eecs;
	hca_groups_init(&ca->groups);
	spin_lock_init(&ca->raw_qps.lock);
	INIT_LIST_HEAD(&ca->raw_qps.qps);
	hca_packet_pool_init(&ca->pool, &ca->tpt, HCA_MAX_PACKETS);
	return 0;

destroy_rd_eecs:
	hca_id_table_destroy(&ca->rd_eecs);
destroy_qps:
	hca_qp_table_destroy(&ca->qps);
destroy_tpt:
	hca_tpt_destroy(&ca->tpt);
	return ret;
}

void hca_ca_fail(struct hca_ca *ca)
{
	struct hca_qp *qp;
	u32 i;

	for (i = 0; i < READ_ONCE(ca->qps.ids.next); i++) {
		local_bh_disable();
		qp = hca_qp_get_index(ca, i);
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

void hca_ca_destroy(struct hca_ca *ca)
{
	hca_packet_pool_destroy(&ca->pool);
	hca_id_table_destroy(&ca->xrc_srqs);
	hca_id_table_destroy(&ca->rd_eecs);
	hca_qp_table_destroy(&ca->qps);
	hca_tpt_destroy(&ca->tpt);
}
