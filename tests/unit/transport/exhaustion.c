// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Failing allocations, exhausted credit and deregistered memory: which requests wait, and which
 * end.
 */
#include <check.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/slab.h>
#include "link/tx/tx.h"
#include "shim.h"
#include "tests/consumer/consumer.h"
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"
#include "transport/group.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define BLOCKS 100000u

static const union hca_gid mgid = { .raw = { 0xff, 0x12, 0x40, 0x1b, [15] = 1 } };

static const struct {
	const struct pair_qp *how;
	u8 opcode;
	u32 length;
	bool answered; /* the request ends only when a response has arrived */
} works[] = {
	{ &pair_rc, IB_UVERBS_WR_SEND_WITH_IMM, 100, true },
	{ &pair_rc, IB_UVERBS_WR_SEND_WITH_IMM, 5000, true },
	{ &pair_rc, IB_UVERBS_WR_RDMA_WRITE, 5000, true },
	{ &pair_rc, IB_UVERBS_WR_RDMA_READ, 100, true },
	{ &pair_rc, IB_UVERBS_WR_RDMA_READ, 5000, true },
	{ &pair_rc, IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, 8, true },
	{ &pair_uc, IB_UVERBS_WR_SEND_WITH_IMM, 5000, false },
	{ &pair_ud, IB_UVERBS_WR_SEND_WITH_IMM, 100, false },
	{ &pair_ud, IB_UVERBS_WR_SEND_WITH_IMM, 3000, false },
	{ &pair_rd, IB_UVERBS_WR_SEND_WITH_IMM, 5000, true },
	{ &pair_rd, IB_UVERBS_WR_RDMA_READ, 5000, true },
	{ &pair_rd, IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, 8, true },
	{ &pair_xrc, IB_UVERBS_WR_SEND_WITH_IMM, 5000, true },
	{ &pair_xrc, IB_UVERBS_WR_RDMA_WRITE, 5000, true },
	{ &pair_xrc, IB_UVERBS_WR_RDMA_READ, 5000, true },
	{ &pair_xrc, IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, 8, true },
};

#define TIMES 3

static void post(struct pair *pair, int work)
{
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe;
	unsigned int i;

	for (i = 0; i < TIMES; i++) {
		pair_recv(b, i, DST, 6000);
		wqe = pair_wqe(a, i, works[work].opcode, HCA_WQE_SIGNALED);
		if (works[work].how == &pair_ud) {
			wqe->ud.av.dlid = 2;
			wqe->ud.av.port_num = 1;
			wqe->ud.remote_qpn = b->qp->qpn;
			wqe->ud.remote_qkey = PAIR_QKEY;
		} else {
			/* offset that aligns it for atomics */
			wqe->rdma.remote_addr = pair_addr(b, DST + 7);
			wqe->rdma.rkey = b->entry->key;
		}
		pair_sge(a, wqe, SRC, works[work].length);
		pair_post(a);
	}
}

static void is_done(struct pair *pair)
{
	unsigned int i;

	for (i = 0; i < TIMES; i++)
		pair_expect(&pair->end[0].send_cq, i, IB_WC_SUCCESS);
	pair_expect_none(&pair->end[0].send_cq);
}

/* Whichever allocation fails, of a packet or of its payload, it is repeated a little later. */
START_TEST(no_memory)
{
	unsigned int n = 0;
	bool failed;

	do {
		struct pair *pair = pair_new(works[_i].how);

		shim_fail_alloc(++n);
		post(pair, _i);
		pair_wait(1000);
		failed = shim_alloc_failed();
		shim_fail_alloc(0);
		is_done(pair);
		pair_free(pair);
	} while (failed);
	ck_assert_uint_gt(n, 1);
}
END_TEST

