// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Rules of sdprun: how they are written, what is refused, and which of them matches. */
#include <arpa/inet.h>
#include <check.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/suites.h"
#include "tools/sdp/rules.h"

/* Return: the rules of a text that is right, of which other programs' are removed. */
static const struct sdp_rules *rules_of(const char *text, const char *program)
{
	static struct sdp_rules rules;
	struct sdp_rules_error error;

	rules.otherwise = SDP_USE_SDP;
	if (!sdp_rules_parse(&rules, text, &error))
		ck_abort_msg("line %u: %s", error.line, error.text);
	if (program)
		sdp_rules_select(&rules, program);
	return &rules;
}

static const struct sockaddr *address_of(const char *text, uint16_t port)
{
	static union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	} address;

	memset(&address, 0, sizeof(address));
	if (inet_pton(AF_INET, text, &address.in.sin_addr) == 1) {
		address.in.sin_family = AF_INET;
		address.in.sin_port = htons(port);
	} else {
		ck_assert_int_eq(inet_pton(AF_INET6, text, &address.in6.sin6_addr), 1);
		address.in6.sin6_family = AF_INET6;
		address.in6.sin6_port = htons(port);
	}
	return &address.any;
}

static const struct {
	const char *rule, *program;
	enum sdp_role role;
	const char *address;
	uint16_t port;
	bool matches;
} cases[] = {
	{ "use tcp * * *:*", "a", SDP_ROLE_SERVER, "10.1.2.3", 80, true },
	{ "use tcp * * *:*", "a", SDP_ROLE_CLIENT, "2001:db8::1", 0, true },
	{ "use tcp server * *:*", "a", SDP_ROLE_SERVER, "0.0.0.0", 80, true },
	{ "use tcp server * *:*", "a", SDP_ROLE_CLIENT, "0.0.0.0", 80, false },
	{ "use tcp client * *:*", "a", SDP_ROLE_CLIENT, "10.1.2.3", 80, true },
	{ "use tcp client * *:*", "a", SDP_ROLE_SERVER, "10.1.2.3", 80, false },
	{ "use tcp * iperf3 *:*", "iperf3", SDP_ROLE_SERVER, "10.1.2.3", 80, true },
	{ "use tcp * iperf3 *:*", "iperf", SDP_ROLE_SERVER, "10.1.2.3", 80, false },
	{ "use tcp * iperf[23] *:*", "iperf3", SDP_ROLE_SERVER, "10.1.2.3", 80, true },
	{ "use tcp * ip*f? *:*", "iperf3", SDP_ROLE_SERVER, "10.1.2.3", 80, true },
	{ "use tcp * ip*f? *:*", "iperf", SDP_ROLE_SERVER, "10.1.2.3", 80, false },
	{ "use tcp * * 10.1.2.3:*", "a", SDP_ROLE_CLIENT, "10.1.2.3", 80, true },
	{ "use tcp * * 10.1.2.3:*", "a", SDP_ROLE_CLIENT, "10.1.2.2", 80, false },
	{ "use tcp * * 10.1.2.3/24:*", "a", SDP_ROLE_CLIENT, "10.1.2.255", 80, true },
	{ "use tcp * * 10.1.2.3/24:*", "a", SDP_ROLE_CLIENT, "10.1.3.3", 80, false },
	{ "use tcp * * 10.64.0.0/10:*", "a", SDP_ROLE_CLIENT, "10.127.255.255", 80, true },
	{ "use tcp * * 10.64.0.0/10:*", "a", SDP_ROLE_CLIENT, "10.128.0.0", 80, false },
	{ "use tcp * * 10.1.2.2/31:*", "a", SDP_ROLE_CLIENT, "10.1.2.3", 80, true },
	{ "use tcp * * 10.1.2.2/31:*", "a", SDP_ROLE_CLIENT, "10.1.2.4", 80, false },
	{ "use tcp * * 0.0.0.0/0:*", "a", SDP_ROLE_CLIENT, "255.1.2.3", 80, true },
	{ "use tcp * * 0.0.0.0/0:*", "a", SDP_ROLE_CLIENT, "::1", 80, false },
	{ "use tcp * * [::]/0:*", "a", SDP_ROLE_CLIENT, "2001:db8::1", 80, true },
	{ "use tcp * * [::]/0:*", "a", SDP_ROLE_CLIENT, "10.1.2.3", 80, false },
	{ "use tcp * * [2001:db8::]/33:*", "a", SDP_ROLE_CLIENT, "2001:db8:7fff::1", 80, true },
	{ "use tcp * * [2001:db8::]/33:*", "a", SDP_ROLE_CLIENT, "2001:db8:8000::1", 80, false },
	{ "use tcp * * [::1]:*", "a", SDP_ROLE_CLIENT, "::1", 80, true },
	{ "use tcp * * [::1]/127:*", "a", SDP_ROLE_CLIENT, "::", 80, true },
	/* an IPv4 address that is mapped into IPv6 */
	{ "use tcp * * 10.1.0.0/16:*", "a", SDP_ROLE_CLIENT, "::ffff:10.1.2.3", 80, true },
	{ "use tcp * * [::]/0:*", "a", SDP_ROLE_CLIENT, "::ffff:10.1.2.3", 80, false },
	{ "use tcp * * *:80", "a", SDP_ROLE_CLIENT, "10.1.2.3", 80, true },
	{ "use tcp * * *:80", "a", SDP_ROLE_CLIENT, "10.1.2.3", 81, false },
	{ "use tcp * * *:80-90", "a", SDP_ROLE_CLIENT, "::1", 80, true },
	{ "use tcp * * *:80-90", "a", SDP_ROLE_CLIENT, "::1", 90, true },
	{ "use tcp * * *:80-90", "a", SDP_ROLE_CLIENT, "::1", 79, false },
	{ "use tcp * * *:80-90", "a", SDP_ROLE_CLIENT, "::1", 91, false },
	{ "use tcp * * *:0-65535", "a", SDP_ROLE_CLIENT, "::1", 65535, true },
	/* blanks, comments, ends of lines */
	{ "\n \t# one\n\tuse  tcp\t* * *:*  # two\n", "a", SDP_ROLE_CLIENT, "::1", 80, true },
	{ "use tcp * * *:*#", "a", SDP_ROLE_CLIENT, "::1", 80, true },
	{ "use tcp * * *:*\r\n", "a", SDP_ROLE_CLIENT, "::1", 80, true },
	{ "", "a", SDP_ROLE_CLIENT, "::1", 80, false },
	/* the first one that matches */
	{ "use sdp * b *:*\nuse tcp * * *:*\n", "a", SDP_ROLE_CLIENT, "::1", 80, true },
	{ "use sdp * a *:*\nuse tcp * * *:*\n", "a", SDP_ROLE_CLIENT, "::1", 80, false },
	{ "use sdp * * *:81\nuse tcp * * *:80\n", "a", SDP_ROLE_CLIENT, "::1", 80, true },
};

