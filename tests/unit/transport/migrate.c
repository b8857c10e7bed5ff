// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Automatic path migration: each end has two ports, each cabled to its counterpart. */
#include <check.h>
#include <linux/errno.h>
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"
#include "transport/iba_qp.h"

static const struct pair_qp *const services[] = { &pair_rc, &pair_uc, &pair_rd };

struct path {
	struct pair *pair;
	struct trace *trace;
	struct pair_qp how;
};

static int modify(struct pair_end *end, const struct hca_qp_attr *attr, int mask)
{
	return end->rd_eec ? hca_rd_eec_modify(end->rd_eec, attr, mask) :
			      hca_qp_modify(end->qp, attr, mask);
}

static struct hca_eec *eec_of(struct pair_end *end)
{
	return end->rd_eec ? &end->rd_eec->eec : hca_qp_eec(end->qp);
}

static u8 mig_state(struct pair_end *end)
{
	struct hca_qp_attr attr;

	if (end->rd_eec)
		hca_rd_eec_query(end->rd_eec, &attr);
	else
		hca_qp_query(end->qp, &attr);
	return attr.iba.path_mig_state;
}

static unsigned int events(struct pair_end *end, enum hca_qp_event event)
{
	return (end->rd_eec ? end->rd_eec_events : end->events)[event];
}

/* Load the path by these ports as alternate path, and possibly rearm. */
static int load(struct pair *pair, int i, u8 port, bool rearm)
{
	struct hca_qp_attr attr = {
		.iba.alt_port_num = port,
		.iba.alt_timeout = 14,
		.iba.alt_av = { .dlid = pair_lid(!i, port), .port_num = port },
		.iba.path_mig_state = IB_MIG_REARM,
	};

	return modify(&pair->end[i], &attr,
		      IB_QP_ALT_PATH | (rearm ? IB_QP_PATH_MIG_STATE : 0));
}

static int command(struct pair_end *end, u8 state)
{
	struct hca_qp_attr attr = { .iba.path_mig_state = state };

	return modify(end, &attr, IB_QP_PATH_MIG_STATE);
}

static struct trace *noted;

/* Send a message from one end to the other; events that it causes at the peer are not recorded. */
static void send_one(struct pair *pair, int from, unsigned int ms)
{
	struct pair_end *a = &pair->end[from], *b = &pair->end[!from];
	unsigned int before;
	static u32 seed;

	pair_fill(a, SRC, 5000, ++seed);
	before = noted->n;
	pair_recv(b, seed, DST, 5000);
	noted->n = before;
	pair_send(a, seed, HCA_WQE_SIGNALED, SRC, 5000);
	pair_wait(ms);
	pair_expect(&a->send_cq, seed, IB_WC_SUCCESS);
	pair_expect(&b->recv_cq, seed, IB_WC_SUCCESS);
	pair_expect_none(&b->recv_cq);
	ck_assert(pair_same(a, SRC, b, DST, 5000));
}

static struct path path_new(const struct pair_qp *how)
{
	struct path path = { .how = *how };

	path.how.ports = 2;
	path.pair = pair_new(&path.how);
	path.trace = noted = trace_on(path.pair);
	return path;
}

/* Both ends become Armed, with the path by ports 2 as alternate. */
static struct path path_armed(const struct pair_qp *how)
{
	struct path path = path_new(how);
	int i;

	ck_assert_int_eq(load(path.pair, 0, 2, true), 0);
	ck_assert_int_eq(load(path.pair, 1, 2, false), 0);
	for (i = 0; i < 2; i++) {
		send_one(path.pair, 0, 0);
		send_one(path.pair, 1, 0);
	}
	for (i = 0; i < 2; i++)
		ck_assert_uint_eq(mig_state(&path.pair->end[i]), IB_MIG_ARMED);
	path.trace->n = 0;
	return path;
}

/* All packets at index @from and later went by ports 1, or by ports 2. */
static void expect_port(const struct trace *trace, unsigned int from, u8 port)
{
	for (; from < trace->n; from++) {
		int receiver = trace->packet[from].receiver;

		ck_assert_uint_eq(trace->packet[from].h.lrh.dlid, pair_lid(receiver, port));
		ck_assert_uint_eq(trace->packet[from].h.lrh.slid, pair_lid(!receiver, port));
	}
}

