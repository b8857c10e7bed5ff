// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reliable datagrams: many queue pairs, one channel, and whose fault it was. */
#include <check.h>
#include <string.h>
#include "suites.h"
#include "trace.h"

#define QPS 4

/* Queue pairs of either end, over one pair of channels; each talks to the other of its number. */
struct rd {
	struct pair *pair;
	struct pair_end *a, *b;
	struct hca_qp *qa[QPS], *qb[QPS];
	struct trace *trace;
};

static struct rd rd_new(const struct pair_qp *how)
{
	struct rd rd = { .pair = pair_new(how) };
	int i;

	rd.a = &rd.pair->end[0];
	rd.b = &rd.pair->end[1];
	rd.qa[0] = rd.a->qp;
	rd.qb[0] = rd.b->qp;
	for (i = 1; i < QPS; i++) {
		rd.qa[i] = rd.a->more[i] = pair_create_qp(rd.a, how);
		rd.qb[i] = rd.b->more[i] = pair_create_qp(rd.b, how);
		pair_connect(rd.qa[i], how, 0, 0, 0, 0);
		pair_connect(rd.qb[i], how, 0, 0, 0, 0);
	}
	rd.trace = trace_on(rd.pair);
	return rd;
}

static void rd_free(struct rd *rd)
{
	rd->a->qp = rd->qa[0];
	rd->b->qp = rd->qb[0];
	pair_free(rd->pair);
}

/* What is posted from now on is between the queue pairs of this number. */
static void rd_use(struct rd *rd, int i)
{
	rd->a->qp = rd->qa[i];
	rd->b->qp = rd->qb[i];
	rd->a->to_qpn = rd->qb[i]->qpn;
}

static void rd_send(struct rd *rd, int i, u64 wr_id, u32 length)
{
	rd_use(rd, i);
	pair_send(rd->a, wr_id, HCA_WQE_SIGNALED, SRC + i * 65536, length);
}

static void rd_recv(struct rd *rd, int i, u64 wr_id, u32 length)
{
	rd_use(rd, i);
	pair_recv(rd->b, wr_id, DST + i * 65536, length);
}

static void to_state(struct hca_qp *qp, u8 state)
{
	struct hca_qp_attr attr = { .state = state };

	ck_assert_int_eq(hca_qp_modify(qp, &attr, HCA_QP_STATE), 0);
}

static void channel_to(struct hca_channel *channel, u8 state)
{
	struct hca_qp_attr attr = { .state = state };

	ck_assert_int_eq(hca_channel_modify(channel, &attr, HCA_QP_STATE), 0);
}

/* The channel is as good as new for queue pairs of this number. */
static void expect_works(struct rd *rd, int i)
{
	pair_fill(rd->a, SRC + i * 65536, 3000, i);
	rd_recv(rd, i, 900, 3000);
	rd_send(rd, i, 901, 3000);
	pair_wait(200);
	pair_expect(&rd->a->send_cq, 901, HCA_WC_SUCCESS);
	pair_expect(&rd->b->recv_cq, 900, HCA_WC_SUCCESS);
	ck_assert(pair_same(rd->a, SRC + i * 65536, rd->b, DST + i * 65536, 3000));
	ck_assert_uint_eq(rd->a->channel->eec.state, HCA_QPS_RTS);
	ck_assert_uint_eq(rd->b->channel->eec.state, HCA_QPS_RTS);
}

static const u32 sizes[] = { 0,	   1,	 3,    255,  256,  257,	  1023,	 1024,
			     1025, 4095, 4096, 4097, 8192, 65536, 100001 };
#define NUM_SIZES (sizeof(sizes) / sizeof(sizes[0]))

/*
 * B4-384, B4-385, B4-386, B4-388, B4-389, C4-004, C4-006, C4-009, C4-010, C4-017, C4-018, C4-019,
 * C4-023: each operation, each size, each MTU; whom packets name, and no credits.
 */
