// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * States and attributes: the rules of ibv_modify_qp() and of the catalogue, for each type of queue
 * pair.
 */
#include <check.h>
#include <string.h>
#include <linux/errno.h>
#include "tests/unit/fixture/pair.h"
#include "tests/unit/suites.h"
#include "transport/iba_qp.h"
#include "transport/modify.h"

#define RESET IB_QPS_RESET
#define INIT IB_QPS_INIT
#define RTR IB_QPS_RTR
#define RTS IB_QPS_RTS
#define SQD IB_QPS_SQD
#define SQE IB_QPS_SQE

struct rule {
	u8 from, to;
	int required, optional; /* masks of IB_QP_*, without IB_QP_STATE */
};

/* The order is that of a queue pair's life; transitions to Reset and Error follow separately. */
static const struct rule ud_rules[] = {
	{ RESET, INIT, IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_QKEY, 0 },
	{ INIT, INIT, 0, IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_QKEY },
	{ INIT, RTR, 0, IB_QP_PKEY_INDEX | IB_QP_QKEY },
	{ RTR, RTS, IB_QP_SQ_PSN, IB_QP_CUR_STATE | IB_QP_QKEY },
	{ RTS, RTS, 0, IB_QP_CUR_STATE | IB_QP_QKEY },
	{ RTS, SQD, 0, IB_QP_EN_SQD_ASYNC_NOTIFY },
	{ SQD, RTS, 0, IB_QP_CUR_STATE | IB_QP_QKEY },
	{ SQD, SQD, 0, IB_QP_PKEY_INDEX | IB_QP_QKEY },
	{ SQE, RTS, 0, IB_QP_CUR_STATE | IB_QP_QKEY },
	{},
};

/* QP0 and QP1 have a fixed port. */
static const struct rule special_rules[] = {
	{ RESET, INIT, IB_QP_PKEY_INDEX | IB_QP_QKEY, 0 },
	{ INIT, INIT, 0, IB_QP_PKEY_INDEX | IB_QP_QKEY },
	{ INIT, RTR, 0, IB_QP_PKEY_INDEX | IB_QP_QKEY },
	{ RTR, RTS, IB_QP_SQ_PSN, IB_QP_CUR_STATE | IB_QP_QKEY },
	{ RTS, RTS, 0, IB_QP_CUR_STATE | IB_QP_QKEY },
	{ RTS, SQD, 0, IB_QP_EN_SQD_ASYNC_NOTIFY },
	{ SQD, RTS, 0, IB_QP_CUR_STATE | IB_QP_QKEY },
	{ SQD, SQD, 0, IB_QP_PKEY_INDEX | IB_QP_QKEY },
	{ SQE, RTS, 0, IB_QP_CUR_STATE | IB_QP_QKEY },
	{},
};

static const struct rule uc_rules[] = {
	/* B4-053 */
	{ RESET, INIT, IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_ACCESS_FLAGS, 0 },
	{ INIT, INIT, 0, IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_ACCESS_FLAGS },
	{ INIT, RTR, IB_QP_AV | IB_QP_PATH_MTU | IB_QP_DEST_QPN | IB_QP_RQ_PSN,
	  IB_QP_ALT_PATH | IB_QP_ACCESS_FLAGS | IB_QP_PKEY_INDEX },
	{ RTR, RTS, IB_QP_SQ_PSN,
	  IB_QP_CUR_STATE | IB_QP_ALT_PATH | IB_QP_ACCESS_FLAGS | IB_QP_PATH_MIG_STATE },
	{ RTS, RTS, 0,
	  IB_QP_CUR_STATE | IB_QP_ALT_PATH | IB_QP_ACCESS_FLAGS | IB_QP_PATH_MIG_STATE },
	{ RTS, SQD, 0, IB_QP_EN_SQD_ASYNC_NOTIFY },
	{ SQD, RTS, 0,
	  IB_QP_CUR_STATE | IB_QP_ALT_PATH | IB_QP_ACCESS_FLAGS | IB_QP_PATH_MIG_STATE },
	{ SQD, SQD, 0,
	  IB_QP_AV | IB_QP_ALT_PATH | IB_QP_ACCESS_FLAGS | IB_QP_PKEY_INDEX |
		  IB_QP_PATH_MIG_STATE },
	/* B4-224 */
	{ SQE, RTS, 0, IB_QP_CUR_STATE | IB_QP_ACCESS_FLAGS },
	{},
};