static void expect_migreq(const struct trace *trace, unsigned int from, bool migreq)
{
	for (; from < trace->n; from++)
		ck_assert_uint_eq(!!(trace->packet[from].h.bth.flags & HCA_BTH_MIGREQ), migreq);
}

/* B4-425, C4-100, C4-102: a queue pair whose consumer does not use path migration. */
START_TEST(unused)
{
	struct path path = path_new(services[_i]);

	send_one(path.pair, 0, 0);
	send_one(path.pair, 1, 0);
	ck_assert_uint_eq(mig_state(&path.pair->end[0]), IB_MIG_MIGRATED);
	expect_migreq(path.trace, 0, true);
	expect_port(path.trace, 0, 1);
	/* Without an alternate path there is no rearming; a consumer cannot request Armed. */
	ck_assert_int_eq(command(&path.pair->end[0], IB_MIG_REARM), -EINVAL);
	ck_assert_int_eq(command(&path.pair->end[0], IB_MIG_ARMED), -EINVAL);
	ck_assert_int_eq(command(&path.pair->end[0], IB_MIG_MIGRATED), 0);
	ck_assert_uint_eq(events(&path.pair->end[0], HCA_QP_PATH_MIG), 0);
	/* A peer that rearms gets no reply from an end without an alternate path. */
	ck_assert_int_eq(load(path.pair, 0, 2, true), 0);
	send_one(path.pair, 0, 0);
	send_one(path.pair, 1, 0);
	ck_assert_uint_eq(mig_state(&path.pair->end[0]), IB_MIG_REARM);
	ck_assert_uint_eq(mig_state(&path.pair->end[1]), IB_MIG_MIGRATED);
	pair_free(path.pair);
}
END_TEST

/* C4-105: each step, by the MigReq bit of the packets. */
START_TEST(handshake)
{
	struct path path = path_new(services[_i]);
	struct pair_end *a = &path.pair->end[0], *b = &path.pair->end[1];

	ck_assert_int_eq(load(path.pair, 0, 2, false), 0);
	ck_assert_int_eq(load(path.pair, 1, 2, false), 0); /* C4-103, C4-109 */
	send_one(path.pair, 0, 0);
	ck_assert_uint_eq(mig_state(a), IB_MIG_MIGRATED);
	ck_assert_uint_eq(mig_state(b), IB_MIG_MIGRATED);
	ck_assert_int_eq(command(a, IB_MIG_REARM), 0);
	ck_assert_uint_eq(mig_state(a), IB_MIG_REARM);
	path.trace->n = 0;
	send_one(path.pair, 0, 0); /* five packets with MigReq 0: b is in ReArm, then Armed */
	ck_assert_uint_eq(path.trace->packet[0].h.bth.flags & HCA_BTH_MIGREQ, 0);
	ck_assert_uint_eq(mig_state(b), IB_MIG_ARMED); /* C4-101 */
	send_one(path.pair, 1, 0);
	ck_assert_uint_eq(mig_state(a), IB_MIG_ARMED);
	expect_migreq(path.trace, 0, false);
	expect_port(path.trace, 0, 1);
	ck_assert_uint_eq(events(a, HCA_QP_PATH_MIG) + events(b, HCA_QP_PATH_MIG), 0);
	pair_free(path.pair);
}
END_TEST

/*
 * C4-105, B4-273: one end goes back from ReArm to Migrated when the other is Armed already. It has
 * no path to migrate to, and the other regards its packets as an invalid migration request, until
 * it rearms.
 */
