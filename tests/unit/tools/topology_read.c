// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Files that describe a fabric: what is read of them, and which are refused. */
#include <stdlib.h>
#include <string.h>
#include "tests/unit/suites.h"
#include "tests/unit/tools/topology.h"
#include "tools/topology/read.h"
#include "tools/topology/scan.h"

static const struct topology_node *node(const struct topology *topology, const char *name)
{
	return &topology->nodes[node_of(topology, name)];
}

static void check_link(const struct topology *topology, const char *name, unsigned int port,
		       const char *peer, unsigned int peer_port, const char *rate)
{
	struct topology_end to;
	char text[RATE_TEXT];

	ck_assert(topology_peer(topology, (struct topology_end){ node_of(topology, name), port },
				&to));
	ck_assert_str_eq(topology->nodes[to.node].name, peer);
	ck_assert_uint_eq(to.port, peer_port);
	ck_assert_str_eq(rate_format(&topology->links[node(topology, name)->ports[port].link].rate,
				     text), rate);
}

START_TEST(a_net_file_is_read)
{
	struct complaint complaint;
	struct topology topology;

	ck_assert_msg(read_text(net_text, &topology, &complaint), "%u: %s", complaint.line,
		      complaint.text);
	check_topology(&topology);
	ck_assert_uint_eq(topology.num_nodes, 4);
	ck_assert_uint_eq(topology.num_links, 3);
	ck_assert_int_eq(node(&topology, "top")->type, NODE_SWITCH);
	ck_assert_uint_eq(node(&topology, "top")->guid, 0x21);
	ck_assert_uint_eq(node(&topology, "top")->system_guid, 0x20);
	ck_assert_uint_eq(node(&topology, "top")->ports[0].lid, 3);
	ck_assert(node(&topology, "top")->enhanced);
	ck_assert_uint_eq(node(&topology, "top")->place.line, 7);
	ck_assert_str_eq(topology_description(node(&topology, "top")), "the upper");
	/* Missing GUIDs are counted up, as in ibsim. */
	ck_assert_uint_eq(node(&topology, "low")->guid, 0x22);
	ck_assert_uint_eq(node(&topology, "low")->system_guid, 0);
	ck_assert_uint_eq(node(&topology, "host")->guid, 0x100);
	ck_assert_uint_eq(node(&topology, "host")->ports[2].guid, 0x102);
	ck_assert_str_eq(topology_description(node(&topology, "host")), "of many words");
	ck_assert_uint_eq(node(&topology, "alone")->guid, 0x103);
	ck_assert_str_eq(topology_description(node(&topology, "alone")), "alone");
	check_link(&topology, "top", 1, "host", 1, "4xQDR");
	check_link(&topology, "host", 2, "low", 3, "4xDDR");
	check_link(&topology, "low", 2, "top", 8, "1xSDR");
	topology_clear(&topology);
}
END_TEST

START_TEST(what_ibnetdiscover_prints_is_read)
{
	struct complaint complaint;
	struct topology topology;
	const char *top = "S-0000000000000021", *low = "S-0000000000000023";
	const char *host = "H-0000000000000100";

	ck_assert_msg(read_text(discover_text, &topology, &complaint), "%u: %s", complaint.line,
		      complaint.text);
	check_topology(&topology);
	ck_assert_uint_eq(topology.num_nodes, 3);
	ck_assert_uint_eq(topology.num_links, 3);
	ck_assert_str_eq(topology_description(node(&topology, top)), "the \"upper\" # one");
	ck_assert_uint_eq(node(&topology, top)->vendor, 0x2c9);
	ck_assert_uint_eq(node(&topology, top)->device, 0xb924);
	ck_assert_uint_eq(node(&topology, top)->ports[0].guid, 0x22);
	ck_assert_uint_eq(node(&topology, top)->ports[0].lid, 3);
	ck_assert_uint_eq(node(&topology, top)->ports[0].lmc, 1);
	ck_assert(!node(&topology, low)->enhanced);
	ck_assert_uint_eq(node(&topology, low)->device, 0);
	ck_assert_uint_eq(node(&topology, host)->ports[1].guid, 0x105);
	ck_assert_uint_eq(node(&topology, host)->ports[1].lid, 4);
	ck_assert_uint_eq(node(&topology, host)->ports[2].lid, 6);
	ck_assert_uint_eq(node(&topology, host)->ports[2].lmc, 2);
	check_link(&topology, top, 1, host, 1, "4xEDR");
	check_link(&topology, top, 8, low, 2, "1xFDR10");
	check_link(&topology, low, 3, host, 2, "4xSDR");
	topology_clear(&topology);
}
END_TEST

