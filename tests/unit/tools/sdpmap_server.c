// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The server of SDP's port mapper: what it answers, and when it ends transactions. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/suites.h"
#include "tools/lib/rng.h"
#include "tools/sdpmap/server.h"

#define MAX_OPEN 256
#define MAX_PER_CLIENT 8
#define TIMEOUT 2000
#define ALARM 1000

static const struct sdpmap_endpoint client = { 4, { 10, 9, 9, 2 }, 5000 };

static struct sdpmap_server server;
static bool is_listening;
static struct sdpmap_endpoint asked;

static bool listens(void *context, const struct sdpmap_endpoint *service)
{
	ck_assert_ptr_eq(context, &server);
	asked = *service;
	return is_listening;
}

static void setup(void)
{
	server = (struct sdpmap_server){
		.table = { .max_per_client = MAX_PER_CLIENT, .timeout = TIMEOUT, .seed = 1 },
		.rate = { .limit = ALARM },
		.pm_time = 7,
		.listens = listens,
		.context = &server,
	};
	sdpmap_table_init(&server.table, MAX_OPEN);
	is_listening = true;
}

static void teardown(void)
{
	sdpmap_table_free(&server.table);
}

static struct sdpmap_message request_of(uint64_t handle, uint16_t cp_port)
{
	return (struct sdpmap_message){
		.type = SDPMAP_REQ,
		.ip_version = 4,
		.ap_port = 80,
		.cp_port = cp_port,
		.handle = handle,
		.cp_address = { 10, 9, 9, 2 },
		.ap_address = { 10, 9, 9, 1 },
	};
}

static enum sdpmap_outcome send_from(uint64_t now, const struct sdpmap_endpoint *source,
				     const struct sdpmap_message *message,
				     struct sdpmap_message *reply)
{
	uint8_t octets[SDPMAP_OCTETS];

	sdpmap_pack(message, octets);
	return sdpmap_server_receive(&server, now, source, octets, sizeof(octets), reply);
}

static enum sdpmap_outcome send_at(uint64_t now, const struct sdpmap_message *message)
{
	struct sdpmap_message reply;

	return send_from(now, &client, message, &reply);
}

static enum sdpmap_outcome ack_at(uint64_t now, struct sdpmap_message message)
{
	message.type = SDPMAP_ACK;
	return send_at(now, &message);
}

static void same(const struct sdpmap_message *a, const struct sdpmap_message *b)
{
	uint8_t packed[2][SDPMAP_OCTETS];

	sdpmap_pack(a, packed[0]);
	sdpmap_pack(b, packed[1]);
	ck_assert_mem_eq(packed[0], packed[1], SDPMAP_OCTETS);
}

/* S2-093, S2-108, S2-109, S2-111: PMAccept has what PMReq had, and PmTime. */
START_TEST(accept)
{
	struct sdpmap_message request = request_of(1, 40000), reply, expected = request;
	struct sdpmap_endpoint service = sdpmap_ap(&request);

	request.pm_time = 99; /* S2-110: ignored */
	expected.type = SDPMAP_ACCEPT;
	expected.pm_time = 7;
	ck_assert_int_eq(send_from(0, &client, &request, &reply), SDPMAP_HAS_ACCEPTED);
	same(&reply, &expected);
	ck_assert(sdpmap_same_endpoint(&asked, &service));
	ck_assert_uint_eq(server.table.count, 1);
}
END_TEST

/* S2-114, S2-A4: PMDeny has what PMReq had, without PmTime, and no state is kept. */
START_TEST(deny)
{
	struct sdpmap_message request = request_of(1, 40000), reply, expected = request;

	is_listening = false;
	request.pm_time = 99;
	expected.type = SDPMAP_DENY;
	ck_assert_int_eq(send_from(0, &client, &request, &reply), SDPMAP_HAS_DENIED);
	same(&reply, &expected);
	ck_assert_uint_eq(server.table.count, 0);
}
END_TEST