START_TEST(invalidated)
{
	struct path path = path_armed(services[_i]);
	struct pair_end *a = &path.pair->end[0], *b = &path.pair->end[1];
	bool reliable = services[_i] != &pair_uc;

	pair_recv(b, 1, DST, 100); /* b must send nothing in between */
	path.trace->n = 0;
	ck_assert_int_eq(command(a, IB_MIG_REARM), 0);
	ck_assert_int_eq(command(a, IB_MIG_MIGRATED), 0);
	ck_assert_uint_eq(mig_state(a), IB_MIG_MIGRATED);
	ck_assert_uint_eq(mig_state(b), IB_MIG_ARMED);
	ck_assert_uint_eq(eec_of(a)->attr.iba.port_num, 1);
	pair_send(a, 2, HCA_WQE_SIGNALED, SRC, 100);
	expect_migreq(path.trace, 0, true);
	expect_port(path.trace, 0, 1);
	pair_expect_none(&b->recv_cq);
	ck_assert_uint_eq(mig_state(b), IB_MIG_ARMED);
	ck_assert_uint_eq(events(b, HCA_QP_PATH_MIG_ERROR), 1);
	ck_assert_int_eq(command(a, IB_MIG_REARM), 0);
	if (!reliable)
		pair_send(a, 3, 0, SRC, 100);
	pair_wait(300);
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	send_one(path.pair, 1, 0);
	ck_assert_uint_eq(mig_state(a), IB_MIG_ARMED);
	ck_assert_uint_eq(mig_state(b), IB_MIG_ARMED);
	ck_assert_uint_eq(events(a, HCA_QP_PATH_MIG) + events(b, HCA_QP_PATH_MIG), 0);
	pair_free(path.pair);
}
END_TEST

/*
 * B4-266, B4-427, C4-099, C4-106, C4-111: a consumer requests migration at either end; the other
 * end follows.
 */
START_TEST(by_verb)
{
	struct path path = path_armed(services[_i / 2]);
	struct pair_end *a = &path.pair->end[_i % 2], *b = &path.pair->end[!(_i % 2)];

	ck_assert_int_eq(command(a, IB_MIG_MIGRATED), 0);
	ck_assert_uint_eq(mig_state(a), IB_MIG_MIGRATED);
	ck_assert_uint_eq(events(a, HCA_QP_PATH_MIG), 1);
	ck_assert_uint_eq(mig_state(b), IB_MIG_ARMED);
	send_one(path.pair, _i % 2, 0);
	ck_assert_uint_eq(mig_state(b), IB_MIG_MIGRATED); /* V3-029 */
	ck_assert_uint_eq(events(b, HCA_QP_PATH_MIG), 1);
	send_one(path.pair, !(_i % 2), 0);
	expect_port(path.trace, 0, 2); /* C4-096 */
	expect_migreq(path.trace, 0, true);
	ck_assert_uint_eq(events(a, HCA_QP_PATH_MIG), 1);
	ck_assert_uint_eq(events(b, HCA_QP_PATH_MIG), 1);
	ck_assert_uint_eq(eec_of(a)->attr.iba.port_num, 2);
	/* The alternate path is used up. */
	ck_assert_int_eq(command(a, IB_MIG_REARM), -EINVAL);
	pair_free(path.pair);
}
END_TEST

/* C4-124, B4-429: the alternate path has a static rate of its own. */
START_TEST(rate_of_the_alternate)
{
	struct path path = path_armed(services[_i]);
	struct pair_end *a = &path.pair->end[0];

	ck_assert_uint_eq(eec_of(a)->pace, 0);
	eec_of(a)->attr.iba.alt_av.static_rate = 2; /* 2.5 Gb/s */
	ck_assert_int_eq(command(a, IB_MIG_MIGRATED), 0);
	ck_assert_uint_eq(eec_of(a)->pace, 3200);
	send_one(path.pair, 0, 10);
	pair_free(path.pair);
}
END_TEST

static bool cut_port_1(struct trace *trace, const struct traced *t)
{
	(void)trace;
	return t->h.lrh.dlid <= 2;
}

/*
 * B4-426, C4-106, C4-110: the path is cut, retries are exhausted, and the connection continues on
 * the other path.
 */
