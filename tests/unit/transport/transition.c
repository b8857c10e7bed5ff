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

/* A letter stands for each attribute, so that a rule fits a line. */
static const char letters[] = {
	[0] = 's',  [1] = 'c',	[2] = 'n',  [3] = 'a',	[4] = 'k',  [5] = 'p',	[6] = 'q',
	[7] = 'v',  [8] = 'm',	[9] = 't',  [10] = 'y', [11] = 'r', [12] = 'R', [13] = 'o',
	[14] = 'l', [15] = 'z', [16] = 'S', [17] = 'd', [18] = 'g', [19] = 'C', [20] = 'D',
};

struct rule {
	u8 from, to;
	const char *required, *optional;
};

/* The order is that of a queue pair's life; transitions to Reset and Error follow separately. */
static const struct rule ud_rules[] = {
	{ RESET, INIT, "kpq", "" }, { INIT, INIT, "", "kpq" }, { INIT, RTR, "", "kq" },
	{ RTR, RTS, "S", "cq" },    { RTS, RTS, "", "cq" },    { RTS, SQD, "", "n" },
	{ SQD, RTS, "", "cq" },	    { SQD, SQD, "", "kq" },    { SQE, RTS, "", "cq" },
	{},
};

/* QP0 and QP1 have a fixed port. */
static const struct rule special_rules[] = {
	{ RESET, INIT, "kq", "" }, { INIT, INIT, "", "kq" }, { INIT, RTR, "", "kq" },
	{ RTR, RTS, "S", "cq" },   { RTS, RTS, "", "cq" },   { RTS, SQD, "", "n" },
	{ SQD, RTS, "", "cq" },	   { SQD, SQD, "", "kq" },   { SQE, RTS, "", "cq" },
	{},
};

static const struct rule uc_rules[] = {
	/* B4-053 */
	{ RESET, INIT, "kpa", "" }, { INIT, INIT, "", "kpa" }, { INIT, RTR, "vmDR", "lak" },
	{ RTR, RTS, "S", "clag" },  { RTS, RTS, "", "clag" },  { RTS, SQD, "", "n" },
	{ SQD, RTS, "", "clag" },   { SQD, SQD, "", "vlakg" }, { SQE, RTS, "", "ca" }, /* B4-224 */
	{},
};

/* There is no SQE (B4-236). */
static const struct rule rc_rules[] = {
	{ RESET, INIT, "kpa", "" }, /* B4-220, B4-393 */
	{ INIT, INIT, "", "kpa" }, /* R0-145 */
	{ INIT, RTR, "vmDRdz", "lak" }, /* B4-041, B4-066, B4-221, B4-328 */
	{ RTR, RTS, "tyrSo", "clagz" }, /* B4-222 */
	{ RTS, RTS, "", "clagz" }, /* B4-223 */
	{ RTS, SQD, "", "n" }, /* B4-225, B4-229 */
	{ SQD, RTS, "", "clagz" }, /* B4-226 */
	{ SQD, SQD, "", "pvtyrodlakzg" },
	{},
};

/* Port, peer and PSNs belong to the EE context (C4-015, C4-018). */
static const struct rule rd_rules[] = {
	{ RESET, INIT, "qa", "" }, { INIT, INIT, "", "qa" }, { INIT, RTR, "", "qa" },
	{ RTR, RTS, "", "cqa" },   { RTS, RTS, "", "cqa" },  { RTS, SQD, "", "n" },
	{ SQD, RTS, "", "cqa" },   { SQD, SQD, "", "qa" },   { SQE, RTS, "", "cqa" }, /* B4-390 */
	{},
};

/* As for RC, except that access flags belong to the queue pairs (C4-013, C4-036, V3-205). */
static const struct rule eec_rules[] = {
	{ RESET, INIT, "kp", "" }, /* B4-392 */
	{ INIT, INIT, "", "kp" },
	{ INIT, RTR, "vmDRdz", "lk" },
	{ RTR, RTS, "tyrSo", "clgz" },
	{ RTS, RTS, "", "clgz" },
	{ RTS, SQD, "", "n" },
	{ SQD, RTS, "", "clgz" },
	{ SQD, SQD, "", "pvtyrodlkzg" },
	{},
};

