// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Topologies as text: a written one is read again without a difference; and any input is at worst
 * refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/suites.h"
#include "tests/unit/tools/topology.h"
#include "tools/topology/dot.h"
#include "tools/topology/generate.h"
#include "tools/topology/names.h"
#include "tools/topology/read.h"
#include "tools/topology/write.h"

static void read_again(const char *text, struct topology *topology)
{
	struct complaint complaint;

	ck_assert_msg(read_text(text, topology, &complaint), "%u: %s", complaint.line,
		      complaint.text);
	check_topology(topology);
}

START_TEST(a_net_file_is_read_as_the_same)
{
	struct topology before, after;
	char *text;

	make_topology(&before, _i);
	text = written(&before, topology_write_net);
	read_again(text, &after);
	check_same(&before, &after);
	free(text);
	topology_clear(&before);
	topology_clear(&after);
}
END_TEST

/* The nodes' names are their GUIDs already. */
START_TEST(what_is_discovered_is_read_as_the_same)
{
	struct topology before, after, again;
	char *text, *text_again;

	make_topology(&before, _i);
	text = written(&before, topology_write_discover);
	read_again(text, &after);
	ck_assert_uint_eq(before.num_links, after.num_links);
	text_again = written(&after, topology_write_discover);
	ck_assert_str_eq(text, text_again);
	read_again(text_again, &again);
	check_same(&after, &again);
	free(text);
	free(text_again);
	topology_clear(&before);
	topology_clear(&after);
	topology_clear(&again);
}
END_TEST

/* LIDs and GUIDs of ports are preserved. */
START_TEST(what_was_discovered_is_written_with_all)
{
	struct complaint complaint;
	struct topology before, after;
	unsigned int port;
	char *text;
	size_t i;

	ck_assert(read_text(discover_text, &before, &complaint));
	text = written(&before, topology_write_discover);
	read_again(text, &after);
	check_same(&before, &after);
	for (i = 0; i < before.num_nodes; i++)
		for (port = 0; port <= before.nodes[i].num_ports; port++) {
			ck_assert_uint_eq(before.nodes[i].ports[port].guid,
					  after.nodes[i].ports[port].guid);
			ck_assert_uint_eq(before.nodes[i].ports[port].lid,
					  after.nodes[i].ports[port].lid);
			ck_assert_uint_eq(before.nodes[i].ports[port].lmc,
					  after.nodes[i].ports[port].lmc);
		}
	free(text);
	topology_clear(&before);
	topology_clear(&after);
}
END_TEST

static size_t occurrences(const char *text, const char *what)
{
	size_t count = 0;

	for (; (text = strstr(text, what)); text += strlen(what))
		count++;
	return count;
}

static void write_picture(FILE *file, const struct topology *topology,
			  const struct dot_wishes *wishes)
{
	struct complaint complaint;
	struct report report = complaint_report(&complaint);

	ck_assert(topology_write_dot(file, topology, wishes, &report));
}

static void write_each(FILE *file, const struct topology *topology)
{
	static const struct dot_wishes each = { .hosts = DOT_EACH, .switches = DOT_EACH };

	write_picture(file, topology, &each);
}

static void write_hosts_grouped(FILE *file, const struct topology *topology)
{
	static const struct dot_wishes wishes = { .hosts = DOT_GROUPED, .switches = DOT_EACH };

	write_picture(file, topology, &wishes);
}

static void write_grouped(FILE *file, const struct topology *topology)
{
	static const struct dot_wishes wishes = { .hosts = DOT_GROUPED, .switches = DOT_GROUPED };

	write_picture(file, topology, &wishes);
}

static void write_as_fits(FILE *file, const struct topology *topology)
{
	static const struct dot_wishes none;

	write_picture(file, topology, &none);
}

static void write_expanded(FILE *file, const struct topology *topology)
{
	static const struct dot_wishes wishes = { .hosts = DOT_GROUPED, .expand = "l1-2,l1-36" };

	write_picture(file, topology, &wishes);
}

START_TEST(a_picture_has_every_link)
{
	struct topology topology;
	char *text;

	make_topology(&topology, _i);
	text = written(&topology, write_each);
	ck_assert_uint_eq(occurrences(text, " -- "), topology.num_links);
	ck_assert_uint_eq(occurrences(text, "headlabel="), topology.num_links);
	ck_assert_uint_eq(occurrences(text, " tooltip="), topology.num_nodes);
	ck_assert_str_eq(text + strlen(text) - 2, "}\n");
	free(text);
	topology_clear(&topology);
}
END_TEST

