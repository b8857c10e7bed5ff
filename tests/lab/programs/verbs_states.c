// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_states [DEVICE]
 * Checks the states of a queue pair: which transitions exist, what query_qp returns, and what may
 * be posted in each state. The queue pair is its own peer, or has none, so ports may be in any
 * state. Runs in the guest.
 */
#include "verbs_lab.h"

#define BIT(n) (1u << (n))
#define RING 8
#define QKEY 0x11223344
#define NOBODY 0xfffffe /* a QPN that no queue pair has */

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_cq *cq;
static struct ibv_mr *mr;
static struct ibv_ah *ah;
static uint8_t memory[8192] __attribute__((aligned(4096)));

static const char *type_name(enum ibv_qp_type type)
{
	return type == IBV_QPT_RC ? "RC" : type == IBV_QPT_UC ? "UC" : "UD";
}

static const char *const state_names[] = { "RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR" };

static struct ibv_qp *make_qp(enum ibv_qp_type type)
{
	struct ibv_qp_init_attr init = {
		.send_cq = cq,
		.recv_cq = cq,
		.cap = {
			.max_send_wr = RING,
			.max_recv_wr = RING,
			.max_send_sge = 2,
			.max_recv_sge = 2,
			.max_inline_data = 32,
		},
		.qp_type = type,
	};
	struct ibv_qp *qp = ibv_create_qp(pd, &init);

	if (!qp)
		give_up("create_qp");
	return qp;
}

/* --- modify ----------------------------------------------------------------------------------- */

/* Returns attributes that differ from all defaults, so that query_qp proves they were set. */
static struct ibv_qp_attr attr_for(enum ibv_qp_state state, uint32_t peer)
{
	return (struct ibv_qp_attr){
		.qp_state = state,
		.port_num = 1,
		.pkey_index = 0,
		.qkey = QKEY,
		.qp_access_flags = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ,
		.path_mtu = IBV_MTU_1024,
		.dest_qp_num = peer,
		.rq_psn = 0x123456,
		.max_dest_rd_atomic = 3,
		.min_rnr_timer = 17,
		.ah_attr = {
			.dlid = 0x1234,
			.sl = 5,
			.src_path_bits = 1,
			.static_rate = IBV_RATE_10_GBPS,
			.port_num = 1,
			.is_global = 1,
			.grh = {
				.dgid.raw = { 0xfe, 0x80, [15] = 7 },
				.flow_label = 0x54321,
				.sgid_index = 0,
				.hop_limit = 9,
				.traffic_class = 0x42,
			},
		},
		.sq_psn = 0x654321,
		.timeout = 0, /* no timeout */
		.retry_cnt = 6,
		.rnr_retry = 5,
		.max_rd_atomic = 2,
	};
}

/* Returns the attributes that a transition requires, by type; SQD to RTS requires none. */
static int mask_for(enum ibv_qp_type type, enum ibv_qp_state to)
{
	bool rc = type == IBV_QPT_RC, connected = type != IBV_QPT_UD;

	switch (to) {
	case IBV_QPS_INIT:
		return IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
		       (connected ? IBV_QP_ACCESS_FLAGS : IBV_QP_QKEY);
	case IBV_QPS_RTR:
		return IBV_QP_STATE |
		       (connected ? IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN :
				    0) |
		       (rc ? IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER : 0);
	case IBV_QPS_RTS:
		return IBV_QP_STATE | IBV_QP_SQ_PSN |
		       (rc ? IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
				     IBV_QP_MAX_QP_RD_ATOMIC :
			     0);
	default:
		return IBV_QP_STATE;
	}
}

static int modify(struct ibv_qp *qp, enum ibv_qp_state to)
{
	struct ibv_qp_attr attr = attr_for(to, qp->qp_num);
	bool resumes = qp->state == IBV_QPS_SQD && to == IBV_QPS_RTS;

	return ibv_modify_qp(qp, &attr, resumes ? IBV_QP_STATE : mask_for(qp->qp_type, to));
}

/* Creates a queue pair and moves it to a state by the regular transitions. */
static struct ibv_qp *make_in(enum ibv_qp_type type, enum ibv_qp_state state)
{
	static const enum ibv_qp_state way[] = { IBV_QPS_INIT, IBV_QPS_RTR, IBV_QPS_RTS,
						 IBV_QPS_SQD };
	struct ibv_qp *qp = make_qp(type);
	unsigned int i;

