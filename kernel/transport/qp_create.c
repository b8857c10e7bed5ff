// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Creation of queue pairs of InfiniBand's transports, and the operations of each queue pair type.
 */
#include "transport/qp_create.h"
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include "compat.h"
#include "qp/run.h"
#include "transport/address.h"
#include "transport/datagram.h"
#include "transport/deliver.h"
#include "transport/eec_run.h"
#include "transport/group.h"
#include "transport/iba_qp.h"
#include "transport/modify.h"
#include "transport/qp_table.h"
#include "transport/raw.h"
#include "transport/rd/rd_eec.h"
#include "transport/requester.h"
#include "transport/retry.h"
#include "transport/wr.h"
#include "transport/xrc/xrc.h"

static bool iba_respond(struct hca_qp *qp, int *budget, enum hca_progress *progress)
{
	return hca_eec_respond(hca_qp_eec(qp), budget, progress);
}

static enum hca_progress connected_send(struct hca_qp *qp, int *budget)
{
	return hca_requester_send(hca_qp_eec(qp), budget);
}

static enum hca_progress datagram_send(struct hca_qp *qp, int *budget)
{
	return qp->common.state == IB_QPS_SQD ? HCA_DONE : hca_datagram_send(qp, budget);
}

/* An RD queue pair sends nothing itself, but passes its request to an RD EE context. */
static enum hca_progress rd_send(struct hca_qp *qp, int *budget)
{
	return hca_rd_eec_submit(qp);
}

static bool connected_run(struct hca_runnable *r, int *budget)
{
	return hca_qp_run(r, budget, iba_respond, connected_send);
}

static bool datagram_run(struct hca_runnable *r, int *budget)
{
	return hca_qp_run(r, budget, iba_respond, datagram_send);
}

static bool rd_run(struct hca_runnable *r, int *budget)
{
	return hca_qp_run(r, budget, iba_respond, rd_send);
}

static bool connected_drained(const struct hca_qp *qp)
{
	const struct hca_eec *eec = hca_qp_eec(qp);

	return eec->next_psn == eec->sent_psn && eec->una_psn == eec->sent_psn &&
	       (qp->sq_current == qp->sq_fetched ||
		hca_request_at(qp, qp->sq_current)->iba.psn == eec->next_psn);
}

/* A datagram is complete when it is sent. */
static bool datagram_drained(const struct hca_qp *qp)
{
	return true;
}

static bool rd_drained(const struct hca_qp *qp)
{
	return qp->sq_done == qp->sq_fetched;
}

static bool iba_stop_sends(struct hca_qp *qp)
{
	struct hca_eec *eec = hca_qp_eec(qp);

	eec->timer_armed = false;
	eec->rnr_wait = false;
	eec->rewound = false;
	hca_eec_release(eec);
	return true;
}

static bool rd_stop_sends(struct hca_qp *qp)
{
	return hca_rd_eec_withdraw(qp) && iba_stop_sends(qp);
}

static void rd_stop_recvs(struct hca_qp *qp)
{
	hca_rd_eecs_drop(qp, true);
}

/* Assign PSNs from next_psn on to the next request, because flushed requests use no PSNs. */
static void connected_flushed(struct hca_qp *qp)
{
	struct hca_eec *eec = hca_qp_eec(qp);

	eec->assigned_psn = eec->next_psn;
}

static void connected_fetched(struct hca_qp *qp, struct hca_request *req)
{
	hca_request_number(hca_qp_eec(qp), req);
}

static const u8 hca_kind_of[] = {
	[IB_QPT_SMI] = HCA_KIND_SPECIAL,  [IB_QPT_GSI] = HCA_KIND_SPECIAL,
	[IB_QPT_RC] = HCA_KIND_RC,	   [IB_QPT_UC] = HCA_KIND_UC,
	[IB_QPT_UD] = HCA_KIND_UD,	   [HCA_QPT_RD] = HCA_KIND_RD,
	[IB_QPT_RAW_IPV6] = HCA_KIND_RAW, [IB_QPT_RAW_ETHERTYPE] = HCA_KIND_RAW,
	[IB_QPT_XRC_INI] = HCA_KIND_XRC_INI, [IB_QPT_XRC_TGT] = HCA_KIND_XRC_TGT,
};

static int iba_modify_check(const struct hca_qp *qp, const struct hca_qp_attr *attr, int mask)
{
	return hca_attr_check(hca_qp_eec(qp), hca_kind_of[qp->type], attr, mask);
}