START_TEST(which_matches)
{
	const struct sdp_rules *rules = rules_of(cases[_i].rule, cases[_i].program);
	const struct sockaddr *address = address_of(cases[_i].address, cases[_i].port);
	enum sdp_use use = sdp_rules_find(rules, cases[_i].role, address);

	ck_assert_msg(use == (cases[_i].matches ? SDP_USE_TCP : SDP_USE_SDP), "%s: %s",
		      cases[_i].rule, cases[_i].address);
}
END_TEST

static const struct {
	const char *text;
	unsigned int line;
	const char *error; /* how it begins */
} refused[] = {
	{ "foo", 1, "'foo' is not 'use'" },
	{ "\n# one\nUse tcp * * *:*", 3, "'Use' is not 'use'" },
	{ "use", 1, "nothing is behind 'use'; right is: use sdp|tcp|both" },
	{ "use tcp * * # *:*", 1, "nothing is behind '*'" },
	{ "use tcp * * *:* *:*", 1, "'*:*' is too much" },
	{ "use rdma * * *:*", 1, "'rdma' is not sdp, tcp, both or map" },
	{ "use tcp both * *:*", 1, "'both' is not server, client or *" },
	{ "use both server * *:*", 1, "'both' is for clients" },
	{ "use map server * *:*", 1, "'map' is for clients" },
	{ "use tcp * /bin/a *:*", 1, "'/bin/a' has a folder" },
	{ "use tcp * * *", 1, "'*' has no port" },
	{ "use tcp * * [::1]", 1, "'[::1]' has no port" },
	{ "use tcp * * *:", 1, "'' is not a port from 0 to 65535" },
	{ "use tcp * * *:65536", 1, "'65536' is not a port" },
	{ "use tcp * * *:-1", 1, "'' is not a port" },
	{ "use tcp * * *:1-", 1, "'' is not a port" },
	{ "use tcp * * *:1-x", 1, "'x' is not a port" },
	{ "use tcp * * *:0x10", 1, "'0x10' is not a port" },
	{ "use tcp * * *:90-80", 1, "'90-80': the first port is above the last one" },
	{ "use tcp * * */8:80", 1, "'*' has no prefix" },
	{ "use tcp * * 10.1.2:80", 1, "'10.1.2' is not an address" },
	{ "use tcp * * :80", 1, "'' is not an address" },
	{ "use tcp * * localhost:80", 1, "'localhost' is not an address" },
	{ "use tcp * * 10.1.2.3/33:80", 1, "'33' is not the length of a prefix, which is from 0 to 32" },
	{ "use tcp * * 10.1.2.3/:80", 1, "'' is not the length of a prefix" },
	{ "use tcp * * [::1]/129:80", 1, "'129' is not the length of a prefix, which is from 0 to 128" },
	{ "use tcp * * [10.1.2.3]:80", 1, "'10.1.2.3' is not an address" },
	{ "use tcp * * [:80", 1, "'[' is not an address" },
	{ "use tcp * * ::1:80", 1, "'::1': an IPv6 address is written in brackets" },
	{ "mapper", 1, "a mapper has one address with its port; right is: mapper ADDRESS:PORT" },
	{ "mapper *:1 *:2", 1, "a mapper has one address with its port" },
	{ "mapper *:1\n\nmapper *:2", 3, "there is a mapper already" },
	{ "mapper 10.1.2.0/24:1", 1, "'10.1.2.0/24:1' has a prefix" },
	{ "mapper 10.1.2.3", 1, "'10.1.2.3' has no port" },
	{ "mapper localhost:1", 1, "'localhost' is not an address" },
	{ "mapper *:*", 1, "a mapper has one port, from 1 to 65535" },
	{ "mapper *:0", 1, "a mapper has one port" },
	{ "mapper *:1-2", 1, "a mapper has one port" },
	{ "mapper *:65536", 1, "'65536' is not a port" },
};

