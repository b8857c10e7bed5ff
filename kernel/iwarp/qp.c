// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Queue pairs of an RNIC: their creation, and the run function, which does all that they do. */
#include "iwarp/qp.h"
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "iwarp/close.h"
#include "iwarp/fault_install.h"
#include "iwarp/iwarp_qp.h"
#include "iwarp/modify.h"
#include "iwarp/receive.h"
#include "iwarp/requester.h"
#include "iwarp/startup.h"
#include "iwarp/state.h"
#include "iwarp/terminate.h"
#include "iwarp/transmit.h"
#include "iwarp/view.h"
#include "qp/run.h"
#include "qp/type.h"

static enum hca_progress iwarp_transmit(struct hca_iwarp_qp *it, int *budget)
{
	enum hca_progress progress;

	if (it->qp.sq.size)
		progress = hca_qp_send(&it->qp, budget, hca_iwarp_transmit);
	else
		progress = hca_iwarp_transmit(&it->qp, budget);
	if (it->ep->state == HCA_STARTUP_RTR_DUE && !it->requester.rtr &&
	    !hca_mpa_tx_pending(&it->tx))
		hca_startup_rtr_sent(it->ep);
	return progress;
}

/* Reception may use half of a budget, so that a peer which always sends does not stop sending. */
static enum hca_progress iwarp_receive(struct hca_iwarp_qp *it, int *budget)
{
	int share = *budget / 2, left = share;
	enum hca_progress progress = hca_receive(it, &left);

	*budget -= share - left;
	return progress;
}

/*
 * Whether a fault keeps a queue pair from all work on its stream. The retry timer finds the end of
 * that. A consumer can end the stream all the same.
 */
static bool iwarp_is_stalled(struct hca_iwarp_qp *it)
{
	if (likely(!it->fault) || it->is_aborting || it->qp.common.state == IB_QPS_ERR ||
	    !hca_iwarp_fault_stalls(it->fault))
		return false;
	hca_endpoint_retry(it->ep);
	return true;
}

/* Work on a stream that exists. Start-up may end it. */
static enum hca_progress iwarp_serve(struct hca_iwarp_qp *it, int *budget)
{
	struct hca_endpoint *ep = it->ep;
	enum hca_progress progress = HCA_DONE, sent = HCA_DONE;

	if (iwarp_is_stalled(it))
		return HCA_DONE;
	if (ep->state < HCA_STARTUP_RTR_DUE) {
		spin_lock(&ep->lock);
		hca_startup_run(ep);
		spin_unlock(&ep->lock);
	}
	if (!it->ep || ep->state < HCA_STARTUP_REP_SENT)
		return HCA_DONE;
	if (ep->is_readable)
		progress = iwarp_receive(it, budget);
	if (hca_endpoint_is_cut(ep))
		return progress;
	if (it->qp.common.state == IB_QPS_RTS && !it->has_failed)
		sent = iwarp_transmit(it, budget);
	if (it->has_failed)
		hca_state_event(it, HCA_IWARP_FAILED);
	if (hca_endpoint_has_expired(ep))
		hca_state_event(it, HCA_IWARP_EXPIRED);
	hca_close_run(it);
	return progress == HCA_BUDGET ? progress : sent;
}

/* Whether an endpoint is in Full Operation, or was when its stream ended. */
static bool iwarp_is_started(const struct hca_iwarp_qp *it)
{
	return it->ep && it->ep->state >= HCA_STARTUP_REP_SENT;
}

/* The end of a stream is an error if an error has led to it, even if both FINs overtake the RST. */
static enum hca_iwarp_event iwarp_end_event(const struct hca_iwarp_qp *it)
{
	return it->ending & HCA_END_ABORTED ? HCA_IWARP_LOST : HCA_IWARP_CLOSED;
}

/* Whether a stream that is lost has shown all that is to be received. */
static bool iwarp_is_lost(const struct hca_iwarp_qp *it, enum hca_progress progress)
{
	if (!iwarp_is_started(it) || !hca_endpoint_is_cut(it->ep) || progress == HCA_BUDGET)
		return false;
	return !it->ep->stream->is_short || it->ep->is_frame_due || !hca_state_receives(it);
}

