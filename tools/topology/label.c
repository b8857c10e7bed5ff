// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Labels, which are the names of nodes that people read. */
#define _GNU_SOURCE
#include "label.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "tools/lib/memory.h"

#define GUID_DIGITS 16

/* Returns whether a name is a type and a GUID, as in S-0002c90300001234. */
static bool is_guid_name(const char *name)
{
	size_t digits = 0;

	if (!isupper((unsigned char)name[0]) || name[1] != '-')
		return false;
	while (isxdigit((unsigned char)name[2 + digits]))
		digits++;
	return digits == GUID_DIGITS && !name[2 + digits];
}

static bool is_labeled_by_description(const struct topology_node *node)
{
	return node->description && *node->description && is_guid_name(node->name);
}

const char *topology_label(const struct topology_node *node)
{
	return is_labeled_by_description(node) ? node->description : node->name;
}

const char *topology_other_label(const struct topology_node *node)
{
	const char *other = is_labeled_by_description(node) ? node->name : node->description;

	return other && *other && strcmp(other, topology_label(node)) ? other : NULL;
}

int topology_compare_labels(const struct topology_node *a, const struct topology_node *b)
{
	return strverscmp(topology_label(a), topology_label(b));
}

static int label_compare(const void *a, const void *b, void *arg)
{
	const struct topology *topology = arg;
	size_t i = *(const size_t *)a, j = *(const size_t *)b;

	/* Nodes with equal labels are sorted by index. */
	return topology_compare_labels(&topology->nodes[i], &topology->nodes[j]) ?:
	       (i > j) - (i < j);
}

size_t *topology_sort_labels(const struct topology *topology)
{
	size_t i, *sorted = need(malloc((topology->num_nodes + 1) * sizeof(*sorted)));

	for (i = 0; i < topology->num_nodes; i++)
		sorted[i] = i;
	qsort_r(sorted, topology->num_nodes, sizeof(*sorted), label_compare, (void *)topology);
	return sorted;
}
