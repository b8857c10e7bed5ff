// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Extended reliable connections: requests name the shared receive queue that they are for, and the
 * target queue pair executes them with its receive requests, CQ and protection domain.
 */
#include <check.h>
#include <string.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/slab.h>
#include "qp/recv_wqe.h"
#include "shim.h"
#include "tests/consumer/consumer.h"
#include "tests/unit/fixture/operations.h"
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"
#include "transport/iba_qp.h"

/* Another SRQ of an end, as another process of its XRC domain has it: own PD, own CQ. */
struct other {
	struct pair_end *end;
	struct hca_srq srq;
	struct hca_cq cq;
	struct hca_xrc_srq *xrc;
};

static const char other_pd, other_domain;

static void cq_silent(struct hca_cq *cq)
{
}

static void other_new(struct other *other, struct pair_end *end, const void *pd, const void *xrcd)
{
	memset(other, 0, sizeof(*other));
	other->end = end;
	other->srq.notify = pair_srq_event;
	other->srq.pd = pd;
	other->srq.context = end;
	other->cq.notify = cq_silent;
	other->cq.error = cq_silent;
	ck_assert_int_eq(hca_srq_init(&other->srq, 16, 4, 0), 0);
	ck_assert_int_eq(hca_cq_init(&other->cq, 64, false), 0);
	other->xrc = hca_xrc_srq_publish(&end->ca, &other->srq, &other->cq, xrcd);
	ck_assert(!IS_ERR(other->xrc));
}

static void other_free(struct other *other)
{
	if (other->xrc)
		hca_xrc_srq_withdraw(&other->end->ca, other->xrc);
	hca_srq_destroy(&other->srq);
	hca_cq_destroy(&other->cq);
}

static void check_received(struct pair *pair, const struct hca_cqe *cqe)
{
	ck_assert_uint_eq(cqe->qp_num, pair->end[1].tgt->qpn);
	ck_assert_uint_eq(cqe->src_qp, pair->end[0].qp->qpn);
	ck_assert_uint_eq(cqe->wqes, 0);
}

/*
 * Each operation, size and MTU. Each request packet, and no response, names the SRQ; the target
 * offers no end-to-end credits.
 */
START_TEST(all_operations_all_sizes)
{
	struct pair_qp how = operations_with_mtu(&pair_xrc, _i);
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	unsigned int i;

	operations_run(pair, true, check_received);
	ck_assert_uint_gt(trace->n, 0);
	for (i = 0; i < trace->n; i++) {
		const struct hca_headers *h = &trace->packet[i].h;
		u32 flags = hca_opcodes[h->bth.opcode].flags;

		ck_assert_uint_eq(hca_opcode_transport(h->bth.opcode), HCA_TRANSPORT_XRC);
		if (trace->packet[i].receiver == 0) {
			ck_assert_uint_eq(h->bth.destqp, a->qp->qpn);
			if (flags & HCA_HAS_AETH)
				ck_assert_uint_eq(h->aeth.syndrome, HCA_ACK_NO_CREDITS);
			continue;
		}
		ck_assert_uint_eq(h->bth.destqp, b->tgt->qpn);
		ck_assert_uint_eq(h->xrceth_srqn, b->xrc_srq->srqn);
	}
	pair_free(pair);
}
END_TEST

/* Both ends send, by two connections that have nothing in common. */
START_TEST(both_ways)
{
	struct pair *pair = pair_new(&pair_xrc);
	int i;

	for (i = 0; i < 2; i++) {
		pair_fill(&pair->end[i], SRC, 5000, i + 1);
		pair_recv(&pair->end[i], i, DST, 5000);
	}
	for (i = 0; i < 2; i++)
		pair_send(&pair->end[i], 10 + i, HCA_WQE_SIGNALED, SRC, 5000);
	pair_settle();
	for (i = 0; i < 2; i++) {
		struct pair_end *end = &pair->end[i], *peer = &pair->end[!i];

		pair_expect(&end->send_cq, 10 + i, IB_WC_SUCCESS);
		pair_expect(&end->recv_cq, i, IB_WC_SUCCESS);
		ck_assert(pair_same(peer, SRC, end, DST, 5000));
	}
	pair_free(pair);
}
END_TEST

