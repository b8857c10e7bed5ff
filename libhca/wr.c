// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The extended posting verbs: ibv_wr_start(), functions that write a request and its attributes,
 * and ibv_wr_complete(). Requests are written in place into the ring. ibv_wr_complete() publishes
 * all requests, or none if one is invalid.
 */
#include <errno.h>
#include <string.h>
#include "libhca.h"

#define MAX_MESSAGE (1u << 31) /* octets */

/* Flags that a caller may set. HCA_WQE_INLINE is ignored: only functions set inline data. */
#define WR_FLAGS (HCA_WQE_FENCE | HCA_WQE_SIGNALED | HCA_WQE_SOLICITED | HCA_WQE_INLINE)

#define BIT(n) (1u << (n))
#define SAME(flag, opcode) _Static_assert((flag) == BIT(opcode), #flag)
SAME(IBV_QP_EX_WITH_RDMA_WRITE, IBV_WR_RDMA_WRITE);
SAME(IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM, IBV_WR_RDMA_WRITE_WITH_IMM);
SAME(IBV_QP_EX_WITH_SEND, IBV_WR_SEND);
SAME(IBV_QP_EX_WITH_SEND_WITH_IMM, IBV_WR_SEND_WITH_IMM);
SAME(IBV_QP_EX_WITH_RDMA_READ, IBV_WR_RDMA_READ);
SAME(IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP, IBV_WR_ATOMIC_CMP_AND_SWP);
SAME(IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD, IBV_WR_ATOMIC_FETCH_AND_ADD);
SAME(IBV_QP_EX_WITH_LOCAL_INV, IBV_WR_LOCAL_INV);
SAME(IBV_QP_EX_WITH_BIND_MW, IBV_WR_BIND_MW);
SAME(IBV_QP_EX_WITH_SEND_WITH_INV, IBV_WR_SEND_WITH_INV);
#undef SAME

/* Flags of optional opcodes in send_ops_flags. They differ from BIT(opcode). */
#define PLACEMENTS (VERBS_QP_EX_WITH_FLUSH | VERBS_QP_EX_WITH_ATOMIC_WRITE)
#define PLACEMENT_OPCODES (BIT(VERBS_WR_FLUSH) | BIT(VERBS_WR_ATOMIC_WRITE))
/* Opcodes whose SGEs receive data, so that inline data is invalid. */
#define READS                                                                                      \
	(BIT(IBV_WR_RDMA_READ) | BIT(IBV_WR_ATOMIC_CMP_AND_SWP) | BIT(IBV_WR_ATOMIC_FETCH_AND_ADD))

/*
 * Return whether struct ibv_qp_ex of the loaded libibverbs has wr_flush. If it does,
 * ibv_qp_to_qp_ex() checks verbs_qp.mask, which is set here; otherwise it checks mask_44, which is
 * 0 here.
 */
static bool has_flush(void)
{
	struct verbs_qp probe = { .mask = VERBS_QP_EX };

	return ibv_qp_to_qp_ex(&probe.qp);
}

static uint64_t wr_placements(const struct hca_context *context)
{
	return (context->flush && has_flush() ? VERBS_QP_EX_WITH_FLUSH : 0) |
	       (context->atomic_write ? VERBS_QP_EX_WITH_ATOMIC_WRITE : 0);
}

uint64_t hca_wr_opcodes(const struct hca_context *context, const struct hca_lib_qp_type *type)
{
	uint64_t flags = type->opcodes & ~PLACEMENT_OPCODES;

	if (type->opcodes & BIT(VERBS_WR_FLUSH))
		flags |= VERBS_QP_EX_WITH_FLUSH;
	if (type->opcodes & BIT(VERBS_WR_ATOMIC_WRITE))
		flags |= VERBS_QP_EX_WITH_ATOMIC_WRITE;
	return flags & (~(uint64_t)PLACEMENTS | wr_placements(context));
}

static struct hca_qp *to_qp(struct ibv_qp_ex *ex)
{
	return to_hca_qp(&ex->qp_base);
}

/* Store the first error, which ibv_wr_complete() returns. Later requests are not written. */
static void wr_fail(struct hca_wr *wr, int error)
{
	wr->error = error;
	wr->wqe = NULL;
}

static void wr_start(struct ibv_qp_ex *ex)
{
	struct hca_qp *qp = to_qp(ex);
	struct hca_wr *wr = &qp->wr;

	if (qp->sq.ring)
		pthread_spin_lock(&qp->sq.lock);
	wr->wqe = NULL;
	wr->error = wr->states >> ex->qp_base.state & 1 ? 0 : EINVAL;
	if (!wr->error)
		wr->producer = hca_ring_producer(qp->sq.ring);
}

