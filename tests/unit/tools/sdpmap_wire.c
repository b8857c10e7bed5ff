// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Messages of SDP's port mapper: octets worked out by hand, and what is no message. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/suites.h"
#include "tools/lib/rng.h"
#include "tools/sdpmap/wire.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* 10.9.9.2 and 10.9.9.1; 2001:db8::2 and 2001:db8::1 */
#define IPV4_CP { 10, 9, 9, 2 }
#define IPV4_AP { 10, 9, 9, 1 }
#define IPV6(last) { 0x20, 0x01, 0x0d, 0xb8, [15] = last }
#define IPV4_OCTETS \
	10, 9, 9, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
	10, 9, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
#define IPV6_OCTETS \
	0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, \
	0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1
/* port 8080 of the service, 40000 of the client */
#define PORTS_OCTETS 0x1f, 0x90, 0x9c, 0x40
#define HANDLE 0x8182838485868788
#define HANDLE_OCTETS 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88

/* S2-098, S2-T43: each type of message, in the order of decision S2-A1 */
static const struct {
	struct sdpmap_message message;
	uint8_t octets[SDPMAP_OCTETS];
} golden[] = {
	{ { SDPMAP_REQ, 4, 0, 8080, 40000, HANDLE, IPV4_CP, IPV4_AP },
	  { 0x04, 0, 0, 0, PORTS_OCTETS, HANDLE_OCTETS, IPV4_OCTETS } },
	{ { SDPMAP_ACCEPT, 4, 127, 8080, 40000, HANDLE, IPV4_CP, IPV4_AP },
	  { 0x14, 0x7f, 0, 0, PORTS_OCTETS, HANDLE_OCTETS, IPV4_OCTETS } },
	{ { SDPMAP_ACK, 4, 0, 8080, 40000, HANDLE, IPV4_CP, IPV4_AP },
	  { 0x24, 0, 0, 0, PORTS_OCTETS, HANDLE_OCTETS, IPV4_OCTETS } },
	{ { SDPMAP_DENY, 4, 0, 8080, 40000, HANDLE, IPV4_CP, IPV4_AP },
	  { 0x34, 0, 0, 0, PORTS_OCTETS, HANDLE_OCTETS, IPV4_OCTETS } },
	{ { SDPMAP_REQ, 6, 0, 8080, 40000, HANDLE, IPV6(2), IPV6(1) },
	  { 0x06, 0, 0, 0, PORTS_OCTETS, HANDLE_OCTETS, IPV6_OCTETS } },
	{ { SDPMAP_ACCEPT, 6, 255, 8080, 40000, HANDLE, IPV6(2), IPV6(1) },
	  { 0x16, 0xff, 0, 0, PORTS_OCTETS, HANDLE_OCTETS, IPV6_OCTETS } },
	{ { SDPMAP_ACK, 6, 0, 8080, 40000, HANDLE, IPV6(2), IPV6(1) },
	  { 0x26, 0, 0, 0, PORTS_OCTETS, HANDLE_OCTETS, IPV6_OCTETS } },
	{ { SDPMAP_DENY, 6, 0, 8080, 40000, HANDLE, IPV6(2), IPV6(1) },
	  { 0x36, 0, 0, 0, PORTS_OCTETS, HANDLE_OCTETS, IPV6_OCTETS } },
};

/* Parses octets that lie at the very end of an allocation. */
static enum sdpmap_fault parse(struct sdpmap_message *message, const uint8_t *octets, size_t size)
{
	uint8_t *buf = malloc(size ? size : 1);
	enum sdpmap_fault fault;

	memset(message, 0xee, sizeof(*message));
	memcpy(buf, octets, size);
	fault = sdpmap_parse(message, size ? buf : buf + 1, size);
	free(buf);
	return fault;
}

static void same(const struct sdpmap_message *a, const struct sdpmap_message *b)
{
	ck_assert_uint_eq(a->type, b->type);
	ck_assert_uint_eq(a->ip_version, b->ip_version);
	ck_assert_uint_eq(a->pm_time, b->pm_time);
	ck_assert_uint_eq(a->ap_port, b->ap_port);
	ck_assert_uint_eq(a->cp_port, b->cp_port);
	ck_assert_uint_eq(a->handle, b->handle);
	ck_assert_mem_eq(a->cp_address, b->cp_address, SDPMAP_ADDRESS);
	ck_assert_mem_eq(a->ap_address, b->ap_address, SDPMAP_ADDRESS);
}

START_TEST(octets)
{
	uint8_t packed[SDPMAP_OCTETS];
	struct sdpmap_message back;

	memset(packed, 0xee, sizeof(packed));
	sdpmap_pack(&golden[_i].message, packed);
	ck_assert_mem_eq(packed, golden[_i].octets, sizeof(packed));
	ck_assert_int_eq(parse(&back, golden[_i].octets, SDPMAP_OCTETS), SDPMAP_OK);
	same(&back, &golden[_i].message);
}
END_TEST

