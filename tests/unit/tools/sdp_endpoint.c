// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Addresses of programs in the form that the port mapper has, and back. */
#include <arpa/inet.h>
#include <check.h>
#include "tests/unit/suites.h"
#include "tools/sdp/endpoint.h"

#define PORT 8080
#define INTERFACE 7

/* Return: an address of AF_INET6 if the text has a colon, else of AF_INET. */
static struct address program_address(const char *text)
{
	struct address address = {};

	if (inet_pton(AF_INET, text, &address.in.sin_addr) == 1) {
		address.in.sin_family = AF_INET;
		address.in.sin_port = htons(PORT);
		return address;
	}
	ck_assert_int_eq(inet_pton(AF_INET6, text, &address.in6.sin6_addr), 1);
	address.in6.sin6_family = AF_INET6;
	address.in6.sin6_port = htons(PORT);
	address.in6.sin6_scope_id = INTERFACE;
	return address;
}

/* @host is the same address without that it is mapped. */
static const struct {
	const char *program, *host;
	uint8_t ip_version;
	bool is_any, is_of_link;
} cases[] = {
	{ "10.9.9.1", "10.9.9.1", 4, false, false },
	{ "0.0.0.0", "0.0.0.0", 4, true, false },
	{ "::ffff:10.9.9.1", "10.9.9.1", 4, false, false },
	{ "::ffff:0.0.0.0", "0.0.0.0", 4, true, false },
	{ "fd00:9::1", "fd00:9::1", 6, false, false },
	{ "fe80::1", "fe80::1", 6, false, true },
	{ "::", "::", 6, true, false },
	{ "::10.9.9.1", "::10.9.9.1", 6, false, false },
};

/* S2-096, S2-101: an IPv4 address is one, also where an IPv6 socket has it. */
START_TEST(of_programs)
{
	struct address program = program_address(cases[_i].program);
	struct sdpmap_endpoint endpoint = endpoint_of(&program.any);
	char text[ADDRESS_TEXT];

	ck_assert_uint_eq(endpoint.ip_version, cases[_i].ip_version);
	ck_assert_uint_eq(endpoint.port, PORT);
	ck_assert_str_eq(address_host(&endpoint, text), cases[_i].host);
	ck_assert_int_eq(endpoint_is_any(&endpoint), cases[_i].is_any);
	ck_assert_int_eq(endpoint_is_of_link(&endpoint), cases[_i].is_of_link);
}
END_TEST

/* An address that is made of an endpoint equals the program's own, also in its interface. */
START_TEST(and_back)
{
	struct address program = program_address(cases[_i].program), back;
	struct sdpmap_endpoint endpoint = endpoint_of(&program.any);

	back = endpoint_like(&endpoint, &program.any);
	ck_assert_int_eq(back.any.sa_family, program.any.sa_family);
	if (program.any.sa_family == AF_INET6 && cases[_i].ip_version == 4)
		program.in6.sin6_scope_id = 0; /* IPv4 has none */
	ck_assert_mem_eq(&back, &program, address_size(&program));
}
END_TEST

/* S2-109, S2-111: PMAccept has another address and port, to which the same socket connects. */
START_TEST(another_address)
{
	struct sdpmap_endpoint sdp = { 4, { 10, 9, 9, 77 }, 1234 };
	struct address program = program_address(_i ? "::ffff:10.9.9.1" : "10.9.9.1");
	struct address wanted = program_address(_i ? "::ffff:10.9.9.77" : "10.9.9.77"), found;

	found = endpoint_like(&sdp, &program.any);
	if (_i) {
		wanted.in6.sin6_port = htons(1234);
		wanted.in6.sin6_scope_id = 0;
	} else {
		wanted.in.sin_port = htons(1234);
	}
	ck_assert_mem_eq(&found, &wanted, address_size(&wanted));
}
END_TEST

/* A UDP socket of the same version of IP reaches the service, or its port mapper. */
START_TEST(without_mapping)
{
	struct address program = program_address(cases[_i].program), plain;
	struct sdpmap_endpoint endpoint = endpoint_of(&program.any);

	plain = endpoint_plain(&endpoint, &program.any);
	ck_assert_int_eq(plain.any.sa_family, cases[_i].ip_version == 4 ? AF_INET : AF_INET6);
	if (cases[_i].ip_version == 6)
		ck_assert_uint_eq(plain.in6.sin6_scope_id, INTERFACE);
}
END_TEST

#define CASES ((int)(sizeof(cases) / sizeof(*cases)))

Suite *sdp_endpoint_suite(void)
{
	Suite *suite = suite_create("sdp_endpoint");
	TCase *tc = tcase_create("sdp_endpoint");

	tcase_add_loop_test(tc, of_programs, 0, CASES);
	tcase_add_loop_test(tc, and_back, 0, CASES);
	tcase_add_loop_test(tc, another_address, 0, 2);
	tcase_add_loop_test(tc, without_mapping, 0, CASES);
	suite_add_tcase(suite, tc);
	return suite;
}