/* There is no SQE (B4-236). */
static const struct rule rc_rules[] = {
	/* B4-220, B4-393 */
	{ RESET, INIT, IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_ACCESS_FLAGS, 0 },
	/* R0-145 */
	{ INIT, INIT, 0, IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_ACCESS_FLAGS },
	/* B4-041, B4-066, B4-221, B4-328 */
	{ INIT, RTR,
	  IB_QP_AV | IB_QP_PATH_MTU | IB_QP_DEST_QPN | IB_QP_RQ_PSN | IB_QP_MAX_DEST_RD_ATOMIC |
		  IB_QP_MIN_RNR_TIMER,
	  IB_QP_ALT_PATH | IB_QP_ACCESS_FLAGS | IB_QP_PKEY_INDEX },
	/* B4-222 */
	{ RTR, RTS,
	  IB_QP_TIMEOUT | IB_QP_RETRY_CNT | IB_QP_RNR_RETRY | IB_QP_SQ_PSN | IB_QP_MAX_QP_RD_ATOMIC,
	  IB_QP_CUR_STATE | IB_QP_ALT_PATH | IB_QP_ACCESS_FLAGS | IB_QP_PATH_MIG_STATE |
		  IB_QP_MIN_RNR_TIMER },
	/* B4-223 */
	{ RTS, RTS, 0,
	  IB_QP_CUR_STATE | IB_QP_ALT_PATH | IB_QP_ACCESS_FLAGS | IB_QP_PATH_MIG_STATE |
		  IB_QP_MIN_RNR_TIMER },
	/* B4-225, B4-229 */
	{ RTS, SQD, 0, IB_QP_EN_SQD_ASYNC_NOTIFY },
	/* B4-226 */
	{ SQD, RTS, 0,
	  IB_QP_CUR_STATE | IB_QP_ALT_PATH | IB_QP_ACCESS_FLAGS | IB_QP_PATH_MIG_STATE |
		  IB_QP_MIN_RNR_TIMER },
	{ SQD, SQD, 0,
	  IB_QP_PORT | IB_QP_AV | IB_QP_TIMEOUT | IB_QP_RETRY_CNT | IB_QP_RNR_RETRY |
		  IB_QP_MAX_QP_RD_ATOMIC | IB_QP_MAX_DEST_RD_ATOMIC | IB_QP_ALT_PATH |
		  IB_QP_ACCESS_FLAGS | IB_QP_PKEY_INDEX | IB_QP_MIN_RNR_TIMER |
		  IB_QP_PATH_MIG_STATE },
	{},
};

/* Port, peer and PSNs belong to the EE context (C4-015, C4-018). */
static const struct rule rd_rules[] = {
	{ RESET, INIT, IB_QP_QKEY | IB_QP_ACCESS_FLAGS, 0 },
	{ INIT, INIT, 0, IB_QP_QKEY | IB_QP_ACCESS_FLAGS },
	{ INIT, RTR, 0, IB_QP_QKEY | IB_QP_ACCESS_FLAGS },
	{ RTR, RTS, 0, IB_QP_CUR_STATE | IB_QP_QKEY | IB_QP_ACCESS_FLAGS },
	{ RTS, RTS, 0, IB_QP_CUR_STATE | IB_QP_QKEY | IB_QP_ACCESS_FLAGS },
	{ RTS, SQD, 0, IB_QP_EN_SQD_ASYNC_NOTIFY },
	{ SQD, RTS, 0, IB_QP_CUR_STATE | IB_QP_QKEY | IB_QP_ACCESS_FLAGS },
	{ SQD, SQD, 0, IB_QP_QKEY | IB_QP_ACCESS_FLAGS },
	/* B4-390 */
	{ SQE, RTS, 0, IB_QP_CUR_STATE | IB_QP_QKEY | IB_QP_ACCESS_FLAGS },
	{},
};

