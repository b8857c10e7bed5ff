// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Topologies made by rule: that they are what they are called. */
#include <stdlib.h>
#include <string.h>
#include "tests/unit/suites.h"
#include "tests/unit/topology.h"
#include "tools/topology/generate.h"
#include "tools/topology/level.h"
#include "tools/topology/unique.h"

static void check_sound(const struct topology *topology)
{
	size_t *sorted = topology_sort_names(topology), parts;
	struct complaint complaint;
	struct report report = complaint_report(&complaint);

	check_topology(topology);
	check_unique_names(topology, sorted, &report);
	check_unique_guids(topology, &report);
	ck_assert_msg(!complaint.count, "%s", complaint.text);
	free(topology_parts(topology, &parts));
	ck_assert_uint_eq(parts, 1);
	free(sorted);
}

static unsigned int degree(const struct topology *topology, size_t node)
{
	struct topology_end from = { .node = node }, to;
	unsigned int count = 0;

	for (from.port = 1; from.port <= topology->nodes[node].num_ports; from.port++)
		count += topology_peer(topology, from, &to);
	return count;
}

static bool are_linked(const struct topology *topology, size_t a, size_t b)
{
	struct topology_end from = { .node = a }, to;

	for (from.port = 1; from.port <= topology->nodes[a].num_ports; from.port++)
		if (topology_peer(topology, from, &to) && to.node == b)
			return true;
	return false;
}

static const struct {
	unsigned int ports, levels;
	size_t hosts, links;
	size_t switches[4]; /* of each level */
} fat_trees[] = {
	{ 36, 2, 648, 1296, { 36, 18 } },
	{ 16, 3, 1024, 3072, { 128, 128, 64 } },
	{ 4, 3, 16, 48, { 8, 8, 4 } },
	{ 4, 4, 32, 128, { 16, 16, 16, 8 } },
	{ 2, 2, 2, 4, { 2, 1 } },
	{ 36, 1, 36, 36, { 1 } },
};

START_TEST(a_fat_tree_has_levels)
{
	size_t switches[8] = {}, hosts = 0, i;
	struct topology topology = {};
	unsigned int *levels, highest;

	ck_assert_ptr_null(generate_fat_tree(&topology, fat_trees[_i].ports,
					     fat_trees[_i].levels));
	check_sound(&topology);
	levels = topology_levels(&topology, &highest);
	ck_assert_uint_eq(highest, fat_trees[_i].levels);
	for (i = 0; i < topology.num_nodes; i++) {
		if (!levels[i])
			hosts++;
		else
			switches[levels[i] - 1]++;
		/* No port is left over. */
		ck_assert_uint_eq(degree(&topology, i), topology.nodes[i].num_ports);
	}
	for (i = 0; i < topology.num_links; i++)
		ck_assert_int_eq(abs((int)levels[topology.links[i].a.node] -
				     (int)levels[topology.links[i].b.node]), 1);
	ck_assert_uint_eq(hosts, fat_trees[_i].hosts);
	ck_assert_uint_eq(topology.num_links, fat_trees[_i].links);
	ck_assert_mem_eq(switches, fat_trees[_i].switches, sizeof(fat_trees[_i].switches));
	free(levels);
	topology_clear(&topology);
}
END_TEST

/* Which of the topmost switches can be reached going only upwards: all, each in one way. */
static void count_ways_up(const struct topology *topology, const unsigned int *levels, size_t node,
			  unsigned int *ways)
{
	struct topology_end from = { .node = node }, to;

	ways[node]++;
	for (from.port = 1; from.port <= topology->nodes[node].num_ports; from.port++)
		if (topology_peer(topology, from, &to) && levels[to.node] > levels[node])
			count_ways_up(topology, levels, to.node, ways);
}

START_TEST(a_fat_tree_has_one_way_to_each_root)
{
	unsigned int *levels, *ways, highest;
	struct topology topology = {};
	size_t i, host;

	ck_assert_ptr_null(generate_fat_tree(&topology, fat_trees[_i].ports,
					     fat_trees[_i].levels));
	levels = topology_levels(&topology, &highest);
	ways = calloc(topology.num_nodes, sizeof(*ways));
	for (host = 0; host < topology.num_nodes; host++) {
		if (levels[host] || host % 7)
			continue;
		memset(ways, 0, topology.num_nodes * sizeof(*ways));
		count_ways_up(&topology, levels, host, ways);
		for (i = 0; i < topology.num_nodes; i++)
			ck_assert(levels[i] < highest || ways[i] == 1);
	}
	free(ways);
	free(levels);
	topology_clear(&topology);
}
END_TEST