START_TEST(adapters_are_grouped_by_switch)
{
	struct topology topology = {};
	char *text, *again;

	ck_assert_ptr_null(generate_fat_tree(&topology, 36, 2));
	text = written(&topology, write_hosts_grouped);
	/* 36 groups, and each leaf linked with each spine. */
	ck_assert_uint_eq(occurrences(text, "(18)"), 36);
	ck_assert_uint_eq(occurrences(text, " -- "), 36 + 36 * 18);
	ck_assert_ptr_nonnull(strstr(text, "host1<br/>&#8230;<br/>host18<br/>(18)"));
	ck_assert_ptr_null(strstr(text, "headlabel="));
	again = written(&topology, write_as_fits);
	ck_assert_str_eq(again, text);
	free(text);
	free(again);
	topology_clear(&topology);
}
END_TEST

START_TEST(expanded_switches_have_their_adapters)
{
	struct topology topology = {};
	char *text;

	ck_assert_ptr_null(generate_fat_tree(&topology, 36, 2));
	text = written(&topology, write_expanded);
	ck_assert_uint_eq(occurrences(text, "(18)"), 34);
	ck_assert_uint_eq(occurrences(text, " -- "), 34 + 2 * 18 + 36 * 18);
	ck_assert_ptr_nonnull(strstr(text, "label=<host19>"));
	ck_assert_ptr_nonnull(strstr(text, "label=<host648>"));
	free(text);
	topology_clear(&topology);
}
END_TEST

START_TEST(what_is_expanded_must_be_a_switch)
{
	static const char *const names[] = { "l1-3", "host1", "l1-1,", "", "l1-1,l1" };
	const struct dot_wishes wishes = { .expand = names[_i] };
	struct complaint complaint;
	struct report report = complaint_report(&complaint);
	struct topology topology = {};

	ck_assert_ptr_null(generate_fat_tree(&topology, 2, 2));
	ck_assert(!topology_write_dot(stderr, &topology, &wishes, &report));
	ck_assert_uint_eq(complaint.count, 1);
	topology_clear(&topology);
}
END_TEST

/* 16 groups of 8 leaves and 8 switches above them, and all that join these. */
START_TEST(very_large_ones_have_groups_of_switches)
{
	struct topology topology = {};
	char *text;

	ck_assert_ptr_null(generate_fat_tree(&topology, 16, 3));
	text = written(&topology, write_as_fits);
	ck_assert_uint_eq(occurrences(text, " tooltip="), 16 + 16 + 16 + 1);
	ck_assert_uint_eq(occurrences(text, " -- "), 16 + 16 + 16);
	ck_assert_ptr_nonnull(strstr(text, "<b>l3-1<br/>&#8230;<br/>l3-64<br/>(64)</b>"));
	ck_assert_ptr_nonnull(strstr(text, "<b>l1-121<br/>&#8230;<br/>l1-128<br/>(8)</b>"));
	ck_assert_ptr_nonnull(strstr(text, "; 64 links a line between switches"));
	free(text);
	topology_clear(&topology);
}
END_TEST

/* In a mesh, lines to adapters would hide those between switches. */
START_TEST(adapters_of_a_mesh_are_in_their_switches)
{
	static const unsigned int sizes[] = { 4, 4 };
	struct topology topology = {};
	char *text;

	ck_assert_ptr_null(generate_torus(&topology, sizes, 2, 4));
	text = written(&topology, write_as_fits);
	ck_assert_uint_eq(occurrences(text, " tooltip="), 16);
	ck_assert_uint_eq(occurrences(text, " -- "), 32);
	ck_assert_ptr_nonnull(strstr(text, "<b>s1</b><br/><font point-size=\"8\">"
				     "host1 &#8230; host4 (4)</font>"));
	free(text);
	topology_clear(&topology);
}
END_TEST

/* An adapter with links to two switches has lines to both; parallel links are one line. */
START_TEST(what_is_drawn_as_one_has_the_same_neighbors)
{
	struct complaint complaint;
	struct topology topology;
	char *text;

	ck_assert(read_text("Switch 4 \"a\"\n[1] \"b\"[1]\n[2] \"b\"[2]\n[3] \"h\"[1]\n\n"
			    "Switch 4 \"b\"\n[1] \"a\"[1]\n[2] \"a\"[2]\n[3] \"h\"[2]\n\n"
			    "Hca 2 \"h\" # \"a \"quoted\\ one\"\n[1] \"a\"[3]\n[2] \"b\"[3]\n",
			    &topology, &complaint));
	text = written(&topology, write_each);
	ck_assert_uint_eq(occurrences(text, " -- "), 4);
	ck_assert_ptr_nonnull(strstr(text, "label=<h<br/><font point-size=\"7\" color=\"#606060\">"
				     "a &quot;quoted\\ one</font>>"));
	free(text);
	topology_clear(&topology);
}
END_TEST

