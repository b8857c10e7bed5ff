// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * QP0 and QP1: how they are reached, and which keys they have. Also, what only kernel consumers may
 * use.
 */
#include <check.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/errno.h>
#include "tests/consumer/consumer.h"
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"

#define GSI_QKEY 0x80010000u

static struct pair_qp kernels(const struct pair_qp *like, u8 type)
{
	struct pair_qp how = *like;

	how.type = type;
	how.kernel = true;
	return how;
}

static struct hca_send_wqe *mad(struct pair *pair, u64 wr_id)
{
	struct pair_end *a = &pair->end[0];
	struct hca_send_wqe *wqe = pair_wqe(a, wr_id, IB_UVERBS_WR_SEND, HCA_WQE_SIGNALED);

	wqe->ud.av.dlid = 2;
	wqe->ud.av.port_num = 1;
	wqe->ud.remote_qpn = pair->end[1].qp->qpn;
	wqe->ud.remote_qkey = PAIR_QKEY;
	pair_sge(a, wqe, SRC, 256);
	return wqe;
}

/* Each port has one of each, with these numbers; no other queue pair gets them. */
START_TEST(one_of_each)
{
	static const u8 types[] = { IB_QPT_SMI, IB_QPT_GSI };
	struct hca_qp_init init = { .type = types[_i], .port_num = 1, .kernel = true };
	struct pair_qp how = kernels(&pair_ud, types[_i]);
	struct pair_end *a;
	struct pair *pair;

	how.ports = 2;
	pair = pair_new(&how);
	a = &pair->end[0];
	init.send_cq = &a->send_cq;
	init.recv_cq = &a->recv_cq;
	ck_assert_uint_eq(a->qp->qpn, _i); /* C4-182, V3-331 */
	ck_assert_int_eq(PTR_ERR_OR_ZERO(consumer_create_qp(a->ci, &init)), -EBUSY);
	a->more[0] = pair_create_qp(a, &pair_ud);
	ck_assert_uint_ge(a->more[0]->qpn, 2); /* V3-168, V3-212 */
	hca_qp_destroy(a->qp);
	a->qp = consumer_create_qp(a->ci, &init);
	ck_assert(!IS_ERR(a->qp)); /* V3-169 */
	ck_assert_uint_eq(a->qp->qpn, _i);
	init.port_num = 2;
	a->more[1] = consumer_create_qp(a->ci, &init);
	ck_assert(!IS_ERR(a->more[1]));
	ck_assert_uint_eq(a->more[1]->qpn, _i); /* B4-151, C4-187 */
	ck_assert_int_eq(PTR_ERR_OR_ZERO(consumer_create_qp(a->ci, &init)), -EBUSY);
	pair_free(pair);
}
END_TEST

/*
 * B4-305, B4-317, V3-208: before LIDs are assigned, VL15 and the permissive LID are used, which is
 * also the source LID of any packet; any partition and any Q_Key are accepted.
 */
START_TEST(qp0)
{
	static const u16 dlids[] = { HCA_LID_PERMISSIVE, 2 };
	const struct pair_qp how = kernels(&pair_ud, IB_QPT_SMI);
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	struct hca_send_wqe *wqe;
	struct hca_cqe cqe;
	int i;

	for (i = 0; i < 2; i++) {
		pair->end[i].ports[1].info.state = IB_PORT_INIT;
		if (!i || !_i)
			pair->end[i].ports[1].info.lid = 0;
		pair->end[i].ports[1].tables.pkey[0] = 0x8001 + i;
	}
	pair_fill(a, SRC, 256, 1);
	pair_recv(b, 1, DST, 300);
	wqe = mad(pair, 1);
	wqe->ud.av.dlid = dlids[_i];
	wqe->ud.remote_qkey = 77;
	pair_post(a);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS); /* B4-150, B4-157 */
	ck_assert(pair_poll(&b->recv_cq, &cqe));
	ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
	ck_assert_uint_eq(cqe.slid, HCA_LID_PERMISSIVE); /* B4-129 */
	ck_assert_uint_eq(cqe.src_qp, 0);
	ck_assert(pair_same(a, SRC, b, DST + 40, 256)); /* B4-158 */
	ck_assert_uint_eq(trace->packet[0].h.lrh.vl, HCA_VL_MANAGEMENT);
	ck_assert_uint_eq(trace->packet[0].h.bth.pkey, 0xffff);
	ck_assert_uint_eq(b->ports[1].info.p_key_violations, 0);
	ck_assert_uint_eq(b->ports[1].info.q_key_violations, 0);
	pair_free(pair);
}
END_TEST