static void wr_abort(struct ibv_qp_ex *ex)
{
	struct hca_qp *qp = to_qp(ex);

	if (qp->sq.ring)
		pthread_spin_unlock(&qp->sq.lock);
}

static int wr_complete(struct ibv_qp_ex *ex)
{
	struct hca_qp *qp = to_qp(ex);
	int error = qp->wr.error;

	if (!error)
		hca_ring_publish(qp->sq.ring, qp->wr.producer);
	wr_abort(ex);
	return error ? error : hca_queue_wake(&qp->sq, &ex->qp_base);
}

/* Begin the next request. Return: its WQE, to be filled in, or NULL if the request is refused. */
static struct hca_send_wqe *wr_begin(struct ibv_qp_ex *ex, uint8_t opcode)
{
	struct hca_qp *qp = to_qp(ex);
	struct hca_wr *wr = &qp->wr;

	if (wr->error)
		return NULL;
	if (!(wr->opcodes & BIT(opcode)) || ex->wr_flags & ~WR_FLAGS)
		wr_fail(wr, EINVAL);
	else if (hca_queue_full(&qp->sq, hca_queue_reaped(&qp->sq), wr->producer))
		wr_fail(wr, ENOMEM);
	if (wr->error)
		return NULL;
	wr->wqe = hca_queue_entry(&qp->sq, wr->producer++);
	memset(wr->wqe, 0, sizeof(*wr->wqe));
	wr->wqe->wr_id = ex->wr_id;
	wr->wqe->opcode = opcode;
	wr->wqe->flags = ex->wr_flags & ~HCA_WQE_INLINE;
	return wr->wqe;
}

static void wr_send(struct ibv_qp_ex *ex)
{
	wr_begin(ex, IBV_WR_SEND);
}

static void wr_send_imm(struct ibv_qp_ex *ex, __be32 imm_data)
{
	struct hca_send_wqe *wqe = wr_begin(ex, IBV_WR_SEND_WITH_IMM);

	if (wqe)
		wqe->imm_data = imm_data;
}

static void wr_send_inv(struct ibv_qp_ex *ex, uint32_t invalidate_rkey)
{
	struct hca_send_wqe *wqe = wr_begin(ex, IBV_WR_SEND_WITH_INV);

	if (wqe)
		wqe->invalidate_rkey = invalidate_rkey;
}

/* Local Invalidate has no data, so functions that set data are ignored afterwards. */
static void wr_local_inv(struct ibv_qp_ex *ex, uint32_t invalidate_rkey)
{
	struct hca_send_wqe *wqe = wr_begin(ex, IBV_WR_LOCAL_INV);

	if (wqe)
		wqe->invalidate_rkey = invalidate_rkey;
	to_qp(ex)->wr.wqe = NULL;
}

static void wr_bind_mw(struct ibv_qp_ex *ex, struct ibv_mw *mw, uint32_t rkey,
		       const struct ibv_mw_bind_info *info)
{
	struct hca_send_wqe *wqe = wr_begin(ex, IBV_WR_BIND_MW);

	if (wqe)
		hca_write_bind(wqe, mw, rkey, info);
	to_qp(ex)->wr.wqe = NULL;
}

/* The part of a WQE after the header: SGEs or inline data. */
static void *wr_tail(struct hca_send_wqe *wqe)
{
	return (uint8_t *)wqe + HCA_SEND_WQE_HEADER;
}

/* Begin a request that has a remote address and an R_Key. */
static struct hca_send_wqe *begin_rdma(struct ibv_qp_ex *ex, uint8_t opcode,
				       uint32_t rkey, uint64_t remote_addr)
{
	struct hca_send_wqe *wqe = wr_begin(ex, opcode);

	if (wqe) {
		wqe->rdma.rkey = rkey;
		wqe->rdma.remote_addr = remote_addr;
	}
	return wqe;
}

static void wr_rdma_read(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t remote_addr)
{
	begin_rdma(ex, IBV_WR_RDMA_READ, rkey, remote_addr);
}

static void wr_rdma_write(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t remote_addr)
{
	begin_rdma(ex, IBV_WR_RDMA_WRITE, rkey, remote_addr);
}

static void wr_rdma_write_imm(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t remote_addr,
			      __be32 imm_data)
{
	struct hca_send_wqe *wqe =
		begin_rdma(ex, IBV_WR_RDMA_WRITE_WITH_IMM, rkey, remote_addr);

	if (wqe)
		wqe->imm_data = imm_data;
}

static void wr_atomic_cmp_swp(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t remote_addr,
			      uint64_t compare, uint64_t swap)
{
	struct hca_send_wqe *wqe = begin_rdma(ex, IBV_WR_ATOMIC_CMP_AND_SWP, rkey, remote_addr);

	if (wqe) {
		wqe->rdma.compare_add = compare;
		wqe->rdma.swap = swap;
	}
}

