// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Lines of /proc/net/sdp, and which of their sockets accepts connections to what. */
#include <arpa/inet.h>
#include <check.h>
#include <stdio.h>
#include <string.h>
#include "tests/unit/suites.h"
#include "tools/lib/rng.h"
#include "tools/sdpmap/listener.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static struct sdpmap_endpoint endpoint_of(int ip_version, const char *address, uint16_t port)
{
	struct sdpmap_endpoint endpoint = { .ip_version = ip_version, .port = port };

	ck_assert_int_eq(inet_pton(ip_version == 4 ? AF_INET : AF_INET6, address, endpoint.address),
			 1);
	return endpoint;
}

static const struct {
	const char *line;
	int ip_version; /* 0: it is not the line of a socket that listens */
	const char *address;
	uint16_t port;
} lines[] = {
	{ "State Recv-Q Send-Q Local Peer UID Inode Device QPN\n", 0, NULL, 0 },
	{ "LISTEN 0 5 0.0.0.0:5201 - 0 21436 - -\n", 4, "0.0.0.0", 5201 },
	{ "LISTEN 3 128 10.9.9.1:80 - 1000 21436 - -\n", 4, "10.9.9.1", 80 },
	{ "LISTEN 0 5 [::]:65535 - 0 21436 - -\n", 6, "::", 65535 },
	{ "LISTEN 0 5 [2001:db8::1]:1 - 0 21436 - -", 6, "2001:db8::1", 1 },
	{ "ESTAB 0 0 10.9.9.1:80 10.9.9.2:40000 0 21437 hca0 17\n", 0, NULL, 0 },
	{ "UNCONN 0 0 - - 0 21437 - -\n", 0, NULL, 0 },
	{ "UNCONN 0 0 10.9.9.1:80 - 0 21437 - -\n", 0, NULL, 0 },
	{ "LISTEN 0 5 - - 0 21436 - -\n", 0, NULL, 0 },
	{ "LISTEN 0 5 10.9.9.1:0 - 0 21436 - -\n", 0, NULL, 0 },
	{ "LISTEN 0 5 10.9.9.1:65536 - 0 21436 - -\n", 0, NULL, 0 },
	{ "LISTEN 0 5 10.9.9.1:8x - 0 21436 - -\n", 0, NULL, 0 },
	{ "LISTEN 0 5 10.9.9.1 - 0 21436 - -\n", 0, NULL, 0 },
	{ "LISTEN 0 5 10.9.9.300:80 - 0 21436 - -\n", 0, NULL, 0 },
	{ "LISTEN 0 5 [:80 - 0 21436 - -\n", 0, NULL, 0 },
	{ "LISTEN 0 5 []:80 - 0 21436 - -\n", 0, NULL, 0 },
	{ "LISTEN 0 5 [::1:80 - 0 21436 - -\n", 0, NULL, 0 },
	{ "LISTEN 0 5 ::1:80 - 0 21436 - -\n", 0, NULL, 0 },
	{ "LISTEN 0 5 :80 - 0 21436 - -\n", 0, NULL, 0 },
	{ "LISTENER 0 5 10.9.9.1:80 - 0 21436 - -\n", 0, NULL, 0 },
	{ "LISTEN\n", 0, NULL, 0 },
	{ "", 0, NULL, 0 },
};

START_TEST(which_listen)
{
	struct sdpmap_endpoint found, expected;
	bool is_found = sdpmap_listener_parse(&found, lines[_i].line);

	ck_assert_int_eq(is_found, !!lines[_i].ip_version);
	if (!is_found)
		return;
	expected = endpoint_of(lines[_i].ip_version, lines[_i].address, lines[_i].port);
	ck_assert(sdpmap_same_endpoint(&found, &expected));
}
END_TEST

/* However long a line's columns are. */
START_TEST(random_lines)
{
	static const char octets[] = "LISTEN 0123456789.:[]- \n";
	struct rng rng = rng_seed(1, "sdpmap_listener");
	struct sdpmap_endpoint found;
	char line[300];
	unsigned int n, i, size;

	for (n = 0; n < 20000; n++) {
		size = rng_below(&rng, sizeof(line));
		for (i = 0; i < size; i++)
			line[i] = octets[rng_below(&rng, sizeof(octets) - 1)];
		line[size] = '\0';
		memcpy(line, "LISTEN 0 5 ", size < 11 ? size : 11);
		sdpmap_listener_parse(&found, line);
	}
}
END_TEST

/* This host's addresses. */
static bool is_local(const struct sdpmap_endpoint *address)
{
	struct sdpmap_endpoint ipv4 = endpoint_of(4, "10.9.9.1", 0);
	struct sdpmap_endpoint ipv6 = endpoint_of(6, "2001:db8::1", 0);

	return sdpmap_same_address(address, &ipv4) || sdpmap_same_address(address, &ipv6);
}

/* S2-093: the address and port that somebody asks about, and a socket. */
static const struct {
	int listener_version;
	const char *listener;
	int service_version;
	const char *service;
	bool serves;
} pairs[] = {
	{ 4, "10.9.9.1", 4, "10.9.9.1", true },
	{ 4, "10.9.9.1", 4, "10.9.9.2", false },
	{ 4, "0.0.0.0", 4, "10.9.9.1", true },
	{ 4, "0.0.0.0", 4, "10.9.9.2", false }, /* another host's */
	{ 4, "0.0.0.0", 4, "0.0.0.0", false },
	{ 4, "0.0.0.0", 6, "2001:db8::1", false },
	{ 6, "::", 6, "2001:db8::1", true },
	{ 6, "::", 6, "2001:db8::2", false },
	{ 6, "::", 6, "::", false },
	{ 6, "::", 4, "10.9.9.1", true },
	{ 6, "::", 4, "10.9.9.2", false },
	{ 6, "2001:db8::1", 6, "2001:db8::1", true },
	{ 6, "a09:901::", 4, "10.9.9.1", false }, /* the octets are equal */
};

START_TEST(who_serves)
{
	struct sdpmap_endpoint listener, service;

	listener = endpoint_of(pairs[_i].listener_version, pairs[_i].listener, 80);
	service = endpoint_of(pairs[_i].service_version, pairs[_i].service, 80);
	ck_assert_int_eq(sdpmap_listener_serves(&listener, &service, is_local), pairs[_i].serves);
	service.port = 81;
	ck_assert(!sdpmap_listener_serves(&listener, &service, is_local));
}
END_TEST

Suite *sdpmap_listener_suite(void)
{
	Suite *suite = suite_create("sdpmap_listener");
	TCase *tc = tcase_create("sdpmap_listener");

	tcase_add_loop_test(tc, which_listen, 0, COUNT(lines));
	tcase_add_test(tc, random_lines);
	tcase_add_loop_test(tc, who_serves, 0, COUNT(pairs));
	suite_add_tcase(suite, tc);
	return suite;
}
