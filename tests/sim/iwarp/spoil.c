// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Requests that are wrong on purpose, and what must come of them. */
#include <linux/bits.h>
#include <linux/kernel.h>
#include "iwarp/wire/error.h"
#include "tests/sim/iwarp/iwsim.h"

#define WRITES BIT(IB_UVERBS_WR_RDMA_WRITE)
#define READS BIT(IB_UVERBS_WR_RDMA_READ)
#define SENDS BIT(IB_UVERBS_WR_SEND)
#define ANY_LENGTH true

struct iwsim_spoiler {
	const char *name;
	u32 opcodes; /* bits: enum ib_uverbs_wr_opcode */
	bool any_length; /* also requests without octets */
	void (*apply)(const struct iwsim_end *end, struct hca_send_wqe *wqe, struct hca_sge *sge);
	u32 own; /* statuses of the request, if nothing else is wrong; bits */
	u32 others; /* statuses that other requests of its end may have */
	u32 recv; /* statuses of the receive request that it takes */
	bool is_unsure; /* it may be that nothing is wrong after all */
	int error; /* enum hca_iwarp_error of the Terminate message */
};

static void spoil_lkey(const struct iwsim_end *end, struct hca_send_wqe *wqe, struct hca_sge *sge)
{
	u8 i;

	for (i = 0; i < wqe->num_sge; i++)
		sge[i].lkey = ~end->node->mr->key;
}

static void spoil_sink(const struct iwsim_end *end, struct hca_send_wqe *wqe, struct hca_sge *sge)
{
	sge->lkey = end->node->read_only->key;
}

static void spoil_sges(const struct iwsim_end *end, struct hca_send_wqe *wqe, struct hca_sge *sge)
{
	sge[1] = sge[0];
	wqe->num_sge = 2;
}

static void spoil_opcode(const struct iwsim_end *end, struct hca_send_wqe *wqe,
			 struct hca_sge *sge)
{
	wqe->opcode = IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD;
}

static void spoil_rkey(const struct iwsim_end *end, struct hca_send_wqe *wqe, struct hca_sge *sge)
{
	wqe->rdma.rkey = ~end->peer->node->mr->key;
}

static void spoil_foreign(const struct iwsim_end *end, struct hca_send_wqe *wqe,
			  struct hca_sge *sge)
{
	wqe->rdma.rkey = end->peer->node->foreign->key;
}

static void spoil_rights(const struct iwsim_end *end, struct hca_send_wqe *wqe,
			 struct hca_sge *sge)
{
	wqe->rdma.rkey = end->peer->node->read_only->key;
}

static void spoil_bounds(const struct iwsim_end *end, struct hca_send_wqe *wqe,
			 struct hca_sge *sge)
{
	wqe->rdma.remote_addr = IWSIM_BASE + end->peer->node->octets;
}

static void spoil_window(const struct iwsim_end *end, struct hca_send_wqe *wqe,
			 struct hca_sge *sge)
{
	wqe->rdma.rkey = end->peer->node->window->key;
}

static void spoil_window_victim(const struct iwsim_end *end, struct hca_send_wqe *wqe,
				struct hca_sge *sge)
{
	wqe->invalidate_rkey = end->peer->node->window->key;
}

static void spoil_binding(const struct iwsim_end *end, struct hca_send_wqe *wqe,
			  struct hca_sge *sge)
{
	wqe->memory.lkey = ~end->node->mr->key;
}

static void spoil_victim(const struct iwsim_end *end, struct hca_send_wqe *wqe,
			 struct hca_sge *sge)
{
	wqe->invalidate_rkey = end->peer->node->mr->key;
}

static void spoil_no_victim(const struct iwsim_end *end, struct hca_send_wqe *wqe,
			    struct hca_sge *sge)
{
	wqe->invalidate_rkey = ~end->peer->node->mr->key;
}

static void spoil_own_victim(const struct iwsim_end *end, struct hca_send_wqe *wqe,
			     struct hca_sge *sge)
{
	wqe->invalidate_rkey = end->node->mr->key;
}

#define ACCESS .own = BIT(IB_WC_REM_ACCESS_ERR), .others = BIT(IB_WC_REM_ACCESS_ERR)
/*
 * A Write that the stream has taken is complete before the peer looks at it. A Terminate message
 * does not name a Write, so that the oldest incomplete request fails.
 */