START_TEST(all_operations_all_sizes)
{
	struct pair_qp how = pair_rd;
	struct pair *pair;
	struct pair_end *a, *b;
	struct trace *trace;
	struct hca_cqe cqe;
	unsigned int i;
	u32 psn;

	how.mtu = _i;
	pair = pair_new(&how);
	a = &pair->end[0];
	b = &pair->end[1];
	trace = trace_on(pair);
	for (i = 0; i < NUM_SIZES; i++) {
		u32 n = sizes[i];

		pair_fill(a, SRC, n, i);
		pair_fill(b, DST, n, i + 99);
		pair_recv(b, i, DST, n);
		pair_send(a, 100 + i, HCA_WQE_SIGNALED, SRC, n);
		pair_settle();
		pair_expect(&a->send_cq, 100 + i, HCA_WC_SUCCESS);
		ck_assert(pair_poll(&b->recv_cq, &cqe));
		ck_assert_uint_eq(cqe.wr_id, i);
		ck_assert_uint_eq(cqe.status, HCA_WC_SUCCESS);
		ck_assert_uint_eq(cqe.byte_len, n);
		ck_assert_uint_eq(cqe.src_qp, a->qp->qpn);
		ck_assert_uint_eq(cqe.eecn, b->channel->eecn);
		ck_assert_uint_eq(be32_to_cpu(cqe.imm_data), 100 + i);
		ck_assert(pair_same(a, SRC, b, DST, n));

		pair_fill(a, SRC, n, i + 7);
		pair_rdma(a, b, 200 + i, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST + 5,
			  n);
		pair_settle();
		pair_expect(&a->send_cq, 200 + i, HCA_WC_SUCCESS);
		ck_assert(pair_same(a, SRC, b, DST + 5, n));

		pair_recv(b, 50 + i, 0, 0);
		pair_rdma(a, b, 300 + i, IB_UVERBS_WR_RDMA_WRITE_WITH_IMM, HCA_WQE_SIGNALED, SRC,
			  DST, n);
		pair_settle();
		pair_expect(&a->send_cq, 300 + i, HCA_WC_SUCCESS);
		ck_assert(pair_poll(&b->recv_cq, &cqe));
		ck_assert_uint_eq(cqe.wr_id, 50 + i);
		ck_assert_uint_eq(cqe.byte_len, n);
		ck_assert(pair_same(a, SRC, b, DST, n));

		pair_fill(b, DST, n, i + 9);
		pair_rdma(a, b, 400 + i, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, SRC + 3, DST,
			  n);
		pair_settle();
		pair_expect(&a->send_cq, 400 + i, HCA_WC_SUCCESS);
		ck_assert(pair_same(a, SRC + 3, b, DST, n));
	}
	psn = pair_rd.psn[0];
	for (i = 0; i < trace->n; i++) {
		const struct hca_headers *h = &trace->packet[i].h;
		u32 flags = hca_opcodes[h->bth.opcode].flags;

		ck_assert_uint_eq(hca_opcode_transport(h->bth.opcode), HCA_TRANSPORT_RD);
		if (trace->packet[i].receiver == 0) {
			ck_assert_uint_eq(h->rdeth_eecn, a->channel->eecn);
			ck_assert_uint_eq(h->bth.destqp, a->qp->qpn);
			if (flags & HCA_HAS_AETH)
				ck_assert_uint_eq(h->aeth.syndrome, HCA_ACK_NO_CREDITS);
			continue;
		}
		ck_assert_uint_eq(h->rdeth_eecn, b->channel->eecn);
		ck_assert_uint_eq(h->bth.destqp, b->qp->qpn);
		ck_assert_uint_eq(h->deth.srcqp, a->qp->qpn);
		ck_assert_uint_eq(h->deth.qkey, PAIR_QKEY);
		ck_assert_uint_eq(h->bth.psn, psn);
		psn = hca_psn_add(psn, flags & HCA_IS_READ && h->reth.length ?
					       (h->reth.length - 1) / (128u << _i) + 1 :
					       1);
	}
	pair_expect_none(&a->send_cq);
	pair_expect_none(&b->recv_cq);
	pair_free(pair);
}
END_TEST

#define EACH 6

/* B4-394, B4-398, C4-016, C4-024: one message at a time, and each queue pair in its turn. */
START_TEST(in_turn)
{
	struct rd rd = rd_new(&pair_rd);
	u32 turn[QPS * EACH], n = 0, i, q, done[QPS] = {};
	bool open = false;
	struct hca_cqe cqe;

	/* Held back, so that all of them have posted before the first is through. */
	rd.trace->lose = trace_cut;
	for (q = 0; q < QPS; q++) {
		pair_fill(rd.a, SRC + q * 65536, 65536, q);
		for (i = 0; i < EACH; i++)
			rd_recv(&rd, q, i, 10000);
		for (i = 0; i < EACH; i++)
			rd_send(&rd, q, i, 1000 * (q + 1) + i);
	}
	rd.trace->lose = NULL;
	rd.trace->n = 0;
	pair_wait(2000);
	for (i = 0; i < rd.trace->n; i++) {
		const struct traced *t = &rd.trace->packet[i];
		u32 flags = hca_opcodes[t->h.bth.opcode].flags;

		if (t->receiver == 0) {
			open = false;
			continue;
		}
		if (!(flags & HCA_IS_FIRST))
			continue;
		ck_assert(!open);
		open = true;
		ck_assert_uint_lt(n, QPS * EACH);
		turn[n++] = t->h.deth.srcqp;
	}
	ck_assert_uint_eq(n, QPS * EACH);
	for (i = QPS; i < n; i++)
		ck_assert_uint_eq(turn[i], turn[i - QPS]);
	while (pair_poll(&rd.a->send_cq, &cqe)) {
		ck_assert_uint_eq(cqe.status, HCA_WC_SUCCESS);
		for (q = 0; rd.qa[q]->qpn != cqe.qp_num; q++)
			;
		ck_assert_uint_eq(cqe.wr_id, done[q]++);
	}
	memset(done, 0, sizeof(done));
	while (pair_poll(&rd.b->recv_cq, &cqe)) {
		ck_assert_uint_eq(cqe.status, HCA_WC_SUCCESS);
		for (q = 0; rd.qb[q]->qpn != cqe.qp_num; q++)
			;
		ck_assert_uint_eq(cqe.wr_id, done[q]++);
		ck_assert_uint_eq(cqe.src_qp, rd.qa[q]->qpn);
		ck_assert_uint_eq(cqe.byte_len, 1000 * (q + 1) + cqe.wr_id);
	}
	for (q = 0; q < QPS; q++) {
		ck_assert_uint_eq(done[q], EACH);
		ck_assert(pair_same(rd.a, SRC + q * 65536, rd.b, DST + q * 65536,
				    1000 * (q + 1) + EACH - 1));
	}
	rd_free(&rd);
}
END_TEST