static const struct rule raw_rules[] = {
	{ RESET, INIT, "p", "" }, { INIT, INIT, "", "p" }, { INIT, RTR, "", "" },
	{ RTR, RTS, "", "c" },	  { RTS, RTS, "", "c" },   { RTS, SQD, "", "n" },
	{ SQD, RTS, "", "c" },	  { SQD, SQD, "", "" },	   { SQE, RTS, "", "c" },
	{},
};

/* As Linux has them in ib_modify_qp_is_ok(): those of RC, without the half that each lacks. */
static const struct rule xrc_ini_rules[] = {
	{ RESET, INIT, "kpa", "" },
	{ INIT, INIT, "", "kpa" },
	{ INIT, RTR, "vmDR", "lak" },
	{ RTR, RTS, "tyrSo", "clag" },
	{ RTS, RTS, "", "clag" },
	{ RTS, SQD, "", "n" },
	{ SQD, RTS, "", "clag" },
	{ SQD, SQD, "", "pvtyrolakg" },
	{},
};

static const struct rule xrc_tgt_rules[] = {
	{ RESET, INIT, "kpa", "" },
	{ INIT, INIT, "", "kpa" },
	{ INIT, RTR, "vmDRdz", "lak" },
	{ RTR, RTS, "tS", "clagz" },
	{ RTS, RTS, "", "clagz" },
	{ RTS, SQD, "", "n" },
	{ SQD, RTS, "", "clagz" },
	{ SQD, SQD, "", "pvtdlakzg" },
	{},
};

static const struct rule *const rules[HCA_NUM_KINDS] = {
	[HCA_KIND_SPECIAL] = special_rules, [HCA_KIND_UD] = ud_rules, [HCA_KIND_UC] = uc_rules,
	[HCA_KIND_RC] = rc_rules,	    [HCA_KIND_RD] = rd_rules, [HCA_KIND_RAW] = raw_rules,
	[HCA_KIND_XRC_INI] = xrc_ini_rules, [HCA_KIND_XRC_TGT] = xrc_tgt_rules,
	[HCA_KIND_EEC] = eec_rules,
};

static int mask_of(const char *names)
{
	int mask = 0;

	for (; *names; names++)
		mask |= 1 << ((const char *)memchr(letters, *names, sizeof(letters)) - letters);
	return mask;
}