/* Also for a kernel consumer's memory, which is copied. */
START_TEST(no_memory_to_gather)
{
	static const u8 types[] = { IB_QPT_RC, IB_QPT_UC };
	static u8 data[3000];
	unsigned int n = 0;
	bool failed;

	do {
		struct pair_qp how = pair_rc;
		struct hca_send_wqe *wqe;
		struct hca_sge *sge;
		struct pair *pair;

		how.type = types[_i];
		how.kernel = true;
		pair = pair_new(&how);
		pair_recv(&pair->end[1], 1, DST, 3000);
		shim_fail_alloc(++n);
		wqe = pair_wqe(&pair->end[0], 1, IB_UVERBS_WR_SEND, HCA_WQE_SIGNALED);
		pair_sge(&pair->end[0], wqe, SRC, sizeof(data));
		sge = (void *)((u8 *)wqe + HCA_SEND_WQE_HEADER);
		sge->addr = (uintptr_t)data;
		sge->lkey = HCA_LOCAL_DMA_KEY;
		pair_post(&pair->end[0]);
		pair_wait(1000);
		failed = shim_alloc_failed();
		shim_fail_alloc(0);
		pair_expect(&pair->end[0].send_cq, 1, IB_WC_SUCCESS);
		pair_expect(&pair->end[1].recv_cq, 1, IB_WC_SUCCESS);
		pair_free(pair);
	} while (failed);
	ck_assert_uint_gt(n, 3);
}
END_TEST

/* The sender's own copy of a multicast is lost, as a copy on a cable may be; the other is not. */
START_TEST(no_memory_for_a_copy)
{
	struct pair *pair = pair_new(&pair_ud);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe;
	unsigned int n;

	ck_assert_int_eq(hca_multicast_attach(a->qp, &mgid, 0xc001, NULL), 0);
	ck_assert_int_eq(hca_multicast_attach(b->qp, &mgid, 0xc001, NULL), 0);
	/*
	 * The allocations are packet, payload, copy and its payload: the third fails if no packets
	 * are available, or the fourth.
	 */
	for (n = 3; n <= 4; n++) {
		pair_recv(a, n, DST, 4000);
		pair_recv(b, n, DST, 4000);
		wqe = pair_wqe(a, n, IB_UVERBS_WR_SEND, HCA_WQE_SIGNALED);
		wqe->ud.av = (struct hca_av){ .dlid = 0xc001, .port_num = 1, .has_grh = 1 };
		memcpy(wqe->ud.av.dgid, &mgid, sizeof(mgid));
		wqe->ud.remote_qpn = HCA_QPN_MULTICAST;
		wqe->ud.remote_qkey = PAIR_QKEY;
		pair_sge(a, wqe, SRC, 3000);
		shim_fail_alloc(n == 3 ? 3 : 2); /* the first packet is allocated already */
		pair_post(a);
		ck_assert(shim_alloc_failed());
		pair_expect(&a->send_cq, n, IB_WC_SUCCESS);
		pair_expect(&b->recv_cq, n, IB_WC_SUCCESS);
		pair_expect_none(&a->recv_cq);
	}
	pair_free(pair);
}
END_TEST

static int make_adapter(struct pair_end *end)
{
	struct hca_ca *ca = kzalloc(sizeof(*ca), GFP_KERNEL);
	int ret = ca ? hca_ca_init(ca) : -ENOMEM;

	(void)end;
	if (!ret)
		hca_ca_destroy(ca);
	kfree(ca);
	return ret;
}

static int make_qp(struct pair_end *end)
{
	struct hca_qp_init init = { .type = IB_QPT_RC,	       .max_send_wr = 2,
				    .max_recv_wr = 2,	       .send_cq = &end->send_cq,
				    .recv_cq = &end->recv_cq };
	struct hca_qp *qp = consumer_create_qp(end->ci, &init);

	if (!IS_ERR(qp))
		hca_qp_destroy(qp);
	return PTR_ERR_OR_ZERO(qp);
}

