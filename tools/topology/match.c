// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Matches nodes of two topologies by name. */
#include "match.h"
#include <stdlib.h>
#include <string.h>
#include "label.h"
#include "tools/lib/memory.h"

static size_t *match_unmatched(const struct topology *topology)
{
	size_t i, *array = need(malloc((topology->num_nodes + 1) * sizeof(*array)));

	for (i = 0; i < topology->num_nodes; i++)
		array[i] = NO_NODE;
	return array;
}

void match_init(struct match *match, const struct topology *a, const struct topology *b)
{
	*match = (struct match){ .to = match_unmatched(a), .from = match_unmatched(b) };
}

void match_clear(struct match *match)
{
	free(match->to);
	free(match->from);
	*match = (struct match){};
}

/*
 * Matches nodes that @compare finds equal and that are not matched yet. @sort returns the nodes in
 * the order of @compare. Return: the number of matched nodes.
 */
static size_t match_sorted(struct match *match, const struct topology *a, const struct topology *b,
			   size_t *sort(const struct topology *topology),
			   int compare(const struct topology_node *a,
				       const struct topology_node *b))
{
	size_t *sorted_a = sort(a), *sorted_b = sort(b), i = 0, j = 0, count = 0;
	int order;

	while (i < a->num_nodes && j < b->num_nodes) {
		order = compare(&a->nodes[sorted_a[i]], &b->nodes[sorted_b[j]]);
		if (order < 0 || match->to[sorted_a[i]] != NO_NODE) {
			i++;
		} else if (order > 0 || match->from[sorted_b[j]] != NO_NODE) {
			j++;
		} else {
			match->to[sorted_a[i]] = sorted_b[j];
			match->from[sorted_b[j++]] = sorted_a[i++];
			count++;
		}
	}
	free(sorted_a);
	free(sorted_b);
	return count;
}

static int compare_names(const struct topology_node *a, const struct topology_node *b)
{
	return strcmp(a->name, b->name);
}

size_t match_names(struct match *match, const struct topology *a, const struct topology *b)
{
	size_t count = match_sorted(match, a, b, topology_sort_names, compare_names);

	return count + match_sorted(match, a, b, topology_sort_labels,
				    topology_compare_labels);
}