#define PAIR "Hca 1 \"a\"\n[1] \"b\"[1]\n\nHca 1 \"b\"\n[1] \"a\"[1]\n"

/* An invalid file, the line of its error, and a part of the message. */
static const struct {
	const char *text;
	unsigned int line;
	const char *expected;
} wrong[] = {
	{ "", 0, "no nodes" },
	{ "# nothing\n\n", 0, "no nodes" },
	{ "foo\n", 1, "begins with none of: Switch, Ca, Hca" },
	{ PAIR "\nHca 1 \"c\tc\"\n", 7, "printable ASCII" },
	{ "Hca 1 \"a\001\"\n", 1, "octet 9 of the line is 0x01" },
	{ "Hca 1 \"a@b\"\n", 1, "without '#' and '@'" },
	{ "Hca 1 \"a\303\244\"\n", 1, "printable ASCII" },
	{ "Hca 1 \"\"\n", 1, "the name has 0 octets; it must have 1 to 64" },
	{ "Hca 1 \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"\n", 1,
	  "the name has 68 octets" },
	{ "Hca 1 a\n", 1, "there must be a name, as in \"node1\"" },
	{ "Hca 1 \"a\n", 1, "there must be a name" },
	{ "Hca \"a\"\n", 1, "there must be a number of ports, 1 to 254" },
	{ "Hca 0 \"a\"\n", 1, "1 to 254" },
	{ "Switch 255 \"a\"\n", 1, "1 to 254" },
	{ "Switch -1 \"a\"\n", 1, "1 to 254" },
	{ "Switch 99999999999999999999 \"a\"\n", 1, "1 to 254" },
	{ "Switch 1 \"a\" b\n", 1, "'b' is too much" },
	{ "Switch 1 \"a\" # \"b\" base port 0 lid 70000\n", 1, "a LID must be 0 to 65535" },
	{ "Switch 1 \"a\" # \"b\" base port 0 lid 7 lmc 8\n", 1, "an LMC must be 0 to 7" },
	{ "Hca 1 \"a\" # \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"\n",
	  1, "the description has 68 octets; a NodeDescription has 64" },
	{ "Rt 1 \"a\"\n", 1, "routers are not part" },
	{ "include \"/etc/passwd\"\n", 1, "put what it has here" },
	{ "module = \"x\"\n", 1, "write the names in full" },
	{ "do link \"a\"[1] \"b\"[1]\n", 1, "commands are not carried out" },
	{ "Hca 1 \"a\"\n@[1] \"b\"\n", 2, "aliases are not read" },
	{ "caguid 0x10\n", 1, "'caguid' must have a '=' behind it" },
	{ "caguid=\n", 1, "there must be a GUID" },
	{ "caguid=0\n", 1, "there must be a GUID" },
	{ "caguid=0x10000000000000000\n", 1, "there must be a GUID" },
	{ "caguid=0x10 11\n", 1, "'11' is too much" },
	{ "switchguid=0x10(x)\n", 1, "the GUID of port 0" },
	{ "vendid=0x1000000\n", 1, "0xffffff at most" },
	{ "width=32\n", 1, "a mask of what is enabled, 1 to 31" },
	{ "speed=0\n", 1, "1 to 7" },
	{ "extspeed=256\n", 1, "0 to 255" },
	{ "[1] \"a\"[1]\n", 1, "no node is above this port" },
	{ "Hca 1 \"a\"\n\n[1] \"b\"[1]\n", 3, "no node is above this port" },
	{ "Hca 1 \"a\"\n[2] \"b\"[1]\n", 2, "a port of \"a\", [1] to [1]" },
	{ "Hca 1 \"a\"\n[0] \"b\"[1]\n", 2, "[1] to [1]" },
	{ "Hca 1 \"a\"\n[1 \"b\"[1]\n", 2, "[1] to [1]" },
	{ "Hca 1 \"a\"\n[1]\n", 2, "there must be its peer, as in \"node1\"[1]" },
	{ "Hca 1 \"a\"\n[1] \"b\"[x]\n", 2, "there must be its port, as in [1]" },
	{ "Hca 1 \"a\"\n[1](x) \"b\"[1]\n", 2, "the port's GUID" },
	{ "Hca 1 \"a\"\n[1][ext x] \"b\"[1]\n", 2, "behind '[ext' there must be a number" },
	{ "Hca 1 \"a\"\n[1] \"b\"[1] q=3\n", 2, "none of: w=MASK, s=MASK, e=MASK" },
	{ "Hca 1 \"a\"\n[1] \"b\"[1] w\n", 2, "none of: w=MASK" },
	{ "Hca 1 \"a\"\n[1] \"b\"[1] w=0\n", 2, "w= must have a mask behind it, 1 to 31" },
	{ "Hca 1 \"a\"\n[1] \"b\"[1] s=8\n", 2, "s= must have a mask behind it, 1 to 7" },
	{ "Hca 1 \"a\"\n[1] \"b\"[1] # \"b\" lid 4 4xFoo\n", 2, "'4xFoo' is not a rate" },
	{ "Hca 1 \"a\"\n[1] \"b\"[1] # \"b\" lid 4 3xEDR\n", 2, "'3xEDR' is not a rate" },
	{ "Hca 1 \"a\"\n[1] \"b\"[1] e=256\n", 2, "e= must have a mask behind it, 0 to 255" },
	{ "src/a b.c:1; x\n", 1, "begins with none of" },
	{ "src/a.c:; x\n", 1, "begins with none of" },
	{ "src/a.c:12 x\n", 1, "begins with none of" },
	{ "Hca 1 \"a\"\n[1] \"b\"[1]\n", 2, "there is no node \"b\"" },
	{ "Hca 1 \"a\"\n[1] \"a\"[1]\n", 2, "a port cannot be linked with itself" },
	{ "Hca 1 \"a\"\n[1] \"b\"[2]\n\nHca 1 \"b\"\n", 2, "\"b\" has no port 2, but 1 to 1" },
	{ "Hca 1 \"a\"\n[1] \"b\"[1]\n\nHca 1 \"b\"\n", 2,
	  "only this end has the link: \"b\" must have a line [1] \"a\"[1]" },
	{ PAIR "\nHca 1 \"c\"\n[1] \"a\"[1]\n", 8,
	  "line 2 has \"a\" port 1 linked with \"b\" port 1; both ends must agree" },
	{ "Hca 2 \"a\"\n[1] \"b\"[1]\n[1] \"b\"[2]\n\nHca 2 \"b\"\n[1] \"a\"[1]\n", 3,
	  "port 1 is on line 2, too" },
	{ PAIR "\nSwitch 1 \"a\"\n", 7, "line 1 has a node \"a\", too" },
	{ "caguid=0x10\nHca 1 \"a\"\n\ncaguid=0x10\nHca 1 \"b\"\n", 5,
	  "\"b\" has GUID 0x0000000000000010, and so has \"a\" on line 2" },
	/* A switch's GUID equals that of port 1 of "a". */
	{ "caguid=0x10\nHca 1 \"a\"\n\nswitchguid=0x11\nSwitch 1 \"b\"\n", 5,
	  "\"b\" has GUID 0x0000000000000011, and so has \"a\"" },
	{ "Hca 2 \"a\"\n[1](5) \"a\"[2]\n[2](5) \"a\"[1]\n", 1,
	  "ports 1 and 2 of \"a\" both have" },
	{ "Hca 1 \"a\"\n[1] \"b\"[1](5)\n\nHca 1 \"b\"\n[1](6) \"a\"[1]\n", 2,
	  "\"b\" port 1 has GUID 0x0000000000000006, not 0x0000000000000005" },
	{ "Hca 1 \"a\"\n[1] \"b\"[1] w=1\n\nHca 1 \"b\"\n[1] \"a\"[1] w=2\n", 2,
	  "have no width in common" },
	{ "Hca 1 \"a\"\n[1] \"b\"[1] s=1\n\nHca 1 \"b\"\n[1] \"a\"[1] s=2\n", 2,
	  "have no speed in common" },
};

