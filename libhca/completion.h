/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Functions that both ways of polling, cq.c and cq_ex.c, apply to each completion. */
#ifndef HCA_COMPLETION_H
#define HCA_COMPLETION_H

#include "libhca.h"

/* Convert CQE flags. Only HCA_CQE_WITH_INV has another value in libibverbs. */
static inline unsigned int hca_wc_flags(uint8_t flags)
{
	unsigned int same = flags & (HCA_CQE_GRH | HCA_CQE_WITH_IMM);

	return flags & HCA_CQE_WITH_INV ? same | IBV_WC_WITH_INV : same;
}

/**
 * hca_cq_reap() - release the work queue entries of a completion (req R0-408)
 * @cq: completion queue whose lock the caller holds
 * @qp: the queue pair of an earlier completion, found since the lock was acquired, or NULL
 * @cqe: the completion
 *
 * Return: the queue pair of the completion, or NULL if it does not exist any more; @qp if the
 * completion releases no entries.
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
