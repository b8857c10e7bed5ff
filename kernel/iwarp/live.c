// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Live streams: their start, as initiator, as responder, or without frames of MPA. */
#include "iwarp/live.h"
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "iwarp/attach.h"
#include "iwarp/negotiate.h"
#include "iwarp/startup.h"

/* Accept the request of the peer, whose stream the queue pair has already. */
static void live_answer(struct hca_endpoint *ep)
{
	struct hca_iwarp_qp *it = ep->qp;

	if (hca_negotiate_accept(ep) || !hca_startup_grow_reads(it)) {
		hca_negotiate_reject(ep);
		hca_negotiate_frame(ep, NULL, 0);
		hca_startup_turn_down(ep);
		return;
	}
	hca_negotiate_frame(ep, ep->live->private_data, ep->live->private_length);
	ep->state = HCA_STARTUP_REP_SENT;
	ep->is_result_due = true;
	hca_endpoint_start_timer(ep, HCA_STARTUP_REPLY_SECONDS);
	it->rtr_expected = hca_negotiate_rtr(&ep->own);
	hca_rnic_count(ep->rnic, HCA_RNIC_ACCEPTS, 1);
	hca_iwarp_establish(it, IB_QPS_RTR);
}

/* Copy what the consumer has given. The endpoint frees it. */
static int live_prepare(struct hca_endpoint *ep, const struct hca_live_start *start)
{
	struct hca_live *live;

	if (start->message_length > HCA_LIVE_MESSAGE_MAX ||
	    start->private_length > HCA_LIVE_PRIVATE_MAX ||
	    (start->is_immediate && start->private_length))
		return -EINVAL;
	live = kzalloc(sizeof(*live), GFP_KERNEL_ACCOUNT);
	if (!live)
		return -ENOMEM;
	ep->live = live;
	live->answer = live_answer;
	live->private_length = start->private_length;
	if (start->private_length)
		memcpy(live->private_data, start->private_data, start->private_length);
	if (!start->message_length)
		return 0;
	live->message = kmemdup(start->message, start->message_length, GFP_KERNEL_ACCOUNT);
	live->message_length = start->message_length;
	return live->message ? 0 : -ENOMEM;
}

/* Without frames, each end has in both directions what its own options ask for. */
static void live_agree(struct hca_endpoint *ep)
{
	const struct hca_rnic_options *options = &ep->rnic->options;

	ep->own = (struct hca_mpa_frame){ .markers = options->markers, .crc = options->crc };
	ep->peer = ep->own;
}

/* Choose how start-up begins. */
static void live_start(struct hca_endpoint *ep, const struct hca_live_start *start)
{
	ep->is_result_due = start->is_initiator || start->is_immediate;
	if (start->is_immediate) {
		live_agree(ep);
		ep->state = HCA_STARTUP_STREAMING;
	} else if (start->is_initiator) {
		hca_negotiate_request(ep);
		hca_negotiate_frame(ep, start->private_data, start->private_length);
		ep->state = HCA_STARTUP_CONNECTING;
	} else {
		ep->state = HCA_STARTUP_WAIT_REQ;
	}
}

static bool live_is_free(const struct hca_iwarp_qp *it)
{
	return it->qp.common.state == IB_QPS_INIT && !it->ep;
}

bool hca_live_may_attach(struct hca_iwarp_qp *it)
{
	bool is_free;

	spin_lock_bh(&it->qp.common.send_lock);
	is_free = live_is_free(it);
	spin_unlock_bh(&it->qp.common.send_lock);
	return is_free;
}

static int live_begin(struct hca_endpoint *ep, struct hca_iwarp_qp *it,
		      const struct hca_live_start *start)
{
	struct hca_read *read;
	u16 size;

	if (!live_is_free(it) || ep->state != HCA_STARTUP_IDLE)
		return -EINVAL;
	ep->ird = it->max_ird;
	ep->ord = it->max_ord;
	read = hca_startup_alloc_reads(ep, &size);
	if (!read)
		return -ENOMEM;
	hca_iwarp_attach(it, ep, read, size);
	live_start(ep, start);
	hca_endpoint_start_timer(ep, HCA_STARTUP_REPLY_SECONDS);
	return 0;
}

int hca_live_attach(struct hca_endpoint *ep, struct hca_iwarp_qp *it,
		    const struct hca_live_start *start)
{
	int ret = live_prepare(ep, start);

	if (ret)
		return ret;
	hca_run_init(&ep->run, hca_startup_run_alone);
	spin_lock_bh(&it->qp.common.send_lock);
	spin_lock(&ep->lock);
	ret = live_begin(ep, it, start);
	spin_unlock(&ep->lock);
	hca_qp_kick(&it->qp);
	spin_unlock(&it->qp.common.send_lock);
	hca_engine_run();
	local_bh_enable();
	return ret;
}