/* C4-005, C4-029, B4-385: whichever packet is lost. */
START_TEST(lose_each_packet)
{
	unsigned int nth, i;

	for (nth = 0; nth < 26; nth++) {
		struct rd rd = rd_new(&pair_rd);

		rd.trace->lose = trace_lose_nth;
		rd.trace->towards = _i;
		rd.trace->nth = nth;
		pair_fill(rd.a, SRC, QPS * 65536, nth);
		for (i = 0; i < 2 * QPS; i++)
			rd_recv(&rd, i % QPS, i, 3000);
		for (i = 0; i < 2 * QPS; i++) {
			rd_send(&rd, i % QPS, i, 3000);
			rd_use(&rd, i % QPS);
			pair_rdma(rd.a, rd.b, 100 + i, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED,
				  SRC + (i % QPS) * 65536 + 10000, SRC + i * 5000, 3000);
		}
		pair_wait(3000);
		ck_assert_uint_eq(rd.a->send_cq.queue.ring->producer, 4 * QPS);
		ck_assert_uint_eq(rd.b->recv_cq.queue.ring->producer, 2 * QPS);
		for (i = 0; i < QPS; i++)
			ck_assert(pair_same(rd.a, SRC + i * 65536, rd.b, DST + i * 65536, 3000));
		for (i = 0; i < QPS; i++)
			expect_works(&rd, (rd.a->send_cq.queue.ring->consumer =
						   rd.a->send_cq.queue.ring->producer,
					   rd.b->recv_cq.queue.ring->consumer =
						   rd.b->recv_cq.queue.ring->producer,
					   i));
		rd_free(&rd);
	}
}
END_TEST

/* B4-399, C4-027, C4-028: not ready is one of them; the others go on. */
START_TEST(one_is_not_ready)
{
	struct rd rd = rd_new(&pair_rd);
	u32 i;

	for (i = 0; i < 10; i++)
		rd_recv(&rd, 1, i, 3000);
	rd_send(&rd, 0, 100, 3000);
	for (i = 0; i < 10; i++)
		rd_send(&rd, 1, i, 3000);
	pair_settle();
	for (i = 0; i < 10; i++) {
		pair_expect(&rd.a->send_cq, i, HCA_WC_SUCCESS);
		pair_expect(&rd.b->recv_cq, i, HCA_WC_SUCCESS);
	}
	pair_expect_none(&rd.a->send_cq);
	pair_wait(100);
	ck_assert_uint_gt(trace_count_kind(rd.trace, 0, HCA_SYNDROME_RNR), 3);
	rd_recv(&rd, 0, 100, 3000);
	pair_wait(20);
	pair_expect(&rd.a->send_cq, 100, HCA_WC_SUCCESS);
	pair_expect(&rd.b->recv_cq, 100, HCA_WC_SUCCESS);
	expect_works(&rd, 0);
	rd_free(&rd);
}
END_TEST

/* B4-402: in the middle of a write: it begins anew. How often is the channel's to say. */
START_TEST(never_ready)
{
	struct pair_qp how = pair_rd;
	struct rd rd;
	u32 i;

	how.rnr_retry = 3;
	rd = rd_new(&how);
	for (i = 0; i < 2; i++) {
		rd.trace->n = 0;
		rd_use(&rd, 0);
		if (i)
			rd_send(&rd, 0, 1, 3000);
		else
			pair_rdma(rd.a, rd.b, 1, IB_UVERBS_WR_RDMA_WRITE_WITH_IMM, 0, SRC, DST,
				  3000);
		rd_send(&rd, 0, 2, 3000);
		pair_wait(200);
		ck_assert_uint_eq(trace_count_kind(rd.trace, 0, HCA_SYNDROME_RNR), 4);
		ck_assert_uint_eq(trace_count(rd.trace, 1, HCA_OPCODE(RD, RESYNC)), 4);
		pair_expect(&rd.a->send_cq, 1, HCA_WC_RNR_RETRY_EXC_ERR);
		pair_expect(&rd.a->send_cq, 2, HCA_WC_WR_FLUSH_ERR);
		ck_assert_uint_eq(rd.qa[0]->eec.state, HCA_QPS_SQE);
		expect_works(&rd, 1);
		to_state(rd.qa[0], HCA_QPS_RTS);
		expect_works(&rd, 0);
	}
	rd_free(&rd);
}
END_TEST

/* The attempts that a request has left are its own, not those of one that was cut off. */
START_TEST(attempts_are_new)
{
	struct pair_qp how = pair_rd;
	struct hca_channel *other;
	struct rd rd;

	how.rnr_retry = 3;
	rd = rd_new(&how);
	other = pair_create_channel(rd.a);
	pair_connect_channel(other, &how, rd.b->channel->eecn, 2, 1, 1);
	rd_send(&rd, 0, 1, 100);
	while (trace_count_kind(rd.trace, 0, HCA_SYNDROME_RNR) < 3)
		pair_wait(1);
	to_state(rd.qa[0], HCA_QPS_SQD);
	ck_assert(rd.qa[0]->eec.rnr_wait);
	channel_to(rd.a->channel, HCA_QPS_ERR);
	to_state(rd.qa[0], HCA_QPS_RTS);
	pair_wait(20);
	pair_expect(&rd.a->send_cq, 1, HCA_WC_INV_EEC_STATE_ERR);
	channel_to(rd.a->channel, HCA_QPS_RESET);
	channel_to(rd.b->channel, HCA_QPS_RESET);
	pair_connect_channel(rd.a->channel, &how, rd.b->channel->eecn, 2, 100, 200);
	pair_connect_channel(rd.b->channel, &how, rd.a->channel->eecn, 1, 200, 100);
	to_state(rd.qa[0], HCA_QPS_RTS);
	rd.trace->n = 0;
	rd_send(&rd, 0, 2, 100);
	pair_wait(100);
	pair_expect(&rd.a->send_cq, 2, HCA_WC_RNR_RETRY_EXC_ERR);
	ck_assert_uint_eq(trace_count_kind(rd.trace, 0, HCA_SYNDROME_RNR), 4);
	hca_channel_destroy(other);
	rd_free(&rd);
}
END_TEST

static bool lose_resync(struct trace *trace, const struct traced *t)
{
	return t->h.bth.opcode == HCA_OPCODE(RD, RESYNC) && trace->seen++ < trace->nth;
}