/* B4-118, C4-287, V3-024: QP0 is reached on VL15 only, and VL15 reaches QP0 only. */
START_TEST(lanes)
{
	const struct pair_qp how = kernels(&pair_ud, IB_QPT_SMI);
	struct pair *pair = pair_new(&how);
	struct pair_end *b = &pair->end[1];
	struct hca_headers h = {
		.lrh = { .dlid = 2, .slid = 1, .lnh = IB_LNH_IBA_LOCAL },
		.bth = { .opcode = HCA_OPCODE(UD, SEND_ONLY), .pkey = 0xffff },
		.deth = { .qkey = PAIR_QKEY },
	};
	struct hca_qp *own = b->qp;

	b->more[0] = pair_create_qp(b, &pair_ud);
	pair_connect(b->more[0], &pair_ud, 0, 0, 0, 0);
	pair_recv(b, 1, DST, 300);
	b->qp = b->more[0];
	pair_recv(b, 2, DST, 300);
	trace_inject(pair, 1, &h, 20); /* QP0, VL0 */
	h.bth.destqp = b->qp->qpn;
	h.lrh.vl = HCA_VL_MANAGEMENT;
	trace_inject(pair, 1, &h, 20);
	pair_expect_none(&b->recv_cq);
	h.lrh.vl = 0;
	trace_inject(pair, 1, &h, 20);
	pair_expect(&b->recv_cq, 2, IB_WC_SUCCESS);
	h.bth.destqp = 0;
	h.lrh.vl = HCA_VL_MANAGEMENT;
	trace_inject(pair, 1, &h, 20);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	b->qp = own;
	pair_free(pair);
}
END_TEST

/*
 * B4-313, B4-317, B4-318, C4-290, V3-011: QP1 sends with the P_Key index of the request,
 * accepts each P_Key of its port and reports its index; a packet with another P_Key is counted.
 */
START_TEST(qp1)
{
	const struct pair_qp how = kernels(&pair_ud, IB_QPT_GSI);
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_cqe cqe;

	a->ports[1].tables.pkey[3] = 0x8123;
	b->ports[1].tables.pkey[5] = 0x0123;
	a->ports[1].tables.pkey[4] = 0x8456;
	pair_recv(b, 1, DST, 300);
	mad(pair, 1)->ud.pkey_index = 4;
	pair_post(a);
	pair_expect_none(&b->recv_cq);
	ck_assert_uint_eq(b->ports[1].info.p_key_violations, 1);
	mad(pair, 2)->ud.pkey_index = 3;
	pair_post(a);
	ck_assert(pair_poll(&b->recv_cq, &cqe));
	ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
	ck_assert_uint_eq(cqe.pkey_index, 5);
	ck_assert_uint_eq(b->ports[1].info.p_key_violations, 1);
	pair_free(pair);
}
END_TEST

/* B4-318, B4-325: violation counters stick at their maximum. */
START_TEST(violations_saturate)
{
	const struct pair_qp how = kernels(&pair_ud, IB_QPT_GSI);
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	unsigned int i;

	b->ports[1].info.q_key_violations = 0xfffe;
	b->ports[1].info.p_key_violations = 0xfffe;
	a->ports[1].tables.pkey[1] = 0x8123;
	for (i = 0; i < 3; i++) {
		mad(pair, 1)->ud.remote_qkey = 1;
		pair_post(a);
		mad(pair, 1)->ud.pkey_index = 1;
		pair_post(a);
	}
	ck_assert_uint_eq(b->ports[1].info.q_key_violations, 0xffff);
	ck_assert_uint_eq(b->ports[1].info.p_key_violations, 0xffff);
	pair_free(pair);
}
END_TEST