static void wr_atomic_fetch_add(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t remote_addr,
				uint64_t add)
{
	struct hca_send_wqe *wqe = begin_rdma(ex, IBV_WR_ATOMIC_FETCH_AND_ADD, rkey, remote_addr);

	if (wqe)
		wqe->rdma.compare_add = add;
}

/* The 8 octets are the request's only data, so functions that set data are ignored afterwards. */
static void wr_atomic_write(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t remote_addr,
			    const void *value)
{
	struct hca_send_wqe *wqe = begin_rdma(ex, VERBS_WR_ATOMIC_WRITE, rkey, remote_addr);

	if (wqe) {
		memcpy(wr_tail(wqe), value, sizeof(uint64_t));
		wqe->inline_length = sizeof(uint64_t);
		wqe->flags |= HCA_WQE_INLINE;
	}
	to_qp(ex)->wr.wqe = NULL;
}

static void wr_flush(struct ibv_qp_ex *ex, uint32_t rkey, uint64_t remote_addr, size_t length,
		     uint8_t type, uint8_t level)
{
	struct hca_wr *wr = &to_qp(ex)->wr;
	struct hca_send_wqe *wqe = begin_rdma(ex, VERBS_WR_FLUSH, rkey, remote_addr);

	wr->wqe = NULL;
	if (!wqe)
		return;
	if (length > MAX_MESSAGE || !type || level > VERBS_FLUSH_MR ||
	    type & ~(VERBS_FLUSH_GLOBAL | VERBS_FLUSH_PERSISTENT)) {
		wr_fail(wr, EINVAL);
		return;
	}
	wqe->rdma.flush.length = length;
	wqe->rdma.flush.placement = type;
	wqe->rdma.flush.selectivity = level;
}

/* A queue pair and its address handles must have one protection domain (req V3-134). */
static void wr_set_ud_addr(struct ibv_qp_ex *ex, struct ibv_ah *ah, uint32_t remote_qpn,
			   uint32_t remote_qkey)
{
	struct hca_wr *wr = &to_qp(ex)->wr;

	if (!wr->wqe)
		return;
	if (ex->qp_base.qp_type != IBV_QPT_UD || !hca_pd_same(ah->pd, ex->qp_base.pd)) {
		wr_fail(wr, EINVAL);
		return;
	}
	wr->wqe->ud.av = to_hca_ah(ah)->av;
	wr->wqe->ud.remote_qpn = remote_qpn;
	wr->wqe->ud.remote_qkey = remote_qkey;
}

static void wr_set_xrc_srqn(struct ibv_qp_ex *ex, uint32_t remote_srqn)
{
	struct hca_wr *wr = &to_qp(ex)->wr;

	if (!wr->wqe)
		return;
	if (ex->qp_base.qp_type == IBV_QPT_XRC_SEND)
		wr->wqe->rdma.remote_srqn = remote_srqn;
	else
		wr_fail(wr, EINVAL);
}

static struct hca_qp *dv_to_qp(struct hcadv_qp_ex *dv)
{
	return HCA_CONTAINER(dv, struct hca_qp, dv);
}

static void wr_set_rd(struct hcadv_qp_ex *dv, uint32_t eecn, uint32_t remote_qpn,
		      uint32_t remote_qkey)
{
	struct hca_qp *qp = dv_to_qp(dv);

	if (!qp->wr.wqe)
		return;
	if (qp->driver_type != HCA_DRIVER_QP_RD) {
		wr_fail(&qp->wr, EINVAL);
		return;
	}
	qp->wr.wqe->rdma.eecn = eecn;
	qp->wr.wqe->rdma.remote_qpn = remote_qpn;
	qp->wr.wqe->rdma.remote_qkey = remote_qkey;
}

/*
 * A raw IPv6 datagram contains its own header, so the GRH of the address vector is ignored
 * (req B4-414).
 */
static void wr_set_raw(struct hcadv_qp_ex *dv, struct ibv_ah *ah, uint16_t ethertype)
{
	struct hca_qp *qp = dv_to_qp(dv);

	if (!qp->wr.wqe)
		return;
	if ((qp->driver_type != HCA_DRIVER_QP_RAW_IPV6 &&
	     qp->driver_type != HCA_DRIVER_QP_RAW_ETHERTYPE) ||
	    !hca_pd_same(ah->pd, qp->verbs.qp.pd)) {
		wr_fail(&qp->wr, EINVAL);
		return;
	}
	qp->wr.wqe->raw.av = to_hca_ah(ah)->av;
	qp->wr.wqe->raw.ethertype = ethertype;
}