START_TEST(what_is_wrong_is_told)
{
	struct complaint complaint;
	struct topology topology;

	ck_assert_msg(!read_text(wrong[_i].text, &topology, &complaint), "accepted:\n%s",
		      wrong[_i].text);
	ck_assert_msg(complaint.line == wrong[_i].line &&
		      strstr(complaint.text, wrong[_i].expected),
		      "'%s' on line %u of\n%s", complaint.text, complaint.line, wrong[_i].text);
	topology_clear(&topology);
}
END_TEST

#define ENDS(one, other)                                                                           \
	"Hca 1 \"a\"\n[1] \"b\"[1] # \"b\" lid 4 " one "\n\nHca 1 \"b\"\n"                           \
	"[1] \"a\"[1] # \"a\" lid 4 " other "\n"

/* A strange file, the line of the warning, a part of the message, and the rate of the link. */
static const struct {
	const char *text;
	unsigned int line;
	const char *expected;
	const char *rate;
} strange[] = {
	{ ENDS("4xEDR", "4xHDR"), 2, "4xEDR here and 4xHDR on line 5; 4xEDR is taken", "4xEDR" },
	{ ENDS("1xSDR", "4xSDR"), 2, "1xSDR here and 4xSDR on line 5; 1xSDR is taken", "1xSDR" },
	{ ENDS("1xHDR", "4xSDR"), 2, "1xSDR is taken", "1xSDR" },
	{ ENDS("12xFDR10", "8xQDR"), 2, "8xQDR is taken", "8xQDR" },
	{ ENDS("4xXDR", "4xXDR"), 2, "the rate 4xXDR is not known; 4xNDR is taken", "4xNDR" },
	{ ENDS("2xFOO1", "2xEDR"), 2, "the rate 2xFOO1 is not known; 2xNDR is taken", "2xEDR" },
	{ "extspeed=31\nHca 1 \"a\"\n[1] \"b\"[1]\n\nHca 1 \"b\"\n[1] \"a\"[1]\n", 1,
	  "extended speeds above 15 are not known; NDR is taken", "4xNDR" },
	{ "Hca 1 \"a\"\n[1] \"b\"[1] e=16\n\nHca 1 \"b\"\n[1] \"a\"[1] e=8\n", 2,
	  "NDR is taken for them", "4xNDR" },
	{ "ibwarn: [6931] sim_connect: attached\n" PAIR, 1, "a tool has said of itself", "4xSDR" },
	{ "src/query_smp.c:195; umad (DR path) bad status 110\n" PAIR, 1, "left out", "4xSDR" },
	{ "Hca 1 \"a\"\nibpanic: [1] x: \"y\"\n[1] \"b\"[1]\n\nHca 1 \"b\"\n[1] \"a\"[1]\n", 2,
	  "left out", "4xSDR" },
};