/*
 * B4-324, C4-052: a sender cannot choose a controlled Q_Key; the queue pair's own is sent instead.
 */
START_TEST(controlled_qkey)
{
	struct pair *pair = pair_new(&pair_ud);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	const struct hca_qp_attr attr = { .iba.qkey = GSI_QKEY };
	struct hca_cqe cqe;

	pair_recv(b, 1, DST, 300);
	ck_assert_int_eq(hca_qp_modify(b->qp, &attr, IB_QP_QKEY), 0);
	mad(pair, 1)->ud.remote_qkey = GSI_QKEY;
	pair_post(a);
	ck_assert(!pair_poll(&b->recv_cq, &cqe));
	ck_assert_uint_eq(b->ports[1].info.q_key_violations, 1);
	ck_assert_int_eq(hca_qp_modify(a->qp, &attr, IB_QP_QKEY), 0);
	mad(pair, 2)->ud.remote_qkey = 0xffffffff;
	pair_post(a);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
	pair_free(pair);
}
END_TEST

static const u8 kernel_types[] = { IB_QPT_RC, IB_QPT_UC, IB_QPT_UD };

/*
 * R0-277, V3-078: L_Key 0 covers kernel memory by its kernel addresses; a process has no such key.
 */
START_TEST(kernel_memory)
{
	static u8 from[3000], to[40 + 3000];
	const bool datagram = kernel_types[_i / 2] == IB_QPT_UD;
	const struct pair_qp *like = datagram ? &pair_ud : &pair_rc;
	struct pair_qp how = kernels(like, kernel_types[_i / 2]);
	struct hca_send_wqe *wqe;
	struct hca_recv_wqe *recv;
	struct pair_end *a, *b;
	struct hca_sge *sge;
	struct pair *pair;
	unsigned int i;

	how.kernel = _i % 2;
	pair = pair_new(&how);
	a = &pair->end[0];
	b = &pair->end[1];
	for (i = 0; i < sizeof(from); i++)
		from[i] = i * 7;
	memset(to, 0, sizeof(to));
	recv = hca_queue_entry(&b->qp->rq, b->qp->rq.ring->producer);
	pair_recv(b, 1, DST, sizeof(to));
	if (how.kernel) {
		recv->sge[0].addr = (uintptr_t)to;
		recv->sge[0].lkey = HCA_LOCAL_DMA_KEY;
	}
	wqe = mad(pair, 1);
	sge = (void *)((u8 *)wqe + HCA_SEND_WQE_HEADER);
	sge->addr = (uintptr_t)from;
	sge->length = sizeof(from);
	sge->lkey = HCA_LOCAL_DMA_KEY;
	pair_post(a);
	pair_settle();
	pair_expect(&a->send_cq, 1, how.kernel ? IB_WC_SUCCESS : IB_WC_LOC_PROT_ERR);
	if (how.kernel) {
		pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS);
		ck_assert_mem_eq(to + (datagram ? 40 : 0), from, sizeof(from));
	}
	pair_free(pair);
}
END_TEST

/* B4-260: the handler runs once for an arming, which reports missed completions. */
START_TEST(kernel_arming)
{
	const struct pair_qp how = kernels(&pair_ud, IB_QPT_UD);
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_cqe cqe[4];
	unsigned int i;

	for (i = 0; i < 4; i++)
		pair_recv(b, i, DST, 300);
	ck_assert(!hca_cq_arm(&b->recv_cq, HCA_CQ_ARM_NEXT));
	for (i = 0; i < 3; i++) {
		mad(pair, i);
		pair_post(a);
		pair_settle();
		ck_assert_uint_eq(b->notified, 1); /* R0-100 */
	}
	ck_assert(hca_cq_arm(&b->recv_cq, HCA_CQ_ARM_SOLICITED));
	ck_assert_int_eq(hca_cq_poll(&b->recv_cq, cqe, 2), 2); /* V3-279 */
	ck_assert_uint_eq(cqe[1].wr_id, 1);
	ck_assert_int_eq(hca_cq_poll(&b->recv_cq, cqe, 4), 1);
	ck_assert_int_eq(hca_cq_poll(&b->recv_cq, cqe, 4), 0);
	mad(pair, 3)->flags |= HCA_WQE_SOLICITED;
	pair_post(a);
	pair_settle();
	ck_assert_uint_eq(b->notified, 2); /* R0-102, V3-281, V3-282 */
	pair_free(pair);
}
END_TEST