START_TEST(by_exhaustion)
{
	struct pair_qp how = *services[_i / 2 ? 2 : 0];
	struct path path;
	struct pair_end *a, *b;
	u32 i;

	how.retry = _i % 2 ? 0 : 2;
	how.timeout = 8;
	path = path_armed(&how);
	a = &path.pair->end[0];
	b = &path.pair->end[1];
	path.trace->lose = cut_port_1;
	pair_fill(a, SRC, 60000, 9);
	for (i = 0; i < 10; i++)
		pair_recv(b, i, DST + 5000 * i, 5000);
	for (i = 0; i < 10; i++)
		pair_send(a, i, HCA_WQE_SIGNALED, SRC + 5000 * i, 5000);
	pair_wait(300);
	for (i = 0; i < 10; i++) {
		pair_expect(&a->send_cq, i, IB_WC_SUCCESS);
		pair_expect(&b->recv_cq, i, IB_WC_SUCCESS);
	}
	ck_assert(pair_same(a, SRC, b, DST, 50000));
	for (i = 0; i < 2; i++) {
		ck_assert_uint_eq(mig_state(&path.pair->end[i]), IB_MIG_MIGRATED);
		ck_assert_uint_eq(events(&path.pair->end[i], HCA_QP_PATH_MIG), 1);
		ck_assert_uint_eq(eec_of(&path.pair->end[i])->common->state, IB_QPS_RTS);
	}
	/* It migrates once: now the other path is cut. */
	path.trace->lose = trace_cut;
	pair_send(a, 99, 0, SRC, 10);
	pair_wait(10000);
	pair_expect(&a->send_cq, 99, IB_WC_RETRY_EXC_ERR);
	pair_free(path.pair);
}
END_TEST

/*
 * Both ends have outstanding messages when the path is cut: an end that migrates because of the
 * other may have no retries left on the old path, but has all of them on the new one.
 */
START_TEST(cut_both_ways)
{
	struct pair_qp how = *services[_i ? 2 : 0];
	unsigned int later;
	struct path path;
	u32 i, end;

	how.retry = 2;
	how.timeout = 8;
	for (later = 0; later < 12; later++) {
		path = path_armed(&how);
		path.trace->lose = cut_port_1;
		for (end = 0; end < 2; end++) {
			struct pair_end *from = &path.pair->end[end];

			pair_fill(from, SRC, 20000, 9 + end);
			for (i = 0; i < 4; i++)
				pair_recv(&path.pair->end[!end], i, DST + 5000 * i, 5000);
			for (i = 0; i < 4; i++)
				pair_send(from, i, HCA_WQE_SIGNALED, SRC + 5000 * i, 5000);
			pair_wait(later);
		}
		pair_wait(300);
		for (end = 0; end < 2; end++) {
			struct pair_end *from = &path.pair->end[end], *to = &path.pair->end[!end];

			for (i = 0; i < 4; i++) {
				pair_expect(&from->send_cq, i, IB_WC_SUCCESS);
				pair_expect(&to->recv_cq, i, IB_WC_SUCCESS);
			}
			ck_assert(pair_same(from, SRC, to, DST, 20000));
			ck_assert_uint_eq(events(from, HCA_QP_PATH_MIG), 1);
		}
		pair_free(path.pair);
	}
}
END_TEST

/*
 * C4-106: with a retry count of 0 there is one attempt on each path, whichever end migrates first.
 */
START_TEST(first_attempt_anew)
{
	struct pair_qp how = *services[_i / 2 ? 2 : 0];
	struct path path;
	struct pair_end *a, *b;

	how.retry = 0;
	path = path_armed(&how);
	a = &path.pair->end[0];
	b = &path.pair->end[1];
	path.trace->lose = cut_port_1;
	pair_recv(b, 1, DST, 5000);
	pair_send(a, 2, HCA_WQE_SIGNALED, SRC, 5000);
	pair_recv(a, 3, DST, 100);
	ck_assert_int_eq(command(_i % 2 ? a : b, IB_MIG_MIGRATED), 0);
	pair_send(b, 4, HCA_WQE_SIGNALED, SRC, 100);
	pair_wait(300);
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	pair_expect(&a->recv_cq, 3, IB_WC_SUCCESS);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	pair_expect(&b->send_cq, 4, IB_WC_SUCCESS);
	pair_free(path.pair);
}
END_TEST

/*
 * C4-107: the first path has no timeout; the alternate path's timeout applies to packets that were
 * lost on the first.
 */
