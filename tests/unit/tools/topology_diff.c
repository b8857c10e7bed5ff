// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Two topologies compared: by names, and by shape when all names are others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/suites.h"
#include "tests/unit/tools/topology.h"
#include "tools/lib/rng.h"
#include "tools/topology/diff.h"
#include "tools/topology/generate.h"

/* A copy, for which all below is false unless it says otherwise. */
struct change {
	bool rename, shuffle;
	bool node_is_missing, link_is_missing, link_is_slow, has_more_ports, is_recabled;
};

static void shuffle(struct rng *rng, unsigned int *order, size_t count, bool wanted)
{
	size_t i;

	rng_shuffle(rng, order, count);
	for (i = 0; !wanted && i < count; i++)
		order[i] = i;
}

static void copy_nodes(struct topology *to, const struct topology *from, unsigned int *order,
		       size_t *place, const struct change *change)
{
	const struct topology_node *node;
	char name[TOPOLOGY_NAME_MAX + 1];
	size_t i;

	for (i = 0; i < from->num_nodes; i++) {
		node = &from->nodes[order[i]];
		place[order[i]] = NO_NODE;
		if (change->node_is_missing && order[i] == from->num_nodes - 1)
			continue;
		snprintf(name, sizeof(name), "%s%s", change->rename ? "other-" : "", node->name);
		place[order[i]] = to->num_nodes;
		topology_add_node(to, node->type, name, i,
				  node->num_ports + (change->has_more_ports && !order[i]));
	}
}

/* Exchanges the lower ends of the first two links, which have no end in common. */
static struct topology_end recable(const struct topology *from, size_t link)
{
	size_t last = from->num_links - 1;

	return from->links[link == 0 ? last : link == last ? 0 : link].b;
}

static void copy(struct topology *to, const struct topology *from, const struct change *change)
{
	struct rng rng = rng_seed(1, "copy");
	unsigned int *nodes = calloc(from->num_nodes, sizeof(*nodes));
	unsigned int *links = calloc(from->num_links, sizeof(*links));
	size_t *place = calloc(from->num_nodes, sizeof(*place)), i;
	struct topology_end a, b, other;
	struct rate rate;

	*to = (struct topology){};
	shuffle(&rng, nodes, from->num_nodes, change->shuffle);
	shuffle(&rng, links, from->num_links, change->shuffle);
	copy_nodes(to, from, nodes, place, change);
	for (i = 0; i < from->num_links; i++) {
		a = from->links[links[i]].a;
		b = change->is_recabled ? recable(from, links[i]) : from->links[links[i]].b;
		rate = from->links[links[i]].rate;
		a.node = place[a.node];
		b.node = place[b.node];
		if (a.node == NO_NODE || b.node == NO_NODE ||
		    (change->link_is_missing && !links[i]))
			continue;
		if (change->link_is_slow && !links[i])
			rate.width = 12;
		other = a;
		if (change->shuffle && i % 2) {
			a = b;
			b = other;
		}
		topology_add_link(to, a, b, rate);
	}
	free(nodes);
	free(links);
	free(place);
}

static size_t compare(const struct topology *a, const struct topology *b, bool by_shape,
		      struct differences *differences)
{
	struct match match;

	match_init(&match, a, b);
	if (by_shape)
		match_shape(&match, a, b);
	else
		match_names(&match, a, b);
	topology_diff(differences, a, b, &match);
	match_clear(&match);
	return differences->count;
}

static const struct {
	struct change change;
	size_t nodes, links; /* differences; each link that is missing, new or slow is one */
} changes[] = {
	{ { .shuffle = true }, 0, 0 },
	{ { .shuffle = true, .link_is_missing = true }, 0, 1 },
	{ { .shuffle = true, .link_is_slow = true }, 0, 1 },
	{ { .shuffle = true, .is_recabled = true }, 0, 4 },
	{ { .node_is_missing = true }, 1, 1 },
	{ { .has_more_ports = true }, 1, 0 },
};

#define NUM_CHANGES (sizeof(changes) / sizeof(changes[0]))

static void check_change(int which, size_t i, bool by_shape)
{
	struct change change = changes[i].change;
	struct differences differences;
	struct topology a, b;
	size_t count, links = 0, j;

	change.rename = by_shape;
	make_topology(&a, which);
	copy(&b, &a, &change);
	count = compare(&a, &b, by_shape, &differences);
	for (j = 0; j < count; j++)
		links += differences.items[j].links[0] || differences.items[j].links[1];
	ck_assert_msg(count - links == changes[i].nodes && links == changes[i].links,
		      "change %zu of %d: %zu nodes, %zu links", i, which, count - links, links);
	differences_clear(&differences);
	topology_clear(&a);
	topology_clear(&b);
}