/*
 * Detach the stream of a queue pair that is being destroyed. A stream whose end was begun in order
 * delivers what was sent before, and ends without the queue pair; any other is reset.
 */
static void iwarp_disconnect(struct hca_iwarp_qp *it)
{
	bool is_closing = it->ep && hca_close_is_begun(it);

	if (!it->ep)
		return;
	if (!is_closing) {
		it->ending |= HCA_END_ABORTED;
		it->ep->stream->ops->reset(it->ep->stream);
	}
	hca_close_gone(it, is_closing ? HCA_IWARP_CLOSED : HCA_IWARP_LOST);
}

/*
 * Do the work of a queue pair. What has arrived is received before a stream that is lost is
 * detached, and receive requests are flushed before one that has ended in order is (req R0-196).
 */
static enum hca_progress iwarp_work(struct hca_iwarp_qp *it, int *budget)
{
	enum hca_progress progress = HCA_DONE;

	if (it->ep)
		hca_endpoint_poll(it->ep);
	if (it->is_withdrawn) {
		iwarp_disconnect(it);
		return HCA_DONE;
	}
	if (it->ep)
		progress = iwarp_serve(it, budget);
	if (iwarp_is_lost(it, progress))
		hca_close_gone(it, HCA_IWARP_LOST);
	progress = hca_qp_flush(&it->qp, budget, progress);
	if (iwarp_is_started(it) && it->ep->is_closed && progress != HCA_BUDGET)
		hca_close_gone(it, iwarp_end_event(it));
	return progress;
}

/*
 * Take the events that an endpoint has raised, with which this work has begun. An endpoint that was
 * taken back by start-up reports its events itself.
 */
static int iwarp_events(struct hca_iwarp_qp *it, struct hca_endpoint *ep)
{
	int events = 0;

	if (ep && (it->ep || it->is_gone)) {
		events = ep->pending;
		ep->pending = 0;
	}
	it->is_gone = false;
	return events;
}

static bool iwarp_run(struct hca_runnable *r, int *budget)
{
	struct hca_qp *qp = container_of(r, struct hca_qp, common.run);
	struct hca_iwarp_qp *it = hca_iwarp_qp_of(qp);
	enum hca_progress progress;
	struct hca_endpoint *ep;
	int events;

	spin_lock(&qp->common.send_lock);
	ep = it->ep;
	progress = iwarp_work(it, budget);
	events = iwarp_events(it, ep);
	spin_unlock(&qp->common.send_lock);
	if (atomic_read(&qp->common.events))
		hca_qp_common_notify(&qp->common);
	if (events)
		hca_endpoint_notify(ep, events);
	return progress == HCA_BUDGET;
}

static bool iwarp_drained(const struct hca_qp *qp)
{
	return qp->sq_done == qp->sq_fetched;
}

/* Requests that are flushed are not sent any further. */
static bool iwarp_stop_sends(struct hca_qp *qp)
{
	struct hca_iwarp_qp *it = hca_iwarp_qp_of(qp);

	it->sending = HCA_SENDING_NOTHING;
	it->requester.reads = 0;
	return true;
}

static void iwarp_reset(struct hca_qp *qp)
{
	struct hca_iwarp_qp *it = hca_iwarp_qp_of(qp);

	it->access = 0;
	it->is_access_open = false;
	it->max_ord = 0;
	it->max_ird = 0;
	it->origin = HCA_TERMINATE_NONE;
}

/* Set Error, in which no stream can be attached any more. */
static void iwarp_disable(struct hca_qp *qp)
{
	spin_lock(&qp->common.recv_lock);
	WRITE_ONCE(qp->common.state, IB_QPS_ERR);
	spin_unlock(&qp->common.recv_lock);
}

/*
 * End the stream of a queue pair that is being destroyed. This must not wait for references to the
 * queue pair, because iw_cm releases its own only after the end of the stream. The run function
 * does it, so that events of the endpoint are reported in their order.
 */
