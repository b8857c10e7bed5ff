// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Early retries: the last packet of a message is lost, and nothing behind it tells. */
#include <check.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include "phy/shape.h"
#include "shim.h"
#include "tests/unit/fixture/pair.h"
#include "tests/unit/suites.h"
#include "transport/early_retry.h"
#include "transport/responses.h"

#define MS 1000000u
/* The ACK timeout, 4.096 us * 2^18: 1.07 s. */
#define TIMEOUT 18
/* The first early retry leaves within this time. */
#define SOON_MS 5

static struct pair_qp patient(const struct pair_qp *how)
{
	struct pair_qp patient = *how;

	patient.timeout = TIMEOUT;
	return patient;
}

static u64 count(struct pair *pair, enum hca_counter counter)
{
	return hca_counter_read(&pair->end[0].ports[1], counter);
}

/* Drops the packet that *data counts down to. */
static bool lose_one(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	int *left = pair->data;

	(void)receiver;
	*left -= pkt->packets;
	return *left != 0;
}

static const struct {
	const struct pair_qp *how;
	u8 opcode;
	int packets, lost; /* of the message, and which is lost of all that travel, the second one
			    * of a long Send being that which brings credits */
} lasts[] = {
	{ &pair_rc, IB_UVERBS_WR_SEND, 1, 1 }, { &pair_rc, IB_UVERBS_WR_SEND, 1, 2 },
	{ &pair_rc, IB_UVERBS_WR_SEND, 5, 6 }, { &pair_rc, IB_UVERBS_WR_SEND, 5, 7 },
	{ &pair_rc, IB_UVERBS_WR_RDMA_WRITE, 3, 3 }, { &pair_rc, IB_UVERBS_WR_RDMA_READ, 3, 1 },
	{ &pair_rc, IB_UVERBS_WR_RDMA_READ, 3, 4 }, { &pair_xrc, IB_UVERBS_WR_RDMA_WRITE, 1, 1 },
};

/* The message is there long before the ACK timeout, and no retry is used up. */
START_TEST(last_is_lost)
{
	struct pair_qp how = patient(lasts[_i].how);
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	u32 length = lasts[_i].packets * hca_mtu_bytes(how.mtu);
	bool reads = lasts[_i].opcode == IB_UVERBS_WR_RDMA_READ;
	int left = lasts[_i].lost;

	pair->filter = lose_one;
	pair->data = &left;
	pair_fill(reads ? b : a, reads ? DST : SRC, length, 1);
	if (lasts[_i].opcode == IB_UVERBS_WR_SEND) {
		pair_recv(b, 1, DST, length);
		pair_send(a, 1, HCA_WQE_SIGNALED, SRC, length);
	} else {
		pair_rdma(a, b, 1, lasts[_i].opcode, HCA_WQE_SIGNALED, SRC, DST, length);
	}
	pair_settle();
	pair_expect_none(&a->send_cq);
	pair_wait(SOON_MS);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	ck_assert(pair_same(a, SRC, b, DST, length));
	ck_assert_int_le(left, 0);
	ck_assert_uint_gt(count(pair, HCA_CTR_RETRANSMITTED_PACKETS), 0);
	ck_assert_uint_eq(count(pair, HCA_CTR_ACK_TIMEOUTS), 0);
	ck_assert_uint_eq(hca_qp_eec(a->qp)->retries_left, how.retry);
	pair_free(pair);
}
END_TEST

static bool lose_all(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	(void)pair;
	(void)receiver;
	(void)pkt;
	return false;
}

/*
 * A peer that is silent gets some early retries, each after twice the time, besides those that the
 * ACK timeout counts (B4-339, B4-343). Without early retries those are all.
 */
START_TEST(silent)
{
	struct pair_qp how = patient(&pair_rc);
	struct pair *pair;
	int sends;

	hca_early_retries = _i;
	how.retry = 1;
	pair = pair_new(&how);
	pair->filter = lose_all;
	pair_send(&pair->end[0], 2, HCA_WQE_SIGNALED, SRC, 10);
	pair_wait(1000);
	/* At 1, 3, 7, 15, 31, 63, 127, 255 and 511 ms. */
	sends = count(pair, HCA_CTR_RETRANSMITTED_PACKETS);
	ck_assert_int_eq(sends, _i ? 9 : 0);
	ck_assert_uint_eq(count(pair, HCA_CTR_ACK_TIMEOUTS), 0);
	pair_expect_none(&pair->end[0].send_cq);
	pair_wait(1500);
	pair_expect(&pair->end[0].send_cq, 2, IB_WC_RETRY_EXC_ERR);
	ck_assert_uint_eq(count(pair, HCA_CTR_ACK_TIMEOUTS), 2);
	hca_early_retries = true;
	pair_free(pair);
}
END_TEST

/* A peer that is far away is known for it from its first acknowledgement on. */
START_TEST(far_away)
{
	struct pair_qp how = patient(&pair_rc);
	struct pair *pair = pair_new(&how);
	struct hca_shape_spec far = { .delay.delay = 30 * (u64)MS };
	u64 sent;
	int i;

	ck_assert_int_eq(hca_shape_set(&pair->end[0].ports[1], &far), 0);
	for (i = 1; i <= 20; i++) {
		pair_rdma(&pair->end[0], &pair->end[1], i, IB_UVERBS_WR_RDMA_WRITE,
			  HCA_WQE_SIGNALED, SRC, DST, 10);
		pair_wait(100);
		pair_expect(&pair->end[0].send_cq, i, IB_WC_SUCCESS);
		if (i == 1)
			sent = count(pair, HCA_CTR_RETRANSMITTED_PACKETS);
	}
	ck_assert_uint_le(sent, 7);
	ck_assert_uint_eq(count(pair, HCA_CTR_RETRANSMITTED_PACKETS), sent);
	ck_assert_int_eq(hca_shape_set(&pair->end[0].ports[1], &(struct hca_shape_spec){ 0 }), 0);
	pair_free(pair);
}
END_TEST

