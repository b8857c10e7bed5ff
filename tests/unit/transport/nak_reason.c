// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Why a responder has refused a request: the reason is kept, shown and reported as a drop. */
#include <check.h>
#include <string.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include "tests/unit/fixture/trace.h"
#include "tests/unit/suites.h"
#include "trace/hca.h"
#include "transport/iba_qp.h"
#include "transport/view.h"
#include "wire/opcode.h"

/* A test case has one scene: a requests, and b refuses. */
static struct nak_scene {
	struct pair *pair;
	struct pair_end *a, *b;
	struct hca_tpt_entry *entry; /* another MR or window of b */
	void (*alter)(struct hca_packet *pkt); /* changes the request packet on its way */
	unsigned int drops[HCA_DROP_NO_MANAGER + 1]; /* at b */
} scene;

static void count_drop(const struct hca_port *port, const struct hca_packet *pkt,
		       enum hca_drop_reason reason)
{
	ck_assert_ptr_eq(port, &scene.b->ports[1]);
	ck_assert_uint_eq(pkt->h.lrh.slid, 1);
	ck_assert_uint_eq(pkt->h.lrh.dlid, 2);
	ck_assert(hca_opcodes[pkt->h.bth.opcode].flags & HCA_IS_REQUEST);
	scene.drops[reason]++;
}

static bool alter_request(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	(void)pair;
	if (receiver == 1)
		scene.alter((struct hca_packet *)pkt);
	return true;
}

/* Post a request of eight octets to an address that is a multiple of 8. */
static void request(u8 opcode, u32 rkey, u32 more_address)
{
	struct hca_send_wqe *wqe = pair_wqe(scene.a, 1, opcode, HCA_WQE_SIGNALED);

	wqe->rdma.remote_addr = ((pair_addr(scene.b, DST) + 8) & ~7ull) + more_address;
	wqe->rdma.rkey = rkey;
	pair_sge(scene.a, wqe, SRC, 8);
	pair_post(scene.a);
}

static void request_altered(u8 opcode, void (*alter)(struct hca_packet *pkt))
{
	scene.alter = alter;
	scene.pair->filter = alter_request;
	request(opcode, scene.b->entry->key, 0);
}

/* --- requests that are invalid, whatever memory they name */

static void to_acknowledge(struct hca_packet *pkt)
{
	pkt->h.bth.opcode = HCA_TRANSPORT_RC << 5 | 0x18;
}

static void opcode(void)
{
	request_altered(IB_UVERBS_WR_SEND, to_acknowledge);
}

static void to_middle(struct hca_packet *pkt)
{
	pkt->h.bth.opcode = HCA_OPCODE(RC, SEND_MIDDLE);
}

static void order(void)
{
	request_altered(IB_UVERBS_WR_SEND, to_middle);
}

static void to_write_middle(struct hca_packet *pkt)
{
	pkt->h.bth.opcode = HCA_OPCODE(RC, RDMA_WRITE_MIDDLE);
	pkt->h.reth.rkey ^= 1;
}

static void order_and_rkey(void)
{
	request_altered(IB_UVERBS_WR_RDMA_WRITE, to_write_middle);
}

static void to_first(struct hca_packet *pkt)
{
	pkt->h.bth.opcode = HCA_OPCODE(RC, SEND_FIRST);
}

static void packet_length(void)
{
	request_altered(IB_UVERBS_WR_SEND, to_first);
}

static void to_too_long(struct hca_packet *pkt)
{
	pkt->h.reth.length = HCA_MAX_MESSAGE + 1;
}

static void message_length_write(void)
{
	request_altered(IB_UVERBS_WR_RDMA_WRITE, to_too_long);
}

static void message_length_read(void)
{
	request_altered(IB_UVERBS_WR_RDMA_READ, to_too_long);
}

static void to_longer(struct hca_packet *pkt)
{
	pkt->h.reth.length++;
}

static void write_length(void)
{
	request_altered(IB_UVERBS_WR_RDMA_WRITE, to_longer);
}

static void recv_length(void)
{
	pair_recv(scene.b, 1, DST, 7);
	request(IB_UVERBS_WR_SEND, 0, 0);
}

static void no_rights(void)
{
	hca_qp_eec(scene.b->qp)->attr.access = 0;
}

static void qp_access_write(void)
{
	no_rights();
	request(IB_UVERBS_WR_RDMA_WRITE, scene.b->entry->key, 0);
}

static void qp_access_atomic(void)
{
	no_rights();
	request(IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, scene.b->entry->key, 0);
}

