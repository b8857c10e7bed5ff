// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Completions, and the effects of requests on memory. */
#include <stdlib.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "tests/consumer/consumer.h"
#include "tests/sim/iwarp/iwsim.h"

#define NAME(end) (end)->node->index, (end)->qpn

static void model_remove(struct iwsim_op *op)
{
	if (op->is_done && op->is_executed)
		iwsim_op_free(op);
}

/* The peer has executed a Write, since it has done something that comes after it. */
static void model_written(const struct iwsim_end *end, struct iwsim_op *op)
{
	u32 placed = iwsim_buffer_placed(&op->remote, op->data, op->length);

	if (placed != op->length)
		sim_fail("node%d qp %06x: only %u octets of the Write #%llu have arrived",
			 NAME(end), placed, (unsigned long long)op->id);
	iwsim_buffer_accept(&op->remote);
	iwsim_buffer_free(&op->remote);
	op->is_executed = true;
}

/* All Writes before a request have been executed. */
static void model_executed_before(struct iwsim_end *end, const struct iwsim_op *last)
{
	struct iwsim_op *op, *next;

	list_for_each_entry_safe(op, next, &end->ops, in_flow) {
		if (op == last)
			return;
		if (op->opcode == IB_UVERBS_WR_RDMA_WRITE && !op->is_executed) {
			model_written(end, op);
			model_remove(op);
		}
	}
}

/* --- send requests */

static void model_check_key(const struct iwsim_end *end, const struct iwsim_op *op)
{
	if (op->key.mr && op->key.mr->generation)
		sim_fail("node%d qp %06x: #%llu has not invalidated the key", NAME(end),
			 (unsigned long long)op->id);
}

static void model_read(struct iwsim_end *end, struct iwsim_op *op)
{
	u32 placed = iwsim_buffer_placed(&op->local, op->data, op->length);

	if (placed != op->length)
		sim_fail("node%d qp %06x: only %u octets of the Read #%llu are right", NAME(end),
			 placed, (unsigned long long)op->id);
	iwsim_buffer_accept(&op->local);
	iwsim_buffer_free(&op->local);
	model_check_key(end, op);
	op->is_executed = true;
	model_executed_before(end, op);
}

/* A local request has changed a key; one that was made valid is of use for the peer now. */
static void model_local(struct iwsim_end *end, struct iwsim_op *op)
{
	if (!iwsim_is_grant(op->opcode)) {
		model_check_key(end, op);
		return;
	}
	if (end->qp && !op->key.mr->generation)
		sim_fail("node%d qp %06x: #%llu has not made the key valid", NAME(end),
			 (unsigned long long)op->id);
	end->grant = op->key;
	op->key.mr = NULL;
}

static void model_done(struct iwsim_end *end, struct iwsim_op *op, u8 status)
{
	op->is_done = true;
	op->status = status;
	end->node->cq_load[end->send_cq - end->node->cq]--;
	if (op->spoiler)
		end->conn->spoiled_status = status;
	if (!iwsim_is_read(op->opcode))
		iwsim_buffer_free(&op->local);
	else if (!status)
		model_read(end, op);
	if (iwsim_is_local(op->opcode)) {
		op->is_executed = true;
		if (!status)
			model_local(end, op);
	}
	model_remove(op);
}

/* Return: the request of a completion. Those before it that are not signaled have succeeded. */
static struct iwsim_op *model_find(struct iwsim_end *end, u64 id)
{
	struct iwsim_op *op, *next;

	list_for_each_entry_safe(op, next, &end->ops, in_flow) {
		if (op->is_done)
			continue;
		if (op->id == id)
			return op;
		if ((op->flags & HCA_WQE_SIGNALED) || end->has_failed)
			break;
		if (!iwsim_may_succeed(op))
			sim_fail("node%d qp %06x: #%llu is wrong, and succeeds", NAME(end),
				 (unsigned long long)op->id);
		model_done(end, op, IB_WC_SUCCESS);
	}
	sim_fail("node%d qp %06x: a completion of #%llu is not due", NAME(end),
		 (unsigned long long)id);
}

