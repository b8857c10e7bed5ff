// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Shared receive queues: one for each node, used by queue pairs of several services, and those of
 * XRC.
 */
#include <stdlib.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "sim.h"

static u32 left(const struct sim_srq *srq)
{
	return srq->core.rq.ring->producer - srq->core.rq.ring->consumer;
}

static void srq_event(struct hca_srq *core, enum hca_srq_event event)
{
	struct sim_srq *srq = core->context;
	int node = srq->node->index;

	sim_trace(node, "SRQ event %d, %u are left", event, left(srq));
	if (!srq->limit || left(srq) >= srq->limit)
		sim_fail("node%d: the SRQ's limit is said to be reached, with %u left of %u", node,
			 left(srq), srq->limit);
	srq->limit = 0;
}

/* A queue of a process, for as many as 1 << sim_below(4) requests. */
void sim_srq_new(struct sim_srq *srq, struct sim_process *process)
{
	srq->node = process->node;
	srq->process = process;
	srq->core.notify = srq_event;
	srq->core.pd = process;
	srq->core.context = srq;
	if (hca_srq_init(&srq->core, 1 << sim_below(4), SIM_MAX_SGE, 0))
		sim_fail("no shared receive queue");
	srq->exists = true;
}

void sim_srqs_free(struct sim_node *node)
{
	struct sim_srq *srq;

	for (srq = node->srq; srq < node->srq + SIM_SRQS; srq++)
		if (srq->exists)
			hca_srq_destroy(&srq->core);
}

void sim_srq_arm(struct sim_srq *srq)
{
	u32 limit = sim_below(srq->core.rq.entries + 1);

	sim_trace(srq->node->index, "arm SRQ at %u", limit);
	srq->limit = limit;
	if (hca_srq_arm(&srq->core, limit))
		sim_fail("an SRQ cannot be armed");
	shim_run_until_idle();
}

static u32 draw(u32 ceiling)
{
	return (rng_next(&sim.resizes) >> 32) * ceiling >> 32;
}

/* Return: what hca_srq_resize() returned. @limit: to be armed, or NULL */
static int resize(struct sim_srq *srq, u32 entries, const u32 *limit)
{
	struct hca_queue next = {};
	int ret;

	if (hca_queue_alloc(&next, entries, srq->core.rq.stride, false))
		sim_fail("no ring for a shared receive queue");
	ret = hca_srq_resize(&srq->core, &next, limit);
	hca_queue_free(&next);
	return ret;
}

/*
 * Sizes are drawn from a sequence of their own, so that a seed's program is the same as without. It
 * differs from there on, as the queue is full at another time.
 */
void sim_srq_resize(struct sim_srq *srq)
{
	u32 entries = 1 << draw(6), limit = draw(entries + 2), before = srq->limit;
	bool arms = !draw(4), fits;

	if (draw(3))
		return;
	fits = left(srq) <= entries && (arms ? limit : before) <= entries;
	sim_trace(srq->node->index,
		  "resize SRQ with %u posted to %u, limit %d", left(srq), entries,
		  arms ? (int)limit : -1);
	if (fits && arms)
		srq->limit = limit;
	if (resize(srq, entries, arms ? &limit : NULL) != (fits ? 0 : -EINVAL))
		sim_fail("a resize of an SRQ is %s", fits ? "refused" : "not refused");
	if (srq->core.rq.entries < left(srq) || (fits && srq->core.rq.entries != entries))
		sim_fail("an SRQ has %u entries", srq->core.rq.entries);
	shim_run_until_idle();
}

/* The limit event comes as soon as the queue is below the limit. */
void sim_srqs_check(const struct sim_node *node)
{
	const struct sim_srq *srq;

	for (srq = node->srq; srq < node->srq + SIM_SRQS; srq++)
		if (srq->exists && left(srq) < srq->limit)
			sim_fail("node%d: the SRQ has %u left of %u, and does not tell", node->index,
				 left(srq), srq->limit);
}

/* False: there is no room, or no memory. */
bool sim_srq_post(struct sim_srq *srq)
{
	struct hca_ring *ring = srq->core.rq.ring;
	struct hca_recv_wqe *wqe = hca_queue_entry(&srq->core.rq, ring->producer);
	struct sim_recv *recv;
	int n;

	if (left(srq) >= srq->core.rq.entries)
		return false;
	recv = calloc(1, sizeof(*recv));
	recv->srq = srq;
	recv->wr_id = sim_next_id();
	recv->index = ring->producer;
	recv->capacity = SIM_SRQ_CAPACITY + sim_below(100);
	n = sim_spans_alloc(srq->process, recv->local, recv->capacity,
			    IB_UVERBS_ACCESS_LOCAL_WRITE);
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
	sim_trace(srq->node->index, "post SRQ %06x #%llu receive of %u octets",
		  srq->xrc ? srq->xrc->srqn : 0, (unsigned long long)recv->wr_id, recv->capacity);
	return true;
}

/* A target queue pair of XRC uses all those of its XRC domain. */
bool sim_uses_srq(const struct sim_qp *qp, const struct sim_srq *srq)
{
	return qp->xrcd ? qp->xrcd == srq->xrcd : srq->exists && qp->srq == srq;
}

bool sim_uses_srqs(const struct sim_qp *qp)
{
	return qp->xrcd || qp->srq;
}

/*
 * The number of requests that the queue pair may have in progress. A connection knows the one of
 * its message; reliable datagrams have one for each EE context.
 */
static u32 hands(const struct sim_qp *qp)
{
	return qp->type == HCA_QPT_RD ? sim.num_rd_eecs : qp->qp->recv.valid;
}

/* The queue pair is about to discard the requests that it has in progress. */
void sim_srqs_lose(struct sim_qp *qp)
{
	struct sim_srq *srq;

	for (srq = qp->node->srq; srq < qp->node->srq + SIM_SRQS; srq++)
		if (sim_uses_srq(qp, srq))
			srq->lost += hands(qp);
}

/*
 * Memory of requests that were not consumed is unchanged; of consumed ones, a queue pair that is
 * not in Error may have some in progress, or may have lost it.
 */
void sim_srq_end(struct sim_srq *srq)
{
	struct sim_recv *recv, *next;
	u32 in_hand = srq->lost;
	struct sim_qp *qp;

	list_for_each_entry(qp, &sim.qps, in_world)
		if (qp->qp && sim_uses_srq(qp, srq) && sim_core_state(qp) != IB_QPS_ERR)
			in_hand += hands(qp);
	list_for_each_entry_safe(recv, next, &srq->recvs, in_queue) {
		bool polled = (s32)(recv->index - srq->core.rq.ring->consumer) < 0;

		if (polled && !in_hand--)
			sim_fail("node%d: #%llu was taken from the SRQ, and never completed",
				 srq->node->index, (unsigned long long)recv->wr_id);
		if (!polled && !sim_spans_compare(recv->local, SIM_MAX_SGE, 0, NULL, 0).old)
			sim_fail("node%d: #%llu is written to, and not taken from the SRQ",
				 srq->node->index, (unsigned long long)recv->wr_id);
		sim_recv_end(recv);
	}
}

void sim_srqs_end(struct sim_node *node)
{
	struct sim_srq *srq;

	for (srq = node->srq; srq < node->srq + SIM_SRQS; srq++)
		if (srq->exists)
			sim_srq_end(srq);
}