static void no_resources(void)
{
	hca_qp_eec(scene.b->qp)->attr.max_dest_rd_atomic = 0;
}

static void rd_atomic_read(void)
{
	no_resources();
	request(IB_UVERBS_WR_RDMA_READ, scene.b->entry->key, 0);
}

static void rd_atomic_atomic(void)
{
	no_resources();
	request(IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, scene.b->entry->key, 0);
}

static void to_odd(struct hca_packet *pkt)
{
	pkt->h.atomiceth.va++;
}

static void alignment(void)
{
	request_altered(IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, to_odd);
}

static void to_atomic_write(struct hca_packet *pkt)
{
	pkt->h.bth.opcode = HCA_OPCODE(RC, ATOMIC_WRITE);
	pkt->h.reth.length = 4;
}

static void atomic_length(void)
{
	request_altered(IB_UVERBS_WR_RDMA_WRITE, to_atomic_write);
}

static void to_flush(struct hca_packet *pkt)
{
	pkt->h.bth.opcode = HCA_OPCODE(RC, FLUSH);
	pkt->h.feth.placement = 0;
}

static void flush(void)
{
	request_altered(IB_UVERBS_WR_RDMA_READ, to_flush);
}

static void xrc_srq(void)
{
	scene.a->to_srqn++;
	request(IB_UVERBS_WR_SEND, 0, 0);
}

/* --- R_Keys */

static struct hca_tpt_entry *copy_of_mr(u8 kind)
{
	scene.entry = kmemdup(scene.b->entry, sizeof(*scene.entry), GFP_KERNEL);
	scene.entry->kind = kind;
	return scene.entry;
}

static void write_by_copy(u32 more_address)
{
	ck_assert_int_eq(hca_tpt_entry_add(&scene.b->ci->tpt, scene.entry), 0);
	request(IB_UVERBS_WR_RDMA_WRITE, scene.entry->key, more_address);
}

static void rkey(void)
{
	request(IB_UVERBS_WR_RDMA_WRITE, scene.b->entry->key ^ 1, 0);
}

static void rkey_of_atomic(void)
{
	request(IB_UVERBS_WR_ATOMIC_FETCH_AND_ADD, scene.b->entry->key ^ 1, 0);
}

static void rkey_invalid(void)
{
	copy_of_mr(HCA_TPT_FAST_MR)->length = 0;
	write_by_copy(0);
}

static void rkey_pd(void)
{
	copy_of_mr(HCA_TPT_MR)->pd = scene.a;
	write_by_copy(0);
}

static void rkey_qp(void)
{
	copy_of_mr(HCA_TPT_MW_2)->qpn = scene.b->qp->qpn + 1;
	write_by_copy(0);
}

static void rkey_access(void)
{
	copy_of_mr(HCA_TPT_MR)->access = IB_UVERBS_ACCESS_REMOTE_READ;
	write_by_copy(0);
}

static void rkey_bounds(void)
{
	copy_of_mr(HCA_TPT_MR);
	write_by_copy(PAIR_MEMORY);
}

static bool spoil_key(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	if (!receiver && pkt->h.bth.opcode == HCA_OPCODE(RC, RDMA_READ_RESPONSE_FIRST)) {
		scene.entry->key ^= 1;
		pair->filter = NULL;
	}
	return true;
}

/* The R_Key ends between the first response of a Read and the last one, which credits delay. */
static void rkey_during_read(void)
{
	struct hca_send_wqe *wqe = pair_wqe(scene.a, 1, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED);

	copy_of_mr(HCA_TPT_MR);
	ck_assert_int_eq(hca_tpt_entry_add(&scene.b->ci->tpt, scene.entry), 0);
	scene.pair->filter = spoil_key;
	wqe->rdma.remote_addr = pair_addr(scene.b, DST);
	wqe->rdma.rkey = scene.entry->key;
	pair_sge(scene.a, wqe, SRC, PAIR_MEMORY / 2);
	pair_post(scene.a);
	pair_settle();
	scene.entry->key ^= 1;
}

static void invalidate(void)
{
	struct hca_send_wqe *wqe;

	pair_recv(scene.b, 1, DST, 8);
	wqe = pair_wqe(scene.a, 1, IB_UVERBS_WR_SEND_WITH_INV, HCA_WQE_SIGNALED);
	wqe->invalidate_rkey = scene.b->entry->key;
	pair_sge(scene.a, wqe, SRC, 8);
	pair_post(scene.a);
}

