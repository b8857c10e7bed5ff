/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What each way of polling does with each completion. */
#ifndef HCA_COMPLETION_H
#define HCA_COMPLETION_H

#include "libhca.h"

/* Converts CQE flags; HCA_CQE_WITH_INV is the only one whose value differs in libibverbs. */
static inline unsigned int hca_wc_flags(uint8_t flags)
{
	unsigned int same = flags & (HCA_CQE_GRH | HCA_CQE_WITH_IMM);

	return flags & HCA_CQE_WITH_INV ? same | IBV_WC_WITH_INV : same;
}

/**
 * hca_cq_reap() - release the work queue entries of a completion (req R0-408)
 * @cq: completion queue, of which the caller holds the lock
 * @qp: the queue pair of an earlier completion, found under the same lock, or NULL
 * @cqe: the completion
 *
 * Return: its queue pair, or NULL if that does not exist any more; @qp if nothing is to be
 * released.
 */
static inline struct hca_qp *hca_cq_reap(struct hca_cq *cq, struct hca_qp *qp,
					 const struct hca_cqe *cqe)
{
	if (!cqe->wqes)
		return qp;
	if (!qp || qp->verbs.qp.qp_num != cqe->qp_num)
		qp = hca_qp_table_find(to_hca_context(cq->verbs.cq.context), cqe->qp_num);
	if (qp)
		hca_queue_reap(cqe->flags & HCA_CQE_RECV ? &qp->rq : &qp->sq, cqe->wqes);
	return qp;
}

#endif
