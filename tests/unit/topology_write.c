// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Topologies as text: a written one is read again without a difference; and any input is at worst
 * refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/suites.h"
#include "tests/unit/topology.h"
#include "tools/topology/dot.h"
#include "tools/topology/generate.h"
#include "tools/topology/read.h"
#include "tools/topology/write.h"

static void make(struct topology *topology, int which)
{
	static const unsigned int sizes[] = { 3, 4, 2 };
	struct complaint complaint;

	*topology = (struct topology){};
	switch (which) {
	case 0:
		ck_assert(read_text(net_text, topology, &complaint));
		break;
	case 1:
		ck_assert_ptr_null(generate_fat_tree(topology, 16, 3));
		break;
	case 2:
		ck_assert_ptr_null(generate_torus(topology, sizes, 3, 2));
		break;
	case 3:
		ck_assert_ptr_null(generate_dragonfly(topology, 4, 2, 2));
		break;
	default:
		ck_assert_ptr_null(generate_random(topology, 1000, 100, 36, 100, which));
	}
}

#define NUM_MADE 6

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

	make(&before, _i);
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

	make(&before, _i);
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

static void write_each(FILE *file, const struct topology *topology)
{
	topology_write_dot(file, topology, false);
}

static void write_grouped(FILE *file, const struct topology *topology)
{
	topology_write_dot(file, topology, true);
}

START_TEST(a_picture_has_every_link)
{
	struct topology topology;
	char *text;

	make(&topology, _i);
	text = written(&topology, write_each);
	ck_assert_uint_eq(occurrences(text, " -- "), topology.num_links);
	ck_assert_uint_eq(occurrences(text, "headlabel="), topology.num_links);
	ck_assert_uint_eq(occurrences(text, "[label="), topology.num_nodes);
	ck_assert_str_eq(text + strlen(text) - 2, "}\n");
	free(text);
	topology_clear(&topology);
}
END_TEST

START_TEST(adapters_are_grouped_by_switch)
{
	struct topology topology = {};
	char *text;

	ck_assert_ptr_null(generate_fat_tree(&topology, 36, 2));
	text = written(&topology, write_grouped);
	/* 36 groups, and each leaf linked with each spine. */
	ck_assert_uint_eq(occurrences(text, "18 adapters"), 36);
	ck_assert_uint_eq(occurrences(text, " -- "), 36 + 36 * 18);
	ck_assert_ptr_nonnull(strstr(text, "host1\\n...\\nhost18\\n"));
	free(text);
	topology_clear(&topology);
}
END_TEST

/* An adapter with links to two switches is drawn by itself, parallel links as one. */
START_TEST(what_cannot_be_grouped_is_drawn)
{
	struct complaint complaint;
	struct topology topology;
	char *text;

	ck_assert(read_text("Switch 4 \"a\"\n[1] \"b\"[1]\n[2] \"b\"[2]\n[3] \"h\"[1]\n\n"
			    "Switch 4 \"b\"\n[1] \"a\"[1]\n[2] \"a\"[2]\n[3] \"h\"[2]\n\n"
			    "Hca 2 \"h\" # \"a \"quoted\\ one\"\n[1] \"a\"[3]\n[2] \"b\"[3]\n",
			    &topology, &complaint));
	text = written(&topology, write_grouped);
	ck_assert_uint_eq(occurrences(text, " -- "), 3);
	ck_assert_ptr_nonnull(strstr(text, "n0 -- n1 [label=\"2\"]"));
	ck_assert_ptr_nonnull(strstr(text, "[label=\"h\\na \\\"quoted\\\\ one\"]"));
	free(text);
	topology_clear(&topology);
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
	tcase_add_test(tcase, what_cannot_be_grouped_is_drawn);
	tcase_add_loop_test(tcase, truncated_files_do_no_harm, 0, 2);
	tcase_add_loop_test(tcase, mutated_files_do_no_harm, 0, 20);
	suite_add_tcase(suite, tcase);
	return suite;
}