static void model_check_status(struct iwsim_end *end, const struct iwsim_op *op, u8 status)
{
	bool ok = end->conn->trouble;

	if (status == IB_WC_SUCCESS)
		ok = !end->has_failed && iwsim_may_succeed(op);
	else if (status != IB_WC_WR_FLUSH_ERR)
		ok &= !end->has_error && iwsim_may_fail(end, op, status);
	if (!ok)
		sim_fail("node%d qp %06x: #%llu must not complete so: %s", NAME(end),
			 (unsigned long long)op->id, sim_status_name(status));
	end->has_failed |= status != IB_WC_SUCCESS;
	end->has_error |= status != IB_WC_SUCCESS && status != IB_WC_WR_FLUSH_ERR;
}

static void model_check_cqe(const struct iwsim_end *end, const struct iwsim_op *op,
			    const struct hca_cqe *cqe)
{
	static const u8 opcodes[] = {
		[IB_UVERBS_WR_RDMA_WRITE] = IB_UVERBS_WC_RDMA_WRITE,
		[IB_UVERBS_WR_SEND] = IB_UVERBS_WC_SEND,
		[IB_UVERBS_WR_SEND_WITH_INV] = IB_UVERBS_WC_SEND,
		[IB_UVERBS_WR_RDMA_READ] = IB_UVERBS_WC_RDMA_READ,
		[IB_UVERBS_WR_RDMA_READ_WITH_INV] = IB_UVERBS_WC_RDMA_READ,
		[IB_UVERBS_WR_LOCAL_INV] = IB_UVERBS_WC_LOCAL_INV,
		[IB_UVERBS_WR_BIND_MW] = IB_UVERBS_WC_BIND_MW,
		[IB_WR_REG_MR] = IB_WC_REG_MR,
	};

	if (cqe->status)
		return;
	if (!(op->flags & HCA_WQE_SIGNALED) || cqe->opcode != opcodes[op->opcode] ||
	    (iwsim_is_read(op->opcode) && cqe->byte_len != op->length))
		sim_fail("node%d qp %06x: the completion of #%llu is wrong: opcode %u, %u octets",
			 NAME(end), (unsigned long long)op->id, cqe->opcode, cqe->byte_len);
}

static void model_send(struct iwsim_end *end, const struct hca_cqe *cqe)
{
	struct iwsim_op *op = model_find(end, cqe->wr_id);

	model_check_status(end, op, cqe->status);
	model_check_cqe(end, op, cqe);
	model_done(end, op, cqe->status);
}

/* --- receive requests */

/* The Send that the next receive request of an end takes; NULL: there is none. */
static struct iwsim_op *model_next_send(const struct iwsim_end *end)
{
	struct iwsim_op *op;

	list_for_each_entry(op, &end->peer->ops, in_flow)
		if (iwsim_is_send(op->opcode) && !op->is_executed)
			return op;
	return NULL;
}

static struct iwsim_recv *model_find_recv(struct iwsim_end *end, u64 id)
{
	struct list_head *queue = end->with_srq ? &end->node->srq_recvs : &end->recvs;
	struct iwsim_recv *recv;

	list_for_each_entry(recv, queue, in_queue) {
		if (recv->id == id && id > end->last_recv)
			return recv;
		if (!end->with_srq)
			break;
	}
	sim_fail("node%d qp %06x: a completion of the receive request #%llu is not due", NAME(end),
		 (unsigned long long)id);
}

