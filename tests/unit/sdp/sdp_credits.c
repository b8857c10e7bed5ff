// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* SDP's credits: the rules one by one. All states of two ends are in sdp_model.c. */
#include <check.h>
#include "sdp/protocol/credits.h"
#include "tests/unit/suites.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* A connection that has sent and received @origin messages, all of which were acknowledged. */
static struct sdp_credits after(u32 origin, u32 own, u32 peer)
{
	struct sdp_credits credits;

	sdp_credits_init(&credits, own, peer);
	credits.sent = origin;
	credits.acked = origin;
	credits.received = origin;
	credits.count = origin;
	credits.known_count = origin;
	credits.began = origin;
	return credits;
}

static const u32 origins[] = { 0, 1, 0x7ffffff8, 0xfffffff0, 0xfffffffe };

static struct sdp_bsdh send(struct sdp_credits *credits)
{
	struct sdp_bsdh bsdh = { .mid = SDP_MID_DATA, .len = SDP_BSDH_SIZE };

	sdp_credits_sent(credits, &bsdh);
	return bsdh;
}

/* Data with payload. */
static enum sdp_fault receive(struct sdp_credits *credits, u32 mseq, u32 mseq_ack, u32 bufs)
{
	struct sdp_bsdh bsdh = {
		.mid = SDP_MID_DATA,
		.len = SDP_BSDH_SIZE + 1,
		.bufs = bufs,
		.mseq = mseq,
		.mseq_ack = mseq_ack,
	};

	return sdp_credits_received(credits, &bsdh);
}

/* S2-013, S2-225, S2-229 to S2-232, S2-T10: what may be sent with each number of credits. */
START_TEST(reserved)
{
	struct sdp_credits credits = after(origins[_i], 8, 5);

	ck_assert_uint_eq(sdp_credits_available(&credits), 5);
	ck_assert(sdp_credits_may_send(&credits, true));
	send(&credits);
	send(&credits);
	ck_assert_uint_eq(sdp_credits_available(&credits), 3);
	ck_assert(sdp_credits_may_send(&credits, true));
	ck_assert(sdp_credits_may_send(&credits, false));
	send(&credits);
	ck_assert(!sdp_credits_may_send(&credits, true)); /* S2-231 */
	ck_assert(sdp_credits_may_send(&credits, false));
	send(&credits);
	ck_assert(!sdp_credits_may_send(&credits, true)); /* S2-230 */
	ck_assert(!sdp_credits_may_send(&credits, false));
	credits.posted++;
	ck_assert(!sdp_credits_may_send(&credits, true));
	ck_assert(sdp_credits_may_send(&credits, false));
	send(&credits);
	credits.posted++;
	ck_assert_uint_eq(sdp_credits_available(&credits), 0);
	ck_assert(!sdp_credits_may_send(&credits, true)); /* S2-229 */
	ck_assert(!sdp_credits_may_send(&credits, false));
	/* The peer has received three of five, and has reposted two. */
	ck_assert_int_eq(receive(&credits, origins[_i] + 1, origins[_i] + 3, 4), SDP_OK);
	ck_assert_uint_eq(sdp_credits_available(&credits), 2);
}
END_TEST

/* S2-A2, S2-T10: carried past the end of numbers, too. */
START_TEST(carried)
{
	u32 origin = origins[_i], i, sent = 0;
	struct sdp_credits credits = after(origin, 8, 5);
	struct sdp_bsdh bsdh;

	for (i = 0; i <= 100; i++) {
		if (i)
			ck_assert_int_eq(receive(&credits, origin + i, origin + sent, 5), SDP_OK);
		ck_assert_uint_eq(sdp_credits_available(&credits), 5);
		bsdh = send(&credits);
		ck_assert_uint_eq(bsdh.mseq, origin + ++sent); /* S2-047 */
		ck_assert_uint_eq(bsdh.mseq_ack, origin + i); /* S2-048 */
		ck_assert_uint_eq(bsdh.bufs, 8 - i % 7); /* S2-045, S2-218 */
		ck_assert_uint_eq(sdp_credits_available(&credits), 4);
		if (i % 7 == 6)
			credits.posted += 7;
	}
}
END_TEST

