// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The connection manager's part of start-up: it connects, listens, accepts and rejects. */
#include "iwarp/connect.h"
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include "iwarp/attach.h"
#include "iwarp/negotiate.h"
#include "iwarp/startup.h"

#define CONNECT_REQUEST_SECONDS 5 /* that a responder waits for a request */

static int connect_frame(struct hca_endpoint *ep, const struct hca_connect *connect)
{
	return hca_negotiate_frame(ep, connect->private_data, connect->private_length);
}

static bool connect_is_valid(const struct hca_iwarp_qp *it, const struct hca_connect *connect)
{
	return it->qp.common.state == IB_QPS_INIT && !it->ep &&
	       connect->ird <= HCA_IWARP_MAX_READS && connect->ord <= HCA_IWARP_MAX_READS;
}

/*
 * A process that connects by rdma_cm never sets access flags after rdma_cm has an identifier of
 * iw_cm. Until then rdma_cm sets none, names the port, and the process does not know. It gets the
 * rights that iw_cm has for all its connections (iwcm_init_qp_init_attr()).
 */
static void connect_open_access(struct hca_iwarp_qp *it)
{
	if (it->is_access_open)
		it->access = IB_UVERBS_ACCESS_REMOTE_WRITE | IB_UVERBS_ACCESS_REMOTE_READ;
	it->is_access_open = false;
}

static int connect_attach(struct hca_endpoint *ep, struct hca_iwarp_qp *it)
{
	struct hca_read *read;
	u16 size;

	read = hca_startup_alloc_reads(ep, &size);
	if (!read)
		return -ENOMEM;
	connect_open_access(it);
	hca_iwarp_attach(it, ep, read, size);
	return 0;
}

static int connect_begin(struct hca_endpoint *ep, struct hca_iwarp_qp *it,
			   const struct hca_connect *connect)
{
	int ret;

	if (!connect_is_valid(it, connect) || ep->state != HCA_STARTUP_IDLE)
		return -EINVAL;
	ep->ird = connect->ird;
	ep->ord = connect->ord;
	hca_negotiate_request(ep);
	ret = connect_frame(ep, connect);
	if (!ret)
		ret = connect_attach(ep, it);
	if (ret)
		return ret;
	ep->state = HCA_STARTUP_CONNECTING;
	ep->is_result_due = true;
	hca_endpoint_start_timer(ep, HCA_STARTUP_REPLY_SECONDS);
	return 0;
}

int hca_startup_connect(struct hca_endpoint *ep, struct hca_iwarp_qp *it,
			const struct hca_connect *connect)
{
	int ret;

	hca_run_init(&ep->run, hca_startup_run_alone);
	spin_lock_bh(&it->qp.common.send_lock);
	spin_lock(&ep->lock);
	ret = connect_begin(ep, it, connect);
	spin_unlock(&ep->lock);
	hca_qp_kick(&it->qp);
	spin_unlock(&it->qp.common.send_lock);
	hca_engine_run();
	local_bh_enable();
	return ret;
}

void hca_startup_listen(struct hca_endpoint *ep)
{
	hca_run_init(&ep->run, hca_startup_run_alone);
	spin_lock_bh(&ep->lock);
	ep->state = HCA_STARTUP_WAIT_REQ;
	hca_endpoint_start_timer(ep, CONNECT_REQUEST_SECONDS);
	hca_endpoint_use(ep, &ep->run);
	hca_run_schedule(&ep->run);
	spin_unlock(&ep->lock);
	hca_engine_run();
	local_bh_enable();
}

/* Return: 0 if the ULP's answer can still be sent. */
static int connect_may_answer(struct hca_endpoint *ep)
{
	if (ep->state != HCA_STARTUP_WAIT_ULP)
		return -EINVAL;
	if (!ep->is_peer_closed && !ep->is_lost)
		return 0;
	hca_startup_abort(ep);
	return -ECONNRESET;
}

/* Make the reply that accepts, and attach the queue pair. */
static int connect_accept_frame(struct hca_endpoint *ep, struct hca_iwarp_qp *it,
				const struct hca_connect *connect)
{
	int ret;

	if (!connect_is_valid(it, connect))
		return -EINVAL;
	ep->ird = connect->ird;
	ep->ord = connect->ord;
	ret = hca_negotiate_accept(ep);
	if (!ret)
		ret = connect_frame(ep, connect);
	if (!ret)
		ret = connect_attach(ep, it);
	return ret;
}

static int connect_accept(struct hca_endpoint *ep, struct hca_iwarp_qp *it,
			  const struct hca_connect *connect)
{
	int ret = connect_may_answer(ep);

	if (ret)
		return ret;
	ret = connect_accept_frame(ep, it, connect);
	if (ret) {
		hca_negotiate_reject(ep);
		hca_negotiate_frame(ep, NULL, 0);
		hca_startup_turn_down(ep);
		return ret;
	}
	ep->state = HCA_STARTUP_REP_SENT;
	ep->is_result_due = true;
	hca_endpoint_start_timer(ep, HCA_STARTUP_REPLY_SECONDS);
	return 0;
}

int hca_startup_accept(struct hca_endpoint *ep, struct hca_iwarp_qp *it,
		       const struct hca_connect *connect)
{
	int ret;

	spin_lock_bh(&it->qp.common.send_lock);
	spin_lock(&ep->lock);
	ret = connect_accept(ep, it, connect);
	spin_unlock(&ep->lock);
	if (!ret) {
		it->rtr_expected = hca_negotiate_rtr(&ep->own);
		hca_rnic_count(ep->rnic, HCA_RNIC_ACCEPTS, 1);
		hca_iwarp_establish(it, IB_QPS_RTR);
	}
	spin_unlock(&it->qp.common.send_lock);
	hca_engine_run();
	local_bh_enable();
	return ret;
}

int hca_startup_reject(struct hca_endpoint *ep, const struct hca_connect *connect)
{
	int ret;

	spin_lock_bh(&ep->lock);
	ret = connect_may_answer(ep);
	if (!ret) {
		hca_negotiate_reject(ep);
		ret = connect_frame(ep, connect);
		if (!ret)
			hca_startup_turn_down(ep);
	}
	spin_unlock(&ep->lock);
	hca_engine_run();
	local_bh_enable();
	return ret;
}
