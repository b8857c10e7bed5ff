// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A carrier that copies messages within one device. Its only type is RC. */
#include "tests/unit/qp/toy_carrier.h"
#include <string.h>
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include "compat.h"
#include "qp/limits.h"
#include "qp/recv.h"
#include "qp/request.h"
#include "qp/run.h"
#include "qp/segments.h"
#include "qp/type.h"
#include "qp/view.h"
#include "tpt/copy.h"

static const struct hca_wr_info toy_wrs[HCA_NUM_WR] = {
	[IB_UVERBS_WR_SEND] = {
		.flags = HCA_WR_CONSUMES_RECV,
		.wc_opcode = IB_UVERBS_WC_SEND,
	},
	[IB_UVERBS_WR_RDMA_WRITE] = {
		.flags = HCA_WR_RDMA,
		.wc_opcode = IB_UVERBS_WC_RDMA_WRITE,
	},
	/* Unlike InfiniBand's, the sink of a Read must be open to remote writes. */
	[IB_UVERBS_WR_RDMA_READ] = {
		.flags = HCA_WR_RDMA | HCA_WR_READ,
		.sge_access = IB_UVERBS_ACCESS_REMOTE_WRITE,
		.wc_opcode = IB_UVERBS_WC_RDMA_READ,
	},
};

/* SQD and SQE have the meanings of iWARP: a connection that ends flushes receives, too. */
static const struct hca_state_kind toy_states[HCA_NUM_QPS] = {
	[IB_QPS_INIT] = { .post_send = true, .post_recv = true },
	[IB_QPS_RTS] = { .post_send = true, .post_recv = true, .fetches = true, .sends = true },
	[IB_QPS_SQD] = { .flush_recvs = true },
	[IB_QPS_SQE] = { .flush_sends = true, .flush_recvs = true },
	[IB_QPS_ERR] = { .post_send = true, .post_recv = true, .flush_sends = true,
			 .flush_recvs = true },
};

/* Copy a message between the memory of a request and that of the peer. */
static enum hca_vendor_err toy_move(struct hca_qp *qp, const struct hca_request *req,
				struct hca_segment *remote, bool reads)
{
	struct hca_segment local[HCA_MAX_SGE];
	struct hca_cursor from = { .segment = reads ? remote : local };
	struct hca_cursor to = { .segment = reads ? local : remote };
	int n;

	if (req->flags & HCA_WQE_INLINE) {
		hca_copy_in(remote, req->inline_data, req->length);
		return HCA_VENDOR_ERR_NONE;
	}
	n = hca_request_segments(qp, req, 0, req->length, local);
	if (n < 0)
		return hca_request_refusal(qp, req);
	hca_copy(&to, &from, req->length);
	hca_segments_put(local, n);
	return HCA_VENDOR_ERR_NONE;
}

static void toy_received(struct hca_qp *peer, u32 length)
{
	struct hca_cqe cqe = {
		.status = IB_WC_SUCCESS,
		.opcode = IB_WC_RECV,
		.byte_len = length,
	};

	hca_recv_complete(peer, &peer->recv, &cqe);
	if (toy_qp(peer)->counters)
		atomic64_add(1, &toy_qp(peer)->counters->count[0]);
}

static enum hca_vendor_err toy_send_message(struct hca_qp *qp, const struct hca_request *req,
					struct hca_qp *peer)
{
	struct hca_segment segment[HCA_MAX_SGE];
	enum hca_vendor_err error = HCA_VENDOR_ERR_RECV_LENGTH;
	int n;

	spin_lock(&peer->common.recv_lock);
	if (hca_recv_consume(peer, &peer->recv)) {
		n = hca_sge_segments(peer, peer->recv.sge, peer->recv.num_sge, 0, req->length,
				     segment);
		if (n >= 0) {
			error = toy_move(qp, req, segment, false);
			hca_segments_put(segment, n);
			toy_received(peer, req->length);
		}
	}
	spin_unlock(&peer->common.recv_lock);
	return error;
}

static enum hca_vendor_err toy_access_memory(struct hca_qp *qp, const struct hca_request *req,
					 struct hca_qp *peer)
{
	bool reads = req->kind & HCA_WR_READ;
	struct hca_segment segment = { .addr = req->remote_addr, .length = req->length };
	enum hca_vendor_err error;

	segment.entry = hca_tpt_entry_get(&peer->ci->tpt, req->rkey, peer->pd, peer->qpn,
					  reads ? IB_UVERBS_ACCESS_REMOTE_READ :
						  IB_UVERBS_ACCESS_REMOTE_WRITE,
					  segment.addr, segment.length);
	if (IS_ERR_OR_NULL(segment.entry))
		return HCA_VENDOR_ERR_LKEY;
	error = toy_move(qp, req, &segment, reads);
	hca_segments_put(&segment, 1);
	return error;
}

static enum hca_vendor_err toy_execute(struct hca_qp *qp, const struct hca_request *req)
{
	struct hca_qp *peer = hca_qp_get(qp->ci, toy_qp(qp)->dest_qpn);
	enum hca_vendor_err error = HCA_VENDOR_ERR_AV;

	if (req->error)
		error = req->error;
	else if (peer && peer->common.state == IB_QPS_RTS)
		error = req->kind & HCA_WR_CONSUMES_RECV ? toy_send_message(qp, req, peer) :
							   toy_access_memory(qp, req, peer);
	if (peer)
		hca_qp_put(peer);
	return error;
}