/* As for RC, except that access flags belong to the queue pairs (C4-013, C4-036, V3-205). */
static const struct rule eec_rules[] = {
	/* B4-392 */
	{ RESET, INIT, IB_QP_PKEY_INDEX | IB_QP_PORT, 0 },
	{ INIT, INIT, 0, IB_QP_PKEY_INDEX | IB_QP_PORT },
	{ INIT, RTR,
	  IB_QP_AV | IB_QP_PATH_MTU | IB_QP_DEST_QPN | IB_QP_RQ_PSN | IB_QP_MAX_DEST_RD_ATOMIC |
		  IB_QP_MIN_RNR_TIMER,
	  IB_QP_ALT_PATH | IB_QP_PKEY_INDEX },
	{ RTR, RTS,
	  IB_QP_TIMEOUT | IB_QP_RETRY_CNT | IB_QP_RNR_RETRY | IB_QP_SQ_PSN | IB_QP_MAX_QP_RD_ATOMIC,
	  IB_QP_CUR_STATE | IB_QP_ALT_PATH | IB_QP_PATH_MIG_STATE | IB_QP_MIN_RNR_TIMER },
	{ RTS, RTS, 0,
	  IB_QP_CUR_STATE | IB_QP_ALT_PATH | IB_QP_PATH_MIG_STATE | IB_QP_MIN_RNR_TIMER },
	{ RTS, SQD, 0, IB_QP_EN_SQD_ASYNC_NOTIFY },
	{ SQD, RTS, 0,
	  IB_QP_CUR_STATE | IB_QP_ALT_PATH | IB_QP_PATH_MIG_STATE | IB_QP_MIN_RNR_TIMER },
	{ SQD, SQD, 0,
	  IB_QP_PORT | IB_QP_AV | IB_QP_TIMEOUT | IB_QP_RETRY_CNT | IB_QP_RNR_RETRY |
		  IB_QP_MAX_QP_RD_ATOMIC | IB_QP_MAX_DEST_RD_ATOMIC | IB_QP_ALT_PATH |
		  IB_QP_PKEY_INDEX | IB_QP_MIN_RNR_TIMER | IB_QP_PATH_MIG_STATE },
	{},
};

static const struct rule raw_rules[] = {
	{ RESET, INIT, IB_QP_PORT, 0 },
	{ INIT, INIT, 0, IB_QP_PORT },
	{ INIT, RTR, 0, 0 },
	{ RTR, RTS, 0, IB_QP_CUR_STATE },
	{ RTS, RTS, 0, IB_QP_CUR_STATE },
	{ RTS, SQD, 0, IB_QP_EN_SQD_ASYNC_NOTIFY },
	{ SQD, RTS, 0, IB_QP_CUR_STATE },
	{ SQD, SQD, 0, 0 },
	{ SQE, RTS, 0, IB_QP_CUR_STATE },
	{},
};