static bool lose_its_ack(struct trace *trace, const struct traced *t)
{
	const struct traced *resync = trace_find(trace, 1, HCA_OPCODE(RD, RESYNC), 0);

	return resync && t->receiver == 0 && t->h.bth.psn == resync->h.bth.psn &&
	       trace->seen++ < trace->nth;
}

/*
 * B4-244, B4-401, C4-033, C4-034: number beyond all that was sent, wants an acknowledgement, is
 * repeated until that comes; nothing else is sent meanwhile, and what follows follows on it.
 */
START_TEST(resync)
{
	struct rd rd = rd_new(&pair_rd);
	u32 last = hca_psn_add(pair_rd.psn[0], 2), n = 0, i;
	bool acked = false;

	rd.trace->lose = _i % 2 ? lose_its_ack : lose_resync;
	rd.trace->nth = _i / 2;
	rd_recv(&rd, 1, 1, 3000);
	rd_send(&rd, 0, 1, 3000); /* three packets, no receive */
	rd_send(&rd, 1, 1, 3000);
	pair_wait(900);
	for (i = 3; i < rd.trace->n && !acked; i++) {
		const struct traced *t = &rd.trace->packet[i];

		if (t->receiver == 1) {
			ck_assert_uint_eq(t->h.bth.opcode, HCA_OPCODE(RD, RESYNC));
			ck_assert_uint_eq(t->h.bth.psn, hca_psn_add(last, 1));
			ck_assert_uint_ne(t->h.bth.flags & HCA_BTH_ACKREQ, 0);
			ck_assert_uint_eq(t->h.rdeth_eecn, rd.b->channel->eecn);
			n++;
		} else {
			acked = !t->lost && t->h.bth.psn == hca_psn_add(last, 1);
		}
	}
	ck_assert(acked);
	ck_assert_uint_eq(n, _i / 2 + 1);
	ck_assert_uint_eq(rd.trace->packet[i].h.bth.opcode, HCA_OPCODE(RD, SEND_FIRST));
	ck_assert_uint_eq(rd.trace->packet[i].h.bth.psn, hca_psn_add(last, 2));
	pair_expect(&rd.a->send_cq, 1, HCA_WC_SUCCESS);
	pair_expect(&rd.b->recv_cq, 1, HCA_WC_SUCCESS);
	ck_assert_uint_eq(rd.a->channel->eec.state, HCA_QPS_RTS);
	rd_free(&rd);
}
END_TEST

/* B4-401: while it is out only its own acknowledgement counts. */
START_TEST(only_its_ack)
{
	struct rd rd = rd_new(&pair_rd);
	struct hca_headers h = {
		.lrh = { .lnh = HCA_LNH_BTH, .dlid = 1, .slid = 2 },
		.bth = { .flags = HCA_BTH_MIGREQ, .pkey = 0xffff },
		.rdeth_eecn = rd.a->channel->eecn,
	};
	static const u8 operations[] = { HCA_OP_ACKNOWLEDGE, HCA_OP_ATOMIC_ACKNOWLEDGE,
					 HCA_OP_READ_RESPONSE_ONLY };
	static const u8 syndromes[] = { HCA_ACK_NO_CREDITS, HCA_SYNDROME_RNR | 1,
					HCA_NAK_PSN_SEQUENCE, HCA_NAK_REMOTE_ACCESS,
					HCA_NAK_INVALID_RD_REQUEST };
	u32 psn = hca_psn_add(pair_rd.psn[0], 3), op, syndrome;
	int at;

	rd.trace->lose = lose_resync;
	rd.trace->nth = 1000;
	rd_send(&rd, 0, 1, 3000);
	rd_recv(&rd, 1, 1, 3000);
	rd_send(&rd, 1, 1, 3000);
	ck_assert_uint_eq(rd.a->channel->eec.resync, HCA_RESYNC_SENT);
	for (at = -5; at < 5; at++)
		for (op = 0; op < sizeof(operations); op++)
			for (syndrome = 0; syndrome < sizeof(syndromes); syndrome++) {
				if (!at && !op && !syndrome)
					continue; /* the one */
				h.bth.opcode = HCA_TRANSPORT_RD << 5 | operations[op];
				h.bth.psn = (psn + at) & HCA_PSN_MASK;
				h.aeth.syndrome = syndromes[syndrome];
				trace_inject(rd.pair, 0, &h, 0);
			}
	ck_assert_uint_eq(rd.a->channel->eec.resync, HCA_RESYNC_SENT);
	ck_assert_uint_eq(rd.a->channel->eec.state, HCA_QPS_RTS);
	pair_expect_none(&rd.a->send_cq);
	rd.trace->lose = NULL;
	pair_wait(200);
	pair_expect(&rd.a->send_cq, 1, HCA_WC_SUCCESS);
	pair_expect(&rd.b->recv_cq, 1, HCA_WC_SUCCESS);
	rd_free(&rd);
}
END_TEST

/*
 * B4-401: a message that was not ready is on its way a second time when it is suspended, and now
 * finds a receive. The peer's MSN tells: it is not sent again, to be received twice.
 */
START_TEST(arrives_while_suspended)
{
	struct rd rd = rd_new(&pair_rd);
	struct hca_headers h;

	rd.trace->lose = lose_resync;
	rd.trace->nth = 1000;
	rd_send(&rd, 0, 1, 10);
	ck_assert_uint_eq(rd.a->channel->eec.resync, HCA_RESYNC_SENT);
	h = trace_find(rd.trace, 1, -1, 0)->h;
	rd_recv(&rd, 0, 1, 10);
	rd_recv(&rd, 0, 2, 10);
	trace_inject(rd.pair, 1, &h, 10);
	pair_expect(&rd.b->recv_cq, 1, HCA_WC_SUCCESS);
	rd.trace->lose = NULL;
	pair_wait(500);
	pair_expect(&rd.a->send_cq, 1, HCA_WC_SUCCESS);
	pair_expect_none(&rd.b->recv_cq);
	rd_free(&rd);
}
END_TEST

