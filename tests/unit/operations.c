// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <check.h>
#include "operations.h"

static const u32 sizes[] = { 0,	   1,	 3,    255,  256,  257,	  1023,	 1024,
			     1025, 4095, 4096, 4097, 8192, 65536, 100001 };

struct pair_qp operations_with_mtu(const struct pair_qp *how, int mtu)
{
	struct pair_qp other = *how;

	other.mtu = mtu;
	return other;
}

void operations_expect_message(struct pair_end *end, struct hca_cqe *cqe, u64 wr_id, u8 opcode,
			       u32 imm, u32 length)
{
	ck_assert(pair_poll(&end->recv_cq, cqe));
	ck_assert_uint_eq(cqe->wr_id, wr_id);
	ck_assert_uint_eq(cqe->status, IB_WC_SUCCESS);
	ck_assert_uint_eq(cqe->opcode, opcode);
	ck_assert_uint_eq(cqe->byte_len, length);
	ck_assert_uint_eq(cqe->flags, HCA_CQE_RECV | HCA_CQE_WITH_IMM);
	ck_assert_uint_eq(be32_to_cpu(cqe->imm_data), imm);
}

static void run_send(struct pair *pair, u32 i, u32 n,
		     void (*received)(struct pair *pair, const struct hca_cqe *cqe))
{
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_cqe cqe;

	pair_fill(a, SRC, n, i);
	pair_fill(b, DST, n, i + 99);
	pair_recv(b, i, DST, n);
	pair_send(a, 100 + i, HCA_WQE_SIGNALED, SRC, n);
	pair_settle();
	pair_expect(&a->send_cq, 100 + i, IB_WC_SUCCESS); /* B4-075, B4-255 */
	operations_expect_message(b, &cqe, i, IB_WC_RECV, 100 + i, n); /* R0-093, R0-380 */
	if (received)
		received(pair, &cqe);
	ck_assert(pair_same(a, SRC, b, DST, n)); /* B4-246 */
}

static void run_write(struct pair *pair, u32 i, u32 n)
{
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];

	pair_fill(a, SRC, n, i + 7);
	pair_rdma(a, b, 200 + i, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST + 5, n);
	pair_settle();
	pair_expect(&a->send_cq, 200 + i, IB_WC_SUCCESS);
	ck_assert(pair_same(a, SRC, b, DST + 5, n)); /* B4-006 */
}

static void run_write_imm(struct pair *pair, u32 i, u32 n)
{
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_cqe cqe;

	pair_fill(a, SRC, n, i + 8);
	pair_recv(b, 50 + i, 0, 0);
	pair_rdma(a, b, 300 + i, IB_UVERBS_WR_RDMA_WRITE_WITH_IMM, HCA_WQE_SIGNALED, SRC, DST, n);
	pair_settle();
	pair_expect(&a->send_cq, 300 + i, IB_WC_SUCCESS);
	/* B4-247 */
	operations_expect_message(b, &cqe, 50 + i, IB_WC_RECV_RDMA_WITH_IMM, 300 + i, n);
	ck_assert(pair_same(a, SRC, b, DST, n));
}

static void run_read(struct pair *pair, u32 i, u32 n)
{
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];

	pair_fill(b, DST, n, i + 9);
	pair_rdma(a, b, 400 + i, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, SRC + 3, DST, n);
	pair_settle();
	pair_expect(&a->send_cq, 400 + i, IB_WC_SUCCESS);
	ck_assert(pair_same(a, SRC + 3, b, DST, n)); /* B4-047 */
}

void operations_run(struct pair *pair, bool reads,
		    void (*received)(struct pair *pair, const struct hca_cqe *cqe))
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		run_send(pair, i, sizes[i], received);
		run_write(pair, i, sizes[i]);
		run_write_imm(pair, i, sizes[i]);
		if (reads)
			run_read(pair, i, sizes[i]);
	}
	pair_expect_none(&pair->end[0].send_cq);
	pair_expect_none(&pair->end[1].recv_cq); /* B4-248, R0-015, R0-386 */
}