/* As Linux has them in ib_modify_qp_is_ok(): those of RC, without the half that each lacks. */
static const struct rule xrc_ini_rules[] = {
	{ RESET, INIT, IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_ACCESS_FLAGS, 0 },
	{ INIT, INIT, 0, IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_ACCESS_FLAGS },
	{ INIT, RTR, IB_QP_AV | IB_QP_PATH_MTU | IB_QP_DEST_QPN | IB_QP_RQ_PSN,
	  IB_QP_ALT_PATH | IB_QP_ACCESS_FLAGS | IB_QP_PKEY_INDEX },
	{ RTR, RTS,
	  IB_QP_TIMEOUT | IB_QP_RETRY_CNT | IB_QP_RNR_RETRY | IB_QP_SQ_PSN | IB_QP_MAX_QP_RD_ATOMIC,
	  IB_QP_CUR_STATE | IB_QP_ALT_PATH | IB_QP_ACCESS_FLAGS | IB_QP_PATH_MIG_STATE },
	{ RTS, RTS, 0,
	  IB_QP_CUR_STATE | IB_QP_ALT_PATH | IB_QP_ACCESS_FLAGS | IB_QP_PATH_MIG_STATE },
	{ RTS, SQD, 0, IB_QP_EN_SQD_ASYNC_NOTIFY },
	{ SQD, RTS, 0,
	  IB_QP_CUR_STATE | IB_QP_ALT_PATH | IB_QP_ACCESS_FLAGS | IB_QP_PATH_MIG_STATE },
	{ SQD, SQD, 0,
	  IB_QP_PORT | IB_QP_AV | IB_QP_TIMEOUT | IB_QP_RETRY_CNT | IB_QP_RNR_RETRY |
		  IB_QP_MAX_QP_RD_ATOMIC | IB_QP_ALT_PATH | IB_QP_ACCESS_FLAGS | IB_QP_PKEY_INDEX |
		  IB_QP_PATH_MIG_STATE },
	{},
};

static const struct rule xrc_tgt_rules[] = {
	{ RESET, INIT, IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_ACCESS_FLAGS, 0 },
	{ INIT, INIT, 0, IB_QP_PKEY_INDEX | IB_QP_PORT | IB_QP_ACCESS_FLAGS },
	{ INIT, RTR,
	  IB_QP_AV | IB_QP_PATH_MTU | IB_QP_DEST_QPN | IB_QP_RQ_PSN | IB_QP_MAX_DEST_RD_ATOMIC |
		  IB_QP_MIN_RNR_TIMER,
	  IB_QP_ALT_PATH | IB_QP_ACCESS_FLAGS | IB_QP_PKEY_INDEX },
	{ RTR, RTS, IB_QP_TIMEOUT | IB_QP_SQ_PSN,
	  IB_QP_CUR_STATE | IB_QP_ALT_PATH | IB_QP_ACCESS_FLAGS | IB_QP_PATH_MIG_STATE |
		  IB_QP_MIN_RNR_TIMER },
	{ RTS, RTS, 0,
	  IB_QP_CUR_STATE | IB_QP_ALT_PATH | IB_QP_ACCESS_FLAGS | IB_QP_PATH_MIG_STATE |
		  IB_QP_MIN_RNR_TIMER },
	{ RTS, SQD, 0, IB_QP_EN_SQD_ASYNC_NOTIFY },
	{ SQD, RTS, 0,
	  IB_QP_CUR_STATE | IB_QP_ALT_PATH | IB_QP_ACCESS_FLAGS | IB_QP_PATH_MIG_STATE |
		  IB_QP_MIN_RNR_TIMER },
	{ SQD, SQD, 0,
	  IB_QP_PORT | IB_QP_AV | IB_QP_TIMEOUT | IB_QP_MAX_DEST_RD_ATOMIC | IB_QP_ALT_PATH |
		  IB_QP_ACCESS_FLAGS | IB_QP_PKEY_INDEX | IB_QP_MIN_RNR_TIMER |
		  IB_QP_PATH_MIG_STATE },
	{},
};