static const struct {
	unsigned int sizes[3], dimensions, hosts;
	size_t switches;
	unsigned int degree; /* of links between switches */
} tori[] = {
	{ { 4, 4 }, 2, 1, 16, 4 },
	{ { 3, 4, 5 }, 3, 2, 60, 6 },
	{ { 4, 4, 2 }, 3, 1, 32, 5 },
	{ { 5, 1 }, 2, 0, 5, 2 },
	{ { 2 }, 1, 3, 2, 1 },
	{ { 1 }, 1, 3, 1, 0 },
};

static unsigned int wrap(unsigned int place, unsigned int size)
{
	return place + 1 < size ? place + 1 : 0;
}

START_TEST(a_torus_has_rings)
{
	const unsigned int *sizes = tori[_i].sizes;
	struct topology topology = {};
	unsigned int d, step, place;
	size_t i;

	ck_assert_ptr_null(generate_torus(&topology, sizes, tori[_i].dimensions, tori[_i].hosts));
	check_sound(&topology);
	ck_assert_uint_eq(topology.num_of[NODE_SWITCH], tori[_i].switches);
	ck_assert_uint_eq(topology.num_of[NODE_CA], tori[_i].switches * tori[_i].hosts);
	for (i = 0; i < tori[_i].switches; i++) {
		ck_assert_uint_eq(degree(&topology, i), tori[_i].hosts + tori[_i].degree);
		for (d = 0, step = 1; d < tori[_i].dimensions; step *= sizes[d++]) {
			place = i / step % sizes[d];
			ck_assert(sizes[d] == 1 ||
				  are_linked(&topology, i,
					     i - place * step + wrap(place, sizes[d]) * step));
		}
	}
	topology_clear(&topology);
}
END_TEST

static const struct {
	unsigned int routers, hosts, links;
} dragonflies[] = { { 4, 2, 2 }, { 1, 1, 1 }, { 2, 0, 3 }, { 8, 4, 4 } };

START_TEST(a_dragonfly_has_groups)
{
	unsigned int routers = dragonflies[_i].routers, hosts = dragonflies[_i].hosts, links;
	unsigned int groups = routers * dragonflies[_i].links + 1;
	struct topology topology = {};
	size_t i, a, b;

	ck_assert_ptr_null(generate_dragonfly(&topology, routers, hosts, dragonflies[_i].links));
	check_sound(&topology);
	ck_assert_uint_eq(topology.num_of[NODE_SWITCH], groups * routers);
	ck_assert_uint_eq(topology.num_of[NODE_CA], groups * routers * hosts);
	/* No port is left over, so that nobody is linked twice where all are linked once. */
	for (i = 0; i < topology.num_nodes; i++)
		ck_assert_uint_eq(degree(&topology, i), topology.nodes[i].num_ports);
	for (a = 0; a < groups; a++)
		for (b = 0; b < a; b++) {
			for (links = 0, i = 0; i < routers * routers; i++)
				links += are_linked(&topology, a * routers + i / routers,
						    b * routers + i % routers);
			ck_assert_uint_eq(links, 1);
		}
	for (i = 0; i < groups * routers; i++)
		for (a = i / routers * routers; a < i; a++)
			ck_assert(are_linked(&topology, i, a));
	topology_clear(&topology);
}
END_TEST

START_TEST(a_random_one_is_connected)
{
	struct topology topology = {};

	ck_assert_ptr_null(generate_random(&topology, 1000, 100, 36, 150, _i));
	check_sound(&topology);
	ck_assert_uint_eq(topology.num_of[NODE_SWITCH], 100);
	ck_assert_uint_eq(topology.num_of[NODE_CA], 900);
	ck_assert_uint_eq(topology.num_links, 99 + 900 + 150);
	topology_clear(&topology);
}
END_TEST

/* As few ports as can be: no more links than there must be. */
START_TEST(a_random_one_can_be_full)
{
	struct topology topology = {};

	ck_assert_ptr_null(generate_random(&topology, 8 + 8 * 4 - 14, 8, 4, 100, _i));
	check_sound(&topology);
	ck_assert_uint_eq(topology.num_links, 7 + 8 * 4 - 14);
	topology_clear(&topology);
}
END_TEST

START_TEST(a_seed_makes_always_the_same)
{
	struct topology one = {}, same = {}, other = {};
	size_t i, differ = 0;

	ck_assert_ptr_null(generate_random(&one, 100, 20, 12, 20, 7));
	ck_assert_ptr_null(generate_random(&same, 100, 20, 12, 20, 7));
	ck_assert_ptr_null(generate_random(&other, 100, 20, 12, 20, 8));
	check_same(&one, &same);
	for (i = 0; i < one.num_links && i < other.num_links; i++)
		differ += one.links[i].a.node != other.links[i].a.node;
	ck_assert_uint_gt(differ, 10);
	topology_clear(&one);
	topology_clear(&same);
	topology_clear(&other);
}
END_TEST