/* Find the rule of a transition. NULL: the transition is invalid. */
static bool find(enum hca_kind kind, u8 from, u8 to, struct rule *found)
{
	const struct rule *rule;

	for (rule = rules[kind]; rule->required; rule++)
		if (rule->from == from && rule->to == to) {
			*found = *rule;
			return true;
		}
	/*
	 * B4-227, B4-228: every state leads to Reset and Error, except from Reset to Error; only
	 * Reset follows Error.
	 */
	*found = (struct rule){ from, to, "", "" };
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
			int required = mask_of(rule.required) | IB_QP_STATE;
			int optional = mask_of(rule.optional);

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

/* An attribute with an invalid value. */
static const struct {
	char letter;
	struct hca_qp_attr attr;
} bad[] = {
	{ 'm', { .iba.path_mtu = 0 } },
	{ 'm', { .iba.path_mtu = IB_MTU_4096 + 1 } },
	{ 'a', { .access = IB_UVERBS_ACCESS_ZERO_BASED } }, /* R0-002 */
	{ 'a', { .access = 1u << 31 } },
	{ 'p', { .iba.port_num = 0 } },
	{ 'p', { .iba.port_num = 2 } },
	{ 'k', { .iba.pkey_index = HCA_PKEYS } },
	{ 't', { .iba.timeout = 32 } },
	{ 'y', { .iba.retry_cnt = 8 } },
	{ 'r', { .iba.rnr_retry = 8 } },
	{ 'z', { .iba.min_rnr_timer = 32 } },
	{ 'o', { .max_rd_atomic = HCA_MAX_RD_ATOMIC + 1 } }, /* R0-242 */
	{ 'd', { .max_dest_rd_atomic = HCA_MAX_RD_ATOMIC + 1 } }, /* R0-242 */
	{ 'D', { .iba.dest_qpn = 0x1000000 } }, /* B4-096 */
	{ 'v', { .iba.av = { .sl = 16 } } },
	{ 'v', { .iba.av = { .has_grh = 1, .sgid_index = HCA_GUIDS } } },
	{ 'l', { .iba.alt_port_num = 2 } },
	{ 'l', { .iba.alt_port_num = 1, .iba.alt_timeout = 32 } },
	{ 'g', { .iba.path_mig_state = IB_MIG_ARMED } },
	{ 'c', { .cur_state = SQE } },
};

static struct hca_qp_attr spoiled(int i)
{
	struct hca_qp_attr attr = good;
	const struct hca_qp_attr *from = &bad[i].attr;

	switch (bad[i].letter) {
	case 'm':
		attr.iba.path_mtu = from->iba.path_mtu;
		break;
	case 'a':
		attr.access = from->access;
		break;
	case 'p':
		attr.iba.port_num = from->iba.port_num;
		break;
	case 'k':
		attr.iba.pkey_index = from->iba.pkey_index;
		break;
	case 't':
		attr.iba.timeout = from->iba.timeout;
		break;
	case 'y':
		attr.iba.retry_cnt = from->iba.retry_cnt;
		break;
	case 'r':
		attr.iba.rnr_retry = from->iba.rnr_retry;
		break;
	case 'z':
		attr.iba.min_rnr_timer = from->iba.min_rnr_timer;
		break;
	case 'o':
		attr.max_rd_atomic = from->max_rd_atomic;
		break;
	case 'd':
		attr.max_dest_rd_atomic = from->max_dest_rd_atomic;
		break;
	case 'D':
		attr.iba.dest_qpn = from->iba.dest_qpn;
		break;
	case 'v':
		attr.iba.av = from->iba.av;
		break;
	case 'l':
		attr.iba.alt_port_num = from->iba.alt_port_num;
		attr.iba.alt_timeout = from->iba.alt_timeout;
		break;
	case 'g':
		attr.iba.path_mig_state = from->iba.path_mig_state;
		break;
	}
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
	for (; rule->required; rule++) {
		mask = mask_of(rule->required) | mask_of(rule->optional) | IB_QP_STATE;
		query(&s, &before);
		ck_assert_uint_eq(before.state, rule->from == SQD && rule->to == SQD ? RTS :
										      rule->from);
		if (rule->from == SQD && rule->to == SQD) {
			attr = (struct hca_qp_attr){ .state = SQD };
			ck_assert_int_eq(modify(&s, &attr, IB_QP_STATE), 0);
			query(&s, &before);
		}
		for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
			char name[2] = { bad[i].letter };

			if (!(mask & mask_of(name)))
				continue;
			attr = spoiled(i);
			attr.state = rule->to;
			attr.cur_state = bad[i].letter == 'c' ? SQE : rule->from;
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
			  IB_UVERBS_ACCESS_RELAXED_ORDERING | HCA_REMOTE_ACCESS |
			  HCA_FLUSH_ACCESS,
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
	const int mask = IB_QP_STATE | mask_of("vmDRdz");
	struct hca_qp_attr attr = good;

	attr.state = INIT;
	ck_assert_int_eq(hca_qp_modify(qp, &attr, IB_QP_STATE | mask_of("kpa")), 0);
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
	ck_assert_int_eq(hca_qp_modify(qp, &attr, IB_QP_STATE | mask_of("tyrSo")), 0);
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