static int make_rd_eec(struct pair_end *end)
{
	struct hca_rd_eec_init init = { .rdd = end };
	struct hca_rd_eec *rd_eec = hca_rd_eec_create(&end->ca, &init);

	if (!IS_ERR(rd_eec))
		hca_rd_eec_destroy(rd_eec);
	return PTR_ERR_OR_ZERO(rd_eec);
}

static int make_cq(struct pair_end *end)
{
	struct hca_cq cq = {};
	int ret = hca_cq_init(&cq, 4, true);

	(void)end;
	if (!ret)
		hca_cq_destroy(&cq);
	return ret;
}

static int make_srq(struct pair_end *end)
{
	struct hca_srq srq = { .notify = pair_srq_event };
	int ret = hca_srq_init(&srq, 4, 4, 0);

	if (!ret)
		hca_srq_destroy(&srq);
	return ret;
}

static int make_ring(struct pair_end *end)
{
	struct hca_srq srq = { .notify = pair_srq_event };
	struct hca_queue next = {};
	int ret = hca_srq_init(&srq, 4, 4, 0);

	if (ret)
		return ret;
	ret = hca_queue_alloc(&next, 8, srq.rq.stride, false);
	if (!ret)
		ret = hca_srq_resize(&srq, &next, NULL);
	ck_assert_uint_eq(srq.rq.entries, ret ? 4 : 8);
	hca_queue_free(&next);
	hca_srq_destroy(&srq);
	return ret;
}

static int make_member(struct pair_end *end)
{
	int ret = hca_multicast_attach(end->qp, &mgid, 0xc001, NULL);

	if (!ret)
		hca_multicast_detach_all(end->qp);
	return ret;
}

static int make_xrc_srq(struct pair_end *end)
{
	struct hca_srq srq = {};
	struct hca_xrc_srq *xrc = hca_xrc_srq_publish(&end->ca, &srq, &end->recv_cq, end);

	if (!IS_ERR(xrc))
		hca_xrc_srq_withdraw(&end->ca, xrc);
	return PTR_ERR_OR_ZERO(xrc);
}

static int (*const makers[])(struct pair_end *end) = {
	make_adapter, make_qp, make_rd_eec, make_cq, make_srq, make_ring, make_xrc_srq,
	make_member,
};

/* R0-069: an object that cannot be created leaves nothing behind, whichever allocation fails. */
START_TEST(nothing_is_made)
{
	struct pair *pair = pair_new(&pair_ud);
	unsigned long live;
	unsigned int n = 0;
	int ret;

	shim_quiesce();
	live = shim_live_allocations();
	do {
		shim_fail_alloc(++n);
		ret = makers[_i](&pair->end[0]);
		ck_assert_int_eq(ret, shim_alloc_failed() ? -ENOMEM : 0);
		shim_fail_alloc(0);
		shim_quiesce();
		ck_assert_uint_eq(shim_live_allocations(), live);
	} while (ret);
	ck_assert_uint_gt(n, 1);
	pair_free(pair);
}
END_TEST

/* Requests that exceed the adapter's limits. */
START_TEST(too_much)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0];
	const struct hca_qp_init good = { .type = IB_QPT_RC,
					  .send_cq = &a->send_cq,
					  .recv_cq = &a->recv_cq };
	struct hca_qp_init init[] = { good, good, good, good, good, good };
	struct hca_cq cq = {};
	unsigned int i;

	init[0].max_send_wr = HCA_MAX_QP_WR + 1;
	init[1].max_recv_wr = HCA_MAX_QP_WR + 1;
	init[2].max_send_sge = HCA_MAX_SGE + 1; /* R0-403 */
	init[3].max_recv_sge = HCA_MAX_SGE + 1;
	init[4].max_inline = HCA_MAX_INLINE + 1;
	init[5].type = HCA_QPT_RD; /* R0-112: without an RD domain */
	/* R0-491 */
	for (i = 0; i < sizeof(init) / sizeof(init[0]); i++)
		ck_assert_int_eq(PTR_ERR_OR_ZERO(consumer_create_qp(a->ci, &init[i])), -EINVAL);
	ck_assert_int_eq(hca_cq_init(&cq, 0, true), -EINVAL); /* R0-069 */
	ck_assert_int_eq(hca_cq_init(&cq, HCA_MAX_CQE + 1, true), -EINVAL); /* R0-483, V3-222 */
	pair_free(pair);
}
END_TEST

