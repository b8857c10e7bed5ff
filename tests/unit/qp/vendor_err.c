// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* vendor_err of completions: each check that ends a request is provoked, and says so. */
#include "tests/unit/qp/vendor_err.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include "qp/vendor_err.h"
#include "tests/consumer/consumer.h"
#include "tests/unit/suites.h"
#include "transport/aeth.h"
#include "transport/iba_qp.h"

#define PAGE_BASE (3ull << 30)

struct scene scene;

/* --- requests */

static struct hca_sge *sge_of(struct hca_send_wqe *wqe)
{
	return (void *)((u8 *)wqe + HCA_SEND_WQE_HEADER);
}

/* A request of eight octets, that would succeed with a receive request of the peer. */
static struct hca_send_wqe *request(u8 opcode)
{
	struct hca_send_wqe *wqe = pair_wqe(scene.a, 1, opcode, HCA_WQE_SIGNALED);

	if (scene.a->qp->type == IB_QPT_UD) {
		wqe->ud.av.dlid = 2;
		wqe->ud.av.port_num = 1;
		wqe->ud.remote_qpn = scene.b->qp->qpn;
		wqe->ud.remote_qkey = PAIR_QKEY;
	} else {
		wqe->rdma.remote_addr = (pair_addr(scene.b, DST) + 8) & ~7ull;
		wqe->rdma.rkey = scene.b->entry->key;
	}
	pair_sge(scene.a, wqe, SRC, 8);
	return wqe;
}

void scene_post(void)
{
	pair_post(scene.a);
}

struct hca_tpt_entry *scene_entry(struct pair_end *end, u8 kind)
{
	struct hca_tpt_entry *entry = kmemdup(end->entry, sizeof(*entry), GFP_KERNEL);

	entry->kind = kind;
	if (kind != HCA_TPT_MR)
		entry->length = 0;
	return scene.entry[scene.entries++] = entry;
}

struct hca_tpt_entry *scene_add(struct pair_end *end, struct hca_tpt_entry *entry)
{
	ck_assert_int_eq(hca_tpt_entry_add(&end->ci->tpt, entry), 0);
	return entry;
}

static void send_by(u32 lkey)
{
	sge_of(request(IB_UVERBS_WR_SEND))->lkey = lkey;
	scene_post();
}

/* --- the request itself */

static void opcode(void)
{
	request(200);
	scene_post();
}

static void num_sge(void)
{
	request(IB_UVERBS_WR_SEND)->num_sge = scene.a->qp->max_send_sge + 1;
	scene_post();
}

static void send_inline(u8 op, u32 length)
{
	struct hca_send_wqe *wqe = request(op);

	wqe->flags |= HCA_WQE_INLINE;
	wqe->inline_length = length;
	scene_post();
}

static void inline_length(void)
{
	send_inline(IB_UVERBS_WR_SEND, scene.a->qp->max_inline + 1);
}

static void inline_opcode(void)
{
	send_inline(IB_UVERBS_WR_RDMA_READ, 8);
}

static void av(void)
{
	request(IB_UVERBS_WR_SEND)->ud.av.sl = 16;
	scene_post();
}

static void av_port(void)
{
	request(IB_UVERBS_WR_SEND)->ud.av.port_num = 2;
	scene_post();
}

static void pkey_index(void)
{
	request(IB_UVERBS_WR_SEND)->ud.pkey_index = HCA_PKEYS;
	scene_post();
}

static void initiator_depth(void)
{
	hca_qp_eec(scene.a->qp)->attr.max_rd_atomic = 0;
	request(IB_UVERBS_WR_RDMA_READ);
	scene_post();
}

static void placement(void)
{
	request(IB_UVERBS_WR_FLUSH)->rdma.flush.placement = 0;
	scene_post();
}

static void send_length(u8 op, u32 length)
{
	sge_of(request(op))->length = length;
	scene_post();
}

static void message_length(void)
{
	send_length(IB_UVERBS_WR_SEND, (1u << 31) + 1);
}

static void atomic_length(void)
{
	send_length(IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, 4);
}

static void datagram_length(void)
{
	send_length(IB_UVERBS_WR_SEND, 4097);
}