START_TEST(timeout_of_the_alternate)
{
	struct pair_qp how = *services[_i ? 2 : 0];
	struct path path;
	struct pair_end *a, *b;

	how.timeout = 0;
	path = path_armed(&how);
	a = &path.pair->end[0];
	b = &path.pair->end[1];
	path.trace->lose = cut_port_1;
	pair_recv(b, 1, DST, 5000);
	pair_send(a, 2, HCA_WQE_SIGNALED, SRC, 5000);
	pair_wait(5000);
	pair_expect_none(&a->send_cq);
	ck_assert_int_eq(command(a, IB_MIG_MIGRATED), 0);
	pair_wait(300);
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	pair_free(path.pair);
}
END_TEST

/*
 * A sender waits for credit on the old path when the peer migrates: its packets leave by the new
 * path.
 */
START_TEST(told_while_waiting)
{
	struct path path = path_armed(services[_i]);
	struct pair_end *a = &path.pair->end[0], *b = &path.pair->end[1];

	b->ports[1].rx_buffer.fccl[0] = a->ports[1].tx.fctbs[0];
	pair_queue_is_full(a, true);
	pair_fill(a, SRC, 5000, 7);
	pair_recv(b, 1, DST, 5000);
	pair_send(a, 2, HCA_WQE_SIGNALED, SRC, 5000);
	pair_expect_none(&a->send_cq);
	ck_assert_int_eq(command(b, IB_MIG_MIGRATED), 0);
	pair_recv(a, 3, DST, 5000);
	pair_send(b, 4, HCA_WQE_SIGNALED, SRC, 100);
	pair_wait(50);
	pair_expect(&a->recv_cq, 3, IB_WC_SUCCESS);
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	pair_expect(&b->send_cq, 4, IB_WC_SUCCESS);
	ck_assert(pair_same(a, SRC, b, DST, 5000));
	pair_free(path.pair);
}
END_TEST

/*
 * Migration at any packet, requested by the consumer of either end, loses and duplicates nothing
 * (RC, RD).
 */
START_TEST(nothing_lost)
{
	unsigned int n;

	for (n = 0; n < 40; n += 3) {
		struct path path = path_armed(_i / 2 ? &pair_rd : &pair_rc);
		struct pair_end *a = &path.pair->end[0], *b = &path.pair->end[1];
		u64 counter = 0;
		u32 at, i;

		path.trace->lose = trace_lose_nth;
		path.trace->nth = n;
		at = DST + 100000 + 8 - (u32)(pair_addr(b, DST + 100000) % 8);
		pair_write(b, at, &counter, 8);
		pair_fill(a, SRC, 60000, n);
		for (i = 0; i < 10; i++)
			pair_recv(b, i, DST + 5000 * i, 5000);
		for (i = 0; i < 10; i++) {
			struct hca_send_wqe *wqe;

			if (i == n % 10)
				ck_assert_int_eq(command(&path.pair->end[_i % 2], IB_MIG_MIGRATED),
						 0);
			pair_send(a, i, HCA_WQE_SIGNALED, SRC + 5000 * i, 5000);
			wqe = pair_wqe(a, 100 + i, IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, 0);
			wqe->rdma.remote_addr = pair_addr(b, at);
			wqe->rdma.rkey = b->entry->key;
			wqe->rdma.compare_add = 1;
			pair_sge(a, wqe, SRC + 60000, 8);
			pair_post(a);
		}
		pair_wait(3000);
		for (i = 0; i < 10; i++) {
			pair_expect(&a->send_cq, i, IB_WC_SUCCESS);
			pair_expect(&b->recv_cq, i, IB_WC_SUCCESS);
		}
		ck_assert(pair_same(a, SRC, b, DST, 50000));
		pair_read(b, at, &counter, 8);
		ck_assert_uint_eq(counter, 10);
		ck_assert_uint_eq(mig_state(a), IB_MIG_MIGRATED);
		ck_assert_uint_eq(mig_state(b), IB_MIG_MIGRATED);
		pair_free(path.pair);
	}
}
END_TEST