START_TEST(what_is_strange_is_read_with_a_warning)
{
	struct complaint complaint;
	struct topology topology;
	char text[RATE_TEXT];

	ck_assert_msg(read_text(strange[_i].text, &topology, &complaint), "%s", complaint.text);
	check_topology(&topology);
	ck_assert_msg(complaint.warnings && complaint.line == strange[_i].line &&
		      strstr(complaint.text, strange[_i].expected),
		      "'%s' on line %u of\n%s", complaint.text, complaint.line, strange[_i].text);
	ck_assert_uint_eq(topology.num_links, 1);
	ck_assert_str_eq(rate_format(&topology.links[0].rate, text), strange[_i].rate);
	topology_clear(&topology);
}
END_TEST

/* A cable between two ports of one node is valid. */
START_TEST(a_node_can_be_linked_with_itself)
{
	struct complaint complaint;
	struct topology topology;

	ck_assert(read_text("Hca 2 \"a\"\n[1] \"a\"[2]\n[2] \"a\"[1]\n", &topology, &complaint));
	check_topology(&topology);
	ck_assert_uint_eq(topology.num_links, 1);
	topology_clear(&topology);
}
END_TEST

START_TEST(a_port_can_have_the_guid_of_its_node)
{
	struct complaint complaint;
	struct topology topology;

	ck_assert(read_text("caguid=0x10\nHca 1 \"a\"\n[1](10) \"b\"\n\n"
			    "caguid=0x20\nHca 1 \"b\"\n[1](20) \"a\"\n", &topology, &complaint));
	topology_clear(&topology);
}
END_TEST