/* --- its memory */

static void lkey(void)
{
	send_by(scene.a->entry->key + 1);
}

static void lkey_invalid(void)
{
	send_by(scene_add(scene.a, scene_entry(scene.a, HCA_TPT_FAST_MR))->key);
}

static void lkey_window(void)
{
	send_by(scene_add(scene.a, scene_entry(scene.a, HCA_TPT_MW_1))->key);
}

static void lkey_pd(void)
{
	struct hca_tpt_entry *entry = scene_entry(scene.a, HCA_TPT_MR);

	entry->pd = &scene;
	send_by(scene_add(scene.a, entry)->key);
}

static void lkey_access(void)
{
	struct hca_tpt_entry *entry = scene_entry(scene.a, HCA_TPT_MR);

	entry->access = 0;
	sge_of(request(IB_UVERBS_WR_RDMA_READ))->lkey = scene_add(scene.a, entry)->key;
	scene_post();
}

static void lkey_bounds(void)
{
	sge_of(request(IB_UVERBS_WR_SEND))->addr += PAIR_MEMORY - 7;
	scene_post();
}

static bool lose_requests(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	(void)pair;
	(void)pkt;
	return receiver == 0;
}

/* The MR is deregistered while the request is repeated. */
static void lkey_changed(void)
{
	struct hca_tpt_entry *entry = scene_add(scene.a, scene_entry(scene.a, HCA_TPT_MR));

	scene.pair->filter = lose_requests;
	send_by(entry->key);
	ck_assert_int_eq(hca_tpt_entry_remove(&scene.a->ci->tpt, entry), 0);
	scene.entries = 0;
}

static void ask(struct hca_odp *odp)
{
	(void)odp;
}

static struct hca_tpt_entry *paged(struct pair_end *end)
{
	struct hca_tpt_entry *entry = scene_entry(end, HCA_TPT_MR);

	scene.odp.ask = ask;
	scene.odp.start = PAGE_BASE;
	scene.odp.length = PAIR_MEMORY;
	ck_assert_int_eq(hca_odp_init(&scene.odp), 0);
	entry->page = NULL;
	entry->odp = &scene.odp;
	return scene_add(end, entry);
}

/* The process does not have the page that was asked for. */
static void page_fails(u32 offset)
{
	struct hca_odp_chunk *spare = kzalloc(sizeof(*spare), GFP_KERNEL);
	const struct hca_odp_want want = {};

	hca_odp_refuse(&scene.odp, &want, PAGE_BASE + offset, &spare);
	kfree(spare);
}

static void page(void)
{
	pair_recv(scene.b, 2, DST, 8);
	send_by(paged(scene.a)->key);
	pair_settle();
	page_fails(SRC);
}

/* --- the peer */

/* A message of three packets, and a receive request for it. */
static void message(void)
{
	pair_recv(scene.b, 1, DST, 3000);
	pair_send(scene.a, 1, HCA_WQE_SIGNALED, SRC, 3000);
}

static void recv_length(void)
{
	pair_recv(scene.b, 1, DST, 7);
	request(IB_UVERBS_WR_SEND);
	scene_post();
}

/* Change the SGE of the receive request that is posted next. */
static struct hca_sge *recv_sge(void)
{
	return ((struct hca_recv_wqe *)hca_queue_entry(&scene.b->qp->rq, 0))->sge;
}

static void receive_by(u32 key)
{
	pair_recv(scene.b, 1, DST, 8);
	recv_sge()->lkey = key;
	request(IB_UVERBS_WR_SEND);
	scene_post();
}

static void recv_lkey(void)
{
	receive_by(scene.b->entry->key ^ 1);
}

static void recv_access(void)
{
	struct hca_tpt_entry *entry = scene_entry(scene.b, HCA_TPT_MR);

	entry->access = IB_UVERBS_ACCESS_REMOTE_READ;
	receive_by(scene_add(scene.b, entry)->key);
}