/* B4-427, C4-112: another alternate path is loaded, and the connection migrates again, and back. */
START_TEST(rearmed)
{
	struct path path = path_armed(services[_i]);
	u8 port = 2;
	int i, round;

	for (round = 1; round < 5; round++) {
		ck_assert_int_eq(command(&path.pair->end[round % 2], IB_MIG_MIGRATED), 0);
		path.trace->n = 0;
		send_one(path.pair, round % 2, 0);
		send_one(path.pair, !(round % 2), 0);
		expect_port(path.trace, 0, port);
		port = 3 - port;
		ck_assert_int_eq(load(path.pair, 1, port, false), 0);
		ck_assert_int_eq(load(path.pair, 0, port, true), 0);
		for (i = 0; i < 2; i++) {
			send_one(path.pair, 0, 0);
			send_one(path.pair, 1, 0);
		}
		for (i = 0; i < 2; i++) {
			ck_assert_uint_eq(mig_state(&path.pair->end[i]), IB_MIG_ARMED);
			ck_assert_uint_eq(events(&path.pair->end[i], HCA_QP_PATH_MIG), round);
			ck_assert_uint_eq(events(&path.pair->end[i], HCA_QP_PATH_MIG_ERROR), 0);
		}
	}
	pair_free(path.pair);
}
END_TEST

/*
 * B4-273: a migration request that arrives on the path in use is dropped, and an event reports it.
 */
START_TEST(wrong_request)
{
	struct path path = path_armed(&pair_rc);
	struct pair_end *a = &path.pair->end[0], *b = &path.pair->end[1];
	struct hca_headers h = {
		.lrh = { .lnh = IB_LNH_IBA_LOCAL, .dlid = 2, .slid = 1 },
		.bth = { .opcode = HCA_OPCODE(RC, SEND_ONLY),
			 .flags = HCA_BTH_MIGREQ,
			 .pkey = 0xffff,
			 .destqp = b->qp->qpn,
			 .psn = hca_qp_eec(b->qp)->expected_psn },
	};

	pair_recv(b, 1, DST, 100);
	trace_inject(path.pair, 1, &h, 10);
	ck_assert_uint_eq(events(b, HCA_QP_PATH_MIG_ERROR), 1);
	ck_assert_uint_eq(mig_state(b), IB_MIG_ARMED);
	/*
	 * A packet by the alternate path without a migration request, or by a third path, is not
	 * the connection's.
	 */
	h.lrh.slid = 3;
	trace_inject(path.pair, 1, &h, 10);
	h.bth.flags = 0;
	trace_inject(path.pair, 1, &h, 10);
	ck_assert_uint_eq(events(b, HCA_QP_PATH_MIG_ERROR), 1);
	ck_assert_uint_eq(mig_state(b), IB_MIG_ARMED);
	pair_expect_none(&b->recv_cq);
	pair_send(a, 1, HCA_WQE_SIGNALED, SRC, 10);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	pair_free(path.pair);
}
END_TEST

/* C4-107: the alternate path has its own P_Key. */
START_TEST(partition)
{
	struct path path = path_new(&pair_rc);
	struct hca_qp_attr attr = {
		.iba.alt_port_num = 2,
		.iba.alt_pkey_index = 3,
		.iba.path_mig_state = IB_MIG_REARM,
	};
	int i;

	for (i = 0; i < 2; i++) {
		path.pair->end[i].ports[2].tables.pkey[3] = 0x8123;
		attr.iba.alt_av.dlid = pair_lid(!i, 2);
		ck_assert_int_eq(modify(&path.pair->end[i], &attr,
					IB_QP_ALT_PATH | IB_QP_PATH_MIG_STATE),
				 0);
	}
	send_one(path.pair, 0, 0);
	send_one(path.pair, 1, 0);
	ck_assert_int_eq(command(&path.pair->end[0], IB_MIG_MIGRATED), 0);
	path.trace->n = 0;
	send_one(path.pair, 0, 0);
	for (i = 0; i < (int)path.trace->n; i++)
		ck_assert_uint_eq(path.trace->packet[i].h.bth.pkey, 0x8123);
	pair_free(path.pair);
}
END_TEST