static const struct rule *const rules[HCA_NUM_KINDS] = {
	[HCA_KIND_SPECIAL] = special_rules, [HCA_KIND_UD] = ud_rules,
	[HCA_KIND_UC] = uc_rules,	    [HCA_KIND_RC] = rc_rules,
	[HCA_KIND_RD] = rd_rules,	    [HCA_KIND_RAW] = raw_rules,
	[HCA_KIND_XRC_INI] = xrc_ini_rules, [HCA_KIND_XRC_TGT] = xrc_tgt_rules,
	[HCA_KIND_EEC] = eec_rules,
};

/* Find the rule of a transition. Return: whether the transition is valid. */
static bool find(enum hca_kind kind, u8 from, u8 to, struct rule *found)
{
	const struct rule *rule;

	for (rule = rules[kind]; rule->to != RESET; rule++)
		if (rule->from == from && rule->to == to) {
			*found = *rule;
			return true;
		}
	/*
	 * B4-227, B4-228: every state leads to Reset and Error, except from Reset to Error; only
	 * Reset follows Error.
	 */
	*found = (struct rule){ from, to, 0, 0 };
	return to == RESET || (to == IB_QPS_ERR && from != RESET); /* R0-179 */
}

static void expect(bool ok, enum hca_kind kind, u8 from, u8 to, int mask)
{
	ck_assert_msg(hca_transition_ok(from, to, kind, mask) == ok,
		      "kind %d, %d -> %d, mask %#x is %s", kind, from, to, mask,
		      ok ? "refused" : "taken");
}

/*
 * Each pair of states: the required attributes, each of them missing in turn, each optional one,
 * and each invalid one.
 */
START_TEST(each_mask)
{
	enum hca_kind kind = _i;
	int bit, more, all;
	struct rule rule;
	u8 from, to;

	for (from = 0; from < HCA_NUM_QPS; from++)
		for (to = 0; to < HCA_NUM_QPS; to++) {
			bool is_one = find(kind, from, to, &rule);
			int required = rule.required | IB_QP_STATE;
			int optional = rule.optional;

			expect(is_one, kind, from, to, required); /* B4-238, R0-121, R0-143 */
			expect(is_one, kind, from, to, required | optional);
			for (bit = 1; bit < 26; bit++) {
				more = 1 << bit;
				if (required & more)
					expect(false, kind, from, to,
					       (required | optional) & ~more); /* B4-219, R0-131 */
				else
					expect(is_one && (optional & more), kind, from, to,
					       required | more);
				if (!((required | optional) & more))
					expect(false, kind, from, to, required | optional | more);
			}
			/* B4-230: attributes are changed without a state. */
			if (from == to && is_one)
				expect(true, kind, from, to, optional);
			all = (1 << 26) - 1;
			expect(false, kind, from, to, all);
		}
	for (from = 0; from < HCA_NUM_QPS; from++) {
		expect(false, kind, from, HCA_NUM_QPS, IB_QP_STATE);
		expect(false, kind, from, 255, IB_QP_STATE);
	}
}
END_TEST

static const u8 send_states[] = { RTS, SQD, SQE, IB_QPS_ERR };
static const u8 recv_states[] = { INIT, RTR, RTS, SQD, SQE, IB_QPS_ERR };

/* R0-411, C4-011: the states in which work requests may be posted. */
START_TEST(posting)
{
	struct pair *pair = pair_new(&pair_rc);
	struct hca_qp *qp = pair->end[0].qp;
	u8 state;

	for (state = 0; state < HCA_NUM_QPS; state++) {
		qp->common.state = state;
		/* B4-233, B4-234 */
		ck_assert_int_eq(hca_qp_post_send_ok(qp),
				 memchr(send_states, state, sizeof(send_states)) ? 0 : -EINVAL);
		/* B4-231, B4-232 */
		ck_assert_int_eq(hca_qp_post_recv_ok(qp),
				 memchr(recv_states, state, sizeof(recv_states)) ? 0 : -EINVAL);
	}
	qp->common.state = RTS;
	pair_free(pair);
}
END_TEST