static bool toy_respond(struct hca_qp *qp, int *budget, enum hca_progress *progress)
{
	*progress = HCA_DONE;
	return true;
}

/* A request ends before the next one begins. One that fails ends the queue pair's work. */
static enum hca_progress toy_send(struct hca_qp *qp, int *budget)
{
	const struct hca_request *req;
	enum hca_vendor_err error;

	for (; *budget > 0; (*budget)--) {
		req = hca_request_fetch(qp);
		if (!req)
			return HCA_DONE;
		error = toy_execute(qp, req);
		qp->sq_current++;
		if (!hca_request_complete(qp, error) || error) {
			hca_qp_error(qp);
			return HCA_DONE;
		}
	}
	return HCA_BUDGET;
}

static bool toy_run(struct hca_runnable *r, int *budget)
{
	return hca_qp_run(r, budget, toy_respond, toy_send);
}

static bool toy_drained(const struct hca_qp *qp) { return qp->sq_done == qp->sq_fetched; }

static bool toy_stop_sends(struct hca_qp *qp) { return true; }

/* Forwards from Reset to RTS, from there to SQD or SQE; to Reset and Error from anywhere. */
static int toy_modify_check(const struct hca_qp *qp, const struct hca_qp_attr *attr, int mask)
{
	static const u8 from[HCA_NUM_QPS] = {
		[IB_QPS_RESET] = 0xff,
		[IB_QPS_INIT] = BIT(IB_QPS_RESET),
		[IB_QPS_RTS] = BIT(IB_QPS_INIT),
		[IB_QPS_SQD] = BIT(IB_QPS_RTS),
		[IB_QPS_SQE] = BIT(IB_QPS_RTS),
		[IB_QPS_ERR] = 0xff,
	};

	return mask == IB_QP_STATE && (from[attr->state] & BIT(qp->common.state)) ? 0 : -EINVAL;
}

static void toy_modify_apply(struct hca_qp *qp, const struct hca_qp_attr *attr, int mask) { }

static void toy_query(const struct hca_qp *qp, struct hca_qp_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
}

static void toy_reset(struct hca_qp *qp) { toy_qp(qp)->dest_qpn = 0; }

static void toy_withdraw(struct hca_qp *qp) { hca_id_free(&qp->ci->qps, qp->qpn); }

static void toy_stop(struct hca_qp *qp) { }

static const struct hca_qp_ops toy_qp_ops = {
	.wr = toy_wrs,
	.states = toy_states,
	.run = toy_run,
	.drained = toy_drained,
	.stop_sends = toy_stop_sends,
	.modify_check = toy_modify_check,
	.modify_apply = toy_modify_apply,
	.query = toy_query,
	.reset = toy_reset,
	.withdraw = toy_withdraw,
	.stop = toy_stop,
};

static const struct hca_qp_type toy_rc = {
	.ops = &toy_qp_ops,
	.opcodes = BIT_ULL(IB_UVERBS_WR_SEND) | BIT_ULL(IB_UVERBS_WR_RDMA_WRITE) |
		   BIT_ULL(IB_UVERBS_WR_RDMA_READ),
	.sends = true,
	.receives = true,
	.srq = true,
};

static const struct hca_qp_type *toy_qp_type(unsigned int type)
{
	return type == IB_QPT_RC ? &toy_rc : NULL;
}

static struct hca_qp *toy_create_qp(struct hca_ci *ci, const struct hca_qp_init *init)
{
	const struct hca_qp_type *type = toy_qp_type(init->type);
	struct toy_qp *qp = kzalloc(sizeof(*qp), GFP_KERNEL);
	int ret;

	if (!qp)
		return ERR_PTR(-ENOMEM);
	ret = type ? hca_qp_init(&qp->qp, type, ci, init) : -EINVAL;
	if (ret) {
		kfree(qp);
		return ERR_PTR(ret);
	}
	ret = hca_id_alloc(&ci->qps, &qp->qp, &qp->qp.qpn);
	if (ret) {
		hca_qp_free(&qp->qp);
		return ERR_PTR(ret);
	}
	return &qp->qp;
}

static void toy_view(struct hca_qp *qp, struct hca_qp_view *view)
{
	memset(view, 0, sizeof(*view));
	spin_lock_bh(&qp->common.send_lock);
	view->parts = HCA_VIEW_ANY | HCA_VIEW_SQ;
	view->state = qp->common.state;
	view->sq_entries = qp->sq.entries;
	view->sq_done = qp->sq_done;
	spin_unlock_bh(&qp->common.send_lock);
}

static void toy_bind_counters(struct hca_qp *qp, struct hca_qp_counters *counters)
{
	toy_qp(qp)->counters = counters;
}

static const struct hca_ci_ops toy_ci_ops = {
	.qp_type = toy_qp_type,
	.create_qp = toy_create_qp,
	.view = toy_view,
	.bind_counters = toy_bind_counters,
};

static void toy_qp_event(struct hca_qp *qp, enum hca_qp_event event)
{
	container_of(qp->ci, struct toy, ci)->events[event]++;
}

int toy_init(struct toy *toy)
{
	memset(toy, 0, sizeof(*toy));
	toy->ci.qp_event = toy_qp_event;
	return hca_ci_init(&toy->ci, &toy_ci_ops, TOY_MAX_MESSAGE);
}