static bool hold_back(struct trace *trace, const struct traced *t)
{
	return t->receiver == 1 && trace->n > trace->nth &&
	       t->h.bth.opcode != HCA_OPCODE(RD, RESYNC);
}

/*
 * B4-401, C4-033: a message is abandoned when some of its packets have arrived; what arrives of
 * it later than the Resync does no harm to the next one, whatever its stage.
 */
START_TEST(late_packets)
{
	struct rd rd = rd_new(&pair_rd);
	struct traced late[8];
	u32 i, n = 0;

	rd_recv(&rd, 0, 1, 6000);
	rd_recv(&rd, 1, 2, 6000);
	rd.trace->lose = hold_back;
	rd.trace->nth = _i;
	rd_send(&rd, 0, 1, 6000); /* six packets, _i of which arrive */
	for (i = 0; i < rd.trace->n; i++)
		if (rd.trace->packet[i].lost)
			late[n++] = rd.trace->packet[i];
	ck_assert_uint_eq(n, 6 - _i);
	to_state(rd.qa[0], HCA_QPS_ERR);
	pair_expect(&rd.a->send_cq, 1, HCA_WC_WR_FLUSH_ERR);
	if (_i)
		pair_expect(&rd.b->recv_cq, 1, HCA_WC_REM_ABORT_ERR);
	rd.trace->lose = NULL;
	for (i = 0; i < n; i++) {
		late[i].h.bth.flags |= HCA_BTH_ACKREQ;
		trace_inject(rd.pair, 1, &late[i].h, 200);
	}
	pair_expect_none(&rd.b->recv_cq);
	pair_expect_none(&rd.a->send_cq);

	/* In the middle of the next one, too. */
	rd.trace->lose = hold_back;
	rd.trace->n = 0;
	rd.trace->nth = 3;
	pair_fill(rd.a, SRC + 65536, 6000, 1);
	rd_send(&rd, 1, 2, 6000);
	for (i = 0; i < n; i++)
		trace_inject(rd.pair, 1, &late[i].h, 200);
	rd.trace->lose = NULL;
	pair_wait(500);
	pair_expect(&rd.a->send_cq, 2, HCA_WC_SUCCESS);
	pair_expect(&rd.b->recv_cq, 2, HCA_WC_SUCCESS);
	ck_assert(pair_same(rd.a, SRC + 65536, rd.b, DST + 65536, 6000));
	pair_expect_none(&rd.b->recv_cq);
	rd_free(&rd);
}
END_TEST

enum bad_target {
	WRONG_QKEY,
	WRONG_DOMAIN,
	WRONG_BOTH,
	NO_SUCH_QP,
	OTHER_TYPE,
	NOT_READY,
	IN_ERROR,
	NUM_BAD_TARGETS,
};

static const u8 requests[] = { IB_UVERBS_WR_SEND, IB_UVERBS_WR_RDMA_WRITE,
			       IB_UVERBS_WR_RDMA_WRITE_WITH_IMM, IB_UVERBS_WR_RDMA_READ,
			       IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD };
#define NUM_REQUESTS sizeof(requests)

/*
 * B4-306, B4-323, B4-325, B4-391, B4-395, C4-014, C4-022, C4-025, C4-030, C4-035: not a queue pair
 * for this: the request fails, its queue pair is in SQE, the channel lives.
 */
START_TEST(invalid_request)
{
	struct rd rd = rd_new(&pair_rd);
	enum bad_target bad = _i / NUM_REQUESTS;
	struct hca_qp *target = rd.qb[0], *ud;
	struct hca_send_wqe *wqe;
	u16 violations = rd.b->ports[1].info.q_key_violations;
	static int other;

	rd_recv(&rd, 0, 7, 3000);
	rd.a->more[0] = ud = pair_create_qp(rd.a, &pair_ud);
	rd.b->more[0] = ud = pair_create_qp(rd.b, &pair_ud);
	switch (bad) {
	case WRONG_BOTH:
	case WRONG_DOMAIN:
		target->rdd = &other;
		break;
	case NOT_READY:
		to_state(target, HCA_QPS_RESET);
		break;
	case IN_ERROR:
		to_state(target, HCA_QPS_ERR);
		pair_expect(&rd.b->recv_cq, 7, HCA_WC_WR_FLUSH_ERR);
		break;
	default:
		break;
	}
	rd_use(&rd, 0);
	wqe = pair_wqe(rd.a, 1, requests[_i % NUM_REQUESTS], 0);
	if (bad == WRONG_QKEY || bad == WRONG_BOTH)
		wqe->rdma.remote_qkey++;
	if (bad == NO_SUCH_QP)
		wqe->rdma.remote_qpn = 0x123456;
	if (bad == OTHER_TYPE)
		wqe->rdma.remote_qpn = ud->qpn;
	wqe->rdma.remote_addr = pair_addr(rd.b, DST + 8) & ~7ull;
	wqe->rdma.rkey = rd.b->region->key;
	pair_sge(rd.a, wqe, SRC, requests[_i % NUM_REQUESTS] == IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD ?
					 8 : 3000);
	rd.a->qp->sq.ring->producer++;
	rd_send(&rd, 0, 2, 10);
	pair_settle();
	pair_expect(&rd.a->send_cq, 1, HCA_WC_REM_INV_RD_REQ_ERR);
	pair_expect(&rd.a->send_cq, 2, HCA_WC_WR_FLUSH_ERR);
	pair_expect_none(&rd.b->recv_cq);
	ck_assert_uint_eq(rd.qa[0]->eec.state, HCA_QPS_SQE);
	ck_assert_uint_eq(rd.b->ports[1].info.q_key_violations, violations + (bad == WRONG_QKEY));
	expect_works(&rd, 1);
	if (bad == WRONG_QKEY || bad == NO_SUCH_QP || bad == OTHER_TYPE) {
		to_state(rd.qa[0], HCA_QPS_RTS);
		rd_send(&rd, 0, 3, 3000);
		pair_expect(&rd.a->send_cq, 3, HCA_WC_SUCCESS);
		pair_expect(&rd.b->recv_cq, 7, HCA_WC_SUCCESS);
	}
	rd_free(&rd);
}
END_TEST