static const struct hca_qp_attr good = {
	.iba.path_mtu = IB_MTU_512,
	.iba.port_num = 1,
	.iba.timeout = 9,
	.iba.retry_cnt = 3,
	.iba.rnr_retry = 4,
	.iba.min_rnr_timer = 5,
	.max_rd_atomic = 6,
	.max_dest_rd_atomic = 7,
	.iba.pkey_index = 1,
	.access = IB_UVERBS_ACCESS_REMOTE_READ,
	.iba.qkey = 0x222,
	.iba.rq_psn = 0x123456,
	.iba.sq_psn = 0x654321,
	.iba.dest_qpn = 0x777,
	.iba.av = { .dlid = 9, .port_num = 1 },
	.iba.alt_port_num = 1,
	.iba.alt_timeout = 2,
	.iba.alt_pkey_index = 3,
	.iba.alt_av = { .dlid = 8, .port_num = 1 },
	.iba.path_mig_state = IB_MIG_REARM,
};

#define BAD(mask, member, ...)                                                                     \
	{ mask, offsetof(struct hca_qp_attr, member), sizeof(good.member),                         \
	  { .member = __VA_ARGS__ } }

/* An attribute with an invalid value. */
static const struct {
	int mask;
	size_t offset, size; /* of the member of struct hca_qp_attr */
	struct hca_qp_attr attr;
} bad[] = {
	BAD(IB_QP_PATH_MTU, iba.path_mtu, 0),
	BAD(IB_QP_PATH_MTU, iba.path_mtu, IB_MTU_4096 + 1),
	BAD(IB_QP_ACCESS_FLAGS, access, IB_UVERBS_ACCESS_ZERO_BASED), /* R0-002 */
	BAD(IB_QP_ACCESS_FLAGS, access, 1u << 31),
	BAD(IB_QP_PORT, iba.port_num, 0),
	BAD(IB_QP_PORT, iba.port_num, 2),
	BAD(IB_QP_PKEY_INDEX, iba.pkey_index, HCA_PKEYS),
	BAD(IB_QP_TIMEOUT, iba.timeout, 32),
	BAD(IB_QP_RETRY_CNT, iba.retry_cnt, 8),
	BAD(IB_QP_RNR_RETRY, iba.rnr_retry, 8),
	BAD(IB_QP_MIN_RNR_TIMER, iba.min_rnr_timer, 32),
	BAD(IB_QP_MAX_QP_RD_ATOMIC, max_rd_atomic, HCA_MAX_RD_ATOMIC + 1), /* R0-242 */
	BAD(IB_QP_MAX_DEST_RD_ATOMIC, max_dest_rd_atomic, HCA_MAX_RD_ATOMIC + 1), /* R0-242 */
	BAD(IB_QP_DEST_QPN, iba.dest_qpn, 0x1000000), /* B4-096 */
	BAD(IB_QP_AV, iba.av, { .sl = 16 }),
	BAD(IB_QP_AV, iba.av, { .has_grh = 1, .sgid_index = HCA_GUIDS }),
	BAD(IB_QP_ALT_PATH, iba.alt_port_num, 2),
	BAD(IB_QP_ALT_PATH, iba.alt_timeout, 32),
	BAD(IB_QP_PATH_MIG_STATE, iba.path_mig_state, IB_MIG_ARMED),
	BAD(IB_QP_CUR_STATE, cur_state, SQE),
};

static struct hca_qp_attr spoiled(int i)
{
	struct hca_qp_attr attr = good;

	memcpy((u8 *)&attr + bad[i].offset, (const u8 *)&bad[i].attr + bad[i].offset, bad[i].size);
	return attr;
}

/* A new RC queue pair or EE context, whose state is changed step by step. */
struct subject {
	struct hca_qp *qp;
	struct hca_rd_eec *rd_eec;
};

static int modify(const struct subject *s, const struct hca_qp_attr *attr, int mask)
{
	return s->rd_eec ? hca_rd_eec_modify(s->rd_eec, attr, mask) :
			   hca_qp_modify(s->qp, attr, mask);
}

