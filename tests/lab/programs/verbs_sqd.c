// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_sqd [DEVICE [DEVICE]]
 * Checks send queue drain (SQD): messages that have begun are completed, then IBV_EVENT_SQ_DRAINED
 * is raised, and further requests wait until the queue pair is in RTS again. Runs in the guest with
 * Active ports.
 */
#include "verbs_async.h"

#define MESSAGES 8u
#define LONG (128u << 10) /* octets; packets have 1024, so the messages do not all begin at once */
#define DEST (2u << 20)
#define GRH 40u

static struct pair pair;

static struct setup setup_of(enum ibv_qp_type type)
{
	struct setup setup = default_setup;

	setup.type = type;
	setup.mtu = IBV_MTU_1024;
	return setup;
}

static const char *type_name(enum ibv_qp_type type)
{
	return type == IBV_QPT_RC ? "RC" : type == IBV_QPT_UC ? "UC" : "UD";
}

static bool connect_pair(enum ibv_qp_type type)
{
	const struct setup setup = setup_of(type);
	uint32_t i;

	for (i = 0; i < MR_LENGTH / 2; i++)
		pair.a.memory[i] = i * 7 + (i >> 9);
	memset(pair.b.memory, 0, MR_LENGTH);
	poll_async(&pair.a);
	return pair_connect(&pair, &setup);
}

static int to_sqd(bool notify)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_SQD, .en_sqd_async_notify = notify };

	return ibv_modify_qp(pair.a.qp, &attr, IBV_QP_STATE | IBV_QP_EN_SQD_ASYNC_NOTIFY);
}

static int go_to(enum ibv_qp_state state)
{
	struct ibv_qp_attr attr = { .qp_state = state };

	return ibv_modify_qp(pair.a.qp, &attr, IBV_QP_STATE);
}

static void expect_draining(bool draining)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr = {};

	expect_ok(ibv_query_qp(pair.a.qp, &attr, IBV_QP_STATE, &init), "query_qp");
	expect_value(attr.qp_state, IBV_QPS_SQD, "the state");
	expect_value(attr.sq_draining, draining, "sq_draining");
}

static void expect_arrived(uint32_t offset, uint32_t length)
{
	expect(!memcmp(pair.a.memory + offset, pair.b.memory + DEST + offset, length),
	       "what is received at %u is not what was sent", offset);
}

/*
 * Messages that have begun stay outstanding as long as no receive is posted: no event. With
 * receives they complete: the event is raised, and no other message has begun.
 */
static void begun_ones_end(void)
{
	struct ibv_wc wc[MESSAGES];
	int done, i;

	connect_pair(IBV_QPT_RC);
	for (i = 0; i < (int)MESSAGES && !lab_reason[0]; i++)
		post_send(&pair.a, i, i * LONG, LONG);
	if (!lab_reason[0]) {
		silent(pair.a.send_cq, "a message that nobody expects");
		expect_ok(to_sqd(true), "to SQD");
		expect_no_async(&pair.a, IBV_EVENT_SQ_DRAINED, "while a message is under way");
		expect_draining(true);
		for (i = 0; i < (int)MESSAGES; i++)
			post_recv(&pair.b, i, DEST + i * LONG, LONG);
		expect_async(&pair.a, IBV_EVENT_SQ_DRAINED, pair.a.qp);
		expect_draining(false);
		done = collect(pair.a.send_cq, wc, MESSAGES, SILENCE_MS);
		expect(done > 0 && done < (int)MESSAGES, "%d of %u messages have been sent", done,
		       MESSAGES);
		for (i = 0; i < done; i++)
			expect_wc(&wc[i], i, IBV_WC_SUCCESS);
		expect_no_async(&pair.a, IBV_EVENT_SQ_DRAINED, "for the second time");
		expect_ok(go_to(IBV_QPS_RTS), "to RTS");
		for (i = done; i < (int)MESSAGES; i++)
			completes(pair.a.send_cq, i, IBV_WC_SUCCESS, wc);
		for (i = 0; i < (int)MESSAGES; i++)
			completes(pair.b.recv_cq, i, IBV_WC_SUCCESS, wc);
		expect_arrived(0, MESSAGES * LONG);
	}
	pair_disconnect(&pair);
	verdict("RC: what has begun ends, then the event comes; the rest waits (B4-229, B4-268)");
}

static bool send_short(uint64_t wr_id, struct ibv_ah *ah)
{
	struct ibv_sge sge = sge_of(&pair.a, GRH, 1000);
	struct ibv_send_wr wr = send_wr(wr_id, &sge);

	if (ah) {
		wr.wr.ud.ah = ah;
		wr.wr.ud.remote_qpn = pair.b.qp->qp_num;
		wr.wr.ud.remote_qkey = QKEY;
	}
	return post_wr(&pair.a, &wr);
}

/* If nothing is outstanding, the event is raised at once. Requests posted then wait for RTS. */
static void idle(enum ibv_qp_type type)
{
	struct ibv_ah_attr path = path_to(&pair.b, false);
	struct ibv_ah *ah = type == IBV_QPT_UD ? ibv_create_ah(pair.a.pd, &path) : NULL;
	uint32_t start = type == IBV_QPT_UD ? DEST : DEST + GRH;
	struct ibv_wc wc;

	if (connect_pair(type)) {
		expect_ok(to_sqd(true), "to SQD");
		expect_async(&pair.a, IBV_EVENT_SQ_DRAINED, pair.a.qp);
		expect_draining(false);
		post_recv(&pair.b, 2, start, GRH + 1000);
		send_short(1, ah);
		silent(pair.a.send_cq, "what is posted in SQD");
		silent(pair.b.recv_cq, "what is posted in SQD");
		expect_ok(go_to(IBV_QPS_RTS), "to RTS");
		completes(pair.a.send_cq, 1, IBV_WC_SUCCESS, &wc);
		completes(pair.b.recv_cq, 2, IBV_WC_SUCCESS, &wc);
		expect_arrived(GRH, 1000);
	}
	pair_disconnect(&pair);
	if (ah)
		expect_ok(ibv_destroy_ah(ah), "destroy_ah");
	verdict("%s: nothing to drain: the event comes at once; what is posted waits (B4-235)",
		type_name(type));
}