	if (state == IBV_QPS_ERR) {
		expect_ok(modify(qp, IBV_QPS_INIT), "to INIT");
		expect_ok(modify(qp, IBV_QPS_ERR), "to ERR");
	} else {
		for (i = 0; i < COUNT(way) && way[i] <= state; i++)
			expect_ok(modify(qp, way[i]), state_names[way[i]]);
	}
	expect_state(qp, state);
	return qp;
}

static void destroy(struct ibv_qp *qp)
{
	expect_ok(ibv_destroy_qp(qp), "destroy_qp");
}

#define SAME(member) expect_value(got.member, wanted.member, #member)

static void expect_attributes(struct ibv_qp *qp)
{
	struct ibv_qp_attr wanted = attr_for(IBV_QPS_RTS, qp->qp_num), got = {};
	struct ibv_qp_init_attr init;

	if (!expect_ok(ibv_query_qp(qp, &got, IBV_QP_DEST_QPN * 2 - 1, &init), "query_qp"))
		return;
	SAME(qp_state);
	expect_value(got.cur_qp_state, IBV_QPS_RTS, "cur_qp_state");
	SAME(port_num);
	SAME(pkey_index);
	SAME(sq_psn);
	expect_value(got.cap.max_send_wr, RING, "cap.max_send_wr");
	expect_value(got.cap.max_recv_wr, RING, "cap.max_recv_wr");
	if (qp->qp_type == IBV_QPT_UD) {
		SAME(qkey);
		return;
	}
	if (qp->qp_type == IBV_QPT_RC) {
		SAME(max_dest_rd_atomic);
		SAME(min_rnr_timer);
		SAME(timeout);
		SAME(retry_cnt);
		SAME(rnr_retry);
		SAME(max_rd_atomic);
	}
	SAME(qp_access_flags);
	SAME(path_mtu);
	SAME(dest_qp_num);
	SAME(rq_psn);
	SAME(ah_attr.dlid);
	SAME(ah_attr.sl);
	SAME(ah_attr.src_path_bits);
	SAME(ah_attr.static_rate);
	SAME(ah_attr.port_num);
	SAME(ah_attr.is_global);
	SAME(ah_attr.grh.flow_label);
	SAME(ah_attr.grh.sgid_index);
	SAME(ah_attr.grh.hop_limit);
	SAME(ah_attr.grh.traffic_class);
	expect(!memcmp(&got.ah_attr.grh.dgid, &wanted.ah_attr.grh.dgid, 16), "dgid is another");
}

/* V3-328 */
static void attributes(enum ibv_qp_type type)
{
	struct ibv_qp *qp = make_in(type, IBV_QPS_RTS);

	expect_attributes(qp);
	destroy(qp);
	verdict("%s: query_qp says what modify_qp was given (R0-122, R0-492)", type_name(type));
}

/* The states that modify_qp accepts from each state. */
static const struct {
	enum ibv_qp_state from;
	uint8_t to; /* as bits */
} transitions[] = {
	{ IBV_QPS_RESET, BIT(IBV_QPS_RESET) | BIT(IBV_QPS_INIT) },
	{ IBV_QPS_INIT, BIT(IBV_QPS_RESET) | BIT(IBV_QPS_INIT) | BIT(IBV_QPS_RTR) |
				BIT(IBV_QPS_ERR) },
	{ IBV_QPS_RTR, BIT(IBV_QPS_RESET) | BIT(IBV_QPS_RTS) | BIT(IBV_QPS_ERR) },
	{ IBV_QPS_RTS, BIT(IBV_QPS_RESET) | BIT(IBV_QPS_SQD) | BIT(IBV_QPS_ERR) },
	{ IBV_QPS_SQD, BIT(IBV_QPS_RESET) | BIT(IBV_QPS_RTS) | BIT(IBV_QPS_SQD) |
			       BIT(IBV_QPS_ERR) },
	{ IBV_QPS_ERR, BIT(IBV_QPS_RESET) | BIT(IBV_QPS_ERR) },
};