/* --- what is the responder's own */

static void recv_sge(void)
{
	pair_recv(scene.b, 1, DST, 8);
	((struct hca_recv_wqe *)hca_queue_entry(&scene.b->qp->rq, 0))->sge[0].lkey ^= 1;
	request(IB_UVERBS_WR_SEND, 0, 0);
}

static void rd_qp(void)
{
	scene.a->to_qkey++;
	request(IB_UVERBS_WR_SEND, 0, 0);
}

#define CASE(service, reason, nak, provoke) \
	{ &pair_##service, HCA_NAK_REASON_##reason, HCA_DROP_NAK_##reason, \
	  HCA_VENDOR_ERR_NAK_##nak, provoke }

static const struct refusal {
	const struct pair_qp *how;
	u8 reason, drop, error;
	void (*provoke)(void);
} refusals[] = {
	CASE(rc, OPCODE, REQUEST, opcode),
	CASE(rc, ORDER, REQUEST, order),
	CASE(rc, ORDER, REQUEST, order_and_rkey),
	CASE(rc, PACKET_LENGTH, REQUEST, packet_length),
	CASE(rc, MESSAGE_LENGTH, REQUEST, message_length_write),
	CASE(rc, MESSAGE_LENGTH, REQUEST, message_length_read),
	CASE(rc, WRITE_LENGTH, REQUEST, write_length),
	CASE(rc, RECV_LENGTH, REQUEST, recv_length),
	CASE(rc, QP_ACCESS, REQUEST, qp_access_write),
	CASE(rc, QP_ACCESS, REQUEST, qp_access_atomic),
	CASE(rc, RD_ATOMIC, REQUEST, rd_atomic_read),
	CASE(rc, RD_ATOMIC, REQUEST, rd_atomic_atomic),
	CASE(rc, ALIGNMENT, REQUEST, alignment),
	CASE(rc, ATOMIC_LENGTH, REQUEST, atomic_length),
	CASE(rc, FLUSH, REQUEST, flush),
	CASE(xrc, XRC_SRQ, REQUEST, xrc_srq),
	CASE(rc, RKEY, ACCESS, rkey),
	CASE(rc, RKEY, ACCESS, rkey_of_atomic),
	CASE(rc, RKEY, ACCESS, rkey_during_read),
	CASE(rc, RKEY_INVALID, ACCESS, rkey_invalid),
	CASE(rc, RKEY_PD, ACCESS, rkey_pd),
	CASE(rc, RKEY_QP, ACCESS, rkey_qp),
	CASE(rc, RKEY_ACCESS, ACCESS, rkey_access),
	CASE(rc, RKEY_BOUNDS, ACCESS, rkey_bounds),
	CASE(rc, INVALIDATE, ACCESS, invalidate),
	CASE(rc, RECV_SGE, OPERATION, recv_sge),
	CASE(rd, RD_QP, RD, rd_qp),
};

/* The reason that b shows of its responder; HCA_NAK_REASON_NONE: it shows none. */
static u32 shown(const struct refusal *refusal)
{
	struct hca_qp_view view;

	if (refusal->how == &pair_rd)
		hca_rd_eec_view(scene.b->rd_eec, &view);
	else
		hca_qp_view(refusal->how == &pair_xrc ? scene.b->tgt : scene.b->qp, &view);
	return view.parts & HCA_VIEW_NAK ? view.nak_reason : HCA_NAK_REASON_NONE;
}

static unsigned int num_drops(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < ARRAY_SIZE(scene.drops); i++)
		n += scene.drops[i];
	return n;
}

/* Each check that fails is shown by its queue pair or EE context, and reported once as a drop. */
START_TEST(kept)
{
	const struct refusal *refusal = &refusals[_i];
	struct hca_qp_attr reset = { .state = IB_QPS_RESET };
	struct hca_cqe cqe;

	memset(&scene, 0, sizeof(scene));
	scene.pair = pair_new(refusal->how);
	scene.a = &scene.pair->end[0];
	scene.b = &scene.pair->end[1];
	ck_assert_uint_eq(shown(refusal), HCA_NAK_REASON_NONE);
	shim_watch_drops = count_drop;
	refusal->provoke();
	pair_settle();
	shim_watch_drops = NULL;
	ck_assert(pair_poll(&scene.a->send_cq, &cqe));
	ck_assert_uint_eq(cqe.vendor_err, refusal->error);
	ck_assert_uint_eq(shown(refusal), refusal->reason);
	ck_assert_uint_eq(scene.drops[refusal->drop], 1);
	ck_assert_uint_eq(num_drops(), 1);
	if (refusal->how == &pair_rc) {
		ck_assert_int_eq(hca_qp_modify(scene.b->qp, &reset, IB_QP_STATE), 0);
		ck_assert_uint_eq(shown(refusal), HCA_NAK_REASON_NONE);
	}
	if (scene.entry)
		ck_assert_int_eq(hca_tpt_entry_remove(&scene.b->ci->tpt, scene.entry), 0);
	pair_free(scene.pair);
}
END_TEST