/* Invalid values are refused; no attribute of such a request is applied. */
START_TEST(wrong_values)
{
	struct path path = path_new(&pair_rc);
	struct pair_end *a = &path.pair->end[0];
	const struct hca_qp_attr good = { .iba.alt_port_num = 2, .iba.alt_av = { .dlid = 4 } };
	struct hca_qp_attr attr[6];
	unsigned int i;

	for (i = 0; i < 6; i++)
		attr[i] = good;
	attr[0].iba.alt_port_num = 0;
	attr[1].iba.alt_port_num = 3;
	attr[2].iba.alt_pkey_index = HCA_PKEYS;
	attr[3].iba.alt_timeout = 32;
	attr[4].iba.alt_av.sl = 16;
	attr[5].iba.path_mig_state = IB_MIG_ARMED;
	for (i = 0; i < 6; i++) {
		ck_assert_int_eq(modify(a, &attr[i],
					IB_QP_ALT_PATH | (i == 5 ? IB_QP_PATH_MIG_STATE : 0)),
				 -EINVAL);
		ck_assert_int_eq(command(a, IB_MIG_REARM), -EINVAL);
	}
	ck_assert_int_eq(modify(a, &good, IB_QP_ALT_PATH), 0);
	ck_assert_int_eq(command(a, IB_MIG_REARM), 0);
	ck_assert_int_eq(command(a, 3), -EINVAL);
	ck_assert_int_eq(command(a, IB_MIG_MIGRATED), 0);
	ck_assert_uint_eq(events(a, HCA_QP_PATH_MIG), 0);
	pair_free(path.pair);
}
END_TEST

/* The port is changed while packets wait for its credits: they leave by the new one. */
START_TEST(port_changed_while_waiting)
{
	struct pair_qp how = pair_rc;
	struct pair *pair;
	struct pair_end *a, *b;
	struct hca_qp_attr attr = { .state = IB_QPS_SQD, .iba.port_num = 2,
				    .iba.av = { .dlid = 3 } };
	struct hca_qp_attr rts = { .state = IB_QPS_RTS };

	how.ports = 2;
	pair = pair_new(&how);
	a = &pair->end[0];
	b = &pair->end[1];
	ck_assert_int_eq(hca_qp_modify(b->qp, &attr, IB_QP_STATE), 0);
	/* b has the data of a read to send and lacks credit. */
	a->ports[1].rx_buffer.fccl[0] = b->ports[1].tx.fctbs[0];
	pair_queue_is_full(b, true);
	pair_rdma(a, b, 1, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, SRC, DST, 3000);
	ck_assert(!list_empty(&hca_qp_eec(b->qp)->blocked.node));
	ck_assert_int_eq(hca_qp_modify(b->qp, &attr, IB_QP_AV | IB_QP_PORT), 0);
	ck_assert(list_empty(&hca_qp_eec(b->qp)->blocked.node));
	attr.iba.av.dlid = 4;
	attr.state = IB_QPS_SQD;
	ck_assert_int_eq(hca_qp_modify(a->qp, &attr, IB_QP_STATE), 0);
	ck_assert_int_eq(hca_qp_modify(a->qp, &attr, IB_QP_AV | IB_QP_PORT), 0);
	ck_assert_int_eq(hca_qp_modify(a->qp, &rts, IB_QP_STATE), 0);
	ck_assert_int_eq(hca_qp_modify(b->qp, &rts, IB_QP_STATE), 0);
	pair_wait(2000);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_free(pair);
}
END_TEST

Suite *migrate_suite(void)
{
	Suite *suite = suite_create("migrate");
	TCase *tc = tcase_create("migrate");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, unused, 0, 3);
	tcase_add_loop_test(tc, handshake, 0, 3);
	tcase_add_loop_test(tc, invalidated, 0, 3);
	tcase_add_loop_test(tc, by_verb, 0, 6);
	tcase_add_loop_test(tc, rate_of_the_alternate, 0, sizeof(services) / sizeof(services[0]));
	tcase_add_loop_test(tc, by_exhaustion, 0, 4);
	tcase_add_loop_test(tc, cut_both_ways, 0, 2);
	tcase_add_loop_test(tc, first_attempt_anew, 0, 4);
	tcase_add_loop_test(tc, timeout_of_the_alternate, 0, 2);
	tcase_add_loop_test(tc, told_while_waiting, 0, 3);
	tcase_add_loop_test(tc, nothing_lost, 0, 4);
	tcase_add_loop_test(tc, rearmed, 0, 3);
	tcase_add_test(tc, wrong_request);
	tcase_add_test(tc, partition);
	tcase_add_test(tc, wrong_values);
	tcase_add_test(tc, port_changed_while_waiting);
	suite_add_tcase(suite, tc);
	return suite;
}