/* A consumer cannot request SQE. */
static const enum ibv_qp_state dests[] = {
	IBV_QPS_RESET, IBV_QPS_INIT, IBV_QPS_RTR, IBV_QPS_RTS, IBV_QPS_SQD, IBV_QPS_SQE,
	IBV_QPS_ERR,
};

/* V3-302 */
static void transition(enum ibv_qp_type type, enum ibv_qp_state from, enum ibv_qp_state to,
		       bool may)
{
	struct ibv_qp *qp = make_in(type, from);

	/* RTS to RTS exists, but with other attributes than these. */
	expect_error(modify(qp, to), may ? 0 : EINVAL, "modify_qp");
	expect_state(qp, may ? to : from);
	expect_value(qp->state, may ? to : from, "state as libibverbs keeps it");
	destroy(qp);
	verdict("%s: %s to %s is %s (V3-176, R0-132, R0-140, R0-143)", type_name(type), state_names[from], state_names[to],
		may ? "allowed" : "refused");
}

static void all_transitions(enum ibv_qp_type type)
{
	unsigned int i, j;

	for (i = 0; i < COUNT(transitions); i++)
		for (j = 0; j < COUNT(dests); j++)
			transition(type, transitions[i].from, dests[j],
				   transitions[i].to >> dests[j] & 1);
}

/* Attributes are missing, not allowed, or out of range. */

static void refused(const char *what, enum ibv_qp_type type, enum ibv_qp_state from,
		    struct ibv_qp_attr attr, int mask)
{
	struct ibv_qp *qp = make_in(type, from);

	expect_error(ibv_modify_qp(qp, &attr, mask), EINVAL, "modify_qp");
	expect_state(qp, from);
	destroy(qp);
	verdict("%s: refused in %s: %s", type_name(type), state_names[from], what);
}

static void required(enum ibv_qp_type type, enum ibv_qp_state from, enum ibv_qp_state to)
{
	int mask = mask_for(type, to), bit;
	char what[64];

	for (bit = 1; bit < 1 << 21; bit <<= 1) {
		if (!(mask & bit) || bit == IBV_QP_STATE)
			continue;
		snprintf(what, sizeof(what), "to %s without attribute %#x", state_names[to], bit);
		refused(what, type, from, attr_for(to, NOBODY), mask & ~bit);
	}
}

static void superfluous(void)
{
	int mask = mask_for(IBV_QPT_RC, IBV_QPS_INIT);

	refused("to INIT with sq_psn", IBV_QPT_RC, IBV_QPS_RESET, attr_for(IBV_QPS_INIT, NOBODY),
		mask | IBV_QP_SQ_PSN);
	refused("to INIT with a Q_Key", IBV_QPT_RC, IBV_QPS_RESET, attr_for(IBV_QPS_INIT, NOBODY),
		mask | IBV_QP_QKEY);
	refused("to RTR with min_rnr_timer", IBV_QPT_UC, IBV_QPS_INIT,
		attr_for(IBV_QPS_RTR, NOBODY),
		mask_for(IBV_QPT_UC, IBV_QPS_RTR) | IBV_QP_MIN_RNR_TIMER);
	refused("to INIT with access flags", IBV_QPT_UD, IBV_QPS_RESET,
		attr_for(IBV_QPS_INIT, NOBODY),
		mask_for(IBV_QPT_UD, IBV_QPS_INIT) | IBV_QP_ACCESS_FLAGS);
	refused("to RTR with sq_psn", IBV_QPT_RC, IBV_QPS_INIT, attr_for(IBV_QPS_RTR, NOBODY),
		mask_for(IBV_QPT_RC, IBV_QPS_RTR) | IBV_QP_SQ_PSN);
}