/* S2-125: PMAck ends a transaction; S2-127: one that is of none is discarded. */
START_TEST(ack)
{
	struct sdpmap_message request = request_of(1, 40000);

	ck_assert_int_eq(ack_at(0, request), SDPMAP_HAS_NO_STATE);
	send_at(0, &request);
	ck_assert_int_eq(ack_at(1, request_of(2, 40000)), SDPMAP_HAS_NO_STATE);
	ck_assert_int_eq(ack_at(1, request_of(1, 40001)), SDPMAP_HAS_NO_STATE);
	ck_assert_uint_eq(server.table.count, 1);
	ck_assert_int_eq(ack_at(1, request), SDPMAP_HAS_ENDED);
	ck_assert_uint_eq(server.table.count, 0);
	ck_assert_int_eq(ack_at(2, request), SDPMAP_HAS_NO_STATE);
}
END_TEST

/* S2-116, S2-125, S2-309: without PMAck it ends when its time is over; S2-095. */
START_TEST(expiry)
{
	struct sdpmap_message request = request_of(1, 40000);

	ck_assert_int_eq(sdpmap_server_expire(&server, 0), -1);
	send_at(100, &request);
	ck_assert_int_eq(sdpmap_server_expire(&server, 100), TIMEOUT);
	ck_assert_int_eq(sdpmap_server_expire(&server, 2099), 1);
	ck_assert_uint_eq(server.table.count, 1);
	ck_assert_int_eq(sdpmap_server_expire(&server, 2100), -1);
	ck_assert_uint_eq(server.table.count, 0);
	ck_assert_uint_eq(server.expired, 1);
	ck_assert_int_eq(ack_at(2100, request), SDPMAP_HAS_NO_STATE);
}
END_TEST

/* S2-117, S2-126: a duplicate is answered as the first was, and its time begins anew. */
START_TEST(duplicate)
{
	struct sdpmap_message request = request_of(1, 40000), first, again;

	send_from(0, &client, &request, &first);
	ck_assert_int_eq(send_from(1500, &client, &request, &again), SDPMAP_HAS_ACCEPTED);
	same(&first, &again);
	ck_assert_uint_eq(server.duplicates, 1);
	ck_assert_uint_eq(server.table.count, 1);
	ck_assert_int_eq(sdpmap_server_expire(&server, 3499), 1);
	ck_assert_int_eq(sdpmap_server_expire(&server, 3500), -1);
}
END_TEST

/* S2-126: the answer is what is so now. */
START_TEST(duplicate_of_what_has_changed)
{
	struct sdpmap_message request = request_of(1, 40000);

	send_at(0, &request);
	is_listening = false;
	ck_assert_int_eq(send_at(1, &request), SDPMAP_HAS_DENIED);
	ck_assert_uint_eq(server.duplicates, 1);
	ck_assert_uint_eq(server.table.count, 0);
	is_listening = true;
	ck_assert_int_eq(send_at(2, &request), SDPMAP_HAS_ACCEPTED);
	ck_assert_uint_eq(server.table.count, 1);
}
END_TEST

/* S2-129, S2-T43: another AssocHandle takes the place of the old state. */
START_TEST(another_handle)
{
	struct sdpmap_message old = request_of(1, 40000), new = request_of(2, 40000);

	send_at(0, &old);
	ck_assert_int_eq(send_at(1, &new), SDPMAP_HAS_ACCEPTED);
	ck_assert_uint_eq(server.duplicates, 0);
	ck_assert_uint_eq(server.table.count, 1);
	ck_assert_int_eq(ack_at(2, old), SDPMAP_HAS_NO_STATE);
	ck_assert_int_eq(ack_at(2, new), SDPMAP_HAS_ENDED);
}
END_TEST

/* S2-117: whoever differs in one of the five, or in the version of IP, is no duplicate. */
START_TEST(five_tuple)
{
	/* AssocHandle, ApPort, CpPort, ApIPAddr, CpIPAddr, IPV */
	static const uint8_t at[] = { 15, 5, 7, 32, 19, 0 };
	struct sdpmap_message request = request_of(1, 40000), reply;
	uint8_t octets[SDPMAP_OCTETS];

	send_at(0, &request);
	sdpmap_pack(&request, octets);
	octets[at[_i]] ^= 2;
	ck_assert_int_eq(sdpmap_server_receive(&server, 1, &client, octets, sizeof(octets), &reply),
			 SDPMAP_HAS_ACCEPTED);
	ck_assert_uint_eq(server.duplicates, 0);
	ck_assert_uint_eq(server.table.count, _i ? 2 : 1);
}
END_TEST