static void model_received(struct iwsim_end *end, struct iwsim_recv *recv,
			   const struct hca_cqe *cqe)
{
	struct iwsim_op *op = model_next_send(end);
	bool solicited, invalidates;

	if (!op || end->has_failed_recv || !iwsim_may_be_received(op))
		sim_fail("node%d qp %06x: #%llu receives a message that was not sent", NAME(end),
			 (unsigned long long)recv->id);
	solicited = op->flags & HCA_WQE_SOLICITED;
	invalidates = op->opcode == IB_UVERBS_WR_SEND_WITH_INV;
	if (cqe->byte_len != op->length || !(cqe->flags & HCA_CQE_SOLICITED) != !solicited ||
	    !(cqe->flags & HCA_CQE_WITH_INV) != !invalidates || cqe->opcode != IB_WC_RECV ||
	    (invalidates && cqe->invalidated_rkey != op->key.key))
		sim_fail("node%d qp %06x: the completion of #%llu does not fit the Send #%llu",
			 NAME(end), (unsigned long long)recv->id, (unsigned long long)op->id);
	if (iwsim_buffer_placed(&recv->buffer, op->data, op->length) != op->length)
		sim_fail("node%d qp %06x: #%llu has wrong octets", NAME(end),
			 (unsigned long long)recv->id);
	model_check_key(end->peer, op);
	op->is_executed = true;
	end->node->srq_reserved -= end->with_srq;
	model_executed_before(end->peer, op);
	model_remove(op);
}

/* The first request that fails may have a part of a message. */
static void model_recv_failed(struct iwsim_end *end, struct iwsim_recv *recv, u8 status)
{
	const struct iwsim_op *op = end->has_failed_recv ? NULL : model_next_send(end);

	if (!end->conn->trouble ||
	    (status != IB_WC_WR_FLUSH_ERR && !iwsim_may_fail_recv(op, status)))
		sim_fail("node%d qp %06x: the receive request #%llu must not complete so: %s",
			 NAME(end), (unsigned long long)recv->id, sim_status_name(status));
	iwsim_buffer_placed(&recv->buffer, op ? op->data : NULL, op ? op->length : 0);
	end->has_failed_recv = true;
}

static void model_recv(struct iwsim_end *end, const struct hca_cqe *cqe)
{
	struct iwsim_recv *recv = model_find_recv(end, cqe->wr_id);
	struct iwsim_node *node = end->node;
	int i;

	end->last_recv = recv->id;
	if (cqe->status)
		model_recv_failed(end, recv, cqe->status);
	else
		model_received(end, recv, cqe);
	iwsim_buffer_accept(&recv->buffer);
	for (i = 0; i < IWSIM_CQS; i++)
		if (end->with_srq || &node->cq[i] == end->recv_cq)
			node->cq_load[i]--;
	node->srq_posted -= end->with_srq;
	iwsim_recv_free(recv);
}

/* --- polling */

static struct iwsim_end *model_end_of(const struct iwsim_node *node, const struct hca_cqe *cqe)
{
	int i, side;

	for (i = 0; i < iwsim.conns; i++)
		for (side = 0; side < 2; side++) {
			struct iwsim_end *end = &iwsim.conn[i].end[side];

			if (end->qp && end->node == node && end->qpn == cqe->qp_num)
				return end;
		}
	sim_fail("node%d: a completion of a queue pair that is not there: %06x", node->index,
		 cqe->qp_num);
}

void iwsim_poll(struct iwsim_node *node)
{
	struct iwsim_end *end;
	struct hca_cqe cqe;
	int i;

	for (i = 0; i < IWSIM_CQS; i++)
		while (consumer_poll_cq(&node->cq[i], &cqe)) {
			end = model_end_of(node, &cqe);
			sim_trace(node->index, "done qp %06x #%llu %s%s", end->qpn,
				  (unsigned long long)cqe.wr_id,
				  cqe.flags & HCA_CQE_RECV ? "receive " : "",
				  sim_status_name(cqe.status));
			if (&node->cq[i] != (cqe.flags & HCA_CQE_RECV ? end->recv_cq :
									end->send_cq))
				sim_fail("node%d qp %06x: a completion comes to another CQ",
					 NAME(end));
			sim.completions++;
			if (cqe.flags & HCA_CQE_RECV)
				model_recv(end, &cqe);
			else
				model_send(end, &cqe);
		}
}

