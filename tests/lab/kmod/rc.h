/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Connects RC queue pairs without a connection manager, for the lab's modules. */
#ifndef HCA_LAB_RC_H
#define HCA_LAB_RC_H

#include <rdma/ib_verbs.h>

/*
 * Moves a queue pair from state Reset to RTS. @attr has the access rights, the PSNs and the numbers
 * of outstanding Reads; @dlid is the LID of the peer. Return: 0 or a negative errno.
 */
static int rc_connect(struct ib_qp *qp, const struct ib_qp *peer, u16 dlid, struct ib_qp_attr attr)
{
	int ret;

	attr.qp_state = IB_QPS_INIT;
	attr.port_num = 1;
	attr.path_mtu = IB_MTU_1024;
	attr.dest_qp_num = peer->qp_num;
	attr.min_rnr_timer = 12;
	attr.timeout = 14;
	attr.retry_cnt = 7;
	attr.rnr_retry = 7;
	attr.ah_attr.type = RDMA_AH_ATTR_TYPE_IB;
	rdma_ah_set_dlid(&attr.ah_attr, dlid);
	rdma_ah_set_port_num(&attr.ah_attr, 1);
	ret = ib_modify_qp(qp, &attr,
			   IB_QP_STATE | IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_ACCESS_FLAGS);
	attr.qp_state = IB_QPS_RTR;
	ret = ret ?: ib_modify_qp(qp, &attr,
				  IB_QP_STATE | IB_QP_AV | IB_QP_PATH_MTU | IB_QP_DEST_QPN |
					  IB_QP_RQ_PSN | IB_QP_MAX_DEST_RD_ATOMIC |
					  IB_QP_MIN_RNR_TIMER);
	attr.qp_state = IB_QPS_RTS;
	return ret ?: ib_modify_qp(qp, &attr,
				   IB_QP_STATE | IB_QP_TIMEOUT | IB_QP_RETRY_CNT |
					   IB_QP_RNR_RETRY | IB_QP_SQ_PSN |
					   IB_QP_MAX_QP_RD_ATOMIC);
}

#endif