/* V3-242: there are no more keys than table entries; the entry of a freed key is used again. */
START_TEST(table_full)
{
	struct hca_tpt tpt;
	struct hca_tpt_entry *entry[8];
	unsigned int i;
	u32 key;

	shim_reset(1);
	ck_assert_int_eq(hca_tpt_init(&tpt, 8), 0);
	for (i = 0; i < 8; i++) {
		entry[i] = kzalloc(sizeof(*entry[i]), GFP_KERNEL);
		ck_assert_int_eq(hca_tpt_entry_add(&tpt, entry[i]), i < 7 ? 0 : -ENOMEM);
	}
	key = entry[3]->key;
	hca_tpt_entry_remove(&tpt, entry[3]);
	ck_assert_int_eq(hca_tpt_entry_add(&tpt, entry[7]), 0);
	ck_assert_uint_eq(entry[7]->key >> 8 & 7, key >> 8 & 7);
	ck_assert_uint_ne(entry[7]->key, key);
	for (i = 0; i < 8; i++)
		if (i != 3)
			hca_tpt_entry_remove(&tpt, entry[i]);
	hca_tpt_destroy(&tpt);
	shim_quiesce();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}
END_TEST

/* --- credit: FCCL of the other end limits what a port may send */

static void consume_credit(struct pair *pair, int receiver)
{
	pair->end[receiver].ports[1].rx_buffer.fccl[0] -= BLOCKS;
	pair_queue_is_full(&pair->end[!receiver], true);
}

static void return_credit(struct pair *pair, int receiver)
{
	pair->end[receiver].ports[1].rx_buffer.fccl[0] += BLOCKS;
	pair_queue_is_full(&pair->end[!receiver], false);
	local_bh_disable();
	hca_port_wake(&pair->end[!receiver].ports[1]);
	hca_engine_run();
	local_bh_enable();
	pair_settle();
}

/* Neither requests nor responses are dropped for lack of credit: they wait, and leave in order. */
START_TEST(no_credit)
{
	int receiver = _i % 2, work = _i / 2;
	struct pair *pair = pair_new(works[work].how);
	struct pair_end *a = &pair->end[0];

	consume_credit(pair, receiver);
	post(pair, work);
	pair_settle();
	ck_assert_uint_eq(pair->end[receiver].received, 0);
	if (receiver || works[work].answered)
		pair_expect_none(&a->send_cq);
	return_credit(pair, receiver);
	is_done(pair);
	pair_free(pair);
}
END_TEST

/*
 * R0-087, R0-420: the data of requests that end while their packets are queued belongs to its owner
 * again: when that changes it, no other data than the posted one arrives. (In Error, in Reset,
 * destroyed.)
 */
START_TEST(ended_while_queued)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_qp_attr attr = { .state = _i ? IB_QPS_RESET : IB_QPS_ERR };
	u8 posted[5000], arrived[5000];

	consume_credit(pair, 1);
	pair_queue_is_full(a, false);
	pair_fill(a, SRC, 5000, 1);
	pair_read(a, SRC, posted, 5000);
	pair_rdma(a, b, 1, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 5000);
	ck_assert_uint_eq(a->ports[1].tx.vl_queue[0].count, 5);
	if (_i == 2) {
		hca_qp_destroy(a->qp);
		a->qp = NULL;
	} else {
		ck_assert_int_eq(hca_qp_modify(a->qp, &attr, IB_QP_STATE), 0);
	}
	pair_settle();
	pair_fill(a, SRC, 5000, 2);
	pair_queue_is_full(a, true);
	return_credit(pair, 1);
	ck_assert_uint_eq(b->received, 5);
	pair_read(b, DST, arrived, 5000);
	ck_assert_mem_eq(posted, arrived, 5000);
	pair_free(pair);
}
END_TEST

