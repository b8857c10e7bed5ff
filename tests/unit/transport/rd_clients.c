// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "tests/unit/transport/rd_clients.h"
#include <check.h>

struct rd rd_new(const struct pair_qp *how)
{
	struct rd rd = { .pair = pair_new(how) };
	int i;

	rd.a = &rd.pair->end[0];
	rd.b = &rd.pair->end[1];
	rd.qa[0] = rd.a->qp;
	rd.qb[0] = rd.b->qp;
	for (i = 1; i < RD_QPS; i++) {
		rd.qa[i] = rd.a->more[i] = pair_create_qp(rd.a, how);
		rd.qb[i] = rd.b->more[i] = pair_create_qp(rd.b, how);
		pair_connect(rd.qa[i], how, 0, 0, 0, 0);
		pair_connect(rd.qb[i], how, 0, 0, 0, 0);
	}
	rd.trace = trace_on(rd.pair);
	return rd;
}

void rd_free(struct rd *rd)
{
	rd->a->qp = rd->qa[0];
	rd->b->qp = rd->qb[0];
	pair_free(rd->pair);
}

void rd_use(struct rd *rd, int i)
{
	rd->a->qp = rd->qa[i];
	rd->b->qp = rd->qb[i];
	rd->a->to_qpn = rd->qb[i]->qpn;
}

void rd_send(struct rd *rd, int i, u64 wr_id, u32 length)
{
	rd_use(rd, i);
	pair_send(rd->a, wr_id, HCA_WQE_SIGNALED, SRC + i * 65536, length);
}

void rd_recv(struct rd *rd, int i, u64 wr_id, u32 length)
{
	rd_use(rd, i);
	pair_recv(rd->b, wr_id, DST + i * 65536, length);
}

void rd_qp_to(struct hca_qp *qp, u8 state)
{
	struct hca_qp_attr attr = { .state = state };

	ck_assert_int_eq(hca_qp_modify(qp, &attr, IB_QP_STATE), 0);
}

void rd_eec_to(struct hca_rd_eec *rd_eec, u8 state)
{
	struct hca_qp_attr attr = { .state = state };

	ck_assert_int_eq(hca_rd_eec_modify(rd_eec, &attr, IB_QP_STATE), 0);
}

void rd_expect_works(struct rd *rd, int i)
{
	pair_fill(rd->a, SRC + i * 65536, 3000, i);
	rd_recv(rd, i, 900, 3000);
	rd_send(rd, i, 901, 3000);
	pair_wait(200);
	pair_expect(&rd->a->send_cq, 901, IB_WC_SUCCESS);
	pair_expect(&rd->b->recv_cq, 900, IB_WC_SUCCESS);
	ck_assert(pair_same(rd->a, SRC + i * 65536, rd->b, DST + i * 65536, 3000));
	ck_assert_uint_eq(rd->a->rd_eec->common.state, IB_QPS_RTS);
	ck_assert_uint_eq(rd->b->rd_eec->common.state, IB_QPS_RTS);
}