START_TEST(what_is_refused)
{
	static struct sdp_rules rules;
	struct sdp_rules_error error = {};

	ck_assert(!sdp_rules_parse(&rules, refused[_i].text, &error));
	ck_assert_uint_eq(error.line, refused[_i].line);
	if (strncmp(error.text, refused[_i].error, strlen(refused[_i].error)))
		ck_assert_str_eq(error.text, refused[_i].error);
}
END_TEST

static const struct {
	const char *text;
	struct sdp_rules_mapper mapper;
	unsigned int count;
} mappers[] = {
	{ "", { AF_UNSPEC, {}, 0 }, 0 },
	{ "use map * * *:*", { AF_UNSPEC, {}, 0 }, 1 },
	{ "mapper *:3936", { AF_UNSPEC, {}, 3936 }, 0 },
	{ "use map * a *:*\nmapper 10.1.2.3:1 # one", { AF_INET, { 10, 1, 2, 3 }, 1 }, 1 },
	{ "mapper [fd00::9]:65535", { AF_INET6, { 0xfd, [15] = 9 }, 65535 }, 0 },
};

/* S2-096: the port mapper may be a central one, or that of the service's own host. */
START_TEST(port_mapper)
{
	const struct sdp_rules *rules = rules_of(mappers[_i].text, "a");

	ck_assert_int_eq(rules->mapper.family, mappers[_i].mapper.family);
	ck_assert_mem_eq(rules->mapper.address, mappers[_i].mapper.address, 16);
	ck_assert_uint_eq(rules->mapper.port, mappers[_i].mapper.port);
	ck_assert_uint_eq(rules->count, mappers[_i].count);
}
END_TEST

