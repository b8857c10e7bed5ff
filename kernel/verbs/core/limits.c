// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Features and limits of a device that do not depend on its carrier (req V3-112). The functions for
 * creating objects enforce the limits.
 */
#include "qp/limits.h"
#include "verbs/core/hca_device.h"
#include "verbs/core/kind.h"
#include "verbs/mr/mr_alloc.h"

int hca_ib_query_device(struct ib_device *ib, struct ib_device_attr *attr, struct ib_udata *udata)
{
	if (udata && (udata->inlen || udata->outlen))
		return -EINVAL;

	*attr = (struct ib_device_attr){
		.device_cap_flags = IB_DEVICE_CURR_QP_STATE_MOD | IB_DEVICE_PORT_ACTIVE_EVENT |
				    IB_DEVICE_MEM_MGT_EXTENSIONS | IB_DEVICE_MEM_WINDOW |
				    IB_DEVICE_MEM_WINDOW_TYPE_2B | IB_DEVICE_SRQ_RESIZE,
		.kernel_cap_flags = IBK_LOCAL_DMA_LKEY,
		.max_mr_size = HCA_MAX_MR_BYTES,
		.page_size_cap = PAGE_SIZE,
		.max_qp = HCA_MAX_QP - 2, /* two table entries are reserved for QP0 and QP1 */
		.max_qp_wr = HCA_MAX_QP_WR,
		.max_send_sge = HCA_MAX_SGE,
		.max_recv_sge = HCA_MAX_SGE,
		.max_cq = HCA_MAX_CQ,
		.max_cqe = HCA_MAX_CQE,
		.max_mr = HCA_MAX_MR - 1,
		.max_mw = HCA_MAX_MW,
		.max_fast_reg_page_list_len = HCA_MAX_FAST_PAGES,
		.max_srq = HCA_MAX_SRQ,
		.max_srq_wr = HCA_MAX_SRQ_WR,
		.max_srq_sge = HCA_MAX_SGE,
		.max_pd = HCA_MAX_PD,
		.max_dm_size = HCA_MAX_DM_BYTES,
		.cq_caps = {
			.max_cq_moderation_count = U16_MAX,
			.max_cq_moderation_period = U16_MAX, /* microseconds */
		},
		/* Timestamps of completions are CLOCK_MONOTONIC_RAW in nanoseconds. */
		.timestamp_mask = U64_MAX,
		.hca_core_clock = USEC_PER_SEC, /* kHz */
	};
	to_hca_device(ib)->kind->query(ib, attr);
	return 0;
}