static void iwarp_withdraw(struct hca_qp *qp)
{
	struct hca_iwarp_qp *it = hca_iwarp_qp_of(qp);

	hca_id_free(&qp->ci->qps, qp->qpn);
	spin_lock_bh(&qp->common.send_lock);
	/* A close that a consumer has just asked for is begun, so that it is not a reset. */
	if (it->ep && qp->common.state == IB_QPS_SQD)
		hca_close_run(it);
	iwarp_disable(qp);
	it->is_withdrawn = true;
	hca_qp_kick(qp);
	spin_unlock(&qp->common.send_lock);
	hca_engine_run();
	local_bh_enable();
}

/* End the stream if the run function was stopped before it could. */
static void iwarp_stop(struct hca_qp *qp)
{
	struct hca_iwarp_qp *it = hca_iwarp_qp_of(qp);
	struct hca_endpoint *ep;
	int events;

	spin_lock_bh(&qp->common.send_lock);
	ep = it->ep;
	iwarp_disconnect(it);
	events = iwarp_events(it, ep);
	spin_unlock(&qp->common.send_lock);
	if (events)
		hca_endpoint_notify(ep, events);
	local_bh_enable();
	hca_iwarp_set_fault(qp, NULL);
}

static const struct hca_qp_ops iwarp_qp_ops = {
	.wr = hca_iwarp_wr,
	.states = hca_iwarp_states,
	.run = iwarp_run,
	.drained = iwarp_drained,
	.stop_sends = iwarp_stop_sends,
	.modify_check = hca_iwarp_modify_check,
	.modify_apply = hca_iwarp_modify_apply,
	.query = hca_iwarp_query,
	.reset = iwarp_reset,
	.withdraw = iwarp_withdraw,
	.stop = iwarp_stop,
};

static const struct hca_qp_type iwarp_rc = {
	.ops = &iwarp_qp_ops,
	.opcodes = BIT_ULL(IB_UVERBS_WR_RDMA_WRITE) | BIT_ULL(IB_UVERBS_WR_SEND) |
		   BIT_ULL(IB_UVERBS_WR_SEND_WITH_INV) | BIT_ULL(IB_UVERBS_WR_RDMA_READ) |
		   BIT_ULL(IB_UVERBS_WR_RDMA_READ_WITH_INV) | BIT_ULL(IB_UVERBS_WR_LOCAL_INV) |
		   BIT_ULL(IB_UVERBS_WR_BIND_MW) | BIT_ULL(IB_WR_REG_MR),
	.sends = true,
	.receives = true,
	.srq = true,
};

static const struct hca_qp_type *iwarp_qp_type(unsigned int type)
{
	return type == IB_QPT_RC ? &iwarp_rc : NULL;
}

static struct hca_qp *iwarp_create_qp(struct hca_ci *ci, const struct hca_qp_init *init)
{
	const struct hca_qp_type *type = iwarp_qp_type(init->type);
	struct hca_iwarp_qp *it = kzalloc(sizeof(*it), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!it)
		return ERR_PTR(-ENOMEM);
	ret = type ? hca_qp_init(&it->qp, type, ci, init) : -EINVAL;
	if (ret) {
		kfree(it);
		return ERR_PTR(ret);
	}
	ret = hca_id_alloc(&ci->qps, &it->qp, &it->qp.qpn);
	if (ret) {
		hca_qp_free(&it->qp);
		return ERR_PTR(ret);
	}
	ret = hca_iwarp_inherit_fault(it);
	if (ret) {
		hca_qp_destroy(&it->qp);
		return ERR_PTR(ret);
	}
	return &it->qp;
}

static void iwarp_bind_counters(struct hca_qp *qp, struct hca_qp_counters *counters)
{
	rcu_assign_pointer(hca_iwarp_qp_of(qp)->counters, counters);
}

const struct hca_ci_ops hca_iwarp_ci_ops = {
	.qp_type = iwarp_qp_type,
	.create_qp = iwarp_create_qp,
	.view = hca_iwarp_view,
	.bind_counters = iwarp_bind_counters,
};