static void to_other_partition(struct hca_packet *pkt)
{
	to_write_middle(pkt);
	pkt->h.bth.pkey = 0x8001;
	scene.pair->filter = NULL;
}

/* B4-363: headers are checked first, then the opcode's place (order_and_rkey), then the rest. */
START_TEST(headers_first)
{
	const struct refusal *rc = &refusals[0];

	memset(&scene, 0, sizeof(scene));
	scene.pair = pair_new(&pair_rc);
	scene.a = &scene.pair->end[0];
	scene.b = &scene.pair->end[1];
	shim_watch_drops = count_drop;
	request_altered(IB_UVERBS_WR_RDMA_WRITE, to_other_partition);
	pair_wait(1000);
	shim_watch_drops = NULL;
	ck_assert_uint_eq(scene.drops[HCA_DROP_P_KEY], 1);
	ck_assert_uint_eq(num_drops(), 1);
	ck_assert_uint_eq(shown(rc), HCA_NAK_REASON_NONE);
	pair_expect(&scene.a->send_cq, 1, IB_WC_SUCCESS); /* it was sent again */
	pair_free(scene.pair);
}
END_TEST

/* B4-350: what precedes the refused request is answered before the NAK is sent. */
START_TEST(answered_first)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct trace *trace = trace_on(pair);
	const struct traced *last, *nak;
	struct hca_send_wqe *wqe;

	wqe = pair_wqe(a, 1, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED);
	wqe->rdma.remote_addr = pair_addr(b, DST);
	wqe->rdma.rkey = b->entry->key;
	pair_sge(a, wqe, SRC, 20000);
	a->qp->sq.ring->producer++;
	pair_rdma_by_key(a, 2, IB_UVERBS_WR_RDMA_WRITE, b->entry->key ^ 1, pair_addr(b, DST), 8);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&a->send_cq, 2, IB_WC_REM_ACCESS_ERR);
	last = trace_find(trace, 0, HCA_OPCODE(RC, RDMA_READ_RESPONSE_LAST), 0);
	nak = trace_find(trace, 0, HCA_OPCODE(RC, ACKNOWLEDGE), 0);
	ck_assert_uint_eq(trace_count(trace, 0, HCA_OPCODE(RC, ACKNOWLEDGE)), 1);
	ck_assert_ptr_nonnull(last);
	ck_assert_uint_eq(nak->h.aeth.syndrome, HCA_NAK_REMOTE_ACCESS);
	ck_assert(last < nak);
	pair_free(pair);
}
END_TEST

/* A request that succeeds, and a receive queue that is empty at first, leave no reason. */
START_TEST(none)
{
	const struct refusal *rc = &refusals[0];

	memset(&scene, 0, sizeof(scene));
	scene.pair = pair_new(&pair_rc);
	scene.a = &scene.pair->end[0];
	scene.b = &scene.pair->end[1];
	shim_watch_drops = count_drop;
	request(IB_UVERBS_WR_SEND, 0, 0);
	pair_settle();
	pair_recv(scene.b, 1, DST, 8);
	pair_wait(1000);
	shim_watch_drops = NULL;
	pair_expect(&scene.a->send_cq, 1, IB_WC_SUCCESS);
	pair_expect(&scene.b->recv_cq, 1, IB_WC_SUCCESS);
	ck_assert_uint_eq(shown(rc), HCA_NAK_REASON_NONE);
	ck_assert_uint_eq(num_drops(), 0);
	pair_free(scene.pair);
}
END_TEST

Suite *nak_reason_suite(void)
{
	Suite *suite = suite_create("nak_reason");
	TCase *tc = tcase_create("nak_reason");

	tcase_add_loop_test(tc, kept, 0, ARRAY_SIZE(refusals));
	tcase_add_test(tc, headers_first);
	tcase_add_test(tc, answered_first);
	tcase_add_test(tc, none);
	suite_add_tcase(suite, tc);
	return suite;
}