START_TEST(endpoints)
{
	const struct sdpmap_message *message = &golden[_i].message;
	struct sdpmap_endpoint ap = sdpmap_ap(message), cp = sdpmap_cp(message);

	ck_assert_uint_eq(ap.ip_version, message->ip_version);
	ck_assert_uint_eq(ap.port, 8080); /* S2-105 */
	ck_assert_mem_eq(ap.address, message->ap_address, SDPMAP_ADDRESS); /* S2-109 */
	ck_assert_uint_eq(cp.port, 40000); /* S2-106 */
	ck_assert_mem_eq(cp.address, message->cp_address, SDPMAP_ADDRESS);
}
END_TEST

/* S2-098: a message has 48 octets; the 64 of iwpmd's own requests are none (S2-P4). */
START_TEST(lengths)
{
	uint8_t buf[SDPMAP_OCTETS + 32] = { 0x04 };
	struct sdpmap_message message;
	size_t size;

	for (size = 0; size <= sizeof(buf); size++)
		ck_assert_int_eq(parse(&message, buf, size),
				 size == SDPMAP_OCTETS ? SDPMAP_OK : SDPMAP_FAULT_LENGTH);
}
END_TEST

/* S2-099, S2-100, S2-101: each octet that a message can begin with. */
START_TEST(first_octets)
{
	uint8_t buf[SDPMAP_OCTETS];
	struct sdpmap_message message;
	enum sdpmap_fault fault;

	memcpy(buf, golden[0].octets, sizeof(buf));
	buf[0] = _i;
	fault = parse(&message, buf, sizeof(buf));
	if (_i >= 0x40) {
		ck_assert_int_eq(fault, SDPMAP_FAULT_VERSION);
	} else if ((_i & 15) != 4 && (_i & 15) != 6) {
		ck_assert_int_eq(fault, SDPMAP_FAULT_IP_VERSION);
	} else {
		ck_assert_int_eq(fault, SDPMAP_OK);
		ck_assert_uint_eq(message.type, _i >> 4);
		ck_assert_uint_eq(message.ip_version, _i & 15);
	}
}
END_TEST

/* S2-101, S2-104: what is not valid of an IPv4 address, and the reserved octets, do not count. */
START_TEST(ignored_octets)
{
	static const uint8_t ignored[][2] = { { 2, 2 }, { 20, 12 }, { 36, 12 } }; /* at, how many */
	uint8_t buf[SDPMAP_OCTETS];
	struct sdpmap_message message;
	int i;

	memcpy(buf, golden[_i].octets, sizeof(buf));
	for (i = 0; i < (golden[_i].message.ip_version == 4 ? COUNT(ignored) : 1); i++)
		memset(buf + ignored[i][0], 0xa5, ignored[i][1]);
	ck_assert_int_eq(parse(&message, buf, sizeof(buf)), SDPMAP_OK);
	same(&message, &golden[_i].message);
}
END_TEST

/* S2-101: the other 96 bits of an IPv4 address are sent as zero, whatever the structure has. */
START_TEST(sent_as_zero)
{
	struct sdpmap_message message = golden[0].message;
	uint8_t packed[SDPMAP_OCTETS];

	memset(message.cp_address + 4, 0xa5, 12);
	memset(message.ap_address + 4, 0xa5, 12);
	sdpmap_pack(&message, packed);
	ck_assert_mem_eq(packed, golden[0].octets, sizeof(packed));
}
END_TEST

/* S2-T43: whatever octets are accepted are made again, but for those that do not count. */
START_TEST(random_octets)
{
	struct rng rng = rng_seed(1, "sdpmap_wire");
	uint8_t buf[SDPMAP_OCTETS + 4], back[SDPMAP_OCTETS];
	struct sdpmap_message message;
	unsigned int n, i, size, accepted = 0;

	for (n = 0; n < 100000; n++) {
		for (i = 0; i < sizeof(buf); i++)
			buf[i] = rng_next(&rng);
		size = rng_one_in(&rng, 4) ? rng_below(&rng, sizeof(buf) + 1) : SDPMAP_OCTETS;
		if (parse(&message, buf, size))
			continue;
		accepted++;
		memset(buf + 2, 0, 2);
		if (message.ip_version == 4) {
			memset(buf + 20, 0, 12);
			memset(buf + 36, 0, 12);
		}
		sdpmap_pack(&message, back);
		ck_assert_mem_eq(back, buf, sizeof(back));
	}
	ck_assert_uint_gt(accepted, 1000);
}
END_TEST

Suite *sdpmap_wire_suite(void)
{
	Suite *suite = suite_create("sdpmap_wire");
	TCase *tc = tcase_create("sdpmap_wire");

	tcase_add_loop_test(tc, octets, 0, COUNT(golden));
	tcase_add_loop_test(tc, endpoints, 0, COUNT(golden));
	tcase_add_test(tc, lengths);
	tcase_add_loop_test(tc, first_octets, 0, 256);
	tcase_add_loop_test(tc, ignored_octets, 0, COUNT(golden));
	tcase_add_test(tc, sent_as_zero);
	tcase_add_test(tc, random_octets);
	suite_add_tcase(suite, tc);
	return suite;
}
