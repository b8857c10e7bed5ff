// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Queue pairs, their attributes by service, and their rings. */
#include <linux/bottom_half.h>
#include <linux/string.h>
#include "consumer.h"
#include "qp/ci.h"

#define RELIABLE_RTR \
	(IB_QP_AV | IB_QP_PATH_MTU | IB_QP_DEST_QPN | IB_QP_RQ_PSN | IB_QP_MAX_DEST_RD_ATOMIC | \
	 IB_QP_MIN_RNR_TIMER)
#define RELIABLE_RTS \
	(IB_QP_SQ_PSN | IB_QP_TIMEOUT | IB_QP_RETRY_CNT | IB_QP_RNR_RETRY | IB_QP_MAX_QP_RD_ATOMIC)

/*
 * The attributes that a queue pair of each type needs to reach Init, RTR and RTS. A queue pair of
 * RD needs few: its EE context has the others.
 */
static const int qp_masks[][3] = {
	[IB_QPT_RC] = { IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_ACCESS_FLAGS, RELIABLE_RTR,
			RELIABLE_RTS },
	[IB_QPT_UC] = { IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_ACCESS_FLAGS,
			IB_QP_AV | IB_QP_PATH_MTU | IB_QP_DEST_QPN | IB_QP_RQ_PSN,
			IB_QP_SQ_PSN },
	[IB_QPT_UD] = { IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_QKEY, 0, IB_QP_SQ_PSN },
	[IB_QPT_SMI] = { IB_QP_PKEY_INDEX | IB_QP_QKEY, 0, IB_QP_SQ_PSN },
	[IB_QPT_GSI] = { IB_QP_PKEY_INDEX | IB_QP_QKEY, 0, IB_QP_SQ_PSN },
	[IB_QPT_RAW_IPV6] = { IB_QP_PORT, 0, 0 },
	[IB_QPT_RAW_ETHERTYPE] = { IB_QP_PORT, 0, 0 },
	[IB_QPT_XRC_INI] = { IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_ACCESS_FLAGS,
			     IB_QP_AV | IB_QP_PATH_MTU | IB_QP_DEST_QPN | IB_QP_RQ_PSN,
			     RELIABLE_RTS },
	[IB_QPT_XRC_TGT] = { IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_ACCESS_FLAGS, RELIABLE_RTR,
			     IB_QP_SQ_PSN | IB_QP_TIMEOUT },
	[HCA_QPT_RD] = { IB_QP_QKEY | IB_QP_ACCESS_FLAGS, 0, 0 },
};

static const int rd_eec_masks[3] = { IB_QP_PKEY_INDEX | IB_QP_PORT, RELIABLE_RTR, RELIABLE_RTS };

int consumer_qp_mask(u8 type, u8 state)
{
	return IB_QP_STATE | qp_masks[type][state - IB_QPS_INIT];
}

int consumer_rd_eec_mask(u8 state)
{
	return IB_QP_STATE | rd_eec_masks[state - IB_QPS_INIT];
}

struct hca_qp *consumer_create_qp(struct hca_ci *ci, const struct hca_qp_init *init)
{
	return ci->ops->create_qp(ci, init);
}

bool consumer_ring(struct hca_qp *qp, const struct hca_ring *ring)
{
	if (!ring || !ring->need_wakeup)
		return false;
	local_bh_disable();
	hca_qp_kick(qp);
	hca_engine_run();
	local_bh_enable();
	return true;
}

bool consumer_poll_cq(struct hca_cq *cq, struct hca_cqe *cqe)
{
	struct hca_ring *ring = cq->queue.ring;

	if (cq->kernel)
		return hca_cq_poll(cq, cqe, 1) == 1;
	if (ring->consumer == ring->producer)
		return false;
	memcpy(cqe, hca_queue_entry(&cq->queue, ring->consumer), sizeof(*cqe));
	ring->consumer++;
	return true;
}