enum bad_channel {
	NO_SUCH_CHANNEL,
	OTHER_DOMAIN,
	CHANNEL_RESET,
	CHANNEL_RTR,
	CHANNEL_ERROR,
	NUM_BAD_CHANNELS,
};

static const u8 bad_channel_status[] = {
	[NO_SUCH_CHANNEL] = HCA_WC_INV_EECN_ERR,
	[OTHER_DOMAIN] = HCA_WC_LOC_RDD_VIOL_ERR,
	[CHANNEL_RESET] = HCA_WC_INV_EEC_STATE_ERR,
	[CHANNEL_RTR] = HCA_WC_INV_EEC_STATE_ERR,
	[CHANNEL_ERROR] = HCA_WC_INV_EEC_STATE_ERR,
};

/* B4-306, B4-400, C4-010, C4-031: the request names a channel that is none for it. */
START_TEST(wrong_channel)
{
	struct rd rd = rd_new(&pair_rd);
	struct hca_channel *other = pair_create_channel(rd.a);
	static int domain;

	rd_recv(&rd, 0, 1, 100);
	rd.a->to_eecn = other->eecn;
	if (_i == NO_SUCH_CHANNEL)
		rd.a->to_eecn += 1 << HCA_EEC_INDEX_BITS;
	else if (_i != CHANNEL_RESET)
		pair_connect_channel(other, &pair_rd, 99, 2, 1, 1);
	if (_i == OTHER_DOMAIN)
		other->rdd = &domain;
	else if (_i == CHANNEL_RTR)
		other->eec.state = HCA_QPS_RTR;
	else if (_i == CHANNEL_ERROR)
		channel_to(other, HCA_QPS_ERR);
	rd_send(&rd, 0, 1, 100);
	pair_settle();
	pair_expect(&rd.a->send_cq, 1, bad_channel_status[_i]);
	ck_assert_uint_eq(rd.qa[0]->eec.state, HCA_QPS_SQE);
	ck_assert_uint_eq(rd.trace->n, 0);
	/* The next request may name a better one. */
	to_state(rd.qa[0], HCA_QPS_RTS);
	rd.a->to_eecn = rd.a->channel->eecn;
	rd_send(&rd, 0, 2, 100);
	pair_expect(&rd.a->send_cq, 2, HCA_WC_SUCCESS);
	pair_expect(&rd.b->recv_cq, 1, HCA_WC_SUCCESS);
	hca_channel_destroy(other);
	rd_free(&rd);
}
END_TEST

static const struct {
	u8 opcode;
	s32 remote;
	u32 length, recv;
	u8 status, recv_status;
} remote_errors[] = {
	{ IB_UVERBS_WR_RDMA_WRITE, PAIR_MEMORY - 2999, 3000, 0, HCA_WC_REM_ACCESS_ERR, 0 },
	{ IB_UVERBS_WR_RDMA_READ, PAIR_MEMORY - 2999, 3000, 0, HCA_WC_REM_ACCESS_ERR, 0 },
	{ IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, -16, 8, 0, HCA_WC_REM_ACCESS_ERR, 0 },
	{ IB_UVERBS_WR_ATOMIC_CMP_AND_SWP, 3, 8, 0, HCA_WC_REM_INV_REQ_ERR, 0 },
	{ IB_UVERBS_WR_SEND, 0, 3000, 2999, HCA_WC_REM_INV_REQ_ERR, HCA_WC_LOC_LEN_ERR },
	{ IB_UVERBS_WR_SEND, 0, 3000, 1, HCA_WC_REM_INV_REQ_ERR, HCA_WC_LOC_LEN_ERR },
};

/* B4-399, C4-027, C4-030: refused for one queue pair; the channel lives. */
START_TEST(remote_error)
{
	struct rd rd = rd_new(&pair_rd);
	typeof(remote_errors[0]) *bad = &remote_errors[_i];
	struct hca_send_wqe *wqe;

	if (bad->recv)
		rd_recv(&rd, 0, 1, bad->recv);
	rd_use(&rd, 0);
	wqe = pair_wqe(rd.a, 1, bad->opcode, 0);
	wqe->rdma.remote_addr = (pair_addr(rd.b, 7) & ~7ull) + bad->remote;
	wqe->rdma.rkey = rd.b->region->key;
	pair_sge(rd.a, wqe, SRC, bad->length);
	pair_post(rd.a);
	pair_settle();
	pair_expect(&rd.a->send_cq, 1, bad->status);
	ck_assert_uint_eq(rd.qa[0]->eec.state, HCA_QPS_SQE);
	if (bad->recv)
		pair_expect(&rd.b->recv_cq, 1, bad->recv_status);
	ck_assert_uint_eq(rd.qb[0]->eec.state, bad->recv ? HCA_QPS_ERR : HCA_QPS_RTS);
	expect_works(&rd, 1);
	rd_free(&rd);
}
END_TEST