/* Adapters a1 to a8 at two switches; a6, a7 and a8 are at both. One link has another rate. */
static const char two_switches[] =
	"width=3\nspeed=7\nextspeed=3\n"
	"Switch 8 \"x\"\n[1] \"a1\"[1]\n[2] \"a2\"[1]\n[3] \"a3\"[1] w=1\n[4] \"a4\"[1]\n"
	"[6] \"a6\"[1]\n[7] \"a7\"[1]\n[8] \"a8\"[1]\n\n"
	"Switch 8 \"y\"\n[5] \"b\"[1]\n[6] \"a6\"[2]\n[7] \"a7\"[2]\n[8] \"a8\"[2]\n"
	"[1] \"top\"[1]\n[2] \"top\"[2]\n\n"
	"Switch 2 \"top\"\n[1] \"y\"[1]\n[2] \"y\"[2]\n\n"
	"Hca 1 \"a1\"\n[1] \"x\"[1]\n\nHca 1 \"a2\"\n[1] \"x\"[2]\n\n"
	"Hca 1 \"a3\"\n[1] \"x\"[3] w=1\n\nHca 1 \"a4\"\n[1] \"x\"[4]\n\nHca 1 \"b\"\n[1] \"y\"[5]\n\n"
	"Hca 2 \"a6\"\n[1] \"x\"[6]\n[2] \"y\"[6]\n\nHca 2 \"a7\"\n[1] \"x\"[7]\n[2] \"y\"[7]\n\n"
	"Hca 2 \"a8\"\n[1] \"x\"[8]\n[2] \"y\"[8]\n";

START_TEST(lines_tell_what_differs)
{
	struct complaint complaint;
	struct topology topology;
	char *text;

	ck_assert_msg(read_text(two_switches, &topology, &complaint), "%s", complaint.text);
	topology.links[topology.nodes[node_of(&topology, "a2")].ports[1].link].state = LINK_DOWN;
	text = written(&topology, write_hosts_grouped);
	ck_assert_ptr_nonnull(strstr(text, "a1<br/>&#8230;<br/>a4<br/>(4)"));
	ck_assert_ptr_nonnull(strstr(text, "a6<br/>&#8230;<br/>a8<br/>(3)"));
	/* x to a1 ... a4; x and y to a6 ... a8; y to b and to top. */
	ck_assert_uint_eq(occurrences(text, " -- "), 5);
	ck_assert_ptr_nonnull(strstr(text, "[color=\"#606060:#606060:#c62828\" penwidth=1 "
				     "label=<<font color=\"#606060\">1 link 1xEDR</font><br/>"
				     "<font color=\"#606060\">2 links </font><br/>"
				     "<font color=\"#c62828\">1 link </font>>"));
	ck_assert_uint_eq(occurrences(text, "label=<<font"), 1);
	ck_assert_ptr_nonnull(strstr(text, "4xEDR where nothing else is said; "
				     "2 links a line between switches<br/>"));
	ck_assert_ptr_nonnull(strstr(text, "&#8212; Down (1)"));
	free(text);
	topology_clear(&topology);
}
END_TEST

/* Names of S-... are made of GUIDs; people know the nodes by their descriptions. */
START_TEST(names_come_first)
{
	struct complaint complaint;
	struct topology topology;
	char *text;

	ck_assert(read_text(discover_text, &topology, &complaint));
	text = written(&topology, write_each);
	ck_assert_ptr_nonnull(strstr(text, "label=<<b>low</b><br/><font point-size=\"7\" "
				     "color=\"#606060\">S-0000000000000023</font>>"));
	free(text);
	topology_clear(&topology);
}
END_TEST

static const struct {
	const char *names[8], *written;
} rows[] = {
	{ { "a" }, "a" },
	{ { "a1", "a2" }, "a1,a2" },
	{ { "a1", "a2", "a3" }, "a1-a3" },
	{ { "a1", "a2", "a4", "a5", "a6" }, "a1,a2,a4-a6" },
	{ { "host008", "host009", "host010" }, "host008-host010" },
	{ { "r1n9x", "r1n10x", "r1n11x" }, "r1n9x-r1n11x" },
	{ { "r1n9x", "r1n10x", "r1n11y" }, "r1n9x,r1n10x,r1n11y" },
	{ { "r1n1", "r2n1", "r3n1" }, "r1n1,r2n1,r3n1" },
	{ { "a", "b", "c", "d" }, "a,b,c,d" },
	{ { "a", "b", "c", "d", "e" }, "a,b,c,and 2 more" },
	{ { "a1", "a2", "a3", "b", "c", "d", "e" }, "a1-a3,b,c,and 2 more" },
	{ { "9999999999999999999", "10000000000000000000" },
	  "9999999999999999999,10000000000000000000" },
};

static void put_name(FILE *file, const char *name)
{
	fputs(name, file);
}