static void wr_set_sge_list(struct ibv_qp_ex *ex, size_t num_sge, const struct ibv_sge *sg_list)
{
	struct hca_qp *qp = to_qp(ex);
	struct hca_send_wqe *wqe = qp->wr.wqe;
	uint64_t length = 0;
	size_t i;

	if (!wqe)
		return;
	if (num_sge > qp->max_send_sge) {
		wr_fail(&qp->wr, EINVAL);
		return;
	}
	for (i = 0; i < num_sge; i++)
		length += sg_list[i].length;
	if (length > MAX_MESSAGE) {
		wr_fail(&qp->wr, EINVAL);
		return;
	}
	/* post.c asserts equal layouts */
	memcpy(wr_tail(wqe), sg_list, num_sge * sizeof(*sg_list));
	wqe->num_sge = num_sge;
	wqe->flags &= ~HCA_WQE_INLINE;
}

static void wr_set_sge(struct ibv_qp_ex *ex, uint32_t lkey, uint64_t addr, uint32_t length)
{
	const struct ibv_sge sge = { addr, length, lkey };

	wr_set_sge_list(ex, 1, &sge);
}

/* Inline data is copied at once; the buffers may be reused after the return (req V3-271). */
static void wr_set_inline_data_list(struct ibv_qp_ex *ex, size_t num_buf,
				    const struct ibv_data_buf *buf_list)
{
	struct hca_qp *qp = to_qp(ex);
	struct hca_send_wqe *wqe = qp->wr.wqe;
	uint32_t length = 0;
	size_t i;

	if (!wqe)
		return;
	for (i = 0; i < num_buf; i++) {
		if (BIT(wqe->opcode) & READS || buf_list[i].length > qp->max_inline - length) {
			wr_fail(&qp->wr, EINVAL);
			return;
		}
		memcpy((uint8_t *)wr_tail(wqe) + length, buf_list[i].addr, buf_list[i].length);
		length += buf_list[i].length;
	}
	wqe->inline_length = length;
	wqe->num_sge = 0;
	wqe->flags |= HCA_WQE_INLINE;
}

static void wr_set_inline_data(struct ibv_qp_ex *ex, void *addr, size_t length)
{
	const struct ibv_data_buf buf = { addr, length };

	wr_set_inline_data_list(ex, 1, &buf);
}

/* Mark the queue pair as extended, in the mask that this libibverbs reads. */
static void wr_extend(struct verbs_qp *qp)
{
	if (has_flush()) {
		qp->wr_flush = wr_flush;
		qp->mask |= VERBS_QP_EX;
	} else {
		qp->mask_44 |= VERBS_QP_EX;
	}
}

/* The bits of the opcodes that the flags enable. */
static uint16_t opcodes_of(uint64_t flags)
{
	return (flags & ~(uint64_t)PLACEMENTS) |
	       (flags & VERBS_QP_EX_WITH_FLUSH ? BIT(VERBS_WR_FLUSH) : 0) |
	       (flags & VERBS_QP_EX_WITH_ATOMIC_WRITE ? BIT(VERBS_WR_ATOMIC_WRITE) : 0);
}

void hca_wr_enable(struct hca_qp *qp, uint64_t flags)
{
	struct ibv_qp_ex *ex = &qp->verbs.qp_ex;

	ex->wr_start = wr_start;
	ex->wr_complete = wr_complete;
	ex->wr_abort = wr_abort;
	ex->wr_send = wr_send;
	ex->wr_send_imm = wr_send_imm;
	ex->wr_send_inv = wr_send_inv;
	ex->wr_local_inv = wr_local_inv;
	ex->wr_bind_mw = wr_bind_mw;
	ex->wr_rdma_read = wr_rdma_read;
	ex->wr_rdma_write = wr_rdma_write;
	ex->wr_rdma_write_imm = wr_rdma_write_imm;
	ex->wr_atomic_cmp_swp = wr_atomic_cmp_swp;
	ex->wr_atomic_fetch_add = wr_atomic_fetch_add;
	ex->wr_set_ud_addr = wr_set_ud_addr;
	ex->wr_set_xrc_srqn = wr_set_xrc_srqn;
	ex->wr_set_sge = wr_set_sge;
	ex->wr_set_sge_list = wr_set_sge_list;
	ex->wr_set_inline_data = wr_set_inline_data;
	ex->wr_set_inline_data_list = wr_set_inline_data_list;
	qp->verbs.wr_atomic_write = wr_atomic_write;
	qp->dv.wr_set_rd = wr_set_rd;
	qp->dv.wr_set_raw = wr_set_raw;
	qp->wr.opcodes = opcodes_of(flags);
	qp->wr.states = qp->send_states;
	wr_extend(&qp->verbs);
}