#define WRITE_ACCESS .own = BIT(IB_WC_REM_ACCESS_ERR) | BIT(IB_WC_SUCCESS) | \
			    BIT(IB_WC_WR_FLUSH_ERR), \
		     .others = BIT(IB_WC_REM_ACCESS_ERR)
#define SEND_REQUEST .own = BIT(IB_WC_REM_INV_REQ_ERR) | BIT(IB_WC_SUCCESS), \
		     .others = BIT(IB_WC_REM_INV_REQ_ERR)

static const struct iwsim_spoiler spoilers[] = {
	{ "unknown L_Key", WRITES | SENDS, false, spoil_lkey, .own = BIT(IB_WC_LOC_PROT_ERR),
	  .error = HCA_ERR_RDMAP_LOCAL },
	{ "sink without rights", READS, false, spoil_sink, .own = BIT(IB_WC_LOC_PROT_ERR),
	  .error = HCA_ERR_DDP_STREAM_OF_STAG },
	{ "a sink of two ranges", READS, false, spoil_sges, .own = BIT(IB_WC_LOC_QP_OP_ERR),
	  .error = HCA_ERR_RDMAP_LOCAL },
	{ "opcode", WRITES | READS, ANY_LENGTH, spoil_opcode, .own = BIT(IB_WC_LOC_QP_OP_ERR),
	  .error = HCA_ERR_RDMAP_LOCAL },
	{ "unknown STag of a Write", WRITES, false, spoil_rkey, WRITE_ACCESS,
	  .error = HCA_ERR_DDP_STAG },
	{ "unknown STag of a Read", READS, false, spoil_rkey, ACCESS,
	  .error = HCA_ERR_RDMAP_STAG },
	{ "foreign STag of a Write", WRITES, false, spoil_foreign, WRITE_ACCESS,
	  .error = HCA_ERR_DDP_STREAM_OF_STAG },
	{ "foreign STag of a Read", READS, false, spoil_foreign, ACCESS,
	  .error = HCA_ERR_RDMAP_STREAM_OF_STAG },
	{ "STag without rights", WRITES, false, spoil_rights, WRITE_ACCESS,
	  .error = HCA_ERR_DDP_STREAM_OF_STAG },
	{ "bounds of a Write", WRITES, false, spoil_bounds, WRITE_ACCESS,
	  .error = HCA_ERR_DDP_BOUNDS },
	{ "bounds of a Read", READS, false, spoil_bounds, ACCESS,
	  .error = HCA_ERR_RDMAP_BOUNDS },
	{ "STag that may not be invalidated", BIT(IB_UVERBS_WR_SEND_WITH_INV), ANY_LENGTH,
	  spoil_victim, SEND_REQUEST, .recv = BIT(IB_WC_REM_INV_REQ_ERR),
	  .error = HCA_ERR_RDMAP_MAY_NOT_INVALIDATE },
	{ "unknown STag that is to be invalidated", BIT(IB_UVERBS_WR_SEND_WITH_INV), ANY_LENGTH,
	  spoil_no_victim, SEND_REQUEST, .recv = BIT(IB_WC_REM_INV_REQ_ERR),
	  .error = HCA_ERR_RDMAP_CANNOT_INVALIDATE },
	{ "window of another stream for a Write", WRITES, false, spoil_window, WRITE_ACCESS,
	  .error = HCA_ERR_DDP_STREAM_OF_STAG },
	{ "window of another stream for a Read", READS, false, spoil_window, ACCESS,
	  .error = HCA_ERR_RDMAP_STREAM_OF_STAG },
	{ "window of another stream that is to be invalidated", BIT(IB_UVERBS_WR_SEND_WITH_INV),
	  ANY_LENGTH, spoil_window_victim, SEND_REQUEST, .recv = BIT(IB_WC_REM_INV_REQ_ERR),
	  .error = HCA_ERR_RDMAP_MAY_NOT_INVALIDATE },
	{ "window of no MR", BIT(IB_UVERBS_WR_BIND_MW), ANY_LENGTH, spoil_binding,
	  .own = BIT(IB_WC_MW_BIND_ERR), .error = HCA_ERR_RDMAP_LOCAL },
	{ "own key that may not be invalidated", BIT(IB_UVERBS_WR_LOCAL_INV), ANY_LENGTH,
	  spoil_own_victim, .own = BIT(IB_WC_MW_BIND_ERR), .error = HCA_ERR_RDMAP_LOCAL },
};