/* Replies are not for a server, and whoever sends octets that are none gets no answer. */
START_TEST(discarded)
{
	struct sdpmap_message message = request_of(1, 40000), reply;
	uint8_t octets[SDPMAP_OCTETS + 16];

	message.type = SDPMAP_ACCEPT;
	ck_assert_int_eq(send_at(0, &message), SDPMAP_IS_REPLY);
	message.type = SDPMAP_DENY;
	ck_assert_int_eq(send_at(0, &message), SDPMAP_IS_REPLY);
	memset(octets, 0x44, sizeof(octets));
	ck_assert_int_eq(sdpmap_server_receive(&server, 0, &client, octets, SDPMAP_OCTETS, &reply),
			 SDPMAP_IS_MALFORMED);
	octets[0] = 0x04;
	ck_assert_int_eq(sdpmap_server_receive(&server, 0, &client, octets, sizeof(octets), &reply),
			 SDPMAP_IS_MALFORMED);
	ck_assert_uint_eq(server.outcomes[SDPMAP_IS_REPLY], 2);
	ck_assert_uint_eq(server.outcomes[SDPMAP_IS_MALFORMED], 2);
	ck_assert_uint_eq(server.table.count, 0);
}
END_TEST

/* S2-303, S2-304: a client has so many open; more requests are not answered until some end. */
START_TEST(per_client)
{
	struct sdpmap_endpoint other = client, same = client;
	struct sdpmap_message request, reply;
	unsigned int i;

	same.port++; /* does not count */
	for (i = 0; i < MAX_PER_CLIENT; i++) {
		request = request_of(i, 40000 + i);
		ck_assert_int_eq(send_at(0, &request), SDPMAP_HAS_ACCEPTED);
	}
	request = request_of(99, 50000);
	ck_assert_int_eq(send_at(0, &request), SDPMAP_HAS_QUENCHED);
	ck_assert_int_eq(send_from(0, &same, &request, &reply), SDPMAP_HAS_QUENCHED);
	other.address[3]++;
	ck_assert_int_eq(send_from(0, &other, &request, &reply), SDPMAP_HAS_ACCEPTED);
	ack_at(1, request_of(3, 40003));
	request = request_of(100, 50001);
	ck_assert_int_eq(send_at(1, &request), SDPMAP_HAS_ACCEPTED);
	request = request_of(101, 50002);
	ck_assert_int_eq(send_at(2, &request), SDPMAP_HAS_QUENCHED);
	ck_assert_int_eq(send_at(TIMEOUT, &request), SDPMAP_HAS_ACCEPTED);
}
END_TEST

/*
 * S2-303, S2-T45: 10^5 requests, each of another client: what is allocated once is enough, each is
 * answered, and all that is left expires. A client that comes meanwhile is served.
 */
START_TEST(flood)
{
	struct sdpmap_endpoint source = client;
	struct sdpmap_message request, reply;
	unsigned int i;

	for (i = 0; i < 100000; i++) {
		request = request_of(i, i);
		memcpy(source.address, &i, sizeof(i));
		memcpy(request.cp_address, &i, sizeof(i));
		ck_assert_int_eq(send_from(0, &source, &request, &reply), SDPMAP_HAS_ACCEPTED);
		ck_assert_uint_le(server.table.count, MAX_OPEN);
	}
	request = request_of(1, 40000);
	ck_assert_int_eq(send_at(1, &request), SDPMAP_HAS_ACCEPTED);
	ck_assert_int_eq(ack_at(2, request), SDPMAP_HAS_ENDED);
	ck_assert_uint_eq(server.table.count, MAX_OPEN - 1);
	sdpmap_server_expire(&server, TIMEOUT + 1);
	ck_assert_uint_eq(server.table.count, 0);
	ck_assert_uint_eq(server.alarms, 1);
}
END_TEST