static void iba_modify_apply(struct hca_qp *qp, const struct hca_qp_attr *attr, int mask)
{
	hca_attr_apply(hca_qp_eec(qp), attr, mask);
}

static void iba_query(const struct hca_qp *qp, struct hca_qp_attr *attr)
{
	hca_attr_query(hca_qp_eec(qp), attr);
}

static void iba_reset(struct hca_qp *qp)
{
	hca_eec_reset(hca_qp_eec(qp));
}

static void iba_withdraw(struct hca_qp *qp)
{
	hca_multicast_detach_all(qp);
	hca_qp_withdraw(qp);
}

static void raw_withdraw(struct hca_qp *qp)
{
	hca_multicast_detach_all(qp);
	hca_raw_del(qp);
	hca_qp_withdraw(qp);
}

static void rd_withdraw(struct hca_qp *qp)
{
	hca_qp_withdraw(qp);
	WRITE_ONCE(qp->common.state, IB_QPS_RESET);
	hca_rd_eec_disconnect(qp);
}

static void iba_stop(struct hca_qp *qp)
{
	hca_eec_stop(hca_qp_eec(qp));
}

/* Operations that are common to all queue pair types. */
#define IBA_OPS \
	.wr = hca_iba_wr, .states = hca_iba_states, \
	.modify_check = iba_modify_check, \
	.modify_apply = iba_modify_apply, .query = iba_query, .reset = iba_reset, \
	.stop = iba_stop

static const struct hca_qp_ops connected_ops = {
	IBA_OPS,
	.run = connected_run,
	.drained = connected_drained,
	.stop_sends = iba_stop_sends,
	.flushed = connected_flushed,
	.fetched = connected_fetched,
	.withdraw = iba_withdraw,
};

static const struct hca_qp_ops xrc_ini_ops = {
	IBA_OPS,
	.run = connected_run,
	.drained = connected_drained,
	.stop_sends = iba_stop_sends,
	.flushed = connected_flushed,
	.parse = hca_request_parse_xrc,
	.fetched = connected_fetched,
	.withdraw = iba_withdraw,
};

static const struct hca_qp_ops xrc_tgt_ops = {
	IBA_OPS,
	.run = connected_run,
	.drained = connected_drained,
	.stop_sends = iba_stop_sends,
	.stop_recvs = hca_xrc_stop_recvs,
	.withdraw = iba_withdraw,
};

static const struct hca_qp_ops datagram_ops = {
	IBA_OPS,
	.run = datagram_run,
	.drained = datagram_drained,
	.stop_sends = iba_stop_sends,
	.parse = hca_request_parse_datagram,
	.withdraw = iba_withdraw,
};

static const struct hca_qp_ops raw_ops = {
	IBA_OPS,
	.run = datagram_run,
	.drained = datagram_drained,
	.stop_sends = iba_stop_sends,
	.parse = hca_request_parse_datagram,
	.withdraw = raw_withdraw,
};

static const struct hca_qp_ops rd_ops = {
	IBA_OPS,
	.run = rd_run,
	.drained = rd_drained,
	.stop_sends = rd_stop_sends,
	.stop_recvs = rd_stop_recvs,
	.parse = hca_request_parse_rd,
	.disconnect = hca_rd_eec_disconnect,
	.withdraw = rd_withdraw,
};

static void qp_suspend(struct hca_eec *eec, u8 rnr_code, u32 msn)
{
	hca_retry_rewind(eec);
	hca_retry_wait_rnr(eec, rnr_code);
}

/* A reliable connection goes to Error, and all other queue pairs go to SQE (IBA C10-40). */
static void qp_abandon(struct hca_eec *eec, enum hca_vendor_err error)
{
	if (eec->qp->type == IB_QPT_RC || eec->qp->type == IB_QPT_XRC_INI)
		hca_qp_error(eec->qp);
	else
		hca_qp_send_error(eec->qp);
}

static const struct hca_eec_ops iba_eec_ops = {
	.timer = hca_retry_timer,
	.suspend = qp_suspend,
	.abandon = qp_abandon,
};

static const struct hca_eec_ops xrc_tgt_eec_ops = {
	.timer = hca_retry_timer,
	.dest_get = hca_xrc_dest_get,
	.dest_put = hca_xrc_dest_put,
	.suspend = qp_suspend,
	.abandon = qp_abandon,
};

