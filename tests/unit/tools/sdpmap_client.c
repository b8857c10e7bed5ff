// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The client of SDP's port mapper: when it sends, what it believes, and what it discards. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/suites.h"
#include "tools/lib/rng.h"
#include "tools/sdpmap/client.h"

#define TRIES 4
#define WAIT 100
#define HANDLE 0xfeedfacecafef00d

static const struct sdpmap_endpoint service = { 4, { 10, 9, 9, 1 }, 80 };
static const struct sdpmap_endpoint from = { 4, { 10, 9, 9, 2 }, 40000 };

static struct sdpmap_client client;

/* A transaction whose first PMReq was sent at time 0. */
static void setup(void)
{
	client = (struct sdpmap_client){ .max_tries = TRIES, .wait = WAIT };
	sdpmap_client_start(&client, 0, &service, &from, HANDLE);
	ck_assert(sdpmap_client_run(&client, 0));
}

static bool receive(const struct sdpmap_message *message, struct sdpmap_message *ack)
{
	uint8_t *octets = malloc(SDPMAP_OCTETS);
	bool has_ack;

	sdpmap_pack(message, octets);
	has_ack = sdpmap_client_receive(&client, octets, SDPMAP_OCTETS, ack);
	free(octets);
	return has_ack;
}

static struct sdpmap_message reply_of(enum sdpmap_type type)
{
	struct sdpmap_message reply = client.request;

	reply.type = type;
	return reply;
}

static void same(const struct sdpmap_message *a, const struct sdpmap_message *b)
{
	uint8_t packed[2][SDPMAP_OCTETS];

	sdpmap_pack(a, packed[0]);
	sdpmap_pack(b, packed[1]);
	ck_assert_mem_eq(packed[0], packed[1], SDPMAP_OCTETS);
}

/* S2-110: what a PMReq has. */
START_TEST(request)
{
	const struct sdpmap_message *sent = &client.request;
	struct sdpmap_endpoint ap = sdpmap_ap(sent), cp = sdpmap_cp(sent);

	ck_assert_int_eq(sent->type, SDPMAP_REQ);
	ck_assert_uint_eq(sent->ip_version, 4);
	ck_assert_uint_eq(sent->pm_time, 0);
	ck_assert_uint_eq(sent->handle, HANDLE);
	ck_assert(sdpmap_same_endpoint(&ap, &service));
	ck_assert(sdpmap_same_endpoint(&cp, &from));
}
END_TEST

/*
 * S2-116, S2-120, S2-121, S2-308: PMReq is sent again as it was, with a timer each time, up to a
 * maximum; S2-122, S2-T44: then there is no answer, within a bound.
 */
START_TEST(retransmission)
{
	struct sdpmap_message first = client.request;
	uint64_t now, due[TRIES + 1] = { 0, 100, 300, 700, 1500 };
	unsigned int sent = 1;

	for (now = 1; now < 5000; now++) {
		if (!sdpmap_client_run(&client, now))
			continue;
		ck_assert_uint_eq(now, due[sent++]);
		same(&client.request, &first);
		ck_assert_uint_eq(client.tries, sent);
	}
	ck_assert_uint_eq(sent, TRIES);
	ck_assert_int_eq(client.state, SDPMAP_NO_ANSWER);
}
END_TEST

START_TEST(no_answer_at_last_deadline)
{
	uint64_t due[] = { 100, 300, 700 };
	int i;

	for (i = 0; i < 3; i++)
		ck_assert(sdpmap_client_run(&client, due[i]));
	ck_assert(!sdpmap_client_run(&client, 1499));
	ck_assert_int_eq(client.state, SDPMAP_WAITING);
	ck_assert(!sdpmap_client_run(&client, 1500));
	ck_assert_int_eq(client.state, SDPMAP_NO_ANSWER);
}
END_TEST

/* S2-112: PMAck has what PMAccept had, but for MT and PmTime; S2-109: another address and port. */
START_TEST(accept)
{
	struct sdpmap_message reply = reply_of(SDPMAP_ACCEPT), ack = {}, expected;

	reply.pm_time = 9;
	reply.ap_port = 1234;
	reply.ap_address[3] = 77;
	ck_assert(receive(&reply, &ack));
	ck_assert_int_eq(client.state, SDPMAP_ACCEPTED);
	ck_assert_uint_eq(client.reply.pm_time, 9);
	ck_assert_uint_eq(client.reply.ap_port, 1234);
	expected = reply;
	expected.type = SDPMAP_ACK;
	expected.pm_time = 0;
	same(&ack, &expected);
	ck_assert(!sdpmap_client_run(&client, 5000));
	ck_assert_int_eq(client.state, SDPMAP_ACCEPTED);
}
END_TEST

/* S2-115, S2-T43: PMDeny ends it, without PMAck; S2-A4: whatever its ApPort is. */
START_TEST(deny)
{
	struct sdpmap_message reply = reply_of(SDPMAP_DENY), ack;

	reply.ap_port = _i ? 80 : 0;
	ck_assert(!receive(&reply, &ack));
	ck_assert_int_eq(client.state, SDPMAP_DENIED);
	ck_assert(!sdpmap_client_run(&client, 5000));
}
END_TEST