/* S2-045: Bufs has 16 bits. */
START_TEST(many)
{
	struct sdp_credits credits = after(0, 65535, 5);

	credits.posted += 10;
	ck_assert(!sdp_credits_update_due(&credits));
	ck_assert_uint_eq(send(&credits).bufs, 65535);
	ck_assert_int_eq(receive(&credits, 1, 1, 5), SDP_OK);
	ck_assert_uint_eq(send(&credits).bufs, 65535);
}
END_TEST

/* S2-A2: the first message is number 0 or 1, and the others follow it. */
START_TEST(first)
{
	struct sdp_credits credits = after(0, 8, 5);

	ck_assert_int_eq(receive(&credits, 2, 0, 5), SDP_FAULT_MSEQ);
	ck_assert_int_eq(receive(&credits, -1, 0, 5), SDP_FAULT_MSEQ);
	ck_assert_uint_eq(send(&credits).mseq_ack, 0);
	ck_assert_int_eq(receive(&credits, _i, 0, 5), SDP_OK);
	ck_assert_int_eq(receive(&credits, _i, 0, 5), SDP_FAULT_MSEQ);
	ck_assert_int_eq(receive(&credits, _i + 2, 0, 5), SDP_FAULT_MSEQ);
	ck_assert_int_eq(receive(&credits, _i + 1, 0, 5), SDP_OK);
	ck_assert_uint_eq(send(&credits).mseq_ack, _i + 1);
}
END_TEST

/* S2-A2, S2-T11: a message that crosses our first does not acknowledge it. */
START_TEST(crossing)
{
	struct sdp_credits credits = after(0, 8, 5);

	send(&credits);
	ck_assert_int_eq(receive(&credits, 1, 0, 5), SDP_OK);
	ck_assert_uint_eq(sdp_credits_available(&credits), 4);
}
END_TEST

/* S2-158, S2-224: after eight messages, of which six are acknowledged with five buffers. */
static const struct {
	int mseq;
	int mseq_ack;
	u32 bufs;
	enum sdp_fault fault;
} received[] = {
	{ 3, 6, 2, SDP_OK },
	{ 3, 7, 9, SDP_OK },
	{ 3, 8, 0, SDP_OK },
	{ 2, 8, 5, SDP_FAULT_MSEQ },
	{ 1, 8, 5, SDP_FAULT_MSEQ },
	{ 4, 8, 5, SDP_FAULT_MSEQ },
	{ 3, 9, 5, SDP_FAULT_MSEQ_ACK }, /* not sent yet */
	{ 3, 5, 5, SDP_FAULT_MSEQ_ACK }, /* older than before */
	{ 3, 6, 1, SDP_FAULT_MSEQ_ACK }, /* two messages are under way, to one buffer */
	{ 3, 0x70000006, 5, SDP_FAULT_MSEQ_ACK },
	{ 0x40000003, 6, 5, SDP_FAULT_MSEQ },
};

START_TEST(refused)
{
	u32 i, origin = 0xfffffffb; /* MSeq and MSeqAck pass the end of the numbers. */
	struct sdp_credits credits = after(origin, 8, 9), before;
	enum sdp_fault fault;

	for (i = 0; i < 8; i++)
		send(&credits);
	ck_assert_int_eq(receive(&credits, origin + 1, origin + 3, 9), SDP_OK);
	ck_assert_int_eq(receive(&credits, origin + 2, origin + 6, 5), SDP_OK);
	before = credits;
	fault = receive(&credits, origin + received[_i].mseq, origin + received[_i].mseq_ack,
			received[_i].bufs);
	ck_assert_int_eq(fault, received[_i].fault);
	if (fault)
		ck_assert_mem_eq(&credits, &before, sizeof(before));
}
END_TEST

