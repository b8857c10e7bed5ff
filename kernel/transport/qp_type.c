// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The queue pair types of InfiniBand's transports: a row for each type, and its operations. */
#include "transport/qp_type.h"
#include <linux/bits.h>
#include <linux/kernel.h>
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

static int iba_modify_check(const struct hca_qp *qp, const struct hca_qp_attr *attr, int mask)
{
	return hca_attr_check(hca_qp_eec(qp), hca_iba_type(qp->type)->kind, attr, mask);
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

#define REQUEST(name) BIT_ULL(IB_UVERBS_WR_##name)
#define SENDS (REQUEST(SEND) | REQUEST(SEND_WITH_IMM))
#define WRITES (REQUEST(RDMA_WRITE) | REQUEST(RDMA_WRITE_WITH_IMM))
#define LOCALS (REQUEST(LOCAL_INV) | REQUEST(BIND_MW))
#define UNRELIABLE (SENDS | WRITES | LOCALS) /* requests without a response */
#define RELIABLE \
	(UNRELIABLE | REQUEST(RDMA_READ) | REQUEST(ATOMIC_CMP_AND_SWP) | \
	 REQUEST(ATOMIC_FETCH_AND_ADD))
/* Requests of reliable connections, with XRC and without. */
#define CONNECTED (RELIABLE | REQUEST(SEND_WITH_INV) | REQUEST(FLUSH) | REQUEST(ATOMIC_WRITE))
#define FAST_REG BIT_ULL(IB_WR_REG_MR)

#define BOTH (HCA_IS_REQUEST | HCA_IS_RESPONSE)

static const struct hca_iba_type iba_types[] = {
	[IB_QPT_SMI] = {
		.type = { .ops = &datagram_ops, .opcodes = SENDS, .sends = true,
			  .receives = true, .addressed = true, .special = true },
		.eec_ops = &iba_eec_ops,
		.transport = HCA_TRANSPORT_UD,
		.kind = HCA_KIND_SPECIAL,
		.accepts = BOTH,
	},
	[IB_QPT_GSI] = {
		.type = { .ops = &datagram_ops, .opcodes = SENDS, .sends = true,
			  .receives = true, .addressed = true, .special = true },
		.eec_ops = &iba_eec_ops,
		.transport = HCA_TRANSPORT_UD,
		.kind = HCA_KIND_SPECIAL,
		.accepts = BOTH,
	},
	[IB_QPT_RC] = {
		.type = { .ops = &connected_ops, .opcodes = CONNECTED | FAST_REG, .sends = true,
			  .receives = true, .srq = true },
		.eec_ops = &iba_eec_ops,
		.transport = HCA_TRANSPORT_RC,
		.kind = HCA_KIND_RC,
		.accepts = BOTH,
	},
	[IB_QPT_UC] = {
		.type = { .ops = &connected_ops, .opcodes = UNRELIABLE | FAST_REG, .sends = true,
			  .receives = true, .srq = true },
		.eec_ops = &iba_eec_ops,
		.transport = HCA_TRANSPORT_UC,
		.kind = HCA_KIND_UC,
		.accepts = BOTH,
	},
	[IB_QPT_UD] = {
		.type = { .ops = &datagram_ops, .opcodes = SENDS, .sends = true,
			  .receives = true, .srq = true, .addressed = true,
			  .create_flags = IB_QP_CREATE_BLOCK_MULTICAST_LOOPBACK },
		.eec_ops = &iba_eec_ops,
		.transport = HCA_TRANSPORT_UD,
		.kind = HCA_KIND_UD,
		.accepts = BOTH,
	},
	[HCA_QPT_RD] = {
		.type = { .ops = &rd_ops, .opcodes = RELIABLE, .sends = true, .receives = true,
			  .user = true, .driver = true },
		.eec_ops = &iba_eec_ops,
		.transport = HCA_TRANSPORT_RD,
		.kind = HCA_KIND_RD,
		.accepts = BOTH,
	},
	[IB_QPT_RAW_IPV6] = {
		.type = { .ops = &raw_ops, .opcodes = REQUEST(SEND), .sends = true,
			  .receives = true, .user = true, .driver = true },
		.eec_ops = &iba_eec_ops,
		.transport = HCA_TRANSPORT_RAW,
		.kind = HCA_KIND_RAW,
		.accepts = BOTH,
	},
	[IB_QPT_RAW_ETHERTYPE] = {
		.type = { .ops = &raw_ops, .opcodes = REQUEST(SEND), .sends = true,
			  .receives = true, .user = true, .driver = true },
		.eec_ops = &iba_eec_ops,
		.transport = HCA_TRANSPORT_RAW,
		.kind = HCA_KIND_RAW,
		.accepts = BOTH,
	},
	[IB_QPT_XRC_INI] = {
		.type = { .ops = &xrc_ini_ops, .opcodes = CONNECTED, .sends = true,
			  .ignores_srq = true, .user = true },
		.eec_ops = &iba_eec_ops,
		.transport = HCA_TRANSPORT_XRC,
		.kind = HCA_KIND_XRC_INI,
		.accepts = HCA_IS_RESPONSE,
	},
	/* .user is not set: the RDMA core passes no udata for an XRC target of a process. */
	[IB_QPT_XRC_TGT] = {
		.type = { .ops = &xrc_tgt_ops, .ignores_srq = true, .outlives = true },
		.eec_ops = &xrc_tgt_eec_ops,
		.transport = HCA_TRANSPORT_XRC,
		.kind = HCA_KIND_XRC_TGT,
		.accepts = HCA_IS_REQUEST,
	},
};

const struct hca_iba_type *hca_iba_type(unsigned int type)
{
	return type < ARRAY_SIZE(iba_types) && iba_types[type].type.ops ? &iba_types[type] : NULL;
}