START_TEST(what_cannot_be_is_refused)
{
	unsigned int sizes[TORUS_DIMENSIONS + 1] = { 1, 1, 1, 1, 1, 1, 1 }, none[] = { 0 };
	unsigned int large[] = { 40000, 40000, 40000, 40000, 40000, 40000 };
	struct topology topology = {};

	ck_assert_ptr_nonnull(generate_fat_tree(&topology, 35, 2));
	ck_assert_ptr_nonnull(generate_fat_tree(&topology, 0, 2));
	ck_assert_ptr_nonnull(generate_fat_tree(&topology, 256, 2));
	ck_assert_ptr_nonnull(generate_fat_tree(&topology, 36, 0));
	ck_assert_ptr_nonnull(generate_fat_tree(&topology, 36, 4));
	ck_assert_ptr_nonnull(generate_fat_tree(&topology, 2, 16));
	ck_assert_ptr_nonnull(generate_fat_tree(&topology, 4, ~0u));
	ck_assert_ptr_nonnull(generate_torus(&topology, sizes, 0, 1));
	ck_assert_ptr_nonnull(generate_torus(&topology, sizes, TORUS_DIMENSIONS + 1, 1));
	ck_assert_ptr_nonnull(generate_torus(&topology, none, 1, 1));
	ck_assert_ptr_nonnull(generate_torus(&topology, sizes, 1, 243));
	ck_assert_ptr_nonnull(generate_torus(&topology, sizes, 1, ~0u));
	ck_assert_ptr_nonnull(generate_torus(&topology, large, 6, 1));
	ck_assert_ptr_nonnull(generate_dragonfly(&topology, 0, 1, 1));
	ck_assert_ptr_nonnull(generate_dragonfly(&topology, 1, 1, 0));
	ck_assert_ptr_nonnull(generate_dragonfly(&topology, 200, 200, 200));
	ck_assert_ptr_nonnull(generate_dragonfly(&topology, ~0u, ~0u, ~0u));
	ck_assert_ptr_nonnull(generate_dragonfly(&topology, 100, 10, 100));
	ck_assert_ptr_nonnull(generate_random(&topology, 5, 0, 8, 0, 1));
	ck_assert_ptr_nonnull(generate_random(&topology, 5, 6, 8, 0, 1));
	ck_assert_ptr_nonnull(generate_random(&topology, 100, 2, 8, 0, 1));
	ck_assert_ptr_nonnull(generate_random(&topology, 5, 2, 1, 0, 1));
	ck_assert_ptr_nonnull(generate_random(&topology, ~0u, 2, 8, 0, 1));
	ck_assert_uint_eq(topology.num_nodes, 0);
}
END_TEST

START_TEST(parts_are_told_apart)
{
	struct complaint complaint;
	struct topology topology;
	size_t parts, *part;

	ck_assert(read_text(net_text, &topology, &complaint));
	part = topology_parts(&topology, &parts);
	ck_assert_uint_eq(parts, 2);
	ck_assert_uint_eq(part[node_of(&topology, "host")], node_of(&topology, "top"));
	ck_assert_uint_eq(part[node_of(&topology, "alone")], node_of(&topology, "alone"));
	free(part);
	topology_clear(&topology);
}
END_TEST

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

Suite *topology_rules_suite(void)
{
	Suite *suite = suite_create("topology_rules");
	TCase *tcase = tcase_create("topology_rules");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, a_fat_tree_has_levels, 0, COUNT(fat_trees));
	tcase_add_loop_test(tcase, a_fat_tree_has_one_way_to_each_root, 0, COUNT(fat_trees));
	tcase_add_loop_test(tcase, a_torus_has_rings, 0, COUNT(tori));
	tcase_add_loop_test(tcase, a_dragonfly_has_groups, 0, COUNT(dragonflies));
	tcase_add_loop_test(tcase, a_random_one_is_connected, 0, 10);
	tcase_add_loop_test(tcase, a_random_one_can_be_full, 0, 10);
	tcase_add_test(tcase, a_seed_makes_always_the_same);
	tcase_add_test(tcase, what_cannot_be_is_refused);
	tcase_add_test(tcase, parts_are_told_apart);
	suite_add_tcase(suite, tcase);
	return suite;
}