/* B4-391, C4-029, C4-037: nobody answers: that is the end of the channel. */
START_TEST(retries_end)
{
	struct pair_qp how = pair_rd;
	struct rd rd;
	int i;

	how.retry = 2;
	how.timeout = 8;
	rd = rd_new(&how);
	rd.trace->lose = trace_cut;
	rd.trace->towards = _i;
	rd_recv(&rd, 0, 1, 5000);
	for (i = 0; i < QPS; i++)
		rd_send(&rd, i, i, 5000);
	pair_wait(200);
	pair_expect(&rd.a->send_cq, 0, HCA_WC_RETRY_EXC_ERR);
	for (i = 1; i < QPS; i++)
		pair_expect(&rd.a->send_cq, i, HCA_WC_INV_EEC_STATE_ERR);
	for (i = 0; i < QPS; i++)
		ck_assert_uint_eq(rd.qa[i]->eec.state, HCA_QPS_SQE);
	ck_assert_uint_eq(rd.a->channel->eec.state, HCA_QPS_ERR);
	ck_assert_uint_eq(rd.a->channel_events[HCA_QP_FATAL], 1);
	ck_assert_uint_eq(rd.b->channel->eec.state, HCA_QPS_RTS);
	/* Both channels anew. */
	channel_to(rd.a->channel, HCA_QPS_RESET);
	channel_to(rd.b->channel, HCA_QPS_RESET);
	if (!_i) /* all of it has arrived, but nobody said so */
		pair_expect(&rd.b->recv_cq, 1, HCA_WC_SUCCESS);
	rd.trace->lose = NULL;
	pair_connect_channel(rd.a->channel, &how, rd.b->channel->eecn, 2, 100, 200);
	pair_connect_channel(rd.b->channel, &how, rd.a->channel->eecn, 1, 200, 100);
	to_state(rd.qa[1], HCA_QPS_RTS);
	expect_works(&rd, 1);
	rd_free(&rd);
}
END_TEST

enum blow {
	QP_ERROR,
	QP_RESET,
	QP_DESTROY,
	CHANNEL_TO_ERROR,
	CHANNEL_TO_RESET,
	CHANNEL_DESTROY,
	NUM_BLOWS,
};

static bool pass_n(struct trace *trace, const struct traced *t)
{
	(void)t;
	return trace->n > trace->nth;
}

static void strike(struct rd *rd, int end, enum blow blow)
{
	struct pair_end *hit = end ? rd->b : rd->a;
	struct hca_qp **qp = end ? &rd->qb[1] : &rd->qa[1];

	switch (blow) {
	case QP_ERROR:
		to_state(*qp, HCA_QPS_ERR);
		break;
	case QP_RESET:
		to_state(*qp, HCA_QPS_RESET);
		break;
	case QP_DESTROY:
		hca_qp_destroy(*qp);
		*qp = hit->more[1] = NULL;
		break;
	case CHANNEL_TO_ERROR:
		channel_to(hit->channel, HCA_QPS_ERR);
		break;
	case CHANNEL_TO_RESET:
		channel_to(hit->channel, HCA_QPS_RESET);
		break;
	case CHANNEL_DESTROY:
		hca_channel_destroy(hit->channel);
		hit->channel = NULL;
		break;
	case NUM_BLOWS:
		break;
	}
}

static void count(struct hca_cq *cq, u32 *done)
{
	struct hca_cqe cqe;

	while (pair_poll(cq, &cqe))
		done[cqe.wr_id]++;
}

/* Receives that wait for a message, or for the rest of one. */
static u32 still_posted(const struct pair_end *end, const struct hca_qp *qp)
{
	const struct hca_eec *eec = end->channel ? &end->channel->eec : NULL;

	return qp->rq.ring->producer - qp->rq_taken +
	       (eec && eec->recv.valid && eec->target_qpn == qp->qpn);
}

#define STEPS 24

/*
 * B4-241, B4-242, C4-014, C4-027, C4-037: a queue pair or channel of either end fails, is reset or
 * destroyed when n packets have arrived. All that was posted ends or is forgotten with its queue
 * pair; the others go on, if their channels do.
 */
START_TEST(struck_after_n_packets)
{
	enum blow blow = _i % NUM_BLOWS;
	int end = _i / NUM_BLOWS;
	bool qp_struck = blow <= QP_DESTROY;
	struct pair_qp how = pair_rd;
	u32 n;

	how.retry = 2;
	how.timeout = 8;
	for (n = 0; n < STEPS; n++) {
		u32 sent[QPS * 3] = {}, received[QPS] = {}, q;
		struct rd rd = rd_new(&how);

		rd.trace->lose = pass_n;
		rd.trace->nth = n;
		for (q = 0; q < QPS; q++)
			rd_recv(&rd, q, q, 5000);
		/* The one that is struck is at work, in line, or through. */
		for (q = 0; q < QPS; q++) {
			u32 i = (q + 1) % QPS;

			rd_send(&rd, i, i, 5000);
			pair_rdma(rd.a, rd.b, QPS + i, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED,
				  SRC + i * 65536, SRC + i * 65536, 3000);
			pair_rdma(rd.a, rd.b, 2 * QPS + i, IB_UVERBS_WR_RDMA_WRITE,
				  HCA_WQE_SIGNALED, SRC + i * 65536, DST + QPS * 65536, 3000);
		}
		strike(&rd, end, blow);
		rd.trace->lose = NULL;
		pair_wait(1000);
		count(&rd.a->send_cq, sent);
		count(&rd.b->recv_cq, received);
		for (q = 0; q < QPS; q++) {
			bool gone = q == 1 && qp_struck && blow != QP_ERROR;
			u32 i;

			for (i = q; i < 3 * QPS; i += QPS) {
				ck_assert_uint_le(sent[i], 1);
				if (!gone || end)
					ck_assert_msg(sent[i] == 1, "n %u: request %u", n, i);
			}
			if (!gone || !end)
				ck_assert_msg(received[q] + still_posted(rd.b, rd.qb[q]) == 1,
					      "n %u: receive %u", n, q);
		}
		if (qp_struck)
			expect_works(&rd, 2);
		rd_free(&rd);
	}
}
END_TEST