START_TEST(changes_are_found_by_names)
{
	size_t i;

	/* The last node of the first one has no link, and its links have ends in common. */
	for (i = 0; i < NUM_CHANGES; i++)
		if (_i || (!changes[i].change.node_is_missing && !changes[i].change.is_recabled))
			check_change(_i, i, false);
}
END_TEST

START_TEST(changes_are_found_by_shape)
{
	size_t i;

	/* A switch that has more ports is another one, whose links are others. */
	for (i = 0; i < NUM_CHANGES; i++)
		if (_i && !changes[i].change.has_more_ports && !changes[i].change.is_recabled)
			check_change(_i, i, true);
}
END_TEST

/* Only the shape as a whole tells a ring of six switches from two rings of three. */
START_TEST(rings_differ_by_their_lengths)
{
	static const unsigned int six[] = { 6 }, three[] = { 3 };
	struct topology ring = {}, rings = {}, again;
	const struct change change = { .rename = true, .shuffle = true };
	struct differences differences;
	size_t i;

	ck_assert_ptr_null(generate_torus(&ring, six, 1, 0));
	ck_assert_ptr_null(generate_torus(&rings, three, 1, 0));
	for (i = 0; i < 3; i++)
		topology_add_node(&rings, NODE_SWITCH, "x", 100 + i, rings.nodes[0].num_ports);
	for (i = 0; i < 3; i++)
		topology_add_link(&rings,
				  (struct topology_end){ rings.links[i].a.node + 3,
							 rings.links[i].a.port },
				  (struct topology_end){ rings.links[i].b.node + 3,
							 rings.links[i].b.port },
				  rings.links[i].rate);
	ck_assert_uint_gt(compare(&ring, &rings, true, &differences), 0);
	differences_clear(&differences);
	copy(&again, &rings, &change);
	ck_assert_uint_eq(compare(&rings, &again, true, &differences), 0);
	differences_clear(&differences);
	topology_clear(&ring);
	topology_clear(&rings);
	topology_clear(&again);
}
END_TEST

/* A file may not tell rates; LIDs and GUIDs belong to the subnet and to the hardware. */
START_TEST(what_is_no_difference)
{
	struct differences differences;
	struct topology a, b;

	make_topology(&a, 1);
	make_topology(&b, 1);
	b.links[0].rate = (struct rate){};
	a.links[1].rate.speed = SPEED_UNKNOWN;
	b.nodes[0].guid = 1;
	b.nodes[0].ports[0].lid = 7;
	b.links[3].state = LINK_DOWN;
	ck_assert_uint_eq(compare(&a, &b, false, &differences), 0);
	differences_clear(&differences);
	topology_clear(&a);
	topology_clear(&b);
}
END_TEST

/* ibnetdiscover calls nodes by their GUIDs, and has their names as descriptions. */
START_TEST(labels_are_names)
{
	struct complaint complaint;
	struct differences differences;
	struct topology a, b;

	ck_assert(read_text("width=3\nSwitch 2 \"leaf\"\n[1] \"host\"[1]\n\nHca 1 \"host\"\n"
			    "[1] \"leaf\"[1] w=1\n",
			    &a, &complaint));
	ck_assert(read_text("width=3\nSwitch 2 \"S-0000000000000021\" # \"leaf\"\n"
			    "[1] \"H-0000000000000031\"[1]\n\n"
			    "Hca 1 \"H-0000000000000031\" # \"host\"\n"
			    "[1] \"S-0000000000000021\"[1]\n",
			    &b, &complaint));
	ck_assert_uint_eq(compare(&a, &b, false, &differences), 1);
	ck_assert_ptr_eq(differences.items[0].links[0], a.links);
	ck_assert_ptr_eq(differences.items[0].links[1], b.links);
	differences_clear(&differences);
	topology_clear(&a);
	topology_clear(&b);
}
END_TEST

Suite *topology_diff_suite(void)
{
	Suite *suite = suite_create("topology_diff");
	TCase *tcase = tcase_create("topology_diff");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, changes_are_found_by_names, 0, NUM_MADE);
	tcase_add_loop_test(tcase, changes_are_found_by_shape, 0, NUM_MADE);
	tcase_add_test(tcase, rings_differ_by_their_lengths);
	tcase_add_test(tcase, what_is_no_difference);
	tcase_add_test(tcase, labels_are_names);
	suite_add_tcase(suite, tcase);
	return suite;
}