static void query(const struct subject *s, struct hca_qp_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	if (s->rd_eec)
		hca_rd_eec_query(s->rd_eec, attr);
	else
		hca_qp_query(s->qp, attr);
}

/*
 * At each state change, with all optional attributes, one value is invalid: no attribute is
 * changed. Then all are valid: all are changed.
 */
START_TEST(all_or_nothing)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0];
	struct subject s = { .qp = a->more[0] = pair_create_qp(a, &pair_rc) };
	const struct rule *rule = _i ? eec_rules : rc_rules;
	struct hca_qp_attr attr, before, after;
	unsigned int i;
	int mask;

	if (_i)
		s.rd_eec = a->rd_eec = pair_create_rd_eec(a);
	for (; rule->to != RESET; rule++) {
		mask = rule->required | rule->optional | IB_QP_STATE;
		query(&s, &before);
		ck_assert_uint_eq(before.state,
				  rule->from == SQD && rule->to == SQD ? RTS : rule->from);
		if (rule->from == SQD && rule->to == SQD) {
			attr = (struct hca_qp_attr){ .state = SQD };
			ck_assert_int_eq(modify(&s, &attr, IB_QP_STATE), 0);
			query(&s, &before);
		}
		for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
			if (!(mask & bad[i].mask))
				continue;
			attr = spoiled(i);
			attr.state = rule->to;
			if (bad[i].mask != IB_QP_CUR_STATE)
				attr.cur_state = rule->from;
			/* R0-493 */
			ck_assert_msg(modify(&s, &attr, mask) == -EINVAL, "%d -> %d: bad %u",
				      rule->from, rule->to, i);
			query(&s, &after);
			ck_assert_mem_eq(&before, &after, sizeof(before)); /* R0-132, R0-445 */
		}
		attr = good;
		attr.state = rule->to;
		attr.cur_state = rule->from;
		ck_assert_int_eq(modify(&s, &attr, mask), 0); /* B4-218 */
	}
	query(&s, &after);
	ck_assert_uint_eq(after.iba.path_mtu, good.iba.path_mtu); /* B4-242, C4-036 */
	ck_assert_uint_eq(after.iba.port_num, good.iba.port_num);
	ck_assert_uint_eq(after.iba.timeout, good.iba.timeout);
	ck_assert_uint_eq(after.iba.retry_cnt, good.iba.retry_cnt);
	ck_assert_uint_eq(after.iba.rnr_retry, good.iba.rnr_retry);
	ck_assert_uint_eq(after.iba.min_rnr_timer, good.iba.min_rnr_timer);
	ck_assert_uint_eq(after.max_rd_atomic, good.max_rd_atomic);
	ck_assert_uint_eq(after.max_dest_rd_atomic, good.max_dest_rd_atomic);
	ck_assert_uint_eq(after.iba.pkey_index, good.iba.pkey_index);
	ck_assert_uint_eq(after.access, _i ? 0 : good.access);
	ck_assert_uint_eq(after.iba.rq_psn, good.iba.rq_psn);
	ck_assert_uint_eq(after.iba.sq_psn, good.iba.sq_psn);
	ck_assert_uint_eq(after.iba.dest_qpn, good.iba.dest_qpn);
	ck_assert_mem_eq(&after.iba.av, &good.iba.av, sizeof(after.iba.av));
	ck_assert_uint_eq(after.iba.alt_port_num, good.iba.alt_port_num);
	ck_assert_uint_eq(after.iba.alt_timeout, good.iba.alt_timeout);
	ck_assert_uint_eq(after.iba.alt_pkey_index, good.iba.alt_pkey_index);
	ck_assert_mem_eq(&after.iba.alt_av, &good.iba.alt_av, sizeof(after.iba.alt_av));
	ck_assert_uint_eq(after.iba.path_mig_state, IB_MIG_REARM);
	/* Reset clears all attributes. */
	attr.state = RESET;
	ck_assert_int_eq(modify(&s, &attr, IB_QP_STATE), 0);
	query(&s, &after);
	ck_assert_uint_eq(after.state, RESET);
	ck_assert_uint_eq(after.iba.dest_qpn, 0);
	ck_assert_uint_eq(after.access, 0);
	ck_assert_uint_eq(after.iba.path_mig_state, IB_MIG_MIGRATED);
	pair_free(pair);
}
END_TEST