static const struct iwsim_spoiler spoil_too_long = {
	"Send that is too long", SEND_REQUEST, .recv = BIT(IB_WC_LOC_LEN_ERR),
	.error = HCA_ERR_DDP_TOO_LONG,
};

static const struct iwsim_spoiler spoil_no_recv = {
	"Send that no receive request waits for", SEND_REQUEST, .is_unsure = true,
	.recv = BIT(IB_WC_LOC_LEN_ERR), /* of one that is posted in time, but is too short */
	.error = HCA_ERR_DDP_NO_BUFFER,
};

static bool spoil_fits(const struct iwsim_spoiler *spoiler, const struct iwsim_op *op)
{
	return (spoiler->opcodes & BIT_ULL(op->opcode)) && (spoiler->any_length || op->length) &&
	       (!(op->flags & HCA_WQE_INLINE) || spoiler->apply != spoil_lkey);
}

const struct iwsim_spoiler *iwsim_spoiler_choose(const struct iwsim_end *end,
						 const struct iwsim_op *op)
{
	s64 capacity = iwsim_send_capacity(end);
	u32 first = sim_below(ARRAY_SIZE(spoilers)), i;

	if (iwsim_is_send(op->opcode) && capacity < op->length)
		return capacity < 0 ? &spoil_no_recv : &spoil_too_long;
	for (i = 0; i < ARRAY_SIZE(spoilers); i++)
		if (spoil_fits(&spoilers[(first + i) % ARRAY_SIZE(spoilers)], op))
			return &spoilers[(first + i) % ARRAY_SIZE(spoilers)];
	return NULL;
}

void iwsim_spoil(struct iwsim_end *end, struct iwsim_op *op, struct hca_send_wqe *wqe)
{
	struct hca_sge *sge = (struct hca_sge *)((u8 *)wqe + HCA_SEND_WQE_HEADER);

	if (op->spoiler->apply)
		op->spoiler->apply(end, wqe, sge);
	end->conn->spoiler = op->spoiler;
	end->conn->spoiler_end = end;
	end->conn->spoiled_status = IB_WC_SUCCESS; /* until a completion says otherwise */
	iwsim_trouble(end->conn, IWSIM_T_SPOILED);
	sim_trace(end->node->index, "WRONG: %s", op->spoiler->name);
}

bool iwsim_may_fail(const struct iwsim_end *end, const struct iwsim_op *op, u8 status)
{
	const struct iwsim_spoiler *spoiler = end->conn->spoiler;

	/* The stream is lost. */
	if (status == IB_WC_RETRY_EXC_ERR)
		return end->conn->trouble & ~IWSIM_T_SPOILED;
	if (op->spoiler)
		return op->spoiler->own & BIT(status);
	return spoiler && end->conn->spoiler_end == end && (spoiler->others & BIT(status));
}

bool iwsim_may_succeed(const struct iwsim_op *op)
{
	return !op->spoiler || (op->spoiler->own & BIT(IB_WC_SUCCESS));
}

bool iwsim_may_be_received(const struct iwsim_op *op)
{
	return iwsim_may_succeed(op) &&
	       (!op->spoiler || !op->spoiler->recv || op->spoiler->is_unsure);
}

bool iwsim_may_fail_recv(const struct iwsim_op *op, u8 status)
{
	return op && op->spoiler && (op->spoiler->recv & BIT(status));
}

bool iwsim_spoiler_is_sure(const struct iwsim_connection *conn)
{
	return conn->spoiler && !conn->spoiler->is_unsure;
}

void iwsim_spoiler_check(const struct iwsim_connection *conn)
{
	const struct iwsim_end *end = conn->spoiler_end;
	int side, error;

	if (!(conn->spoiler->own & BIT(conn->spoiled_status)))
		sim_fail("node%d qp %06x: %s ends in: %s", end->node->index, end->qpn,
			 conn->spoiler->name, sim_status_name(conn->spoiled_status));
	for (side = 0; side < 2; side++) {
		error = hca_iwarp_qp_of(conn->end[side].qp)->terminate.error;
		if (error != conn->spoiler->error)
			sim_fail("node%d qp %06x: %s: the Terminate message says %04x, not %04x",
				 end->node->index, end->qpn, conn->spoiler->name, error,
				 conn->spoiler->error);
	}
}
