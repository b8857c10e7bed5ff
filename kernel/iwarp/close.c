// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The end of a stream that a queue pair has: Terminate, close, reset, and their time limit. */
#include "iwarp/close.h"
#include <linux/errno.h>
#include <linux/kernel.h>
#include "iwarp/attach.h"
#include "iwarp/complete.h"
#include "iwarp/requester.h"
#include "iwarp/terminate.h"

/* Whether requests are posted or incomplete, or Read Requests are not answered (req R0-194). */
static bool close_is_busy(const struct hca_iwarp_qp *it)
{
	return hca_requester_is_busy(it) || it->responder.count;
}

/* Choose the Terminate message of an end that nothing in the stream has caused. */
static void close_choose_error(struct hca_iwarp_qp *it, u8 state)
{
	if (state == IB_QPS_SQE && it->is_ending_by_modify)
		hca_terminate_raise(it, HCA_ERR_RDMAP_LOCAL, NULL, true);
	if (state == IB_QPS_ERR && !it->is_aborting)
		hca_terminate_raise(it, READ_ONCE(hca_rnic_of(it)->removed) ?
					HCA_ERR_RDMAP_GLOBAL : HCA_ERR_RDMAP_STREAM, NULL, true);
}

static void close_enter(struct hca_iwarp_qp *it, u8 state)
{
	it->ending |= HCA_END_ENTERED;
	/* Requests are about to be flushed, so that the stream gets none of them any more. */
	if (state != IB_QPS_SQD)
		hca_mpa_tx_stop(&it->tx);
	hca_endpoint_start_timer(it->ep, it->options.timeout);
	close_choose_error(it, state);
	hca_state_event(it, HCA_IWARP_ENTERED);
}

static void close_reset(struct hca_iwarp_qp *it)
{
	it->ending = HCA_END_ENTERED | HCA_END_ABORTED;
	it->ep->is_frame_due = false;
	hca_mpa_tx_stop(&it->tx);
	hca_rnic_count(hca_rnic_of(it), HCA_RNIC_RESETS, 1);
	it->ep->stream->ops->reset(it->ep->stream);
}

/* Send what is left to be sent, then the FIN, which follows the reply of start-up. */
static int close_finish(struct hca_iwarp_qp *it)
{
	int ret = 0;

	/* Nothing follows the octets before a cut. */
	if (it->ep->is_frame_due || it->tx.is_cut)
		return 0;
	if (it->ending & HCA_END_TERMINATE)
		ret = hca_terminate_send(it);
	if (ret)
		return ret;
	it->ending &= ~HCA_END_TERMINATE;
	if (it->ending & HCA_END_CLOSE)
		ret = hca_mpa_tx_push(&it->tx, it->ep->stream, false);
	if (!ret && (it->ending & HCA_END_CLOSE)) {
		it->ending &= ~HCA_END_CLOSE;
		hca_terminate_sent(it);
		it->ep->stream->ops->close(it->ep->stream);
	}
	return ret;
}

bool hca_close_is_begun(const struct hca_iwarp_qp *it)
{
	return it->ending == HCA_END_ENTERED && !it->ep->is_frame_due;
}

/* The device is removed: a Terminate message goes only if it can at once. */
static void close_removed(struct hca_iwarp_qp *it)
{
	if (it->ending & HCA_END_ABORTED)
		return;
	close_finish(it);
	close_reset(it);
}

/* A fault has cut an FPDU: the stream is reset when it has the octets before the cut. */
static void close_cut(struct hca_iwarp_qp *it)
{
	if (it->tx.is_cut && !(it->ending & HCA_END_ABORTED) &&
	    hca_mpa_tx_push(&it->tx, it->ep->stream, false) != -EAGAIN)
		it->ending |= HCA_END_RESET;
}

void hca_close_run(struct hca_iwarp_qp *it)
{
	u8 state = READ_ONCE(it->qp.common.state);

	close_cut(it);
	if (state < IB_QPS_SQD && !(it->ending & HCA_END_RESET))
		return;
	if (!(it->ending & (HCA_END_RESET | HCA_END_ENTERED | HCA_END_ABORTED)))
		close_enter(it, state);
	if (it->is_aborting && !(it->ending & HCA_END_ABORTED))
		it->ending |= HCA_END_RESET;
	if (state == IB_QPS_SQD && close_is_busy(it)) {
		it->qp.sq_flush_error = HCA_VENDOR_ERR_BAD_CLOSE;
		hca_state_event(it, HCA_IWARP_BUSY);
	}
	if ((it->ending & HCA_END_RESET) && !(it->ending & HCA_END_ABORTED))
		close_reset(it);
	else if (state == IB_QPS_ERR && READ_ONCE(hca_rnic_of(it)->removed))
		close_removed(it);
	else if (close_finish(it) == -ENOMEM)
		hca_endpoint_retry(it->ep);
}

/* The stream is lost. A completion tells of this, or an event does (req R0-447). */
static void close_lost(struct hca_iwarp_qp *it)
{
	hca_terminate_keep(it, HCA_ERR_MPA_LOST);
	if (it->qp.common.state == IB_QPS_RTS && hca_complete_lost(it))
		it->is_notified = true;
}

void hca_close_gone(struct hca_iwarp_qp *it, enum hca_iwarp_event event)
{
	struct hca_endpoint *ep = it->ep;
	int status = event == HCA_IWARP_CLOSED ? 0 : ep->stream->error;

	if (event == HCA_IWARP_LOST && !status)
		status = -ECONNRESET;
	if (event == HCA_IWARP_LOST && !(it->ending & HCA_END_ABORTED))
		close_lost(it);
	hca_state_event(it, event);
	spin_lock(&ep->lock);
	hca_iwarp_detach(it);
	hca_endpoint_gone(ep, status);
	spin_unlock(&ep->lock);
	it->is_gone = true;
}