/* A line of 255 octets, a program of 63 and 256 rules are the most. */
START_TEST(limits)
{
	static struct sdp_rules rules;
	struct sdp_rules_error error;
	char text[20 * (SDP_RULES_MAX + 1) + 1] = "", *end = text;
	unsigned int i;

	for (i = 0; i < SDP_RULES_MAX; i++)
		end = stpcpy(end, "use tcp * * *:80\n");
	ck_assert(sdp_rules_parse(&rules, text, &error));
	ck_assert_uint_eq(rules.count, SDP_RULES_MAX);
	strcpy(end, "use tcp * * *:80");
	ck_assert(!sdp_rules_parse(&rules, text, &error));
	ck_assert_uint_eq(error.line, SDP_RULES_MAX + 1);

	for (i = 63; i <= 64; i++) {
		sprintf(text, "use tcp * %0*d *:80", i, 0);
		ck_assert_int_eq(sdp_rules_parse(&rules, text, &error), i == 63);
	}
	for (i = 255; i <= 256; i++) {
		sprintf(text, "%-*s#", i, "use tcp * * *:80");
		ck_assert_int_eq(sdp_rules_parse(&rules, text, &error), i == 255);
	}
}
END_TEST

/* The message about a refused rule has room for the tokens of the rule, however long they are. */
START_TEST(long_tokens)
{
	static const char *const forms[] = {
		"%0200d", "use %0200d * * *:80", "use tcp %0200d * *:80", "use tcp * %0200d *:80",
		"use tcp * * %0200d:80", "use tcp * * 10.1.2.3/%0200d:80", "use tcp * * *:%0200d",
		"use tcp * * *:80 %0200d", "mapper %0200d", "mapper *:%0200d",
	};
	static struct sdp_rules rules;
	struct sdp_rules_error error;
	char text[300];

	sprintf(text, forms[_i], 1);
	if (sdp_rules_parse(&rules, text, &error))
		return; /* a number may have zeros in front */
	ck_assert_uint_lt(strlen(error.text), sizeof(error.text));
}
END_TEST

static const struct {
	const char *text;
	bool is_total;
	enum sdp_use use;
} totals[] = {
	{ "", true, SDP_USE_SDP },
	{ "use tcp * b *:*", true, SDP_USE_SDP }, /* of another program */
	{ "use tcp * a *:*", true, SDP_USE_TCP },
	{ "use both * * *:0-65535\nuse sdp * * 10.1.2.3:80", true, SDP_USE_BOTH },
	{ "mapper *:1\nuse map * * *:*", true, SDP_USE_MAP },
	{ "use map client * *:*", false, SDP_USE_SDP },
	{ "use tcp client * *:*", false, SDP_USE_SDP },
	{ "use tcp * * *:1-65535", false, SDP_USE_SDP },
	{ "use tcp * * *:0-65534", false, SDP_USE_SDP },
	{ "use tcp * * 0.0.0.0/0:*", false, SDP_USE_SDP },
	{ "use sdp * * 10.1.2.3:80\nuse tcp * * *:*", false, SDP_USE_SDP },
};

START_TEST(same_for_all_sockets)
{
	enum sdp_use use = SDP_USE_SDP;

	ck_assert_int_eq(sdp_rules_are_total(rules_of(totals[_i].text, "a"), &use),
			 totals[_i].is_total);
	ck_assert_int_eq(use, totals[_i].use);
}
END_TEST

#define ADD_LOOP(test, table) tcase_add_loop_test(tc, test, 0, sizeof(table) / sizeof(*(table)))

Suite *sdp_rules_suite(void)
{
	Suite *suite = suite_create("sdp_rules");
	TCase *tc = tcase_create("sdp_rules");

	ADD_LOOP(which_matches, cases);
	ADD_LOOP(what_is_refused, refused);
	ADD_LOOP(same_for_all_sockets, totals);
	ADD_LOOP(port_mapper, mappers);
	tcase_add_test(tc, limits);
	tcase_add_loop_test(tc, long_tokens, 0, 10);
	suite_add_tcase(suite, tc);
	return suite;
}
