// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Attributes of an RNIC's queue pairs, from and to those of the RDMA core; and the wait for the end
 * of a stream.
 */
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/sched/signal.h>
#include "iwarp/modify.h"
#include "verbs/rnic/rnic_device.h"

/* First interval, in us, between checks for the end of the stream. It is doubled each time. */
#define QP_WAIT_LEAST_US 20ul
/* Longest interval, in us, between checks for the end of the stream. */
#define QP_WAIT_MOST_US 2000ul

/* hca_iwarp_modify_check() refuses the attributes that only InfiniBand has. */
int hca_rnic_attr_from_ib(struct ib_device *ib, const struct ib_qp_attr *from, int mask,
			  struct hca_qp_attr *to)
{
	*to = (struct hca_qp_attr){
		.state = from->qp_state,
		.cur_state = from->cur_qp_state,
		.max_rd_atomic = from->max_rd_atomic,
		.max_dest_rd_atomic = from->max_dest_rd_atomic,
		.access = from->qp_access_flags,
		.en_sqd_async_notify = from->en_sqd_async_notify,
	};
	/* The table of P_Keys has one entry. */
	return (mask & IB_QP_PKEY_INDEX) && from->pkey_index ? -EINVAL : 0;
}

void hca_rnic_attr_to_ib(const struct hca_qp_attr *from, struct ib_qp_attr *to)
{
	*to = (struct ib_qp_attr){
		.qp_state = from->state,
		.cur_qp_state = from->state,
		.max_rd_atomic = from->max_rd_atomic,
		.max_dest_rd_atomic = from->max_dest_rd_atomic,
		.qp_access_flags = from->access,
		.sq_draining = from->sq_draining,
		.port_num = 1,
	};
}

/* Waits at most a second until a queue pair in Error has detached its stream. */
static int qp_wait_detached(struct hca_qp *qp)
{
	unsigned long us = QP_WAIT_LEAST_US, end = jiffies + HZ;

	while (hca_iwarp_is_ending(qp) && time_before(jiffies, end)) {
		if (fatal_signal_pending(current))
			return -EINTR;
		usleep_range(us, 2 * us);
		us = min(2 * us, QP_WAIT_MOST_US);
	}
	return 0;
}

int hca_rnic_wait(struct hca_qp *qp, const struct hca_qp_attr *attr, int mask)
{
	return (mask & IB_QP_STATE) && attr->state == IB_QPS_RESET ? qp_wait_detached(qp) : 0;
}

void hca_rnic_modified(struct hca_qp *qp, const struct hca_qp_attr *attr, int mask)
{
	if ((mask & IB_QP_STATE) && attr->state == IB_QPS_ERR) /* req R0-163 */
		qp_wait_detached(qp);
}