/* S2-304, S2-T45: of one client: it gets so many answers, and others are not held up. */
START_TEST(flood_of_one)
{
	struct sdpmap_message request;
	unsigned int i;

	for (i = 0; i < 100000; i++) {
		request = request_of(i, i);
		send_at(0, &request);
	}
	ck_assert_uint_eq(server.table.count, MAX_PER_CLIENT);
	ck_assert_uint_eq(server.outcomes[SDPMAP_HAS_ACCEPTED] +
				  server.outcomes[SDPMAP_HAS_QUENCHED],
			  100000);
	ck_assert_uint_gt(server.outcomes[SDPMAP_HAS_QUENCHED], 0);
}
END_TEST

/* S2-303: the alarm is once for each second with too many requests. */
START_TEST(alarm)
{
	struct sdpmap_message request = request_of(1, 40000);
	unsigned int i;

	for (i = 0; i < ALARM; i++)
		send_at(5000, &request);
	ck_assert_uint_eq(server.alarms, 0);
	send_at(5999, &request);
	ck_assert_uint_eq(server.alarms, 1);
	send_at(5999, &request);
	ck_assert_uint_eq(server.alarms, 1);
	for (i = 0; i < ALARM; i++)
		send_at(6000, &request);
	ck_assert_uint_eq(server.alarms, 1);
	send_at(6001, &request);
	ck_assert_uint_eq(server.alarms, 2);
}
END_TEST

/* Whatever comes, in any order and of any length: the table stays whole, and expires. */
START_TEST(random_octets)
{
	struct rng rng = rng_seed(_i, "sdpmap_server");
	struct sdpmap_endpoint source = client;
	struct sdpmap_message message, reply;
	uint64_t now = 0;
	unsigned int n, size;
	uint8_t *octets;

	for (n = 0; n < 20000; n++) {
		uint8_t packed[SDPMAP_OCTETS + 16] = { 0 };

		message = request_of(rng_below(&rng, 3), rng_below(&rng, 50));
		message.type = rng_below(&rng, 4);
		message.ap_port = rng_below(&rng, 2);
		sdpmap_pack(&message, packed);
		if (rng_one_in(&rng, 4))
			packed[rng_below(&rng, sizeof(packed))] = rng_next(&rng);
		size = rng_one_in(&rng, 8) ? rng_below(&rng, sizeof(packed) + 1) : SDPMAP_OCTETS;
		octets = malloc(size ? size : 1);
		memcpy(octets, packed, size);
		source.address[3] = rng_below(&rng, 100);
		is_listening = !rng_one_in(&rng, 3);
		now += rng_below(&rng, 50);
		sdpmap_server_receive(&server, now, &source, octets, size, &reply);
		free(octets);
		ck_assert_uint_le(server.table.count, MAX_OPEN);
	}
	ck_assert_int_eq(sdpmap_server_expire(&server, now + TIMEOUT), -1);
	ck_assert_uint_gt(server.duplicates, 0);
	for (n = 0; n < SDPMAP_OUTCOMES; n++)
		ck_assert(n == SDPMAP_HAS_QUENCHED || server.outcomes[n]);
}
END_TEST

Suite *sdpmap_server_suite(void)
{
	Suite *suite = suite_create("sdpmap_server");
	TCase *tc = tcase_create("sdpmap_server");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, accept);
	tcase_add_test(tc, deny);
	tcase_add_test(tc, ack);
	tcase_add_test(tc, expiry);
	tcase_add_test(tc, duplicate);
	tcase_add_test(tc, duplicate_of_what_has_changed);
	tcase_add_test(tc, another_handle);
	tcase_add_loop_test(tc, five_tuple, 0, 6);
	tcase_add_test(tc, discarded);
	tcase_add_test(tc, per_client);
	tcase_add_test(tc, flood);
	tcase_add_test(tc, flood_of_one);
	tcase_add_test(tc, alarm);
	tcase_add_loop_test(tc, random_octets, 0, 5);
	suite_add_tcase(suite, tc);
	return suite;
}
