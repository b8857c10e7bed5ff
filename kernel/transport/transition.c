// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * State transitions, and the required and optional attributes of each transition (IBA 11.2.4.2; for
 * EE contexts and RD queue pairs IBA 11.2.5, req C4-011 to C4-015, C4-036). A transition to Reset
 * is allowed from any state, and a transition to Error from any state except Reset. These two
 * accept no attributes.
 */
#include <linux/kernel.h>
#include "transport/modify.h"

const struct hca_state_kind hca_iba_states[HCA_NUM_QPS] = {
	[IB_QPS_INIT] = { .post_recv = true },
	[IB_QPS_RTR] = { .post_recv = true },
	[IB_QPS_RTS] = { .post_send = true, .post_recv = true, .fetches = true, .sends = true },
	[IB_QPS_SQD] = { .post_send = true, .post_recv = true, .sends = true, .draining = true },
	[IB_QPS_SQE] = { .post_send = true, .post_recv = true, .flush_sends = true },
	[IB_QPS_ERR] = { .post_send = true, .post_recv = true, .flush_sends = true,
			 .flush_recvs = true },
};

struct hca_transition {
	bool allowed;
	u32 required[HCA_NUM_KINDS];
	u32 optional[HCA_NUM_KINDS];
	bool refused[HCA_NUM_KINDS]; /* true for kinds that do not have the transition */
};

#define PKEY IB_QP_PKEY_INDEX
#define PORT IB_QP_PORT
#define QKEY IB_QP_QKEY
#define ACCESS IB_QP_ACCESS_FLAGS
#define CUR IB_QP_CUR_STATE
#define ALT IB_QP_ALT_PATH
#define MIG IB_QP_PATH_MIG_STATE
#define RNR IB_QP_MIN_RNR_TIMER
#define NOTIFY IB_QP_EN_SQD_ASYNC_NOTIFY

#define PEER (IB_QP_AV | IB_QP_PATH_MTU | IB_QP_DEST_QPN | IB_QP_RQ_PSN)
#define RESPONDER (IB_QP_MAX_DEST_RD_ATOMIC | RNR)
#define RETRIES (IB_QP_TIMEOUT | IB_QP_RETRY_CNT | IB_QP_RNR_RETRY)
#define REQUESTER (RETRIES | IB_QP_SQ_PSN | IB_QP_MAX_QP_RD_ATOMIC)
/* An XRC target sends no requests, but requires these two attributes. */
#define XRC_TGT_REQUESTER (IB_QP_TIMEOUT | IB_QP_SQ_PSN)
#define PATHS (IB_QP_AV | PORT | PKEY | ALT | MIG)

/* Optional attributes of the transitions from RTR, RTS and SQD to RTS. */
#define RUNNING_OPTIONS \
	{ \
		[HCA_KIND_SPECIAL] = CUR | QKEY, \
		[HCA_KIND_UD] = CUR | QKEY, \
		[HCA_KIND_UC] = CUR | ACCESS | ALT | MIG, \
		[HCA_KIND_RC] = CUR | ACCESS | ALT | MIG | RNR, \
		[HCA_KIND_RD] = CUR | ACCESS | QKEY, \
		[HCA_KIND_RAW] = CUR, \
		[HCA_KIND_XRC_INI] = CUR | ACCESS | ALT | MIG, \
		[HCA_KIND_XRC_TGT] = CUR | ACCESS | ALT | MIG | RNR, \
		[HCA_KIND_EEC] = CUR | ALT | MIG | RNR, \
	}