/* A peer that was far away once, or seemed so, is soon known to be near. */
START_TEST(near_again)
{
	struct pair_qp how = patient(&pair_rc);
	struct pair *pair = pair_new(&how);
	struct hca_shape_spec far = { .delay.delay = 30 * (u64)MS };
	int i, left = 1;

	ck_assert_int_eq(hca_shape_set(&pair->end[0].ports[1], &far), 0);
	for (i = 1; i <= 45; i++) {
		if (i == 5)
			hca_shape_set(&pair->end[0].ports[1], &(struct hca_shape_spec){ 0 });
		pair_rdma(&pair->end[0], &pair->end[1], i, IB_UVERBS_WR_RDMA_WRITE,
			  HCA_WQE_SIGNALED, SRC, DST, 10);
		pair_wait(i < 5 ? 100 : 1);
		pair_expect(&pair->end[0].send_cq, i, IB_WC_SUCCESS);
	}
	pair->filter = lose_one;
	pair->data = &left;
	pair_rdma(&pair->end[0], &pair->end[1], i, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC,
		  DST, 10);
	pair_wait(SOON_MS);
	pair_expect(&pair->end[0].send_cq, i, IB_WC_SUCCESS);
	pair_free(pair);
}
END_TEST

/*
 * Responses of a long Read that belong to no retry show how far away the peer is, before the Read
 * ends.
 */
START_TEST(long_read)
{
	struct pair_qp how = patient(&pair_rc);
	struct pair *pair = pair_new(&how);
	struct pair_end *a = &pair->end[0];
	u32 length = 300 * hca_mtu_bytes(how.mtu);
	int left = 1;

	pair->filter = lose_one;
	pair->data = &left;
	pair_rdma(a, &pair->end[1], 1, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, SRC, DST, length);
	pair_wait(SOON_MS);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	ck_assert_uint_gt(count(pair, HCA_CTR_RETRANSMITTED_PACKETS), 0);
	ck_assert_uint_eq(hca_qp_eec(a->qp)->early.retries, 0);
	pair_free(pair);
}
END_TEST

/*
 * B4-362: a Read that was repeated too early is still being answered when its requester, which has
 * the data, invalidates the key. That ends the answer, and no connection.
 */
START_TEST(key_goes)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_eec *eec = hca_qp_eec(b->qp);
	struct hca_tpt_entry *copy = kmalloc(sizeof(*copy), GFP_KERNEL);
	struct hca_response again = { .kind = HCA_RESP_READ, .length = 3000, .duplicate = true };

	memcpy(copy, b->entry, sizeof(*copy));
	ck_assert_int_eq(hca_tpt_entry_add(&b->ci->tpt, copy), 0);
	again.psn = eec->expected_psn;
	again.dest_qpn = a->qp->qpn;
	again.va = pair_addr(b, DST);
	again.rkey = copy->key;
	pair_rdma_by_key(a, 1, IB_UVERBS_WR_RDMA_READ, copy->key, again.va, 10);
	pair_settle();
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	hca_tpt_entry_remove(&b->ci->tpt, copy);
	local_bh_disable();
	ck_assert(hca_resp_queue_add(eec, &again));
	local_bh_enable();
	pair_settle();
	ck_assert_uint_eq(b->qp->common.state, IB_QPS_RTS);
	ck_assert_uint_eq(b->events[HCA_QP_ACCESS_ERROR], 0);
	pair_rdma(a, b, 2, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, SRC, DST, 3000);
	pair_settle();
	pair_expect(&a->send_cq, 2, IB_WC_SUCCESS);
	pair_free(pair);
}
END_TEST

static bool lose_and_count(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	(void)receiver;
	(void)pkt;
	++*(unsigned int *)pair->data;
	return false;
}

/*
 * B4-339: at any phase of the clock tick, without early retries nothing is sent again before
 * 4.096 us * 2^timeout have passed.
 */
START_TEST(not_early)
{
	u64 timeout_ns = 4096ull << _i;
	struct pair_qp how = pair_rc;
	unsigned int packets = 0;
	struct pair *pair;

	hca_early_retries = false;
	how.timeout = _i;
	pair = pair_new(&how);
	pair->filter = lose_and_count;
	pair->data = &packets;
	shim_advance(999999);
	pair_send(&pair->end[0], 1, 0, SRC, 10);
	shim_advance(timeout_ns - 1);
	ck_assert_uint_eq(packets, 1);
	shim_advance(2 * timeout_ns + 3000000);
	ck_assert_uint_gt(packets, 1);
	pair->filter = NULL;
	hca_early_retries = true;
	pair_free(pair);
}
END_TEST

Suite *early_retry_suite(void)
{
	Suite *suite = suite_create("early_retry");
	TCase *tc = tcase_create("early_retry");

	tcase_add_loop_test(tc, last_is_lost, 0, ARRAY_SIZE(lasts));
	tcase_add_loop_test(tc, silent, 0, 2);
	tcase_add_test(tc, far_away);
	tcase_add_test(tc, near_again);
	tcase_add_test(tc, long_read);
	tcase_add_test(tc, key_goes);
	tcase_add_loop_test(tc, not_early, 1, 15);
	suite_add_tcase(suite, tc);
	return suite;
}