/* The second SGE is the wrong one. */
static void recv_bounds(void)
{
	struct hca_recv_wqe *wqe;

	pair_recv(scene.b, 1, DST, 3);
	wqe = (struct hca_recv_wqe *)hca_queue_entry(&scene.b->qp->rq, 0);
	wqe->num_sge = 2;
	wqe->sge[1] = wqe->sge[0];
	wqe->sge[1].addr += PAIR_MEMORY;
	wqe->sge[1].length = 100;
	request(IB_UVERBS_WR_SEND);
	scene_post();
}

static void recv_page(void)
{
	receive_by(paged(scene.b)->key);
	pair_settle();
	page_fails(DST);
}

static void datagram_recv_lkey(void)
{
	pair_recv(scene.b, 1, DST, 100);
	recv_sge()->lkey ^= 1;
	request(IB_UVERBS_WR_SEND);
	scene_post();
}

static void nak_access(void)
{
	request(IB_UVERBS_WR_RDMA_WRITE)->rdma.rkey ^= 1;
	scene_post();
}

static void nak_rd(void)
{
	scene.a->to_qkey++;
	request(IB_UVERBS_WR_SEND);
	scene_post();
}

static void remote_invalidate(void)
{
	pair_recv(scene.b, 1, DST, 8);
	request(IB_UVERBS_WR_SEND_WITH_INV)->invalidate_rkey = scene.b->entry->key;
	scene_post();
}

/* The filter is given packets that are its own. */
static bool other_nak(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	(void)pair;
	if (receiver == 0)
		((struct hca_packet *)pkt)->h.aeth.syndrome = HCA_SYNDROME_NAK | 31;
	return true;
}

static void nak_code(void)
{
	scene.pair->filter = other_nak;
	message();
}

static bool other_response(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	(void)pair;
	if (receiver == 0)
		((struct hca_packet *)pkt)->h.bth.opcode = HCA_OPCODE(RC, ATOMIC_ACKNOWLEDGE);
	return true;
}

static void response(void)
{
	scene.pair->filter = other_response;
	request(IB_UVERBS_WR_RDMA_READ);
	scene_post();
}

static void timeout_retries(void)
{
	scene.pair->filter = lose_requests;
	message();
}

static bool lose_first(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	(void)pair;
	(void)pkt;
	return receiver == 0 || scene.seen++;
}

static void no_retries(void)
{
	struct hca_eec *eec = hca_qp_eec(scene.a->qp);

	eec->attr.iba.retry_cnt = 0;
	eec->retries_left = 0;
	eec->attr.iba.rnr_retry = 0;
	eec->rnr_left = 0;
}

/* A receive request for a later message, which an earlier one tells the sender of. */
static void credits_for(u64 wr_id)
{
	pair_recv(scene.b, 0, DST, 3000);
	pair_recv(scene.b, wr_id, DST, 3000);
	pair_send(scene.a, 0, 0, SRC, 8);
	pair_settle();
}

static void sequence_retries(void)
{
	credits_for(1);
	no_retries();
	scene.pair->filter = lose_first;
	pair_send(scene.a, 1, HCA_WQE_SIGNALED, SRC, 3000);
}

static bool lose_reads(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	(void)pair;
	return receiver == 1 || !(hca_opcodes[pkt->h.bth.opcode].flags & HCA_IS_READ);
}

static void implied_retries(void)
{
	credits_for(2);
	no_retries();
	scene.pair->filter = lose_reads;
	request(IB_UVERBS_WR_RDMA_READ);
	scene.a->qp->sq.ring->producer++;
	pair_send(scene.a, 2, HCA_WQE_SIGNALED, SRC, 8);
}

static void rnr_retries(void)
{
	no_retries();
	request(IB_UVERBS_WR_SEND);
	scene_post();
}

/* --- reliable datagrams */

static void eecn(void)
{
	scene.a->to_eecn ^= 1 << 20;
	request(IB_UVERBS_WR_SEND);
	scene_post();
}

static void eec_rdd(void)
{
	scene.a->rd_eec->rdd = &scene;
	request(IB_UVERBS_WR_SEND);
	scene_post();
}

static void eec_to_error(struct pair_end *end)
{
	struct hca_qp_attr attr = { .state = IB_QPS_ERR };

	ck_assert_int_eq(hca_rd_eec_modify(end->rd_eec, &attr, IB_QP_STATE), 0);
}