static const struct hca_transition transitions[HCA_NUM_QPS][HCA_NUM_QPS] = {
	[IB_QPS_RESET][IB_QPS_INIT] = {
		.allowed = true,
		.required = {
			[HCA_KIND_SPECIAL] = PKEY | QKEY,
			[HCA_KIND_UD] = PKEY | PORT | QKEY,
			[HCA_KIND_UC] = PKEY | PORT | ACCESS,
			[HCA_KIND_RC] = PKEY | PORT | ACCESS,
			[HCA_KIND_RD] = QKEY | ACCESS,
			[HCA_KIND_RAW] = PORT,
			[HCA_KIND_XRC_INI] = PKEY | PORT | ACCESS,
			[HCA_KIND_XRC_TGT] = PKEY | PORT | ACCESS,
			[HCA_KIND_EEC] = PKEY | PORT,
		},
	},
	[IB_QPS_INIT][IB_QPS_INIT] = {
		.allowed = true,
		.optional = {
			[HCA_KIND_SPECIAL] = PKEY | QKEY,
			[HCA_KIND_UD] = PKEY | PORT | QKEY,
			[HCA_KIND_UC] = PKEY | PORT | ACCESS,
			[HCA_KIND_RC] = PKEY | PORT | ACCESS,
			[HCA_KIND_RD] = QKEY | ACCESS,
			[HCA_KIND_RAW] = PORT,
			[HCA_KIND_XRC_INI] = PKEY | PORT | ACCESS,
			[HCA_KIND_XRC_TGT] = PKEY | PORT | ACCESS,
			[HCA_KIND_EEC] = PKEY | PORT,
		},
	},
	[IB_QPS_INIT][IB_QPS_RTR] = {
		.allowed = true,
		.required = {
			[HCA_KIND_UC] = PEER,
			[HCA_KIND_RC] = PEER | RESPONDER,
			[HCA_KIND_XRC_INI] = PEER,
			[HCA_KIND_XRC_TGT] = PEER | RESPONDER,
			[HCA_KIND_EEC] = PEER | RESPONDER,
		},
		.optional = {
			[HCA_KIND_SPECIAL] = PKEY | QKEY,
			[HCA_KIND_UD] = PKEY | QKEY,
			[HCA_KIND_UC] = ALT | ACCESS | PKEY,
			[HCA_KIND_RC] = ALT | ACCESS | PKEY,
			[HCA_KIND_RD] = QKEY | ACCESS,
			[HCA_KIND_XRC_INI] = ALT | ACCESS | PKEY,
			[HCA_KIND_XRC_TGT] = ALT | ACCESS | PKEY,
			[HCA_KIND_EEC] = ALT | PKEY,
		},
	},
	[IB_QPS_RTR][IB_QPS_RTS] = {
		.allowed = true,
		.required = {
			[HCA_KIND_SPECIAL] = IB_QP_SQ_PSN,
			[HCA_KIND_UD] = IB_QP_SQ_PSN,
			[HCA_KIND_UC] = IB_QP_SQ_PSN,
			[HCA_KIND_RC] = REQUESTER,
			[HCA_KIND_XRC_INI] = REQUESTER,
			[HCA_KIND_XRC_TGT] = XRC_TGT_REQUESTER,
			[HCA_KIND_EEC] = REQUESTER,
		},
		.optional = RUNNING_OPTIONS,
	},
	[IB_QPS_RTS][IB_QPS_RTS] = {
		.allowed = true,
		.optional = RUNNING_OPTIONS,
	},
	[IB_QPS_RTS][IB_QPS_SQD] = {
		.allowed = true,
		.optional = {
			[HCA_KIND_SPECIAL] = NOTIFY,
			[HCA_KIND_UD] = NOTIFY,
			[HCA_KIND_UC] = NOTIFY,
			[HCA_KIND_RC] = NOTIFY,
			[HCA_KIND_RD] = NOTIFY,
			[HCA_KIND_RAW] = NOTIFY,
			[HCA_KIND_XRC_INI] = NOTIFY,
			[HCA_KIND_XRC_TGT] = NOTIFY,
			[HCA_KIND_EEC] = NOTIFY,
		},
	},
	[IB_QPS_SQD][IB_QPS_RTS] = {
		.allowed = true,
		.optional = RUNNING_OPTIONS,
	},
	[IB_QPS_SQD][IB_QPS_SQD] = {
		.allowed = true,
		.optional = {
			[HCA_KIND_SPECIAL] = PKEY | QKEY,
			[HCA_KIND_UD] = PKEY | QKEY,
			[HCA_KIND_UC] = IB_QP_AV | ALT | ACCESS | PKEY | MIG,
			[HCA_KIND_RC] = PATHS | RETRIES | IB_QP_MAX_QP_RD_ATOMIC | RESPONDER |
					ACCESS,
			[HCA_KIND_RD] = QKEY | ACCESS,
			[HCA_KIND_XRC_INI] = PATHS | RETRIES | IB_QP_MAX_QP_RD_ATOMIC | ACCESS,
			[HCA_KIND_XRC_TGT] = PATHS | IB_QP_TIMEOUT | RESPONDER | ACCESS,
			[HCA_KIND_EEC] = PATHS | RETRIES | IB_QP_MAX_QP_RD_ATOMIC | RESPONDER,
		},
	},
	[IB_QPS_SQE][IB_QPS_RTS] = {
		.allowed = true,
		.optional = {
			[HCA_KIND_SPECIAL] = CUR | QKEY,
			[HCA_KIND_UD] = CUR | QKEY,
			[HCA_KIND_UC] = CUR | ACCESS,
			[HCA_KIND_RD] = CUR | QKEY | ACCESS,
			[HCA_KIND_RAW] = CUR,
		},
		.refused = {
			[HCA_KIND_RC] = true,
			[HCA_KIND_XRC_INI] = true,
			[HCA_KIND_XRC_TGT] = true,
			[HCA_KIND_EEC] = true,
		},
	},
};

bool hca_transition_ok(u8 cur, u8 next, enum hca_kind kind, int mask)
{
	const struct hca_transition *t;

	if (cur >= HCA_NUM_QPS || next >= HCA_NUM_QPS)
		return false;
	if (next == IB_QPS_RESET || next == IB_QPS_ERR)
		return !(mask & ~IB_QP_STATE) && (cur != IB_QPS_RESET || next != IB_QPS_ERR);
	t = &transitions[cur][next];
	if (!t->allowed || t->refused[kind] || (mask & t->required[kind]) != t->required[kind])
		return false;
	return !(mask & ~(IB_QP_STATE | t->required[kind] | t->optional[kind]));
}
