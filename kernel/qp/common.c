// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The common part of queue pairs and RD EE contexts. */
#include "qp/common.h"

void hca_qp_common_init(struct hca_qp_common *common,
			bool (*run)(struct hca_runnable *r, int *budget),
			void (*notify)(struct hca_qp_common *common, enum hca_qp_event event))
{
	common->state = IB_QPS_RESET;
	common->notify = notify;
	spin_lock_init(&common->send_lock);
	spin_lock_init(&common->recv_lock);
	hca_run_init(&common->run, run);
}

void hca_qp_common_raise(struct hca_qp_common *common, enum hca_qp_event event)
{
	atomic_or(1 << event, &common->events);
	hca_qp_common_kick(common);
}

void hca_qp_common_notify(struct hca_qp_common *common)
{
	int events = atomic_xchg(&common->events, 0);
	int event;

	for (event = 0; events >> event; event++)
		if (events & 1 << event)
			common->notify(common, event);
}

void hca_qp_common_drained(struct hca_qp_common *common)
{
	common->sq_draining = false;
	if (common->en_sqd_async_notify)
		hca_qp_common_raise(common, HCA_QP_SQ_DRAINED);
}

void hca_qp_common_modify(struct hca_qp_common *common, const struct hca_state_kind *states,
			  const struct hca_qp_attr *attr, int mask)
{
	if (states[attr->state].draining && states[common->state].fetches) {
		common->sq_draining = true;
		common->en_sqd_async_notify = (mask & IB_QP_EN_SQD_ASYNC_NOTIFY) &&
					      attr->en_sqd_async_notify;
	}
	WRITE_ONCE(common->state, attr->state);
}

void hca_qp_common_query(const struct hca_qp_common *common, struct hca_qp_attr *attr)
{
	attr->state = common->state;
	attr->cur_state = common->state;
	attr->sq_draining = hca_qp_common_draining(common);
	attr->en_sqd_async_notify = common->en_sqd_async_notify;
}
