/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A send request that is being composed. */
#ifndef HCA_TESTS_SIM_DRAFT_H
#define HCA_TESTS_SIM_DRAFT_H

#include "ops.h"
#include "sim.h"

/* The capacity of a receive request for reliable datagrams. */
#define SIM_RD_CAPACITY 9000

struct sim_draft {
	struct sim_op *op;
	struct hca_send_wqe *wqe;
	struct hca_sge *sge;
};

/*
 * Choose destination, memory and content (fill.c, datagram.c); false: no memory or no destination
 * is available.
 */
bool sim_fill_request(struct sim_draft *d);
void sim_fill_datagram(struct sim_draft *d);

/* Make the request invalid in at most one way (spoil.c). */
void sim_spoil(struct sim_draft *d);

/* Predict the possible outcomes (judge.c). */
void sim_judge(struct sim_draft *d);
bool sim_looks_like_others(const struct sim_op *op);

/* The process whose memory the request names, and receives its message. */
static inline struct sim_process *sim_op_process(const struct sim_op *op)
{
	return op->srq ? op->srq->process : op->flow_to->process;
}

static inline bool sim_op_is(const struct sim_op *op, enum sim_op_flags flag)
{
	return op->kind->flags & flag;
}

#endif