static void eec_state(void)
{
	eec_to_error(scene.a);
	request(IB_UVERBS_WR_SEND);
	scene_post();
}

static void eec_depth(void)
{
	scene.a->rd_eec->eec.attr.max_rd_atomic = 0;
	request(IB_UVERBS_WR_RDMA_READ);
	scene_post();
}

static bool first_only(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	u32 flags = hca_opcodes[pkt->h.bth.opcode].flags;

	(void)pair;
	return receiver == 0 || !(flags & HCA_IS_SEND) || (flags & HCA_IS_FIRST);
}

static void eec_error(void)
{
	scene.pair->filter = first_only;
	message();
	pair_settle();
	eec_to_error(scene.b);
}

static void qp_to_error(struct hca_qp *qp)
{
	struct hca_qp_attr attr = { .state = IB_QPS_ERR };

	ck_assert_int_eq(hca_qp_modify(qp, &attr, IB_QP_STATE), 0);
}

static void remote_abort(void)
{
	scene.pair->filter = first_only;
	message();
	pair_settle();
	qp_to_error(scene.a->qp);
}

/* --- flushed */

static void flush_error(void)
{
	qp_to_error(scene.a->qp);
	request(IB_UVERBS_WR_SEND);
	scene_post();
}

static void flush_recv(void)
{
	pair_recv(scene.b, 1, DST, 8);
	qp_to_error(scene.b->qp);
}

/* The first request fails, so that the second one, which is looked at, is flushed. */
static void flush_sqe(void)
{
	request(200)->wr_id = 0;
	scene.a->qp->sq.ring->producer++;
	request(IB_UVERBS_WR_SEND);
	scene_post();
}

/* --- the cases */

static const struct pair_qp rc_kernel = {
	.type = IB_QPT_RC,
	.mtu = IB_MTU_1024,
	.send_wr = 16,
	.recv_wr = 16,
	.cqe = 64,
	.kernel = true,
};

