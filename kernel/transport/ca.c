// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The tables that the queue pairs of one channel adapter share. */
#include "transport/ca.h"
#include <linux/err.h>
#include "transport/iba_qp.h"
#include "transport/qp_create.h"
#include "transport/qp_type.h"
#include "transport/view.h"
#include "transport/xrc/xrc.h"

static const struct hca_qp_type *ca_qp_type(unsigned int type)
{
	const struct hca_iba_type *row = hca_iba_type(type);

	return row ? &row->type : NULL;
}

static struct hca_qp *ca_create_qp(struct hca_ci *ci, const struct hca_qp_init *init)
{
	return hca_qp_create(hca_ca_of(ci), init);
}

static void ca_bind_counters(struct hca_qp *qp, struct hca_qp_counters *counters)
{
	rcu_assign_pointer(hca_qp_eec(qp)->losses, counters);
}

static struct hca_xrc_srq *ca_publish_xrc_srq(struct hca_ci *ci, struct hca_srq *srq,
					      struct hca_cq *cq, const void *xrcd, u32 *srqn)
{
	struct hca_xrc_srq *xrc = hca_xrc_srq_publish(hca_ca_of(ci), srq, cq, xrcd);

	if (!IS_ERR(xrc))
		*srqn = xrc->srqn;
	return xrc;
}

static void ca_withdraw_xrc_srq(struct hca_ci *ci, struct hca_xrc_srq *xrc)
{
	hca_xrc_srq_withdraw(hca_ca_of(ci), xrc);
}

static const struct hca_ci_ops ca_ops = {
	.create_flags = IB_QP_CREATE_BLOCK_MULTICAST_LOOPBACK,
	.qp_type = ca_qp_type,
	.create_qp = ca_create_qp,
	.view = hca_qp_view,
	.bind_counters = ca_bind_counters,
	.publish_xrc_srq = ca_publish_xrc_srq,
	.withdraw_xrc_srq = ca_withdraw_xrc_srq,
};

int hca_ca_init(struct hca_ca *ca)
{
	int ret;

	BUILD_BUG_ON(HCA_MAX_INLINE != HCA_INLINE_BYTES);
	BUILD_BUG_ON(HCA_ID_MASK != HCA_QPN_MASK || HCA_ID_MASK != HCA_QPN_MULTICAST);
	BUILD_BUG_ON(offsetof(struct hca_ca, ci));
	ret = hca_ci_init(&ca->ci, &ca_ops, HCA_MAX_MESSAGE);
	if (ret)
		return ret;
	ret = hca_id_table_init(&ca->rd_eecs, HCA_EEC_INDEX_BITS, 1);
	if (ret)
		goto destroy_ci;
	ret = hca_id_table_init(&ca->xrc_srqs, HCA_XRC_SRQ_INDEX_BITS, 1);
	if (ret)
		goto destroy_rd_eecs;
	hca_groups_init(&ca->groups);
	spin_lock_init(&ca->raw_qps.lock);
	INIT_LIST_HEAD(&ca->raw_qps.qps);
	hca_packet_pool_init(&ca->pool, &ca->ci.tpt, HCA_MAX_PACKETS);
	return 0;

destroy_rd_eecs:
	hca_id_table_destroy(&ca->rd_eecs);
destroy_ci:
	hca_ci_destroy(&ca->ci);
	return ret;
}

void hca_ca_destroy(struct hca_ca *ca)
{
	hca_packet_pool_destroy(&ca->pool);
	hca_id_table_destroy(&ca->xrc_srqs);
	hca_id_table_destroy(&ca->rd_eecs);
	hca_ci_destroy(&ca->ci);
}