void iwsim_poll_all(void)
{
	int i;

	for (i = 0; i < iwsim.nodes; i++)
		iwsim_poll(iwsim.node[i]);
}

/* --- the end */

/* A request without a completion has succeeded, and asked for none. */
static void model_check_done(struct iwsim_end *end, struct iwsim_op *op)
{
	if ((op->flags & HCA_WQE_SIGNALED) || end->has_failed || !iwsim_may_succeed(op))
		sim_fail("node%d qp %06x: #%llu never completes", NAME(end),
			 (unsigned long long)op->id);
	model_done(end, op, IB_WC_SUCCESS);
}

void iwsim_check_complete(struct iwsim_end *end)
{
	struct iwsim_op *op, *next;

	list_for_each_entry_safe(op, next, &end->ops, in_flow)
		if (!op->is_done)
			model_check_done(end, op);
	model_executed_before(end, NULL);
	if (!list_empty(&end->ops)) {
		op = list_first_entry(&end->ops, struct iwsim_op, in_flow);
		sim_fail("node%d qp %06x: #%llu has never arrived", NAME(end),
			 (unsigned long long)op->id);
	}
}

/* The receive requests of a queue pair that was destroyed have no completions. */
static void model_resolve_recvs(struct iwsim_end *end)
{
	struct iwsim_recv *recv, *next;

	list_for_each_entry_safe(recv, next, &end->recvs, in_queue) {
		if (end->qp)
			sim_fail("node%d qp %06x: the receive request #%llu never completes",
				 NAME(end), (unsigned long long)recv->id);
		model_recv_failed(end, recv, IB_WC_WR_FLUSH_ERR);
		iwsim_buffer_accept(&recv->buffer);
		iwsim_recv_free(recv);
	}
}

/* How far the requests of an end have come. */
struct model_progress {
	bool no_more; /* nothing is executed behind what is not */
	bool no_response; /* no Read Response comes behind one that has not */
};

static void model_check_progress(const struct iwsim_end *end, const struct iwsim_op *op,
				 const struct iwsim_buffer *b, bool *has_ended)
{
	u32 length = op->spoiler ? 0 : op->length;
	u32 placed = iwsim_buffer_placed(b, op->data, length);

	if (*has_ended && iwsim_buffer_changed(b))
		sim_fail("node%d qp %06x: #%llu was executed, though one before it was not",
			 NAME(end), (unsigned long long)op->id);
	*has_ended |= placed < op->length;
	iwsim_buffer_accept(b);
}

static void model_resolve_op(struct iwsim_end *end, struct iwsim_op *op,
			     struct model_progress *progress)
{
	if (op->is_executed)
		return;
	if (iwsim_is_send(op->opcode)) {
		progress->no_more = true;
		end->peer->node->srq_reserved -= end->peer->with_srq;
	} else if (op->opcode == IB_UVERBS_WR_RDMA_WRITE) {
		model_check_progress(end, op, &op->remote, &progress->no_more);
	} else if (iwsim_is_read(op->opcode)) {
		progress->no_response |= progress->no_more;
		model_check_progress(end, op, &op->local, &progress->no_response);
	}
}

static void model_resolve_ops(struct iwsim_end *end)
{
	struct model_progress progress = { false };
	struct iwsim_op *op, *next;

	list_for_each_entry_safe(op, next, &end->ops, in_flow)
		if (!op->is_done)
			model_check_done(end, op);
	list_for_each_entry_safe(op, next, &end->ops, in_flow) {
		model_resolve_op(end, op, &progress);
		iwsim_op_free(op);
	}
}

void iwsim_resolve(struct iwsim_connection *conn)
{
	int side;

	for (side = 0; side < 2; side++)
		model_resolve_recvs(&conn->end[side]);
	for (side = 0; side < 2; side++)
		model_resolve_ops(&conn->end[side]);
}
