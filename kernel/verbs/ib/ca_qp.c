// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Attributes of a channel adapter's queue pairs, from and to those of the RDMA core; and the wait
 * before a queue pair is connected again.
 */
#include <linux/delay.h>
#include <linux/minmax.h>
#include <linux/sched/signal.h>
#include "transport/iba_qp.h"
#include "transport/time_wait.h"
#include "verbs/ib/ca_device.h"

/* First interval, in us, between checks for the end of the time-wait. It is doubled each time. */
#define WAIT_LEAST_US 20ul
/* Longest interval, in us, between checks for the end of the time-wait. */
#define WAIT_MOST_US 2000ul

int hca_ca_attr_from_ib(struct ib_device *ib, const struct ib_qp_attr *from, int mask,
			struct hca_qp_attr *to)
{
	int ret = 0;

	*to = (struct hca_qp_attr){
		.state = from->qp_state,
		.cur_state = from->cur_qp_state,
		.max_rd_atomic = from->max_rd_atomic,
		.max_dest_rd_atomic = from->max_dest_rd_atomic,
		.access = from->qp_access_flags,
		.iba = {
			HCA_CONTEXT_ATTRS(from),
			.qkey = from->qkey,
			.dest_qpn = from->dest_qp_num,
		},
		.en_sqd_async_notify = from->en_sqd_async_notify,
	};
	if (((mask & IB_QP_PORT) && !rdma_is_port_valid(ib, from->port_num)) ||
	    ((mask & IB_QP_ALT_PATH) && !rdma_is_port_valid(ib, from->alt_port_num)))
		return -EINVAL;
	if (mask & IB_QP_AV)
		ret = hca_av_from_ah_attr(ib, &from->ah_attr, &to->iba.av);
	if (!ret && (mask & IB_QP_ALT_PATH))
		ret = hca_av_from_ah_attr(ib, &from->alt_ah_attr, &to->iba.alt_av);
	if (!ret && (hca_lid_is_multicast(to->iba.av.dlid) ||
		     hca_lid_is_multicast(to->iba.alt_av.dlid)))
		ret = -EINVAL; /* a connection cannot have a multicast DLID (req C4-085) */
	return ret;
}

void hca_ca_attr_to_ib(const struct hca_qp_attr *from, struct ib_qp_attr *to)
{
	*to = (struct ib_qp_attr){
		HCA_CONTEXT_ATTRS(&from->iba),
		.qp_state = from->state,
		.cur_qp_state = from->state,
		.max_rd_atomic = from->max_rd_atomic,
		.max_dest_rd_atomic = from->max_dest_rd_atomic,
		.qkey = from->iba.qkey,
		.dest_qp_num = from->iba.dest_qpn,
		.qp_access_flags = from->access,
		.sq_draining = from->sq_draining,
	};
	hca_av_to_ah_attr(&from->iba.av, &to->ah_attr);
	hca_av_to_ah_attr(&from->iba.alt_av, &to->alt_ah_attr);
}

/*
 * Waits until no packet of the previous connection can arrive any more. If packets in flight are
 * counted, the wait takes microseconds, unless links have a delay or no credit. Context: process.
 * Return: 0, or -EINTR if the process is killed.
 */
int hca_wait_for_last(struct hca_eec *eec, const struct hca_qp_attr *attr, int mask)
{
	unsigned long us = WAIT_LEAST_US, left;
	struct hca_time_wait wait;

	if (!hca_time_wait_start(&wait, eec, attr, mask))
		return 0;
	while ((left = hca_time_wait_left(&wait))) {
		if (fatal_signal_pending(current))
			return -EINTR;
		if (wait.counted)
			usleep_range(us, 2 * us);
		else
			schedule_timeout_killable(left);
		us = min(2 * us, WAIT_MOST_US);
	}
	return 0;
}

int hca_ca_wait(struct hca_qp *qp, const struct hca_qp_attr *attr, int mask)
{
	return hca_wait_for_last(hca_qp_eec(qp), attr, mask);
}