/* The number of messages is limited. */
START_TEST(only_so_much_is_told)
{
	struct complaint complaint;
	struct topology topology;
	char text[REPORT_MAX * 10];
	size_t i;

	for (i = 0; i + 1 < sizeof(text); i++)
		text[i] = i % 2 ? '\n' : 'x';
	text[i] = '\0';
	ck_assert(!read_text(text, &topology, &complaint));
	ck_assert_uint_eq(complaint.count, REPORT_MAX + 1);
	topology_clear(&topology);
}
END_TEST

static const struct {
	const char *text;
	bool good;
} rates[] = {
	{ "1xSDR", true }, { "2xHDR", true }, { "4xEDR", true }, { "8xFDR", true },
	{ "12xNDR", true }, { "4xFDR10", true }, { "12xFDR10", true },
	{ "", false }, { "4x", false }, { "EDR", false }, { "3xEDR", false }, { "4xedr", false },
	{ "4xEDR1", false }, { "4xFDR1", false }, { "??", false },
};

START_TEST(rates_are_read_and_written)
{
	char text[RATE_TEXT];
	struct rate rate;

	ck_assert_int_eq(rate_parse(rates[_i].text, strlen(rates[_i].text), &rate),
			 rates[_i].good);
	ck_assert_str_eq(rate_format(&rate, text), rates[_i].good ? rates[_i].text : "??");
}
END_TEST

/* The rate is the highest that the masks of both ends have in common. */
static const struct {
	struct rate_masks a, b;
	const char *rate;
} masks[] = {
	{ { 2, 1, 0 }, { 2, 1, 0 }, "4xSDR" },
	{ { 31, 7, 15 }, { 31, 7, 15 }, "12xNDR" },
	{ { 31, 7, 15 }, { 3, 7, 3 }, "4xEDR" },
	{ { 31, 7, 15 }, { 17, 7, 1 }, "2xFDR" },
	{ { 7, 7, 15 }, { 31, 3, 0 }, "8xDDR" },
	{ { 1, 5, 0 }, { 1, 7, 0 }, "1xQDR" },
	{ { 1, 2, 0 }, { 1, 7, 0 }, "1xDDR" },
	{ { 1, 7, 4 }, { 1, 7, 7 }, "1xHDR" },
	{ { 1, 7, 0 }, { 2, 7, 0 }, "??" },
	{ { 1, 1, 0 }, { 1, 2, 0 }, "??" },
};

START_TEST(masks_have_a_rate_in_common)
{
	struct rate rate = rate_of_masks(&masks[_i].a, &masks[_i].b);
	char text[RATE_TEXT];

	ck_assert_str_eq(rate_format(&rate, text), masks[_i].rate);
}
END_TEST

START_TEST(a_rate_has_masks_of_its_own)
{
	struct rate_masks of_rate;
	struct rate rate, again;

	if (!rate_parse(rates[_i].text, strlen(rates[_i].text), &rate) || rate.speed == FDR10)
		return;
	of_rate = rate_to_masks(&rate);
	again = rate_of_masks(&of_rate, &of_rate);
	ck_assert(rate_equal(&rate, &again));
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

Suite *topology_read_suite(void)
{
	Suite *suite = suite_create("topology_read");
	TCase *tcase = tcase_create("topology_read");

	tcase_add_test(tcase, a_net_file_is_read);
	tcase_add_test(tcase, what_ibnetdiscover_prints_is_read);
	tcase_add_loop_test(tcase, what_is_wrong_is_told, 0, COUNT(wrong));
	tcase_add_loop_test(tcase, what_is_strange_is_read_with_a_warning, 0, COUNT(strange));
	tcase_add_test(tcase, a_node_can_be_linked_with_itself);
	tcase_add_test(tcase, a_port_can_have_the_guid_of_its_node);
	tcase_add_test(tcase, only_so_much_is_told);
	tcase_add_loop_test(tcase, rates_are_read_and_written, 0, COUNT(rates));
	tcase_add_loop_test(tcase, masks_have_a_rate_in_common, 0, COUNT(masks));
	tcase_add_loop_test(tcase, a_rate_has_masks_of_its_own, 0, COUNT(rates));
	suite_add_tcase(suite, tcase);
	return suite;
}