#define CASE(service, error, status, provoke) \
	{ &pair_##service, HCA_VENDOR_ERR_##error, IB_WC_##status, provoke, false }
#define RECV(service, error, status, provoke) \
	{ &pair_##service, HCA_VENDOR_ERR_##error, IB_WC_##status, provoke, true }
#define KERNEL(error, provoke) \
	{ &rc_kernel, HCA_VENDOR_ERR_##error, IB_WC_MW_BIND_ERR, provoke, false }

static const struct wrong {
	const struct pair_qp *how;
	u8 error, status;
	void (*provoke)(void);
	bool receive; /* the completion is that of the peer's receive request */
} wrongs[] = {
	CASE(rc, OPCODE, LOC_QP_OP_ERR, opcode),
	CASE(rc, NUM_SGE, LOC_QP_OP_ERR, num_sge),
	CASE(rc, INLINE_LENGTH, LOC_QP_OP_ERR, inline_length),
	CASE(rc, INLINE_OPCODE, LOC_QP_OP_ERR, inline_opcode),
	CASE(ud, AV, LOC_QP_OP_ERR, av),
	CASE(ud, AV_PORT, LOC_QP_OP_ERR, av_port),
	CASE(ud, PKEY_INDEX, LOC_QP_OP_ERR, pkey_index),
	CASE(rc, INITIATOR_DEPTH, LOC_QP_OP_ERR, initiator_depth),
	CASE(rc, PLACEMENT, LOC_QP_OP_ERR, placement),
	CASE(rc, MESSAGE_LENGTH, LOC_LEN_ERR, message_length),
	CASE(rc, ATOMIC_LENGTH, LOC_LEN_ERR, atomic_length),
	CASE(ud, DATAGRAM_LENGTH, LOC_LEN_ERR, datagram_length),
	RECV(rc, RECV_LENGTH, LOC_LEN_ERR, recv_length),
	CASE(rc, LKEY, LOC_PROT_ERR, lkey),
	CASE(ud, LKEY, LOC_PROT_ERR, lkey),
	RECV(rc, LKEY, LOC_PROT_ERR, recv_lkey),
	RECV(rd, LKEY, LOC_PROT_ERR, recv_lkey),
	RECV(ud, LKEY, LOC_PROT_ERR, datagram_recv_lkey),
	CASE(rc, LKEY_INVALID, LOC_PROT_ERR, lkey_invalid),
	CASE(rc, LKEY_WINDOW, LOC_PROT_ERR, lkey_window),
	CASE(rc, LKEY_PD, LOC_PROT_ERR, lkey_pd),
	CASE(rc, LKEY_ACCESS, LOC_PROT_ERR, lkey_access),
	RECV(rc, LKEY_ACCESS, LOC_PROT_ERR, recv_access),
	CASE(rc, LKEY_BOUNDS, LOC_PROT_ERR, lkey_bounds),
	RECV(rc, LKEY_BOUNDS, LOC_PROT_ERR, recv_bounds),
	CASE(rc, LKEY_CHANGED, LOC_PROT_ERR, lkey_changed),
	CASE(rc, PAGE, LOC_PROT_ERR, page),
	CASE(uc, PAGE, LOC_PROT_ERR, page),
	RECV(rc, PAGE, LOC_PROT_ERR, recv_page),
	CASE(rc, BIND_WINDOW, MW_BIND_ERR, bind_window),
	CASE(rd, BIND_WINDOW, MW_BIND_ERR, bind_window),
	CASE(rc, BIND_WINDOW_PD, MW_BIND_ERR, bind_window_pd),
	CASE(rc, BIND_FLAGS, MW_BIND_ERR, bind_flags),
	CASE(rc, BIND_LENGTH, MW_BIND_ERR, bind_length),
	CASE(rc, BIND_BOUND, MW_BIND_ERR, bind_bound),
	CASE(rc, BIND_KEY, MW_BIND_ERR, bind_key),
	CASE(rc, BIND_MR, MW_BIND_ERR, bind_mr),
	CASE(rc, BIND_MR_PD, MW_BIND_ERR, bind_mr_pd),
	CASE(rc, BIND_MR_KIND, MW_BIND_ERR, bind_mr_kind),
	CASE(rc, BIND_MR_ACCESS, MW_BIND_ERR, bind_mr_access),
	CASE(rc, BIND_RIGHTS, MW_BIND_ERR, bind_rights),
	CASE(rc, BIND_BOUNDS, MW_BIND_ERR, bind_bounds),
	KERNEL(REG_KEY, reg_key),
	KERNEL(REG_VALID, reg_valid),
	KERNEL(REG_PD, reg_pd),
	KERNEL(REG_RIGHTS, reg_rights),
	KERNEL(REG_BOUNDS, reg_bounds),
	CASE(rc, INVALIDATE_KEY, MW_BIND_ERR, invalidate_key),
	CASE(rc, INVALIDATE_KIND, MW_BIND_ERR, invalidate_kind),
	CASE(rc, INVALIDATE_QP, MW_BIND_ERR, invalidate_qp),
	CASE(rc, INVALIDATE_PD, MW_BIND_ERR, invalidate_pd),
	CASE(rc, INVALIDATE_BOUND, MW_BIND_ERR, invalidate_bound),
	CASE(rc, NAK_REQUEST, REM_INV_REQ_ERR, recv_length),
	CASE(rc, NAK_ACCESS, REM_ACCESS_ERR, nak_access),
	CASE(rc, NAK_OPERATION, REM_OP_ERR, recv_lkey),
	CASE(rd, NAK_RD, REM_INV_RD_REQ_ERR, nak_rd),
	CASE(rc, NAK_CODE, BAD_RESP_ERR, nak_code),
	CASE(rc, RESPONSE, BAD_RESP_ERR, response),
	RECV(rc, REMOTE_INVALIDATE, REM_INV_REQ_ERR, remote_invalidate),
	CASE(rc, TIMEOUT_RETRIES, RETRY_EXC_ERR, timeout_retries),
	CASE(rc, SEQUENCE_RETRIES, RETRY_EXC_ERR, sequence_retries),
	CASE(rc, IMPLIED_RETRIES, RETRY_EXC_ERR, implied_retries),
	CASE(rc, RNR_RETRIES, RNR_RETRY_EXC_ERR, rnr_retries),
	CASE(rd, EECN, INV_EECN_ERR, eecn),
	CASE(rd, EEC_RDD, LOC_RDD_VIOL_ERR, eec_rdd),
	CASE(rd, EEC_STATE, INV_EEC_STATE_ERR, eec_state),
	CASE(rd, EEC_DEPTH, LOC_EEC_OP_ERR, eec_depth),
	RECV(rd, EEC_ERROR, LOC_EEC_OP_ERR, eec_error),
	RECV(rd, REMOTE_ABORT, REM_ABORT_ERR, remote_abort),
	CASE(rc, FLUSH_ERROR, WR_FLUSH_ERR, flush_error),
	CASE(ud, FLUSH_ERROR, WR_FLUSH_ERR, flush_error),
	RECV(rc, FLUSH_ERROR, WR_FLUSH_ERR, flush_recv),
	CASE(uc, FLUSH_SQE, WR_FLUSH_ERR, flush_sqe),
	CASE(ud, FLUSH_SQE, WR_FLUSH_ERR, flush_sqe),
};
#define NUM_WRONGS ARRAY_SIZE(wrongs)

static void scene_end(void)
{
	unsigned int i;

	for (i = 0; i < scene.entries; i++) {
		struct pair_end *end = scene.entry[i]->pd == scene.b ? scene.b : scene.a;

		ck_assert_int_eq(hca_tpt_entry_remove(&end->ci->tpt, scene.entry[i]), 0);
	}
	if (scene.odp.ask)
		hca_odp_destroy(&scene.odp);
	pair_free(scene.pair);
}

/* The completion of request 1, whatever others there are. */
static struct hca_cqe outcome(struct hca_cq *cq)
{
	struct hca_cqe cqe;

	do {
		ck_assert(pair_poll(cq, &cqe));
		ck_assert_uint_eq(hca_vendor_err_status(cqe.vendor_err), cqe.status);
	} while (cqe.wr_id != 1);
	return cqe;
}

/* R0-455, T0-152: the status of each check that fails, and which one it is. */
START_TEST(provoked)
{
	const struct wrong *wrong = &wrongs[_i];
	struct hca_cqe cqe;

	memset(&scene, 0, sizeof(scene));
	scene.pair = pair_new(wrong->how);
	scene.a = &scene.pair->end[0];
	scene.b = &scene.pair->end[1];
	wrong->provoke();
	pair_wait(60000);
	cqe = outcome(wrong->receive ? &scene.b->recv_cq : &scene.a->send_cq);
	ck_assert_uint_eq(cqe.status, wrong->status);
	ck_assert_uint_eq(cqe.vendor_err, wrong->error);
	scene_end();
}
END_TEST

/* A request that succeeds has none. */
START_TEST(none)
{
	memset(&scene, 0, sizeof(scene));
	scene.pair = pair_new(&pair_rc);
	scene.a = &scene.pair->end[0];
	scene.b = &scene.pair->end[1];
	message();
	pair_settle();
	ck_assert_uint_eq(outcome(&scene.a->send_cq).vendor_err, HCA_VENDOR_ERR_NONE);
	ck_assert_uint_eq(outcome(&scene.b->recv_cq).vendor_err, HCA_VENDOR_ERR_NONE);
	scene_end();
}
END_TEST

/* There is a case for each value that has a status, but for those of an RNIC: suite iwarp_data. */
START_TEST(all_values)
{
	unsigned int error, i;

	for (error = 1; error <= HCA_VENDOR_ERR_FLUSH_SQE; error++) {
		for (i = 0; i < NUM_WRONGS && wrongs[i].error != error; i++)
			;
		ck_assert_int_eq(i < NUM_WRONGS, hca_vendor_err_status(error) != IB_WC_SUCCESS);
	}
}
END_TEST

Suite *vendor_err_suite(void)
{
	Suite *suite = suite_create("vendor_err");
	TCase *tc = tcase_create("vendor_err");

	tcase_add_loop_test(tc, provoked, 0, NUM_WRONGS);
	tcase_add_test(tc, none);
	tcase_add_test(tc, all_values);
	suite_add_tcase(suite, tc);
	return suite;
}