#define OUT_OF_RANGE(from, to, member, value)                                                      \
	do {                                                                                       \
		struct ibv_qp_attr attr = attr_for(to, NOBODY);                                    \
		attr.member = value;                                                               \
		refused(#member " " #value, IBV_QPT_RC, from, attr, mask_for(IBV_QPT_RC, to));     \
	} while (0)

static void out_of_range(void)
{
	OUT_OF_RANGE(IBV_QPS_RESET, IBV_QPS_INIT, port_num, 0);
	OUT_OF_RANGE(IBV_QPS_RESET, IBV_QPS_INIT, port_num, 200);
	OUT_OF_RANGE(IBV_QPS_RESET, IBV_QPS_INIT, pkey_index, 60000);
	OUT_OF_RANGE(IBV_QPS_INIT, IBV_QPS_RTR, path_mtu, 0);
	OUT_OF_RANGE(IBV_QPS_INIT, IBV_QPS_RTR, path_mtu, 6);
	OUT_OF_RANGE(IBV_QPS_INIT, IBV_QPS_RTR, dest_qp_num, 0x1000000);
	OUT_OF_RANGE(IBV_QPS_INIT, IBV_QPS_RTR, max_dest_rd_atomic, 255);
	OUT_OF_RANGE(IBV_QPS_INIT, IBV_QPS_RTR, min_rnr_timer, 32);
	OUT_OF_RANGE(IBV_QPS_INIT, IBV_QPS_RTR, ah_attr.port_num, 0);
	OUT_OF_RANGE(IBV_QPS_INIT, IBV_QPS_RTR, ah_attr.sl, 16);
	OUT_OF_RANGE(IBV_QPS_INIT, IBV_QPS_RTR, ah_attr.grh.sgid_index, 255);
	OUT_OF_RANGE(IBV_QPS_RTR, IBV_QPS_RTS, timeout, 32);
	OUT_OF_RANGE(IBV_QPS_RTR, IBV_QPS_RTS, retry_cnt, 8);
	OUT_OF_RANGE(IBV_QPS_RTR, IBV_QPS_RTS, rnr_retry, 8);
	OUT_OF_RANGE(IBV_QPS_RTR, IBV_QPS_RTS, max_rd_atomic, 255);
}

/* --- posting ---------------------------------------------------------------------------------- */

static struct ibv_sge some_memory(uint32_t length)
{
	return (struct ibv_sge){ (uintptr_t)memory, length, mr->lkey };
}

/* Returns a Send that is never answered. */
static struct ibv_send_wr send_to_nobody(enum ibv_qp_type type, uint64_t wr_id, struct ibv_sge *sge)
{
	struct ibv_send_wr wr = {
		.wr_id = wr_id,
		.sg_list = sge,
		.num_sge = 1,
		.opcode = IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED,
	};

	if (type == IBV_QPT_UD) {
		wr.wr.ud.ah = ah;
		wr.wr.ud.remote_qpn = NOBODY;
		wr.wr.ud.remote_qkey = QKEY;
	}
	return wr;
}

static int try_send(struct ibv_qp *qp, uint64_t wr_id)
{
	struct ibv_sge sge = some_memory(16);
	struct ibv_send_wr wr = send_to_nobody(qp->qp_type, wr_id, &sge), *bad = NULL;
	int ret = ibv_post_send(qp, &wr, &bad);

	expect(!ret || bad == &wr, "post_send fails without saying where");
	return ret;
}

static int try_recv(struct ibv_qp *qp, uint64_t wr_id)
{
	struct ibv_sge sge = some_memory(16);
	struct ibv_recv_wr wr = { .wr_id = wr_id, .sg_list = &sge, .num_sge = 1 }, *bad = NULL;
	int ret = ibv_post_recv(qp, &wr, &bad);

	expect(!ret || bad == &wr, "post_recv fails without saying where");
	return ret;
}

/* V3-179, V3-178, V3-270 */
static void states_to_post_in(enum ibv_qp_type type)
{
	static const struct {
		enum ibv_qp_state state;
		int send, recv;
	} row[] = {
		{ IBV_QPS_RESET, EINVAL, EINVAL }, { IBV_QPS_INIT, EINVAL, 0 },
		{ IBV_QPS_RTR, EINVAL, 0 },	   { IBV_QPS_RTS, 0, 0 },
		{ IBV_QPS_SQD, 0, 0 },		   { IBV_QPS_ERR, 0, 0 },
	};
	unsigned int i;

	for (i = 0; i < COUNT(row); i++) {
		struct ibv_qp *qp = make_in(type, row[i].state);

		expect_error(try_send(qp, 1), row[i].send, "post_send");
		expect_error(try_recv(qp, 2), row[i].recv, "post_recv");
		destroy(qp);
		poll_all(cq);
		verdict("%s: posting in %s (V3-179)", type_name(type), state_names[row[i].state]);
	}
}

/* Requests that are refused when they are posted (V3-271). */

static void refused_send(const char *what, struct ibv_qp *qp, struct ibv_send_wr wr)
{
	struct ibv_send_wr *bad = NULL;

	expect_error(ibv_post_send(qp, &wr, &bad), EINVAL, "post_send");
	expect(bad == &wr, "bad_wr is not the request");
	verdict("%s: not posted: %s (V3-271, R0-445, R0-503)", type_name(qp->qp_type), what);
}

static void refused_sends(void)
{
	struct ibv_sge sge[3] = { some_memory(16), some_memory(16), some_memory(16) };
	struct ibv_qp *rc = make_in(IBV_QPT_RC, IBV_QPS_RTS), *ud = make_in(IBV_QPT_UD,
									    IBV_QPS_RTS);
	struct ibv_sge whole[2] = { some_memory(0x80000000), some_memory(1) };
	struct ibv_send_wr wr;

	wr = send_to_nobody(IBV_QPT_RC, 1, sge);
	wr.num_sge = 3;
	refused_send("3 pieces of 2", rc, wr);
	wr.num_sge = -1;
	refused_send("-1 pieces", rc, wr);
	wr.send_flags |= IBV_SEND_INLINE;
	refused_send("-1 pieces inline", rc, wr);
	wr.num_sge = 3;
	refused_send("48 octets inline of 32", rc, wr);
	wr = send_to_nobody(IBV_QPT_RC, 1, sge);
	wr.opcode = IBV_WR_RDMA_READ;
	wr.send_flags |= IBV_SEND_INLINE;
	refused_send("an inline RDMA READ", rc, wr);
	wr = send_to_nobody(IBV_QPT_RC, 1, sge);
	wr.opcode = 99;
	refused_send("opcode 99", rc, wr);
	wr.opcode = -1;
	refused_send("opcode -1", rc, wr);
	wr = send_to_nobody(IBV_QPT_RC, 1, sge);
	wr.send_flags = 1 << 20;
	refused_send("a flag that there is not", rc, wr);
	wr = send_to_nobody(IBV_QPT_RC, 1, whole);
	wr.num_sge = 2;
	refused_send("more than 2^31 octets", rc, wr);
	wr = send_to_nobody(IBV_QPT_UD, 1, sge);
	wr.opcode = IBV_WR_RDMA_WRITE;
	refused_send("an RDMA WRITE", ud, wr); /* B4-077, C4-040 */
	wr.opcode = IBV_WR_RDMA_READ;
	refused_send("an RDMA READ", ud, wr); /* B4-076, C4-040 */
	wr.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD;
	refused_send("an atomic operation", ud, wr); /* C4-040 */
	expect(!poll_all(cq), "a refused request completes");
	verdict("refused requests leave no completion (V3-271)");
	destroy(rc);
	destroy(ud);
	poll_all(cq);
}

static void foreign_handle(void)
{
	struct ibv_pd *other = ibv_alloc_pd(context);
	struct ibv_ah_attr attr = { .dlid = 1, .port_num = 1 };
	struct ibv_ah *foreign = other ? ibv_create_ah(other, &attr) : NULL;
	struct ibv_qp *ud = make_in(IBV_QPT_UD, IBV_QPS_RTS);
	struct ibv_sge sge = some_memory(16);
	struct ibv_send_wr wr = send_to_nobody(IBV_QPT_UD, 1, &sge);

	if (!foreign)
		give_up("an address handle of another protection domain");
	wr.wr.ud.ah = foreign;
	/* B4-304, B4-309, C4-050 */
	refused_send("an address handle of another protection domain", ud, wr);
	destroy(ud);
	expect_ok(ibv_destroy_ah(foreign), "destroy_ah");
	expect_ok(ibv_dealloc_pd(other), "dealloc_pd");
}

static void refused_recvs(void)
{
	struct ibv_sge sge[3] = { some_memory(16), some_memory(16), some_memory(16) };
	struct ibv_recv_wr wr = { .sg_list = sge, .num_sge = 3 }, *bad = NULL;
	struct ibv_qp *qp = make_in(IBV_QPT_RC, IBV_QPS_RTS);

	expect_error(ibv_post_recv(qp, &wr, &bad), EINVAL, "3 pieces of 2");
	expect(bad == &wr, "bad_wr is not the request");
	wr.num_sge = -1;
	expect_error(ibv_post_recv(qp, &wr, &bad), EINVAL, "-1 pieces");
	destroy(qp);
	expect(!poll_all(cq), "a refused request completes");
	verdict("RC: receive requests not posted (V3-271, R0-504)");
}

static void no_such_queue(void)
{
	struct ibv_qp_init_attr init = { .send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC };
	struct ibv_qp *qp = ibv_create_qp(pd, &init);

	if (expect_made(qp, "create_qp")) {
		expect_ok(modify(qp, IBV_QPS_INIT), "to INIT");
		expect_error(try_recv(qp, 1), EINVAL, "post_recv");
		expect_ok(modify(qp, IBV_QPS_RTR), "to RTR");
		expect_ok(modify(qp, IBV_QPS_RTS), "to RTS");
		expect_error(try_send(qp, 1), EINVAL, "post_send");
		destroy(qp);
	}
	verdict("RC: posting to a queue that was made of no requests");
}

/* Posting a list stops at an invalid request; those before it are posted. */
static void list_with_a_bad_one(void)
{
	struct ibv_qp *qp = make_in(IBV_QPT_RC, IBV_QPS_RTS);
	struct ibv_sge sge[3] = { some_memory(16), some_memory(16), some_memory(16) };
	struct ibv_send_wr send[4], *bad_send = NULL;
	struct ibv_recv_wr recv[4], *bad_recv = NULL;
	struct ibv_wc wc[8];
	int i, n;

	for (i = 0; i < 4; i++) {
		send[i] = send_to_nobody(IBV_QPT_RC, i, sge);
		send[i].num_sge = i == 2 ? 3 : 1;
		send[i].next = i < 3 ? &send[i + 1] : NULL;
		recv[i] = (struct ibv_recv_wr){
			.wr_id = 100 + i,
			.sg_list = sge,
			.num_sge = i == 2 ? 3 : 1,
			.next = i < 3 ? &recv[i + 1] : NULL,
		};
	}
	expect_error(ibv_post_recv(qp, recv, &bad_recv), EINVAL, "post_recv");
	/* R0-406, V3-268 */
	expect(bad_recv == &recv[2], "bad_wr is not the third receive request");
	expect_error(ibv_post_send(qp, send, &bad_send), EINVAL, "post_send");
	/* R0-406, R0-503, V3-268 */
	expect(bad_send == &send[2], "bad_wr is not the third send request");
	expect_ok(modify(qp, IBV_QPS_ERR), "to ERR");
	n = collect(cq, wc, 4, PATIENCE_MS);
	expect_value(n, 4, "completions"); /* B4-186, R0-378, R0-405, V3-269 */
	for (i = 0; i < n; i++)
		expect(wc[i].wr_id % 100 < 2 && wc[i].status == IBV_WC_WR_FLUSH_ERR,
		       "completion of %d, %s", (int)wc[i].wr_id, ibv_wc_status_str(wc[i].status));
	destroy(qp);
	expect(!poll_all(cq), "more completions");
	verdict("RC: requests before a bad one are posted");
}

/* --- full, flushed, reset --------------------------------------------------------------------- */

static void fill_full(struct ibv_qp *qp)
{
	int i;

	for (i = 0; i < RING; i++) {
		expect_ok(try_recv(qp, 100 + i), "post_recv");
		expect_ok(try_send(qp, i), "post_send");
	}
}

static void fill(struct ibv_qp *qp)
{
	fill_full(qp);
	expect_error(try_recv(qp, 99), ENOMEM, "one receive request too many");
	expect_error(try_send(qp, 99), ENOMEM, "one send request too many");
	expect(!poll_all(cq), "something completes");
}

static void expect_flushed(uint32_t number)
{
	struct ibv_wc wc[2 * RING];
	int n = collect(cq, wc, 2 * RING, PATIENCE_MS), sends = 0, recvs = 0, i;

	expect_value(n, 2 * RING, "completions");
	for (i = 0; i < n; i++) {
		expect_value(wc[i].qp_num, number, "qp_num");
		if (wc[i].wr_id >= 100)
			expect_wc(&wc[i], 100 + recvs++, IBV_WC_WR_FLUSH_ERR);
		else
			expect_wc(&wc[i], sends++, IBV_WC_WR_FLUSH_ERR);
	}
	expect_value(sends, RING, "send completions");
	expect(!poll_all(cq), "more completions");
}

/* Reset empties both rings, and they can be used again (V3-195), also from Error. */
static void full_and_reset(void)
{
	struct ibv_qp *qp = make_in(IBV_QPT_RC, IBV_QPS_RTS);
	int i;

	fill(qp);
	verdict("RC: full queues refuse more, with ENOMEM (V3-191, V3-272, R0-409)");

	for (i = 0; i < 5; i++) {
		expect_ok(modify(qp, IBV_QPS_RESET), "to RESET");
		expect(!poll_all(cq), "a reset completes requests");
		expect_error(try_send(qp, 1), EINVAL, "post_send in RESET");
		expect_error(try_recv(qp, 1), EINVAL, "post_recv in RESET");
		expect_ok(modify(qp, IBV_QPS_INIT), "to INIT");
		expect_ok(modify(qp, IBV_QPS_RTR), "to RTR");
		expect_ok(modify(qp, IBV_QPS_RTS), "to RTS");
		fill(qp);
	}
	verdict("RC: a reset empties full queues, and they fill again (V3-195)");

	expect_ok(modify(qp, IBV_QPS_ERR), "to ERR");
	expect_flushed(qp->qp_num);
	verdict("RC: full queues are flushed, each in order (B4-241, R0-180)");

	for (i = 0; i < 3 * RING; i++) {
		expect_ok(try_send(qp, i), "post_send");
		expect_ok(try_recv(qp, i), "post_recv");
		expect_value(poll_all(cq), 2, "completions");
	}
	verdict("RC: in Error there is room for whoever polls (R0-182)");
	destroy(qp);
}

/*
 * V3-189, V3-190, V3-199, V3-285: completions that are kept can be polled without their queue pair
 * and rings.
 */
static void completions_outlive(void)
{
	struct ibv_qp *qp = make_in(IBV_QPT_RC, IBV_QPS_RTS);
	uint32_t number = qp->qp_num;

	fill(qp);
	expect_ok(modify(qp, IBV_QPS_ERR), "to ERR");
	expect_ok(modify(qp, IBV_QPS_RESET), "to RESET");
	expect_ok(modify(qp, IBV_QPS_INIT), "to INIT");
	expect_flushed(number);
	destroy(qp);
	verdict("RC: completions outlive a reset (V3-190, V3-285, R0-084)");

	qp = make_in(IBV_QPT_RC, IBV_QPS_RTS);
	number = qp->qp_num;
	fill(qp);
	expect_ok(modify(qp, IBV_QPS_ERR), "to ERR");
	destroy(qp);
	expect_flushed(number);
	verdict("RC: completions outlive their queue pair (V3-189, R0-094)");
}

/* Datagrams without a receiver complete, and receives stay posted. */
static void datagrams(void)
{
	struct ibv_qp *qp = make_in(IBV_QPT_UD, IBV_QPS_RTS);
	struct ibv_wc wc[RING];
	int i;

	for (i = 0; i < RING; i++)
		expect_ok(try_recv(qp, 100 + i), "post_recv");
	expect_error(try_recv(qp, 99), ENOMEM, "one receive request too many");
	for (i = 0; i < RING; i++) {
		expect_ok(try_send(qp, i), "post_send");
		if (expect(collect(cq, wc, 1, PATIENCE_MS) == 1, "no completion"))
			expect_wc(wc, i, IBV_WC_SUCCESS);
	}
	expect_ok(modify(qp, IBV_QPS_ERR), "to ERR");
	if (expect_value(collect(cq, wc, RING, PATIENCE_MS), RING, "completions"))
		for (i = 0; i < RING; i++)
			expect_wc(&wc[i], 100 + i, IBV_WC_WR_FLUSH_ERR);
	destroy(qp);
	verdict("UD: datagrams to nobody complete; receives are flushed in order (B4-241)");
}

/* Posts to another queue pair of the CQ, whose flushed requests are in front and behind. */
static struct ibv_qp *bystander(void)
{
	struct ibv_qp *qp = make_in(IBV_QPT_RC, IBV_QPS_RTS);

	expect_ok(try_recv(qp, 77), "post_recv");
	expect_ok(modify(qp, IBV_QPS_ERR), "to ERR");
	return qp;
}

static void expect_bystanders(struct ibv_qp *before, struct ibv_qp *behind)
{
	struct ibv_wc wc[2 * RING];

	if (expect_value(collect(cq, wc, 2, PATIENCE_MS), 2, "completions of others")) {
		expect_wc(&wc[0], 77, IBV_WC_WR_FLUSH_ERR);
		expect_value(wc[0].qp_num, before->qp_num, "the first one's qp_num");
		expect_wc(&wc[1], 77, IBV_WC_WR_FLUSH_ERR);
		expect_value(wc[1].qp_num, behind->qp_num, "the second one's qp_num");
	}
	expect(!poll_all(cq), "more completions");
	destroy(before);
	destroy(behind);
}

/*
 * Programs free what wr_id points to when they destroy or reset a queue pair, since other adapters
 * remove its completions then. Those of other queue pairs stay, in order.
 */
static void completions_purged(void)
{
	struct ibv_qp *before = bystander(), *qp = make_in(IBV_QPT_RC, IBV_QPS_RTS), *behind;

	fill_full(qp);
	expect_ok(modify(qp, IBV_QPS_ERR), "to ERR");
	behind = bystander();
	expect_ok(modify(qp, IBV_QPS_RESET), "to RESET");
	expect_bystanders(before, behind);
	expect_ok(modify(qp, IBV_QPS_INIT), "to INIT");
	expect_ok(modify(qp, IBV_QPS_RTR), "to RTR");
	expect_ok(modify(qp, IBV_QPS_RTS), "to RTS");
	fill(qp);
	expect_ok(modify(qp, IBV_QPS_ERR), "to ERR");
	expect_flushed(qp->qp_num);
	destroy(qp);
	verdict("RC: completions from before a reset are removed, others stay (R0-084)");

	before = bystander();
	qp = make_in(IBV_QPT_RC, IBV_QPS_RTS);
	fill_full(qp);
	expect_ok(modify(qp, IBV_QPS_ERR), "to ERR");
	behind = bystander();
	destroy(qp);
	expect_bystanders(before, behind);
	verdict("RC: completions of a destroyed queue pair are removed, others stay");
}

static void open_all(const char *name)
{
	struct ibv_ah_attr attr = { .dlid = 0x3333, .port_num = 1 };

	context = must_open(name);
	pd = ibv_alloc_pd(context);
	cq = ibv_create_cq(context, 1024, NULL, NULL, 0);
	mr = pd ? ibv_reg_mr(pd, memory, sizeof(memory), IBV_ACCESS_LOCAL_WRITE) : NULL;
	ah = pd ? ibv_create_ah(pd, &attr) : NULL;
	if (!cq || !mr || !ah)
		give_up("what queue pairs need");
}

static void close_all(void)
{
	expect_ok(ibv_destroy_ah(ah), "destroy_ah");
	expect_ok(ibv_dereg_mr(mr), "dereg_mr");
	expect_ok(ibv_destroy_cq(cq), "destroy_cq");
	expect_ok(ibv_dealloc_pd(pd), "dealloc_pd");
	expect_ok(ibv_close_device(context), "close_device");
}

int main(int argc, char **argv)
{
	static const enum ibv_qp_type types[] = { IBV_QPT_RC, IBV_QPT_UC, IBV_QPT_UD };
	const char *name = argc > 1 ? argv[1] : "hca0";
	unsigned int i;

	open_all(name);
	for (i = 0; i < COUNT(types); i++) {
		attributes(types[i]);
		all_transitions(types[i]);
		required(types[i], IBV_QPS_RESET, IBV_QPS_INIT);
		required(types[i], IBV_QPS_INIT, IBV_QPS_RTR);
		required(types[i], IBV_QPS_RTR, IBV_QPS_RTS);
	}
	superfluous();
	out_of_range();
	for (i = 0; i < COUNT(types); i++)
		states_to_post_in(types[i]);
	refused_sends();
	foreign_handle();
	refused_recvs();
	no_such_queue();
	list_with_a_bad_one();
	full_and_reset();
	completions_purged();
	datagrams();
	close_all();

	setenv("HCA_KEEP_COMPLETIONS", "1", true);
	open_all(name);
	completions_outlive();
	close_all();
	verdict("everything is given back");
	return lab_status();
}