/* S2-118, S2-124, S2-128, S2-T43: the first reply counts; later ones are discarded. */
START_TEST(later_replies)
{
	struct sdpmap_message accept = reply_of(SDPMAP_ACCEPT), deny = reply_of(SDPMAP_DENY), ack;

	receive(_i ? &accept : &deny, &ack);
	ck_assert(!receive(_i ? &deny : &accept, &ack));
	ck_assert(!receive(&accept, &ack));
	ck_assert_int_eq(client.state, _i ? SDPMAP_ACCEPTED : SDPMAP_DENIED);
}
END_TEST

/* S2-124, S2-T43: so are they when the last try is over. */
START_TEST(late_replies)
{
	struct sdpmap_message reply = reply_of(SDPMAP_ACCEPT), ack;
	uint64_t now;

	for (now = 0; now < 5000; now++)
		sdpmap_client_run(&client, now);
	ck_assert(!receive(&reply, &ack));
	ck_assert_int_eq(client.state, SDPMAP_NO_ANSWER);
}
END_TEST

/* S2-122: so they are when nobody can be reached, who is not asked again. */
START_TEST(unreachable)
{
	struct sdpmap_message reply = reply_of(SDPMAP_ACCEPT), ack;

	sdpmap_client_unreachable(&client);
	ck_assert_int_eq(client.state, SDPMAP_NO_ANSWER);
	ck_assert(!sdpmap_client_run(&client, 5000));
	ck_assert(!receive(&reply, &ack));
	ck_assert_int_eq(client.state, SDPMAP_NO_ANSWER);
}
END_TEST

/* An answer that was received stays, though PMAck, or a PMReq before, has reached nobody. */
START_TEST(unreachable_after_reply)
{
	struct sdpmap_message reply = reply_of(_i ? SDPMAP_ACCEPT : SDPMAP_DENY), ack;

	receive(&reply, &ack);
	sdpmap_client_unreachable(&client);
	ck_assert_int_eq(client.state, _i ? SDPMAP_ACCEPTED : SDPMAP_DENIED);
}
END_TEST

/* S2-107, S2-118, S2-124: AssocHandle, CpPort and CpIPAddr are those of the request. */
START_TEST(replies_to_others)
{
	struct sdpmap_message reply = reply_of(SDPMAP_ACCEPT), ack;
	uint8_t octets[SDPMAP_OCTETS];

	sdpmap_pack(&reply, octets);
	octets[_i] ^= 1;
	ck_assert(!sdpmap_client_receive(&client, octets, sizeof(octets), &ack));
	ck_assert_int_eq(client.state, SDPMAP_WAITING);
}
END_TEST

/* Only PMAccept and PMDeny are replies; a PMAccept has a port that one can connect to. */
START_TEST(no_replies)
{
	struct sdpmap_message reply = reply_of(SDPMAP_REQ), ack;

	ck_assert(!receive(&reply, &ack));
	reply.type = SDPMAP_ACK;
	ck_assert(!receive(&reply, &ack));
	reply.type = SDPMAP_ACCEPT;
	reply.ap_port = 0;
	ck_assert(!receive(&reply, &ack));
	reply = reply_of(SDPMAP_ACCEPT);
	reply.ip_version = 6; /* S2-111: that of the request */
	ck_assert(!receive(&reply, &ack));
	ck_assert_int_eq(client.state, SDPMAP_WAITING);
}
END_TEST

/* Datagrams of all lengths, whose first octets are those of a reply. */
START_TEST(random_octets)
{
	struct rng rng = rng_seed(1, "sdpmap_client");
	struct sdpmap_message reply = reply_of(SDPMAP_ACCEPT), ack;
	unsigned int n, size;
	uint8_t *octets;

	for (n = 0; n < 100000; n++) {
		uint8_t packed[SDPMAP_OCTETS + 16] = { 0 };

		sdpmap_pack(&reply, packed);
		packed[8 + rng_below(&rng, 8)] ^= 1 << rng_below(&rng, 8);
		packed[rng_below(&rng, sizeof(packed))] = rng_next(&rng);
		size = rng_below(&rng, sizeof(packed) + 1);
		octets = malloc(size ? size : 1);
		memcpy(octets, packed, size);
		sdpmap_client_receive(&client, octets, size, &ack);
		free(octets);
		if (client.state != SDPMAP_WAITING)
			setup(); /* the two changes have undone each other */
	}
}
END_TEST

Suite *sdpmap_client_suite(void)
{
	Suite *suite = suite_create("sdpmap_client");
	TCase *tc = tcase_create("sdpmap_client");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, request);
	tcase_add_test(tc, retransmission);
	tcase_add_test(tc, no_answer_at_last_deadline);
	tcase_add_test(tc, accept);
	tcase_add_loop_test(tc, deny, 0, 2);
	tcase_add_loop_test(tc, later_replies, 0, 2);
	tcase_add_test(tc, late_replies);
	tcase_add_test(tc, unreachable);
	tcase_add_loop_test(tc, unreachable_after_reply, 0, 2);
	tcase_add_loop_test(tc, replies_to_others, 6, 20); /* from CpPort to CpIPAddr's fourth */
	tcase_add_test(tc, no_replies);
	tcase_add_test(tc, random_octets);
	suite_add_tcase(suite, tc);
	return suite;
}