static void not_asked_for(void)
{
	if (connect_pair(IBV_QPT_RC)) {
		expect_ok(to_sqd(false), "to SQD");
		expect_no_async(&pair.a, IBV_EVENT_SQ_DRAINED, "that was not asked for");
		expect_ok(go_to(IBV_QPS_RTS), "to RTS");
		expect_ok(go_to(IBV_QPS_SQD), "to SQD, no word of events");
		expect_no_async(&pair.a, IBV_EVENT_SQ_DRAINED, "that was not asked for");
	}
	pair_disconnect(&pair);
	verdict("RC: no event if it was not asked for (B4-229)");
}

/* The receive queue is not affected by SQD. */
static void receives_go_on(void)
{
	struct ibv_wc wc;

	if (connect_pair(IBV_QPT_RC)) {
		expect_ok(to_sqd(false), "to SQD");
		post_recv(&pair.a, 2, 0, 1000);
		post_send(&pair.b, 1, DEST, 1000);
		completes(pair.b.send_cq, 1, IBV_WC_SUCCESS, &wc);
		completes(pair.a.recv_cq, 2, IBV_WC_SUCCESS, &wc);
		expect_arrived(0, 1000);
	}
	pair_disconnect(&pair);
	verdict("RC: in SQD it receives (B4-235)");
}

/* Attributes that may be changed in SQD (B4-226). */
static void changes(void)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_SQD,
		.ah_attr = path_to(&pair.b, true),
		.timeout = 9,
		.retry_cnt = 2,
		.rnr_retry = 1,
		.min_rnr_timer = 3,
		.max_rd_atomic = 1,
	};
	struct ibv_qp_attr got = {};
	struct ibv_qp_init_attr init;
	struct ibv_wc wc;

	if (connect_pair(IBV_QPT_RC)) {
		expect_error(ibv_modify_qp(pair.a.qp, &attr, IBV_QP_TIMEOUT), EINVAL,
			     "a timeout in RTS");
		expect_ok(to_sqd(false), "to SQD");
		expect_ok(ibv_modify_qp(pair.a.qp, &attr,
					IBV_QP_STATE | IBV_QP_AV | IBV_QP_TIMEOUT |
						IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
						IBV_QP_MIN_RNR_TIMER | IBV_QP_MAX_QP_RD_ATOMIC),
			  "modify_qp in SQD");
		expect_error(ibv_modify_qp(pair.a.qp, &attr, IBV_QP_PATH_MTU), EINVAL,
			     "a path MTU in SQD");
		expect_ok(go_to(IBV_QPS_RTS), "to RTS");
		expect_ok(ibv_query_qp(pair.a.qp, &got, IBV_QP_AV | IBV_QP_TIMEOUT, &init),
			  "query_qp");
		expect_value(got.ah_attr.is_global, 1, "ah_attr.is_global");
		expect_value(got.timeout, 9, "timeout");
		expect_value(got.retry_cnt, 2, "retry_cnt");
		expect_value(got.rnr_retry, 1, "rnr_retry");
		expect_value(got.min_rnr_timer, 3, "min_rnr_timer");
		expect_value(got.max_rd_atomic, 1, "max_rd_atomic");
		post_recv(&pair.b, 2, DEST, 1000);
		post_send(&pair.a, 1, 0, 1000);
		completes(pair.a.send_cq, 1, IBV_WC_SUCCESS, &wc);
		completes(pair.b.recv_cq, 2, IBV_WC_SUCCESS, &wc);
	}
	pair_disconnect(&pair);
	verdict("RC: another path and other retries in SQD (B4-226)");
}

/* B4-227 */
static void to_error_and_reset(void)
{
	struct ibv_wc wc;

	if (connect_pair(IBV_QPT_RC)) {
		expect_ok(to_sqd(false), "to SQD");
		send_short(1, NULL);
		send_short(2, NULL);
		expect_ok(go_to(IBV_QPS_ERR), "to ERR");
		completes(pair.a.send_cq, 1, IBV_WC_WR_FLUSH_ERR, &wc);
		completes(pair.a.send_cq, 2, IBV_WC_WR_FLUSH_ERR, &wc);
		expect_ok(go_to(IBV_QPS_RESET), "to RESET");
		expect(!poll_all(pair.a.send_cq), "something is left");
	}
	pair_disconnect(&pair);
	verdict("RC: from SQD to Error, where what waits is flushed (B4-227)");
}

int main(int argc, char **argv)
{
	static const enum ibv_qp_type types[] = { IBV_QPT_RC, IBV_QPT_UC, IBV_QPT_UD };
	unsigned int i;

	pair_open(&pair, argc, argv);
	begun_ones_end();
	for (i = 0; i < COUNT(types); i++)
		idle(types[i]);
	not_asked_for();
	receives_go_on();
	changes();
	to_error_and_reset();
	pair_close(&pair);
	return lab_status();
}
