// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Client and server of SDP's port mapper over a network that loses, duplicates and delays: both
 * ends come to an end, whatever is lost, and agree unless no answer arrives.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/suites.h"
#include "tools/lib/rng.h"
#include "tools/sdpmap/client.h"
#include "tools/sdpmap/server.h"

#define IN_FLIGHT 64
#define MAX_DELAY 300
#define TIMEOUT 2000

struct datagram {
	bool is_valid, is_for_server;
	uint64_t arrives;
	uint8_t octets[SDPMAP_OCTETS];
};

static const struct sdpmap_endpoint service = { 4, { 10, 9, 9, 1 }, 80 };
static const struct sdpmap_endpoint from = { 4, { 10, 9, 9, 2 }, 40000 };

static struct rng rng;
static struct datagram network[IN_FLIGHT];
static unsigned int percent; /* of loss, and of duplicates */
static bool is_listening;
static struct sdpmap_server server;
static struct sdpmap_client client;

static bool listens(void *context, const struct sdpmap_endpoint *asked)
{
	(void)context;
	return is_listening && sdpmap_same_endpoint(asked, &service);
}

static void put(uint64_t now, bool is_for_server, const struct sdpmap_message *message)
{
	unsigned int i;

	for (i = 0; i < IN_FLIGHT && network[i].is_valid; i++)
		;
	ck_assert_uint_lt(i, IN_FLIGHT);
	network[i].is_valid = true;
	network[i].is_for_server = is_for_server;
	network[i].arrives = now + rng_below(&rng, MAX_DELAY);
	sdpmap_pack(message, network[i].octets);
}

static void transmit(uint64_t now, bool is_for_server, const struct sdpmap_message *message)
{
	if (rng_below(&rng, 100) < percent)
		return;
	put(now, is_for_server, message);
	if (rng_below(&rng, 100) < percent)
		put(now, is_for_server, message);
}

static void deliver(uint64_t now, struct datagram *datagram)
{
	struct sdpmap_message answer;

	datagram->is_valid = false;
	if (!datagram->is_for_server) {
		if (sdpmap_client_receive(&client, datagram->octets, SDPMAP_OCTETS, &answer))
			transmit(now, true, &answer);
		return;
	}
	if (sdpmap_server_receive(&server, now, &from, datagram->octets, SDPMAP_OCTETS,
				  &answer) <= SDPMAP_HAS_DENIED)
		transmit(now, false, &answer);
}

/* Runs a transaction for so long that all has expired. */
static void run(uint64_t handle)
{
	uint64_t now;
	unsigned int i;

	client = (struct sdpmap_client){ .max_tries = 5, .wait = 250 };
	sdpmap_client_start(&client, 0, &service, &from, handle);
	for (now = 0; now < 7750 + 2 * MAX_DELAY + TIMEOUT; now++) {
		if (sdpmap_client_run(&client, now))
			transmit(now, true, &client.request);
		for (i = 0; i < IN_FLIGHT; i++)
			if (network[i].is_valid && network[i].arrives <= now)
				deliver(now, &network[i]);
	}
	sdpmap_server_expire(&server, now);
}

/* S2-095, S2-T44: at any loss, both ends end, with one result. */
START_TEST(lossy)
{
	unsigned int n;

	percent = 10 * _i;
	rng = rng_seed(_i, "sdpmap_pair");
	server = (struct sdpmap_server){
		.table = { .max_per_client = 8, .timeout = TIMEOUT },
		.rate = { .limit = 1000 },
		.listens = listens,
	};
	sdpmap_table_init(&server.table, 16);
	for (n = 0; n < 20; n++) {
		is_listening = n % 2;
		run(n);
		ck_assert_uint_eq(server.table.count, 0);
		ck_assert_int_ne(client.state, SDPMAP_WAITING);
		if (client.state != SDPMAP_NO_ANSWER)
			ck_assert_int_eq(client.state,
					 is_listening ? SDPMAP_ACCEPTED : SDPMAP_DENIED);
		else
			ck_assert_uint_gt(percent, 0);
	}
	ck_assert(percent < 100 || !server.outcomes[SDPMAP_HAS_ACCEPTED]);
	sdpmap_table_free(&server.table);
}
END_TEST

Suite *sdpmap_pair_suite(void)
{
	Suite *suite = suite_create("sdpmap_pair");
	TCase *tc = tcase_create("sdpmap_pair");

	tcase_add_loop_test(tc, lossy, 0, 11);
	suite_add_tcase(suite, tc);
	return suite;
}
