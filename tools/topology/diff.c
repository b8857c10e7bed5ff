// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Compares two topologies. */
#define _GNU_SOURCE
#include "diff.h"
#include <stdlib.h>
#include "label.h"
#include "tools/lib/memory.h"

struct comparison {
	struct differences *differences;
	const struct topology *a, *b;
	const struct match *match;
};

static const struct topology_node *node_of(const struct topology *a, const struct topology *b,
					   const struct match *match, size_t node)
{
	if (!match)
		return &a->nodes[node];
	return match->from[node] == NO_NODE ? &b->nodes[node] : &a->nodes[match->from[node]];
}

struct link_ends topology_link_ends(const struct topology *a, const struct topology *b,
				    const struct match *match, const struct topology_link *link)
{
	const struct topology_node *one = node_of(a, b, match, link->a.node);
	const struct topology_node *other = node_of(a, b, match, link->b.node);
	int order = topology_compare_labels(one, other);

	if (order > 0 || (!order && link->a.port > link->b.port))
		return (struct link_ends){ { other, one }, { link->b.port, link->a.port } };
	return (struct link_ends){ { one, other }, { link->a.port, link->b.port } };
}

static void diff_add(struct comparison *comparison, struct difference difference)
{
	struct differences *differences = comparison->differences;

	differences->items = grow(differences->items, differences->count, sizeof(difference));
	differences->items[differences->count++] = difference;
}

static bool are_nodes_equal(const struct topology_node *a, const struct topology_node *b)
{
	return a->type == b->type && a->num_ports == b->num_ports;
}

static void compare_nodes(struct comparison *comparison)
{
	const struct topology_node *node, *other;
	size_t i, to;

	for (i = 0; i < comparison->a->num_nodes; i++) {
		to = comparison->match->to[i];
		node = &comparison->a->nodes[i];
		other = to == NO_NODE ? NULL : &comparison->b->nodes[to];
		if (!other || !are_nodes_equal(node, other))
			diff_add(comparison, (struct difference){ .nodes = { node, other } });
	}
	for (i = 0; i < comparison->b->num_nodes; i++)
		if (comparison->match->from[i] == NO_NODE)
			diff_add(comparison,
				 (struct difference){ .nodes = { NULL,
								 &comparison->b->nodes[i] } });
}

static bool is_end(const struct topology_end *end, size_t node, unsigned int port)
{
	return end->node == node && end->port == port;
}

/*
 * Finds the link of @other that corresponds to @link. Both links join the same port numbers of
 * corresponding nodes. @map has, for each node, the corresponding node of @other.
 */
static const struct topology_link *find_link(const struct topology *other, const size_t *map,
					     const struct topology_link *link)
{
	size_t a = map[link->a.node], b = map[link->b.node], index;
	const struct topology_link *found;

	if (a == NO_NODE || b == NO_NODE || link->a.port > other->nodes[a].num_ports)
		return NULL;
	index = other->nodes[a].ports[link->a.port].link;
	if (index == NO_LINK)
		return NULL;
	found = &other->links[index];
	if ((is_end(&found->a, a, link->a.port) && is_end(&found->b, b, link->b.port)) ||
	    (is_end(&found->b, a, link->a.port) && is_end(&found->a, b, link->b.port)))
		return found;
	return NULL;
}

static bool is_known(const struct rate *rate)
{
	return rate->width && rate->speed;
}

static bool are_links_equal(const struct topology_link *a, const struct topology_link *b)
{
	return !is_known(&a->rate) || !is_known(&b->rate) || rate_equal(&a->rate, &b->rate);
}

static void compare_links(struct comparison *comparison)
{
	const struct topology *a = comparison->a, *b = comparison->b;
	const struct topology_link *link, *other;

	for (link = a->links; link < a->links + a->num_links; link++) {
		other = find_link(b, comparison->match->to, link);
		if (!other || !are_links_equal(link, other))
			diff_add(comparison, (struct difference){ .links = { link, other } });
	}
	for (link = b->links; link < b->links + b->num_links; link++)
		if (!find_link(a, comparison->match->from, link))
			diff_add(comparison, (struct difference){ .links = { NULL, link } });
}

static int compare_numbers(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

static int compare_node_items(const struct difference *a, const struct difference *b)
{
	return topology_compare_labels(a->nodes[0] ?: a->nodes[1], b->nodes[0] ?: b->nodes[1]) ?:
	       compare_numbers(!a->nodes[0], !b->nodes[0]);
}

static int compare_link_items(const struct comparison *comparison, const struct difference *a,
			      const struct difference *b)
{
	const struct match *match = comparison->match;
	struct link_ends one, other;

	one = topology_link_ends(comparison->a, comparison->b, a->links[0] ? NULL : match,
				 a->links[0] ?: a->links[1]);
	other = topology_link_ends(comparison->a, comparison->b, b->links[0] ? NULL : match,
				   b->links[0] ?: b->links[1]);
	return topology_compare_labels(one.nodes[0], other.nodes[0]) ?:
	       compare_numbers(one.ports[0], other.ports[0]) ?:
	       compare_numbers(!a->links[0], !b->links[0]) ?:
	       topology_compare_labels(one.nodes[1], other.nodes[1]);
}

static bool is_link(const struct difference *difference)
{
	return difference->links[0] || difference->links[1];
}

static int compare_items(const void *a, const void *b, void *arg)
{
	if (is_link(a) != is_link(b))
		return is_link(a) ? 1 : -1;
	return is_link(a) ? compare_link_items(arg, a, b) : compare_node_items(a, b);
}

void topology_diff(struct differences *differences, const struct topology *a,
		   const struct topology *b, const struct match *match)
{
	struct comparison comparison = { differences, a, b, match };

	*differences = (struct differences){};
	compare_nodes(&comparison);
	compare_links(&comparison);
	if (differences->count)
		qsort_r(differences->items, differences->count, sizeof(*differences->items),
			compare_items, &comparison);
}

void differences_clear(struct differences *differences)
{
	free(differences->items);
	*differences = (struct differences){};
}