/* C4-027: the memory of a read goes before it is asked for again: that is the reader's end only. */
START_TEST(read_again_refused)
{
	struct rd rd = rd_new(&pair_rd);

	rd.trace->lose = trace_cut;
	rd.trace->towards = 0;
	rd_use(&rd, 0);
	pair_rdma(rd.a, rd.b, 1, IB_UVERBS_WR_RDMA_READ, 0, SRC, DST, 3000);
	rd.b->region->access &= ~IB_UVERBS_ACCESS_REMOTE_READ;
	rd.trace->lose = NULL;
	pair_wait(1000);
	pair_expect(&rd.a->send_cq, 1, HCA_WC_REM_ACCESS_ERR);
	expect_works(&rd, 1);
	rd_free(&rd);
}
END_TEST

/* A receiver that is reset and brought back gets nothing of a message to what it was before. */
START_TEST(reset_and_back)
{
	u32 n;

	for (n = 1; n < 5; n++) {
		struct rd rd = rd_new(&pair_rd);
		u8 before[5000], after[5000];

		pair_fill(rd.a, SRC, 5000, n);
		rd.trace->lose = pass_n;
		rd.trace->nth = n;
		rd_recv(&rd, 0, 1, 5000);
		rd_send(&rd, 0, 1, 5000);
		to_state(rd.qb[0], HCA_QPS_RESET);
		pair_connect(rd.qb[0], &pair_rd, 0, 0, 0, 0);
		pair_read(rd.b, DST, before, 5000);
		rd.trace->lose = NULL;
		pair_wait(1000);
		pair_read(rd.b, DST, after, 5000);
		ck_assert_mem_eq(before, after, 5000);
		pair_expect(&rd.a->send_cq, 1, HCA_WC_REM_INV_RD_REQ_ERR);
		pair_expect_none(&rd.b->recv_cq);
		to_state(rd.qa[0], HCA_QPS_RTS);
		expect_works(&rd, 0);
		rd_free(&rd);
	}
}
END_TEST

/* B4-383, C4-003: packets of a stranger are not the channel's, nor one's without a channel. */
START_TEST(strangers)
{
	struct rd rd = rd_new(&pair_rd);
	struct hca_headers h = {
		.lrh = { .lnh = HCA_LNH_BTH, .dlid = 2, .slid = 1 },
		.bth = { .opcode = HCA_OPCODE(RD, SEND_ONLY),
			 .flags = HCA_BTH_MIGREQ,
			 .pkey = 0xffff,
			 .destqp = rd.qb[0]->qpn,
			 .psn = pair_rd.psn[0] },
		.rdeth_eecn = rd.b->channel->eecn,
		.deth = { .qkey = PAIR_QKEY, .srcqp = 5 },
	};

	rd_recv(&rd, 0, 1, 100);
	h.lrh.slid = 3;
	trace_inject(rd.pair, 1, &h, 10);
	h.lrh.slid = 1;
	h.rdeth_eecn++;
	trace_inject(rd.pair, 1, &h, 10);
	h.rdeth_eecn = rd.b->channel->eecn + (1 << HCA_EEC_INDEX_BITS);
	trace_inject(rd.pair, 1, &h, 10);
	h.rdeth_eecn = rd.b->channel->eecn;
	h.bth.pkey = 0x1234;
	trace_inject(rd.pair, 1, &h, 10);
	h.bth.pkey = 0xffff;
	h.bth.opcode = HCA_OPCODE(RC, SEND_ONLY);
	trace_inject(rd.pair, 1, &h, 10);
	pair_expect_none(&rd.b->recv_cq);
	ck_assert_uint_eq(rd.trace->n, 0);
	h.bth.opcode = HCA_OPCODE(RD, SEND_ONLY);
	trace_inject(rd.pair, 1, &h, 10);
	pair_expect(&rd.b->recv_cq, 1, HCA_WC_SUCCESS);
	rd_free(&rd);
}
END_TEST

Suite *rd_suite(void)
{
	Suite *suite = suite_create("rd");
	TCase *tc = tcase_create("data");

	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, all_operations_all_sizes, HCA_MTU_256, HCA_MTU_4096 + 1);
	tcase_add_test(tc, in_turn);
	tcase_add_loop_test(tc, lose_each_packet, 0, 2);
	tcase_add_test(tc, one_is_not_ready);
	tcase_add_test(tc, never_ready);
	tcase_add_test(tc, attempts_are_new);
	tcase_add_test(tc, strangers);
	suite_add_tcase(suite, tc);

	tc = tcase_create("resync");
	tcase_add_loop_test(tc, resync, 0, 8);
	tcase_add_test(tc, only_its_ack);
	tcase_add_test(tc, arrives_while_suspended);
	tcase_add_loop_test(tc, late_packets, 0, 6);
	suite_add_tcase(suite, tc);

	tc = tcase_create("errors");
	tcase_set_timeout(tc, 120);
	tcase_add_loop_test(tc, invalid_request, 0, NUM_BAD_TARGETS * NUM_REQUESTS);
	tcase_add_loop_test(tc, wrong_channel, 0, NUM_BAD_CHANNELS);
	tcase_add_loop_test(tc, remote_error, 0, sizeof(remote_errors) / sizeof(remote_errors[0]));
	tcase_add_loop_test(tc, retries_end, 0, 2);
	tcase_add_loop_test(tc, struck_after_n_packets, 0, 2 * NUM_BLOWS);
	tcase_add_test(tc, read_again_refused);
	tcase_add_test(tc, reset_and_back);
	suite_add_tcase(suite, tc);
	return suite;
}
