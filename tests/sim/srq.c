// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Shared receive queues: one for each node, used by queue pairs of several services. */
#include <stdlib.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "sim.h"

static u32 left(const struct sim_srq *srq)
{
	return srq->core.rq.ring->producer - srq->core.rq.ring->consumer;
}

/* Sometimes. */
void sim_srq_new(struct sim_node *node)
{
	struct sim_srq *srq = &node->srq;

	INIT_LIST_HEAD(&srq->recvs);
	if (sim_chance(1, 2))
		return;
	srq->core.notify = sim_srq_event;
	srq->core.pd = node;
	srq->core.context = node;
	if (hca_srq_init(&srq->core, 1 << sim_below(4), SIM_MAX_SGE, 0))
		sim_fail("no shared receive queue");
	srq->exists = true;
}

void sim_srq_free(struct sim_node *node)
{
	if (node->srq.exists)
		hca_srq_destroy(&node->srq.core);
}

void sim_srq_event(struct hca_srq *core, enum hca_srq_event event)
{
	struct sim_node *node = core->context;
	struct sim_srq *srq = &node->srq;

	sim_trace(node->index, "SRQ event %d, %u are left", event, left(srq));
	if (!srq->limit || left(srq) >= srq->limit)
		sim_fail("node%d: the SRQ's limit is said to be reached, with %u left of %u",
			 node->index,
			 left(srq), srq->limit);
	srq->limit = 0;
}

void sim_srq_arm(struct sim_srq *srq)
{
	u32 limit = sim_below(srq->core.rq.entries + 1);

	sim_trace(srq->core.notify ? ((struct sim_node *)srq->core.context)->index : 0,
		  "arm SRQ at %u", limit);
	srq->limit = limit;
	if (hca_srq_arm(&srq->core, limit))
		sim_fail("an SRQ cannot be armed");
	shim_run_until_idle();
}

/* The limit event comes as soon as the queue is below the limit. */
void sim_srq_check(const struct sim_node *node)
{
	if (node->srq.exists && left(&node->srq) < node->srq.limit)
		sim_fail("node%d: the SRQ has %u left of %u, and does not tell", node->index,
			 left(&node->srq), node->srq.limit);
}

/* False: there is no room, or no memory. */
bool sim_srq_post(struct sim_srq *srq)
{
	struct hca_ring *ring = srq->core.rq.ring;
	struct hca_recv_wqe *wqe = hca_queue_entry(&srq->core.rq, ring->producer);
	struct sim_node *node = srq->core.context;
	struct sim_recv *recv;
	int n;

	if (left(srq) >= srq->core.rq.entries)
		return false;
	recv = calloc(1, sizeof(*recv));
	recv->wr_id = sim_next_id();
	recv->index = ring->producer;
	recv->capacity = SIM_SRQ_CAPACITY + sim_below(100);
	n = sim_spans_alloc(node, recv->local, recv->capacity, IB_UVERBS_ACCESS_LOCAL_WRITE);
	if (n < 0) {
		free(recv);
		return false;
	}
	memset(wqe, 0, srq->core.rq.stride);
	wqe->wr_id = recv->wr_id;
	wqe->num_sge = n;
	sim_spans_write(wqe->sge, recv->local, n);
	list_add_tail(&recv->in_queue, &srq->recvs);
	ring->producer++;
	sim_trace(node->index, "post SRQ #%llu receive of %u octets",
		  (unsigned long long)recv->wr_id,
		  recv->capacity);
	return true;
}

/*
 * A connection has one message in progress; a queue pair of reliable datagrams has one for each EE
 * context.
 */
static u32 hands(const struct sim_qp *qp)
{
	return qp->type == HCA_QPT_RD ? sim.num_rd_eecs : 1;
}

/* The queue pair discards the requests that it has in progress. */
void sim_srq_lose(struct sim_qp *qp)
{
	qp->srq->lost += hands(qp);
}

/*
 * Memory of requests that were not consumed is unchanged; of consumed ones, a queue pair that is
 * not in Error may have some in progress, or may have lost it.
 */
void sim_srq_end(struct sim_node *node)
{
	struct sim_srq *srq = &node->srq;
	struct sim_recv *recv, *next;
	u32 in_hand = srq->lost;
	struct sim_qp *qp;

	if (!srq->exists)
		return;
	list_for_each_entry(qp, &sim.qps, in_world)
		if (qp->qp && qp->srq == srq && sim_core_state(qp) != IB_QPS_ERR)
			in_hand += hands(qp);
	list_for_each_entry_safe(recv, next, &srq->recvs, in_queue) {
		bool polled = (s32)(recv->index - srq->core.rq.ring->consumer) < 0;

		if (polled && !in_hand--)
			sim_fail("node%d: #%llu was taken from the SRQ, and never completed",
				 node->index,
				 (unsigned long long)recv->wr_id);
		if (!polled && !sim_spans_compare(recv->local, SIM_MAX_SGE, 0, NULL, 0).old)
			sim_fail("node%d: #%llu is written to, and not taken from the SRQ",
				 node->index,
				 (unsigned long long)recv->wr_id);
		sim_recv_end(recv);
	}
}
