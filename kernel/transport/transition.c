// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * State transitions, and the attributes that must and may be set in them (IBA 11.2.4.2; for EE
 * contexts and RD queue pairs IBA 11.2.5, req C4-011 to C4-015, C4-036). Reset and Error may follow
 * any state at any time, without further attributes.
 */
#include <linux/kernel.h>
#include "transport/modify.h"

struct hca_transition {
	bool allowed;
	u32 required[HCA_NUM_KINDS];
	u32 optional[HCA_NUM_KINDS];
	bool refused[HCA_NUM_KINDS]; /* kinds that do not have the transition */
};

#define PKEY HCA_QP_PKEY_INDEX
#define PORT HCA_QP_PORT
#define QKEY HCA_QP_QKEY
#define ACCESS HCA_QP_ACCESS_FLAGS
#define CUR HCA_QP_CUR_STATE
#define ALT HCA_QP_ALT_PATH
#define MIG HCA_QP_PATH_MIG_STATE
#define RNR HCA_QP_MIN_RNR_TIMER
#define NOTIFY HCA_QP_EN_SQD_ASYNC_NOTIFY

#define PEER (HCA_QP_AV | HCA_QP_PATH_MTU | HCA_QP_DEST_QPN | HCA_QP_RQ_PSN)
#define RESPONDER (HCA_QP_MAX_DEST_RD_ATOMIC | RNR)
#define RETRIES (HCA_QP_TIMEOUT | HCA_QP_RETRY_CNT | HCA_QP_RNR_RETRY)
#define REQUESTER (RETRIES | HCA_QP_SQ_PSN | HCA_QP_MAX_QP_RD_ATOMIC)
#define PATHS (HCA_QP_AV | PORT | PKEY | ALT | MIG)

/* Optional attributes of transitions to RTS. */
#define RUNNING_OPTIONS \
	{ \
		[HCA_KIND_SPECIAL] = CUR | QKEY, \
		[HCA_KIND_UD] = CUR | QKEY, \
		[HCA_KIND_UC] = CUR | ACCESS | ALT | MIG, \
		[HCA_KIND_RC] = CUR | ACCESS | ALT | MIG | RNR, \
		[HCA_KIND_RD] = CUR | ACCESS | QKEY, \
		[HCA_KIND_RAW] = CUR, \
		[HCA_KIND_EEC] = CUR | ALT | MIG | RNR, \
	}

static const struct hca_transition transitions[HCA_NUM_QPS][HCA_NUM_QPS] = {
	[HCA_QPS_RESET][HCA_QPS_INIT] = {
		.allowed = true,
		.required = {
			[HCA_KIND_SPECIAL] = PKEY | QKEY,
			[HCA_KIND_UD] = PKEY | PORT | QKEY,
			[HCA_KIND_UC] = PKEY | PORT | ACCESS,
			[HCA_KIND_RC] = PKEY | PORT | ACCESS,
			[HCA_KIND_RD] = QKEY | ACCESS,
			[HCA_KIND_RAW] = PORT,
			[HCA_KIND_EEC] = PKEY | PORT,
		},
	},
	[HCA_QPS_INIT][HCA_QPS_INIT] = {
		.allowed = true,
		.optional = {
			[HCA_KIND_SPECIAL] = PKEY | QKEY,
			[HCA_KIND_UD] = PKEY | PORT | QKEY,
			[HCA_KIND_UC] = PKEY | PORT | ACCESS,
			[HCA_KIND_RC] = PKEY | PORT | ACCESS,
			[HCA_KIND_RD] = QKEY | ACCESS,
			[HCA_KIND_RAW] = PORT,
			[HCA_KIND_EEC] = PKEY | PORT,
		},
	},
	[HCA_QPS_INIT][HCA_QPS_RTR] = {
		.allowed = true,
		.required = {
			[HCA_KIND_UC] = PEER,
			[HCA_KIND_RC] = PEER | RESPONDER,
			[HCA_KIND_EEC] = PEER | RESPONDER,
		},
		.optional = {
			[HCA_KIND_SPECIAL] = PKEY | QKEY,
			[HCA_KIND_UD] = PKEY | QKEY,
			[HCA_KIND_UC] = ALT | ACCESS | PKEY,
			[HCA_KIND_RC] = ALT | ACCESS | PKEY,
			[HCA_KIND_RD] = QKEY | ACCESS,
			[HCA_KIND_EEC] = ALT | PKEY,
		},
	},
	[HCA_QPS_RTR][HCA_QPS_RTS] = {
		.allowed = true,
		.required = {
			[HCA_KIND_SPECIAL] = HCA_QP_SQ_PSN,
			[HCA_KIND_UD] = HCA_QP_SQ_PSN,
			[HCA_KIND_UC] = HCA_QP_SQ_PSN,
			[HCA_KIND_RC] = REQUESTER,
			[HCA_KIND_EEC] = REQUESTER,
		},
		.optional = RUNNING_OPTIONS,
	},
	[HCA_QPS_RTS][HCA_QPS_RTS] = {
		.allowed = true,
		.optional = RUNNING_OPTIONS,
	},
	[HCA_QPS_RTS][HCA_QPS_SQD] = {
		.allowed = true,
		.optional = {
			[HCA_KIND_SPECIAL] = NOTIFY,
			[HCA_KIND_UD] = NOTIFY,
			[HCA_KIND_UC] = NOTIFY,
			[HCA_KIND_RC] = NOTIFY,
			[HCA_KIND_RD] = NOTIFY,
			[HCA_KIND_RAW] = NOTIFY,
			[HCA_KIND_EEC] = NOTIFY,
		},
	},
	[HCA_QPS_SQD][HCA_QPS_RTS] = {
		.allowed = true,
		.optional = RUNNING_OPTIONS,
	},
	[HCA_QPS_SQD][HCA_QPS_SQD] = {
		.allowed = true,
		.optional = {
			[HCA_KIND_SPECIAL] = PKEY | QKEY,
			[HCA_KIND_UD] = PKEY | QKEY,
			[HCA_KIND_UC] = HCA_QP_AV | ALT | ACCESS | PKEY | MIG,
			[HCA_KIND_RC] = PATHS | RETRIES | HCA_QP_MAX_QP_RD_ATOMIC | RESPONDER |
					ACCESS,
			[HCA_KIND_RD] = QKEY | ACCESS,
			[HCA_KIND_EEC] = PATHS | RETRIES | HCA_QP_MAX_QP_RD_ATOMIC | RESPONDER,
		},
	},
	[HCA_QPS_SQE][HCA_QPS_RTS] = {
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
			[HCA_KIND_EEC] = true,
		},
	},
};

bool hca_transition_ok(u8 cur, u8 next, enum hca_kind kind, int mask)
{
	const struct hca_transition *t;

	if (cur >= HCA_NUM_QPS || next >= HCA_NUM_QPS)
		return false;
	if (next == HCA_QPS_RESET || next == HCA_QPS_ERR)
		return !(mask & ~HCA_QP_STATE) && (cur != HCA_QPS_RESET || next != HCA_QPS_ERR);
	t = &transitions[cur][next];
	if (!t->allowed || t->refused[kind] || (mask & t->required[kind]) != t->required[kind])
		return false;
	return !(mask & ~(HCA_QP_STATE | t->required[kind] | t->optional[kind]));
}
