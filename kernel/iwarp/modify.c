// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Modify and query of an RNIC's queue pair. */
#include "iwarp/modify.h"
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "iwarp/iwarp_qp.h"

#define MODIFY_VALUES (IB_QP_ACCESS_FLAGS | IB_QP_MAX_QP_RD_ATOMIC | IB_QP_MAX_DEST_RD_ATOMIC)
/* The port is the only one, and so is its P_Key, but rdma_cm and programs name them. */
#define MODIFY_ANY \
	(IB_QP_STATE | IB_QP_CUR_STATE | IB_QP_PORT | IB_QP_PKEY_INDEX | MODIFY_VALUES)

/*
 * States from which a consumer can go to a state, as bits (RDMA verbs, 6.2). A modify to RTR or to
 * RTS sets attributes alone. rdma_cm makes the one from Init to RTR before it connects or accepts,
 * in order to set the access flags (rdma_init_qp_attr(), iw_cm_init_qp_attr()). librdmacm makes the
 * one to SQD when a program disconnects, also if the peer was faster: then it changes nothing.
 */
static const u8 modify_from[HCA_NUM_QPS] = {
	[IB_QPS_RESET] = BIT(IB_QPS_RESET) | BIT(IB_QPS_INIT) | BIT(IB_QPS_ERR),
	[IB_QPS_INIT] = BIT(IB_QPS_RESET) | BIT(IB_QPS_INIT),
	[IB_QPS_RTR] = BIT(IB_QPS_INIT),
	[IB_QPS_RTS] = BIT(IB_QPS_RTS),
	[IB_QPS_SQD] = BIT(IB_QPS_RTR) | BIT(IB_QPS_RTS) | BIT(IB_QPS_SQD) | BIT(IB_QPS_ERR),
	[IB_QPS_SQE] = BIT(IB_QPS_RTR) | BIT(IB_QPS_RTS),
	[IB_QPS_ERR] = 0xff,
};

/* Values can be set in Init, and in RTS, where ORD can only be reduced (req R0-247 to R0-250). */
static bool modify_values_ok(const struct hca_iwarp_qp *it, const struct hca_qp_attr *attr,
			     int mask)
{
	u8 state = it->qp.common.state;

	if (!(mask & MODIFY_VALUES))
		return true;
	if ((mask & IB_QP_STATE) && attr->state != IB_QPS_RTR && attr->state != IB_QPS_RTS)
		state = attr->state;
	if (state != IB_QPS_INIT && state != IB_QPS_RTS)
		return false;
	if ((mask & IB_QP_MAX_QP_RD_ATOMIC) &&
	    attr->max_rd_atomic > (it->ep ? it->requester.ord : HCA_IWARP_MAX_READS))
		return false;
	return !(mask & IB_QP_MAX_DEST_RD_ATOMIC) ||
	       (!it->ep && attr->max_dest_rd_atomic <= HCA_IWARP_MAX_READS);
}

int hca_iwarp_modify_check(const struct hca_qp *qp, const struct hca_qp_attr *attr, int mask)
{
	const struct hca_iwarp_qp *it = hca_iwarp_qp_of(qp);
	u8 state = qp->common.state;

	if ((mask & ~MODIFY_ANY) || ((mask & IB_QP_CUR_STATE) && attr->cur_state != state) ||
	    ((mask & IB_QP_STATE) && attr->state >= HCA_NUM_QPS) ||
	    !modify_values_ok(it, attr, mask))
		return -EINVAL;
	if (!(mask & IB_QP_STATE))
		return state == IB_QPS_INIT || state == IB_QPS_RTS ? 0 : -EINVAL;
	if (!(modify_from[attr->state] & BIT(state)))
		return -EINVAL;
	return attr->state == IB_QPS_RESET && it->ep ? -EBUSY : 0;
}

void hca_iwarp_modify_apply(struct hca_qp *qp, const struct hca_qp_attr *attr, int mask)
{
	struct hca_iwarp_qp *it = hca_iwarp_qp_of(qp);

	if (mask & IB_QP_ACCESS_FLAGS) {
		it->access = attr->access;
		it->is_access_open = (mask & IB_QP_PORT) && !attr->access;
	}
	if (mask & IB_QP_MAX_DEST_RD_ATOMIC)
		it->max_ird = attr->max_dest_rd_atomic;
	if (mask & IB_QP_MAX_QP_RD_ATOMIC) {
		it->max_ord = attr->max_rd_atomic;
		if (it->ep)
			it->requester.ord = attr->max_rd_atomic;
	}
	if (!(mask & IB_QP_STATE))
		return;
	it->is_ending_by_modify |= attr->state == IB_QPS_SQE;
	it->is_aborting |= attr->state == IB_QPS_ERR;
	if (attr->state == IB_QPS_SQD && qp->common.state < IB_QPS_SQD)
		WRITE_ONCE(qp->common.state, IB_QPS_SQD);
}

void hca_iwarp_query(const struct hca_qp *qp, struct hca_qp_attr *attr)
{
	const struct hca_iwarp_qp *it = hca_iwarp_qp_of(qp);

	memset(attr, 0, sizeof(*attr));
	attr->access = it->access;
	attr->max_rd_atomic = it->ep ? it->requester.ord : it->max_ord;
	attr->max_dest_rd_atomic = it->ep ? it->responder.ird : it->max_ird;
}

bool hca_iwarp_is_ending(struct hca_qp *qp)
{
	bool is_ending;

	spin_lock_bh(&qp->common.send_lock);
	is_ending = qp->common.state == IB_QPS_ERR && hca_iwarp_qp_of(qp)->ep;
	spin_unlock_bh(&qp->common.send_lock);
	return is_ending;
}