/*
 * V3-194, V3-193, V3-236, V3-275: the QP is destroyed; its completions are removed, as consumers in
 * the kernel expect, and those of other QPs are unchanged.
 */
START_TEST(forgotten)
{
	const struct pair_qp how = kernels(&pair_ud, IB_QPT_UD);
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_qp *first = b->qp;
	struct hca_cqe cqe;

	pair_recv(b, 1, DST, 300);
	mad(pair, 1);
	pair_post(a);
	b->more[0] = pair_create_qp(b, &how);
	b->more[0]->cookie++;
	pair_connect(b->more[0], &how, 0, 0, 0, 0);
	b->qp = b->more[0];
	pair_recv(b, 2, DST, 300);
	mad(pair, 2);
	pair_post(a);
	pair_settle();
	hca_qp_destroy(first);
	b->qp = NULL;
	ck_assert(pair_poll(&b->recv_cq, &cqe));
	ck_assert_uint_eq(cqe.wr_id, 2);
	ck_assert_uint_eq(cqe.kernel, b->more[0]->cookie);
	ck_assert(!pair_poll(&b->recv_cq, &cqe));
	pair_free(pair);
}
END_TEST

/*
 * The entries of a kernel consumer are free when their completions are polled (R0-408); completions
 * from before a Reset are removed.
 */
START_TEST(kernel_reaps)
{
	const struct pair_qp how = kernels(&pair_ud, IB_QPT_UD);
	struct hca_qp_attr reset = { .state = IB_QPS_RESET };
	struct pair *pair = pair_new(&how);
	struct pair_end *b = &pair->end[1];
	struct hca_cqe cqe;

	pair_recv(b, 1, DST, 300);
	pair_recv(b, 2, DST, 300);
	mad(pair, 1);
	pair_post(&pair->end[0]);
	mad(pair, 2);
	pair_post(&pair->end[0]);
	pair_settle();
	ck_assert(pair_poll(&b->recv_cq, &cqe));
	hca_qp_reap(b->qp, &cqe);
	ck_assert_int_eq(atomic_read(&b->qp->rq_reaped), 1);
	ck_assert_int_eq(atomic_read(&b->qp->sq_reaped), 0);

	ck_assert_int_eq(hca_qp_modify(b->qp, &reset, IB_QP_STATE), 0);
	ck_assert_int_eq(atomic_read(&b->qp->rq_reaped), 0);
	ck_assert(!pair_poll(&b->recv_cq, &cqe));
	pair_free(pair);
}
END_TEST

Suite *special_suite(void)
{
	Suite *suite = suite_create("special");
	TCase *tc = tcase_create("special");

	tcase_add_loop_test(tc, one_of_each, 0, 2);
	tcase_add_loop_test(tc, qp0, 0, 2);
	tcase_add_test(tc, lanes);
	tcase_add_test(tc, qp1);
	tcase_add_test(tc, violations_saturate);
	tcase_add_test(tc, controlled_qkey);
	suite_add_tcase(suite, tc);

	tc = tcase_create("kernel");
	tcase_add_loop_test(tc, kernel_memory, 0, 2 * sizeof(kernel_types));
	tcase_add_test(tc, kernel_arming);
	tcase_add_test(tc, forgotten);
	tcase_add_test(tc, kernel_reaps);
	suite_add_tcase(suite, tc);
	return suite;
}