/* S2-158: a message for which the peer knows of no buffer, though there is one. */
START_TEST(exceeded)
{
	u32 origin = origins[_i];
	struct sdp_credits credits = after(origin, 3, 5);

	ck_assert_int_eq(receive(&credits, origin + 1, origin, 5), SDP_OK);
	ck_assert_int_eq(receive(&credits, origin + 2, origin, 5), SDP_OK);
	ck_assert_int_eq(receive(&credits, origin + 3, origin, 5), SDP_OK);
	credits.posted += 3;
	ck_assert_int_eq(receive(&credits, origin + 4, origin, 5), SDP_FAULT_CREDIT);
	ck_assert_uint_eq(send(&credits).bufs, 3);
	ck_assert_int_eq(receive(&credits, origin + 4, origin + 1, 5), SDP_OK);
}
END_TEST

/* S2-227, S2-233, S2-A11: of @own buffers @used were filled, and @posted are posted again. */
static const struct {
	u32 own;
	u32 used;
	u32 posted;
	bool due;
} updates[] = {
	{ 32, 0, 0, false },  { 32, 8, 8, false },  { 32, 15, 15, false }, { 32, 16, 16, true },
	{ 32, 30, 0, false }, { 32, 30, 1, false }, { 32, 30, 15, false }, { 32, 30, 16, true },
	{ 32, 31, 0, false }, { 32, 31, 1, true },  { 32, 32, 0, false },  { 32, 32, 1, true },
	{ 4, 1, 1, false },   { 4, 2, 1, false },   { 4, 2, 2, true },	   { 4, 3, 1, true },
	{ 5, 1, 1, false },   { 5, 3, 1, false },   { 5, 3, 2, true },	   { 3, 1, 1, false },
};

START_TEST(update_due)
{
	u32 i, origin = 0xfffffff0;
	struct sdp_credits credits = after(origin, updates[_i].own, 5);

	for (i = 1; i <= updates[_i].used; i++)
		ck_assert_int_eq(receive(&credits, origin + i, origin, 5), SDP_OK);
	credits.posted += updates[_i].posted;
	ck_assert_int_eq(sdp_credits_update_due(&credits), updates[_i].due);
	send(&credits);
	ck_assert(!sdp_credits_update_due(&credits));
}
END_TEST

/*
 * S2-A11, S2-T12, S2-T13: the peer, which had two credits, has sent messages whose buffers were
 * posted at once. One empty Data message is not answered by another.
 */
static const struct {
	struct sdp_bsdh bsdh;
	u32 count;
	bool due;
} answers[] = {
	{ { .mid = SDP_MID_DATA, .len = 16 }, 1, false },
	{ { .mid = SDP_MID_DATA, .len = 16 }, 2, true },
	{ { .mid = SDP_MID_DATA, .len = 16, .flags = SDP_FLAG_OOB_PEND }, 1, true },
	{ { .mid = SDP_MID_DATA, .len = 17 }, 1, true },
	{ { .mid = SDP_MID_DISCONN, .len = 16 }, 1, true },
};

START_TEST(answered)
{
	struct sdp_credits credits = after(0, 8, 5);
	struct sdp_bsdh bsdh = answers[_i].bsdh;
	u32 i;

	credits.posted = 2;
	send(&credits);
	bsdh.bufs = 5;
	for (i = 0; i < answers[_i].count; i++) {
		bsdh.mseq++;
		ck_assert_int_eq(sdp_credits_received(&credits, &bsdh), SDP_OK);
		credits.posted++;
	}
	ck_assert_int_eq(sdp_credits_update_due(&credits), answers[_i].due);
	/* A buffer that the program has emptied since then makes an update due. */
	credits.posted++;
	ck_assert(sdp_credits_update_due(&credits));
}
END_TEST

Suite *sdp_credits_suite(void)
{
	Suite *suite = suite_create("sdp_credits");
	TCase *tc = tcase_create("sdp_credits");

	tcase_add_loop_test(tc, reserved, 0, COUNT(origins));
	tcase_add_loop_test(tc, carried, 0, COUNT(origins));
	tcase_add_test(tc, many);
	tcase_add_loop_test(tc, first, 0, 2);
	tcase_add_test(tc, crossing);
	tcase_add_loop_test(tc, refused, 0, COUNT(received));
	tcase_add_loop_test(tc, exceeded, 0, COUNT(origins));
	tcase_add_loop_test(tc, update_due, 0, COUNT(updates));
	tcase_add_loop_test(tc, answered, 0, COUNT(answers));
	suite_add_tcase(suite, tc);
	return suite;
}