#define BOTH (HCA_IS_REQUEST | HCA_IS_RESPONSE)

static const struct hca_iba_type {
	const struct hca_qp_ops *ops;
	const struct hca_eec_ops *eec_ops;
	u8 transport; /* enum hca_transport */
	/* kinds of packets that are accepted: HCA_IS_REQUEST, HCA_IS_RESPONSE or both */
	u32 accepts;
} iba_types[] = {
	[IB_QPT_SMI] = { &datagram_ops, &iba_eec_ops, HCA_TRANSPORT_UD, BOTH },
	[IB_QPT_GSI] = { &datagram_ops, &iba_eec_ops, HCA_TRANSPORT_UD, BOTH },
	[IB_QPT_RC] = { &connected_ops, &iba_eec_ops, HCA_TRANSPORT_RC, BOTH },
	[IB_QPT_UC] = { &connected_ops, &iba_eec_ops, HCA_TRANSPORT_UC, BOTH },
	[IB_QPT_UD] = { &datagram_ops, &iba_eec_ops, HCA_TRANSPORT_UD, BOTH },
	[HCA_QPT_RD] = { &rd_ops, &iba_eec_ops, HCA_TRANSPORT_RD, BOTH },
	[IB_QPT_RAW_IPV6] = { &raw_ops, &iba_eec_ops, HCA_TRANSPORT_RAW, BOTH },
	[IB_QPT_RAW_ETHERTYPE] = { &raw_ops, &iba_eec_ops, HCA_TRANSPORT_RAW, BOTH },
	[IB_QPT_XRC_INI] = { &xrc_ini_ops, &iba_eec_ops, HCA_TRANSPORT_XRC,
			     HCA_IS_RESPONSE },
	[IB_QPT_XRC_TGT] = { &xrc_tgt_ops, &xrc_tgt_eec_ops, HCA_TRANSPORT_XRC,
			     HCA_IS_REQUEST },
};

static void iba_init(struct hca_iba_qp *iba, struct hca_ca *ca, const struct hca_qp_init *init)
{
	const struct hca_iba_type *type = &iba_types[init->type];
	struct hca_eec *eec = &iba->eec;

	eec->common = &iba->qp.common;
	eec->recv = &iba->qp.recv;
	hca_eec_init(eec, ca, type->transport, type->eec_ops);
	eec->accepts = type->accepts;
	eec->qp = &iba->qp;
	iba->rdd = init->rdd;
	iba->xrcd = init->xrcd;
	iba->block_loopback = init->block_loopback;
	INIT_LIST_HEAD(&iba->scheduled);
	INIT_LIST_HEAD(&iba->groups);
	if (init->type == IB_QPT_SMI || init->type == IB_QPT_GSI)
		eec->port = hca_node_port(&ca->node, init->port_num);
}

/*
 * Add a queue pair to the tables in which packets look it up. If no QPN can be allocated for a raw
 * queue pair, it is removed from the list of raw queue pairs and may be freed. No packet has been
 * delivered to it, because it has no port yet.
 */
static int iba_publish(struct hca_qp *qp, u8 port_num)
{
	bool raw = hca_qp_is_raw(qp);
	int ret = raw ? hca_raw_add(qp) : 0;

	if (ret)
		return ret;
	ret = hca_qp_publish(qp, port_num);
	if (ret && raw)
		hca_raw_del(qp);
	return ret;
}

struct hca_qp *hca_qp_create(struct hca_ca *ca, const struct hca_qp_init *init)
{
	struct hca_iba_qp *iba;
	int ret;

	BUILD_BUG_ON(offsetof(struct hca_iba_qp, qp));
	if ((init->type == HCA_QPT_RD && !init->rdd) ||
	    (init->type == IB_QPT_XRC_TGT && !init->xrcd))
		return ERR_PTR(-EINVAL);
	iba = kzalloc(sizeof(*iba), GFP_KERNEL_ACCOUNT);
	if (!iba)
		return ERR_PTR(-ENOMEM);
	ret = hca_qp_init(&iba->qp, iba_types[init->type].ops, &ca->ci, init);
	if (ret) {
		kfree(iba);
		return ERR_PTR(ret);
	}
	iba_init(iba, ca, init);
	ret = iba_publish(&iba->qp, init->port_num);
	if (ret) {
		hca_qp_free(&iba->qp);
		return ERR_PTR(ret);
	}
	return &iba->qp;
}