/* Flags that a queue pair has no use for are ignored; those that no MR may have are refused. */
START_TEST(access_flags)
{
	struct pair *pair = pair_new(&pair_rc);
	struct hca_qp_attr attr = {
		.access = IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_MW_BIND |
			  IB_UVERBS_ACCESS_RELAXED_ORDERING | HCA_REMOTE_ACCESS | HCA_FLUSH_ACCESS,
	};

	ck_assert_int_eq(hca_qp_modify(pair->end[0].qp, &attr, IB_QP_ACCESS_FLAGS), 0);
	pair_free(pair);
}
END_TEST

/* A path MTU must not exceed the port's, and a PSN has 24 bits. */
START_TEST(within_bounds)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0];
	struct hca_qp *qp = a->more[0] = pair_create_qp(a, &pair_rc);
	const int mask = IB_QP_STATE | IB_QP_AV | IB_QP_PATH_MTU | IB_QP_DEST_QPN | IB_QP_RQ_PSN |
			 IB_QP_MAX_DEST_RD_ATOMIC | IB_QP_MIN_RNR_TIMER;
	struct hca_qp_attr attr = good;

	attr.state = INIT;
	ck_assert_int_eq(hca_qp_modify(qp, &attr,
				       IB_QP_STATE | IB_QP_PKEY_INDEX | IB_QP_PORT |
					       IB_QP_ACCESS_FLAGS),
			 0);
	a->ports[1].info.mtu_cap = IB_MTU_1024;
	attr.state = RTR;
	attr.iba.path_mtu = IB_MTU_2048;
	attr.iba.rq_psn = 0xfe123456;
	ck_assert_int_eq(hca_qp_modify(qp, &attr, mask), -EINVAL);
	ck_assert_uint_eq(qp->common.state, INIT);
	attr.iba.path_mtu = IB_MTU_1024;
	ck_assert_int_eq(hca_qp_modify(qp, &attr, mask), 0);
	ck_assert_uint_eq(hca_qp_eec(qp)->mtu, 1024);
	ck_assert_uint_eq(hca_qp_eec(qp)->expected_psn, 0x123456);
	hca_qp_query(qp, &attr);
	ck_assert_uint_eq(attr.iba.rq_psn, 0x123456);
	attr.state = RTS;
	attr.iba.sq_psn = 0xff654321;
	ck_assert_int_eq(hca_qp_modify(qp, &attr,
				       IB_QP_STATE | IB_QP_TIMEOUT | IB_QP_RETRY_CNT |
					       IB_QP_RNR_RETRY | IB_QP_SQ_PSN |
					       IB_QP_MAX_QP_RD_ATOMIC),
			 0);
	ck_assert_uint_eq(hca_qp_eec(qp)->next_psn, 0x654321);
	pair_free(pair);
}
END_TEST

Suite *transition_suite(void)
{
	Suite *suite = suite_create("transition");
	TCase *tc = tcase_create("transition");

	tcase_add_loop_test(tc, each_mask, 0, HCA_NUM_KINDS);
	tcase_add_test(tc, posting);
	tcase_add_loop_test(tc, all_or_nothing, 0, 2);
	tcase_add_test(tc, access_flags);
	tcase_add_test(tc, within_bounds);
	suite_add_tcase(suite, tc);
	return suite;
}