/* Messages of one connection go to the SRQ that each of them names, and to its CQ. */
START_TEST(many_queues_one_connection)
{
	struct pair *pair = pair_new(&pair_xrc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct other other;
	u32 first = a->to_srqn, i;

	other_new(&other, b, b, b);
	ck_assert_uint_ne(other.xrc->srqn, first);
	pair_fill(a, SRC, 3000, 5);
	for (i = 0; i < 6; i++) {
		bool own = i % 3;

		a->to_srqn = own ? first : other.xrc->srqn;
		pair_srq_recv(b, own ? &b->srq : &other.srq, i, DST + i * 4096, 4096);
		pair_send(a, 10 + i, HCA_WQE_SIGNALED, SRC, 3000);
	}
	pair_settle();
	for (i = 0; i < 6; i++) {
		pair_expect(&a->send_cq, 10 + i, IB_WC_SUCCESS);
		pair_expect(i % 3 ? &b->recv_cq : &other.cq, i, IB_WC_SUCCESS);
		ck_assert(pair_same(a, SRC, b, DST + i * 4096, 3000));
	}
	pair_expect_none(&b->recv_cq);
	pair_expect_none(&other.cq);
	other_free(&other);
	pair_free(pair);
}
END_TEST

static const u8 by_key[] = { IB_UVERBS_WR_RDMA_WRITE, IB_UVERBS_WR_RDMA_READ,
			     IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD };

/* Peers access memory of the SRQ's protection domain, whichever target receives the packet. */
START_TEST(domain_of_the_queue)
{
	struct pair *pair = pair_new(&pair_xrc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct other other;

	other_new(&other, b, &other_pd, b);
	pair_rdma(a, b, 1, by_key[_i], HCA_WQE_SIGNALED, SRC + 4096 - pair_addr(a, SRC) % 8,
		  DST + 8 - pair_addr(b, DST) % 8, 8);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	a->to_srqn = other.xrc->srqn;
	pair_rdma(a, b, 2, by_key[_i], HCA_WQE_SIGNALED, SRC, DST + 8 - pair_addr(b, DST) % 8, 8);
	pair_settle();
	pair_expect(&a->send_cq, 2, IB_WC_REM_ACCESS_ERR);
	ck_assert_uint_eq(b->tgt->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(b->events[HCA_QP_ACCESS_ERROR], 1);
	ck_assert_uint_eq(b->events[HCA_QP_LAST_WQE_REACHED], 1);
	other_free(&other);
	pair_free(pair);
}
END_TEST

/* So is the memory of its receive requests. */
START_TEST(receives_of_the_queue)
{
	struct pair *pair = pair_new(&pair_xrc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct other other;

	other_new(&other, b, &other_pd, b);
	a->to_srqn = other.xrc->srqn;
	pair_srq_recv(b, &other.srq, 1, DST, 4096);
	pair_send(a, 2, HCA_WQE_SIGNALED, SRC, 100);
	pair_settle();
	pair_expect(&other.cq, 1, IB_WC_LOC_PROT_ERR);
	pair_expect(&a->send_cq, 2, IB_WC_REM_OP_ERR);
	pair_expect_none(&b->recv_cq);
	other_free(&other);
	pair_free(pair);
}
END_TEST

/* SRQs that a packet may not name: of another XRC domain, of nobody, of nobody any more. */
static void name(struct pair_end *a, struct other *other, int which)
{
	a->to_srqn = other->xrc->srqn;
	if (which == 1)
		a->to_srqn = (a->to_srqn + 1) & HCA_QPN_MASK;
	if (which == 2) {
		hca_xrc_srq_withdraw(&other->end->ca, other->xrc);
		other->xrc = NULL;
	}
	if (which == 3) /* the same index with another count of uses */
		a->to_srqn ^= 1u << HCA_XRC_SRQ_INDEX_BITS;
}

START_TEST(queue_refused)
{
	struct pair *pair = pair_new(&pair_xrc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct other other;

	other_new(&other, b, b, _i ? (const void *)b : &other_domain);
	name(a, &other, _i);
	pair_recv(b, 1, DST, 4096);
	pair_srq_recv(b, &other.srq, 2, DST, 4096);
	pair_send(a, 3, HCA_WQE_SIGNALED, SRC, 100);
	pair_send(a, 4, HCA_WQE_SIGNALED, SRC, 100);
	pair_settle();
	pair_expect(&a->send_cq, 3, IB_WC_REM_INV_REQ_ERR);
	pair_expect(&a->send_cq, 4, IB_WC_WR_FLUSH_ERR);
	ck_assert_uint_eq(a->qp->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(b->tgt->common.state, IB_QPS_ERR);
	ck_assert_uint_eq(b->events[HCA_QP_REQUEST_ERROR], 1);
	/* The requests of all SRQs stay for other target queue pairs (req R0-235). */
	pair_expect_none(&b->recv_cq);
	pair_expect_none(&other.cq);
	ck_assert_uint_eq(b->srq.rq.ring->consumer, 0);
	other_free(&other);
	pair_free(pair);
}
END_TEST

static struct hca_headers header(const struct pair *pair, u8 operation, u32 psn, u32 srqn)
{
	const struct pair_end *b = &pair->end[1];

	return (struct hca_headers){
		.lrh = { .dlid = 2, .slid = 1, .lnh = IB_LNH_IBA_LOCAL },
		.bth = { .opcode = HCA_TRANSPORT_XRC << 5 | operation,
			 .pkey = 0xffff,
			 .destqp = b->tgt->qpn,
			 .psn = psn,
			 .flags = HCA_BTH_ACKREQ | HCA_BTH_MIGREQ },
		.xrceth_srqn = srqn,
		.reth = { .va = pair_addr(b, DST), .rkey = b->entry->key, .length = 3000 },
	};
}

/*
 * A message stays with the SRQ of its first packet: another one in a later packet, or none because
 * it has been destroyed, ends the connection. The receive request is flushed to its own CQ, or
 * goes with its SRQ.
 */
START_TEST(queue_changes_in_a_message)
{
	static const u8 operations[] = { IB_OPCODE_SEND_FIRST, IB_OPCODE_RDMA_WRITE_FIRST };
	struct pair_qp how = operations_with_mtu(&pair_xrc, IB_MTU_256);
	struct pair *pair = pair_new(&how);
	struct pair_end *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	bool destroy = _i & 1, send = _i & 2;
	u8 operation = operations[!send];
	const struct traced *answer;
	struct hca_headers h;
	struct other other;

	other_new(&other, b, b, b);
	pair_srq_recv(b, &other.srq, 1, DST, 4096);
	pair_recv(b, 2, DST, 4096);
	h = header(pair, operation, pair_xrc.psn[0], other.xrc->srqn);
	h.bth.flags = HCA_BTH_MIGREQ;
	trace_inject(pair, 1, &h, 256);
	ck_assert_uint_eq(trace->n, 0);
	h = header(pair, operation + 1, hca_psn_add(pair_xrc.psn[0], 1),
		   destroy ? other.xrc->srqn : b->xrc_srq->srqn);
	if (destroy) {
		hca_xrc_srq_withdraw(&b->ca, other.xrc);
		other.xrc = NULL;
	}
	trace_inject(pair, 1, &h, 256);
	answer = trace_find(trace, 0, HCA_OPCODE(XRC, ACKNOWLEDGE), 0);
	ck_assert_ptr_nonnull(answer);
	ck_assert_uint_eq(answer->h.aeth.syndrome, HCA_NAK_INVALID_REQUEST);
	ck_assert_uint_eq(b->tgt->common.state, IB_QPS_ERR);
	if (send && !destroy)
		pair_expect(&other.cq, 1, IB_WC_WR_FLUSH_ERR);
	pair_expect_none(&other.cq);
	pair_expect_none(&b->recv_cq);
	other_free(&other);
	pair_free(pair);
}
END_TEST

/* An initiator receives no requests, a target no responses: such packets are dropped. */
START_TEST(roles)
{
	struct pair *pair = pair_new(&pair_xrc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	struct hca_headers h;
	u32 psn;

	pair_recv(b, 1, DST, 4096);
	h = header(pair, IB_OPCODE_SEND_ONLY, pair_xrc.psn[1], b->xrc_srq->srqn);
	h.bth.destqp = b->qp->qpn;
	trace_inject(pair, 1, &h, 100);
	for (psn = 0; psn < 3; psn++) {
		h = header(pair, IB_OPCODE_ACKNOWLEDGE, pair_xrc.psn[0] - 1 + psn, 0);
		h.aeth.syndrome = HCA_NAK_REMOTE_ACCESS;
		trace_inject(pair, 1, &h, 0);
	}
	pair_settle();
	ck_assert_uint_eq(trace->n, 0);
	ck_assert_uint_eq(b->qp->common.state, IB_QPS_RTS);
	ck_assert_uint_eq(b->tgt->common.state, IB_QPS_RTS);
	ck_assert_ptr_null(b->tgt->send_cq);
	ck_assert_uint_eq(b->tgt->sq.size + b->tgt->rq.size + b->qp->rq.size, 0);
	pair_send(a, 2, HCA_WQE_SIGNALED, SRC, 100);
	pair_settle();
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	pair_free(pair);
}
END_TEST

/* Without a receive request in the SRQ the initiator waits, and the SRQ's limit is told. */
START_TEST(no_receive_yet)
{
	struct pair *pair = pair_new(&pair_xrc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);

	pair_send(a, 2, HCA_WQE_SIGNALED, SRC, 5000);
	pair_settle();
	pair_expect_none(&a->send_cq);
	ck_assert_uint_gt(trace_count_kind(trace, 0, HCA_SYNDROME_RNR), 0);
	pair_recv(b, 1, DST, 8192);
	ck_assert_int_eq(hca_srq_arm(&b->srq, 1), 0);
	ck_assert_uint_eq(b->srq_events[HCA_SRQ_LIMIT_REACHED], 0);
	pair_wait(1000);
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	ck_assert_uint_eq(b->srq_events[HCA_SRQ_LIMIT_REACHED], 1);
	pair_free(pair);
}
END_TEST

/* Every packet is lost once; each message arrives once, and in order. */
START_TEST(losses)
{
	struct pair *pair = pair_new(&pair_xrc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	u32 i;

	trace->lose = trace_lose_nth;
	trace->towards = -1;
	trace->nth = _i;
	for (i = 0; i < 3; i++)
		pair_recv(b, i, DST + i * 8192, 8192);
	pair_fill(a, SRC, 5000, _i);
	pair_send(a, 10, HCA_WQE_SIGNALED, SRC, 5000);
	pair_rdma(a, b, 11, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, SRC + 65536, DST + 65536,
		  4000);
	pair_rdma(a, b, 12, IB_UVERBS_WR_RDMA_WRITE_WITH_IMM, HCA_WQE_SIGNALED, SRC, DST + 131072,
		  5000);
	pair_send(a, 13, HCA_WQE_SIGNALED, SRC, 10);
	pair_wait(5000);
	for (i = 0; i < 4; i++)
		pair_expect(&a->send_cq, 10 + i, IB_WC_SUCCESS);
	for (i = 0; i < 3; i++)
		pair_expect(&b->recv_cq, i, IB_WC_SUCCESS);
	pair_expect_none(&b->recv_cq);
	ck_assert(pair_same(a, SRC, b, DST, 5000));
	ck_assert(pair_same(a, SRC, b, DST + 131072, 5000));
	pair_free(pair);
}
END_TEST

static bool cut_after_one(struct trace *trace, const struct traced *t)
{
	return t->receiver == 0 && trace_count(trace, 0, -1) > 1;
}

/* The SRQ of a Read is destroyed before all its responses have left. */
START_TEST(queue_gone_in_a_read)
{
	struct pair *pair = pair_new(&pair_xrc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);

	trace->lose = cut_after_one;
	pair_rdma(a, b, 1, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, SRC, DST, 30000);
	pair_settle();
	pair_expect_none(&a->send_cq);
	pair_srq_gone(b);
	trace->lose = NULL;
	pair_wait(2000);
	pair_expect(&a->send_cq, 1, IB_WC_REM_INV_REQ_ERR);
	pair_free(pair);
}
END_TEST

/*
 * A Read is repeated while a message to another SRQ is being received: it is answered as before,
 * and the message goes on.
 */
START_TEST(read_repeated_in_a_message)
{
	struct pair_qp how = operations_with_mtu(&pair_xrc, IB_MTU_256);
	struct pair *pair = pair_new(&how);
	struct pair_end *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	struct hca_headers read, send;
	struct other other;

	other_new(&other, b, b, b);
	pair_recv(b, 1, DST, 4096);
	read = header(pair, IB_OPCODE_RDMA_READ_REQUEST, pair_xrc.psn[0], other.xrc->srqn);
	read.reth.length = 100;
	send = header(pair, IB_OPCODE_SEND_FIRST, hca_psn_add(pair_xrc.psn[0], 1),
		      b->xrc_srq->srqn);
	trace_inject(pair, 1, &read, 0);
	trace_inject(pair, 1, &send, 256);
	trace_inject(pair, 1, &read, 0);
	ck_assert_uint_eq(trace_count(trace, 0, HCA_OPCODE(XRC, RDMA_READ_RESPONSE_ONLY)), 2);
	send = header(pair, IB_OPCODE_SEND_LAST, hca_psn_add(pair_xrc.psn[0], 2),
		      b->xrc_srq->srqn);
	trace_inject(pair, 1, &send, 100);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	ck_assert_uint_eq(trace_count_kind(trace, 0, HCA_SYNDROME_NAK), 0);
	other_free(&other);
	pair_free(pair);
}
END_TEST

/* A target queue pair that is reset loses the request of an incomplete message, and begins anew. */
START_TEST(reset)
{
	struct pair_qp how = operations_with_mtu(&pair_xrc, IB_MTU_256);
	struct hca_qp_attr attr = { .state = IB_QPS_RESET };
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_headers h;

	pair_recv(b, 1, DST, 4096);
	h = header(pair, IB_OPCODE_SEND_FIRST, pair_xrc.psn[0], b->xrc_srq->srqn);
	trace_inject(pair, 1, &h, 256);
	ck_assert_int_eq(hca_qp_modify(b->tgt, &attr, IB_QP_STATE), 0);
	pair_connect(b->tgt, &how, a->qp->qpn, 1, pair_xrc.psn[0], pair_xrc.psn[0]);
	pair_recv(b, 2, DST, 4096);
	pair_send(a, 3, HCA_WQE_SIGNALED, SRC, 100);
	pair_settle();
	pair_expect(&a->send_cq, 3, IB_WC_SUCCESS);
	pair_expect(&b->recv_cq, 2, IB_WC_SUCCESS);
	pair_expect_none(&b->recv_cq);
	pair_free(pair);
}
END_TEST

/* Numbers: each once, not again at once, and only so many. */
START_TEST(numbers)
{
	struct pair *pair = pair_new(&pair_xrc);
	struct pair_end *b = &pair->end[1];
	struct hca_qp_init init = { .type = IB_QPT_XRC_TGT, .owner = b, .context = b };
	u32 i, n = (1 << HCA_XRC_SRQ_INDEX_BITS) - 2, last = 0;
	struct hca_xrc_srq **all = calloc(n, sizeof(*all));

	for (i = 0; i < n; i++) {
		all[i] = hca_xrc_srq_publish(&b->ca, &b->srq, &b->recv_cq, b);
		ck_assert(!IS_ERR(all[i]));
		ck_assert_uint_ne(all[i]->srqn, last);
		last = all[i]->srqn;
	}
	ck_assert_ptr_eq(hca_xrc_srq_publish(&b->ca, &b->srq, &b->recv_cq, b), ERR_PTR(-ENOMEM));
	for (i = 0; i < n; i++)
		hca_xrc_srq_withdraw(&b->ca, all[i]);
	free(all);
	/* A target queue pair needs an XRC domain. */
	ck_assert_ptr_eq(consumer_create_qp(b->ci, &init), ERR_PTR(-EINVAL));
	pair_free(pair);
}
END_TEST

Suite *xrc_suite(void)
{
	Suite *suite = suite_create("xrc");
	TCase *tc = tcase_create("xrc");

	tcase_add_loop_test(tc, all_operations_all_sizes, IB_MTU_256, IB_MTU_4096 + 1);
	tcase_add_test(tc, both_ways);
	tcase_add_test(tc, many_queues_one_connection);
	tcase_add_loop_test(tc, domain_of_the_queue, 0, ARRAY_SIZE(by_key));
	tcase_add_test(tc, receives_of_the_queue);
	tcase_add_loop_test(tc, queue_refused, 0, 4);
	tcase_add_loop_test(tc, queue_changes_in_a_message, 0, 4);
	tcase_add_test(tc, roles);
	tcase_add_test(tc, no_receive_yet);
	tcase_add_loop_test(tc, losses, 1, 16);
	tcase_add_test(tc, queue_gone_in_a_read);
	tcase_add_test(tc, read_repeated_in_a_message);
	tcase_add_test(tc, reset);
	tcase_add_test(tc, numbers);
	suite_add_tcase(suite, tc);
	return suite;
}