START_TEST(names_are_written_in_rows)
{
	static const struct names_style style = { .gap = "-", .separator = ",", .put = put_name };
	char text[128] = "";
	FILE *file = fmemopen(text, sizeof(text), "w");
	size_t count = 0;

	while (count < 8 && rows[_i].names[count])
		count++;
	names_write(file, rows[_i].names, count, &style);
	fclose(file);
	ck_assert_str_eq(text, rows[_i].written);
}
END_TEST

/* Any input that is accepted is valid, and is written and read again without a difference. */
static void survive(const char *text, size_t length)
{
	struct complaint complaint;
	struct report report = complaint_report(&complaint);
	struct topology topology = {}, again;
	char *net;

	if (topology_read_text("file", text, length, &topology, &report)) {
		check_topology(&topology);
		free(written(&topology, topology_write_discover));
		free(written(&topology, write_each));
		free(written(&topology, write_hosts_grouped));
		free(written(&topology, write_grouped));
		net = written(&topology, topology_write_net);
		read_again(net, &again);
		ck_assert_uint_eq(topology.num_links, again.num_links);
		topology_clear(&again);
		free(net);
	} else {
		ck_assert_uint_ge(complaint.count, 1);
	}
	topology_clear(&topology);
}

static const char *const texts[] = { net_text, discover_text };

/* The text is in an allocation of its own, so that a read beyond its end is detected. */
static void survive_copy(const char *text, size_t length)
{
	char *copy = malloc(length ?: 1);

	memcpy(copy, text, length);
	survive(copy, length);
	free(copy);
}

START_TEST(truncated_files_do_no_harm)
{
	size_t length;

	for (length = 0; length <= strlen(texts[_i]); length++)
		survive_copy(texts[_i], length);
}
END_TEST

static uint32_t chance(uint32_t *state, uint32_t limit)
{
	*state = *state * 1664525 + 1013904223;
	return (uint64_t)*state * limit >> 32;
}

/* Change an octet, remove some, or insert some that occur at another place. */
static size_t mutate(char *text, size_t length, size_t room, uint32_t *state)
{
	static const char likely[] = "\n\n\t \"\"[]()#@=0123456789xx-fF\0\r\377";
	size_t at = chance(state, length + 1), from = chance(state, length + 1);
	size_t count = chance(state, 40);

	switch (chance(state, 4)) {
	case 0:
		if (at < length)
			text[at] = likely[chance(state, sizeof(likely) - 1)];
		return length;
	case 1:
		if (at < length)
			text[at] ^= 1 << chance(state, 8);
		return length;
	case 2:
		count = count > length - at ? length - at : count;
		memmove(text + at, text + at + count, length - at - count);
		return length - count;
	default:
		count = count > length - from ? length - from : count;
		if (length + count > room)
			return length;
		{
			char segment[40];

			memcpy(segment, text + from, count);
			memmove(text + at + count, text + at, length - at);
			memcpy(text + at, segment, count);
		}
		return length + count;
	}
}

START_TEST(mutated_files_do_no_harm)
{
	const char *text = texts[_i % 2];
	uint32_t state = _i, rounds, changes;
	size_t length, room = strlen(text) + 1000;
	char *copy = malloc(room);

	for (rounds = 0; rounds < 1000; rounds++) {
		length = strlen(text);
		memcpy(copy, text, length);
		for (changes = 1 + chance(&state, 4); changes; changes--)
			length = mutate(copy, length, room, &state);
		survive_copy(copy, length);
	}
	free(copy);
}
END_TEST

Suite *topology_write_suite(void)
{
	Suite *suite = suite_create("topology_write");
	TCase *tcase = tcase_create("topology_write");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, a_net_file_is_read_as_the_same, 0, NUM_MADE);
	tcase_add_loop_test(tcase, what_is_discovered_is_read_as_the_same, 0, NUM_MADE);
	tcase_add_test(tcase, what_was_discovered_is_written_with_all);
	tcase_add_loop_test(tcase, a_picture_has_every_link, 0, NUM_MADE);
	tcase_add_test(tcase, adapters_are_grouped_by_switch);
	tcase_add_test(tcase, expanded_switches_have_their_adapters);
	tcase_add_loop_test(tcase, what_is_expanded_must_be_a_switch, 0, 5);
	tcase_add_test(tcase, very_large_ones_have_groups_of_switches);
	tcase_add_test(tcase, adapters_of_a_mesh_are_in_their_switches);
	tcase_add_test(tcase, what_is_drawn_as_one_has_the_same_neighbors);
	tcase_add_test(tcase, lines_tell_what_differs);
	tcase_add_test(tcase, names_come_first);
	tcase_add_loop_test(tcase, names_are_written_in_rows, 0,
			    sizeof(rows) / sizeof(rows[0]));
	tcase_add_loop_test(tcase, truncated_files_do_no_harm, 0, 2);
	tcase_add_loop_test(tcase, mutated_files_do_no_harm, 0, 20);
	suite_add_tcase(suite, tcase);
	return suite;
}