/* A queue pair that waits for credit is destroyed, and no other one is woken in its place. */
START_TEST(gone_while_waiting)
{
	struct pair *pair = pair_new(works[_i].how);

	consume_credit(pair, 1);
	post(pair, _i);
	pair_settle();
	hca_qp_destroy(pair->end[0].qp);
	pair->end[0].qp = NULL;
	return_credit(pair, 1);
	pair_expect_none(&pair->end[0].send_cq);
	pair_free(pair);
}
END_TEST

/* --- MRs: another MR with another key, over the memory in use */

static struct hca_tpt_entry *another(struct pair_end *end)
{
	struct hca_tpt_entry *copy = kmalloc(sizeof(*copy), GFP_KERNEL);

	memcpy(copy, end->entry, sizeof(*copy));
	ck_assert_int_eq(hca_tpt_entry_add(&end->ci->tpt, copy), 0);
	return copy;
}

/*
 * B4-347, C4-027: the memory of a read is deregistered while the response waits for credit. That
 * ends both ends of a connection, and of RD the reader's request alone.
 */
START_TEST(read_memory_goes)
{
	const struct pair_qp *how = _i ? &pair_rd : &pair_rc;
	struct pair *pair = pair_new(how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *copy = another(b);
	struct hca_send_wqe *wqe;

	consume_credit(pair, 0);
	wqe = pair_wqe(a, 1, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED);
	wqe->rdma.remote_addr = pair_addr(b, DST);
	wqe->rdma.rkey = copy->key;
	pair_sge(a, wqe, SRC, 5000);
	pair_post(a);
	pair_settle();
	hca_tpt_entry_remove(&b->ci->tpt, copy);
	return_credit(pair, 0);
	pair_expect(&a->send_cq, 1, IB_WC_REM_ACCESS_ERR);
	if (how == &pair_rd) {
		ck_assert_uint_eq(a->qp->common.state, IB_QPS_SQE);
		ck_assert_uint_eq(a->rd_eec->common.state, IB_QPS_RTS);
		ck_assert_uint_eq(b->rd_eec->common.state, IB_QPS_RTS);
		ck_assert_uint_eq(b->qp->common.state, IB_QPS_RTS);
	} else {
		ck_assert_uint_eq(a->qp->common.state, IB_QPS_ERR);
		ck_assert_uint_eq(b->qp->common.state, IB_QPS_ERR);
		ck_assert_uint_eq(b->events[HCA_QP_ACCESS_ERROR], 1);
	}
	pair_free(pair);
}
END_TEST

/* XRC: the same of the SRQ that the read has named. */
START_TEST(read_queue_goes)
{
	struct pair *pair = pair_new(&pair_xrc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];

	consume_credit(pair, 0);
	pair_rdma(a, b, 1, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, SRC, DST, 5000);
	pair_settle();
	pair_srq_gone(b);
	return_credit(pair, 0);
	pair_expect(&a->send_cq, 1, IB_WC_REM_ACCESS_ERR);
	ck_assert_uint_eq(b->tgt->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(b->events[HCA_QP_ACCESS_ERROR], 1);
	pair_free(pair);
}
END_TEST

/* The destination of a read is deregistered before its data arrives: a local error. */
START_TEST(reader_memory_goes)
{
	struct pair *pair = pair_new(_i ? &pair_rd : &pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_tpt_entry *copy = another(a);
	struct hca_send_wqe *wqe;
	struct hca_sge *sge;

	consume_credit(pair, 0);
	wqe = pair_wqe(a, 1, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED);
	wqe->rdma.remote_addr = pair_addr(b, DST);
	wqe->rdma.rkey = b->entry->key;
	pair_sge(a, wqe, SRC, 5000);
	sge = (void *)((u8 *)wqe + HCA_SEND_WQE_HEADER);
	sge->lkey = copy->key;
	pair_post(a);
	pair_settle();
	hca_tpt_entry_remove(&a->ci->tpt, copy);
	return_credit(pair, 0);
	pair_expect(&a->send_cq, 1, IB_WC_LOC_PROT_ERR);
	pair_free(pair);
}
END_TEST

/* The memory of a datagram is deregistered while it waits for credit. */
START_TEST(datagram_memory_goes)
{
	struct pair *pair = pair_new(&pair_ud);
	struct pair_end *a = &pair->end[0];
	struct hca_tpt_entry *copy = another(a);
	struct hca_send_wqe *wqe;
	struct hca_sge *sge;

	consume_credit(pair, 1);
	wqe = pair_wqe(a, 1, IB_UVERBS_WR_SEND, HCA_WQE_SIGNALED);
	wqe->ud.av.dlid = 2;
	wqe->ud.av.port_num = 1;
	pair_sge(a, wqe, SRC, 1000);
	sge = (void *)((u8 *)wqe + HCA_SEND_WQE_HEADER);
	sge->lkey = copy->key;
	pair_post(a);
	pair_expect_none(&a->send_cq);
	hca_tpt_entry_remove(&a->ci->tpt, copy);
	return_credit(pair, 1);
	pair_expect(&a->send_cq, 1, IB_WC_LOC_PROT_ERR);
	ck_assert_uint_eq(a->qp->common.state, IB_QPS_SQE);
	pair_free(pair);
}
END_TEST

/* Once: the memory that the packet refers to has changed. */
static bool replace_memory(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	bool *done = pair->data;

	if (receiver == 0 && pkt->payload_kind == HCA_PAYLOAD_BORROWED && !*done) {
		pair->end[1].entry->generation += 1000;
		*done = true;
	}
	return true;
}

/*
 * C4-029, B4-362: a response whose memory is deregistered in transit counts as lost, and the
 * request is repeated.
 */
START_TEST(answer_goes_astray)
{
	struct pair *pair = pair_new(_i ? &pair_rd : &pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	bool done = false;

	pair->filter = replace_memory;
	pair->data = &done;
	pair_fill(b, DST, 5000, 3);
	pair_rdma(a, b, 1, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, SRC, DST, 5000);
	pair_wait(1000);
	ck_assert(done);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	ck_assert(pair_same(a, SRC, b, DST, 5000));
	pair_free(pair);
}
END_TEST

Suite *exhaustion_suite(void)
{
	Suite *suite = suite_create("exhaustion");
	TCase *tc = tcase_create("memory");

	tcase_add_loop_test(tc, no_memory, 0, COUNT(works));
	tcase_add_loop_test(tc, no_memory_to_gather, 0, 2);
	tcase_add_test(tc, no_memory_for_a_copy);
	tcase_add_loop_test(tc, nothing_is_made, 0, COUNT(makers));
	tcase_add_test(tc, too_much);
	tcase_add_test(tc, table_full);
	suite_add_tcase(suite, tc);

	tc = tcase_create("credit");
	tcase_add_loop_test(tc, no_credit, 0, 2 * COUNT(works));
	tcase_add_loop_test(tc, gone_while_waiting, 0, COUNT(works));
	tcase_add_loop_test(tc, ended_while_queued, 0, 3);
	suite_add_tcase(suite, tc);

	tc = tcase_create("MRs");
	tcase_add_loop_test(tc, read_memory_goes, 0, 2);
	tcase_add_test(tc, read_queue_goes);
	tcase_add_loop_test(tc, reader_memory_goes, 0, 2);
	tcase_add_test(tc, datagram_memory_goes);
	tcase_add_loop_test(tc, answer_goes_astray, 0, 2);
	suite_add_tcase(suite, tc);
	return suite;
}
