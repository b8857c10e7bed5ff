// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Plans the kind, name and GUID of each node of a topology. */
#define _GNU_SOURCE
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "load.h"
#include "tools/lib/memory.h"

/*
 * Base of new GUIDs. The GUID of the n-th node, counted from 1, is FIRST_GUID + n * GUID_STEP. The
 * GUIDs are locally administered.
 */
#define FIRST_GUID 0x0200000300000000ULL
/* Difference of the GUIDs of consecutive nodes, with room for the GUIDs of 254 ports. */
#define GUID_STEP 0x100

/*
 * Returns whether the kernel accepts a name, and whether it can be part of a port's name, such as
 * a/1, in a file of commands.
 */
static bool is_name(const char *name)
{
	size_t i;

	for (i = 0; name[i]; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("-_.", name[i]))
			return false;
	return i >= 1 && i <= LOAD_NAME_MAX && strcmp(name, ".") && strcmp(name, "..");
}

static void plan_node(struct load_node *planned, const struct topology_node *node)
{
	*planned = (struct load_node){ .node = node, .guid = node->guid };
	planned->kind = node->type == NODE_SWITCH ? LOAD_SWITCH : LOAD_NODE;
	if (is_name(node->name))
		strcpy(planned->name, node->name);
	else
		snprintf(planned->name, sizeof(planned->name), "%c-%016" PRIx64,
			 node->type == NODE_SWITCH ? 'S' : 'H', node->guid);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp((*(const struct load_node *const *)a)->name,
		      (*(const struct load_node *const *)b)->name);
}

static int compare_guids(const void *a, const void *b)
{
	uint64_t one = (*(const struct load_node *const *)a)->guid;
	uint64_t other = (*(const struct load_node *const *)b)->guid;

	return (one > other) - (one < other);
}

/* Returns the last GUID of a node and its ports. Port n of an adapter has the node's GUID + n. */
static uint64_t last_guid(const struct load_node *planned)
{
	return planned->guid + (planned->kind == LOAD_SWITCH ? 0 : planned->node->num_ports);
}

static void check_names(const struct load_node *planned, const struct load_node *before,
			struct report *report_to)
{
	if (!strcmp(planned->name, before->name))
		report(report_to, &planned->node->place,
		       "\"%s\" would be called %s, as \"%s\" on line %u is; rename one",
		       planned->node->name, planned->name, before->node->name,
		       before->node->place.line);
}

static void check_guids(const struct load_node *planned, const struct load_node *before,
			struct report *report_to)
{
	if (last_guid(before) >= planned->guid)
		report(report_to, &planned->node->place,
		       "%s has GUID 0x%016" PRIx64 "; %s on line %u needs 0x%016" PRIx64
		       " to 0x%016" PRIx64 " for itself and its ports; 'guids new' gives others",
		       planned->name, planned->guid, before->name, before->node->place.line,
		       before->guid, last_guid(before));
}

/* Sorts the nodes by @compare, and calls @check for each node and the node before it. */
static void check_neighbors(const struct load_plan *plan,
			    int (*compare)(const void *a, const void *b),
			    void (*check)(const struct load_node *planned,
					  const struct load_node *before,
					  struct report *report_to),
			    struct report *report_to)
{
	size_t i, count = plan->topology->num_nodes;
	const struct load_node **sorted = need(malloc((count + 1) * sizeof(*sorted)));

	for (i = 0; i < count; i++)
		sorted[i] = &plan->nodes[i];
	qsort(sorted, count, sizeof(*sorted), compare);
	for (i = 1; i < count; i++)
		check(sorted[i], sorted[i - 1], report_to);
	free(sorted);
}

/* Makes the first @count adapters RDMA devices. */
static bool choose_first(struct load_plan *plan, unsigned long count, struct report *report_to)
{
	const struct topology *topology = plan->topology;
	struct place place = { .file = topology->file };
	size_t i;

	if (count > topology->num_of[NODE_CA]) {
		report(report_to, &place, "there are %zu adapters, not %lu",
		       topology->num_of[NODE_CA], count);
		return false;
	}
	for (i = 0; count; i++)
		if (topology->nodes[i].type == NODE_CA) {
			plan->nodes[i].kind = LOAD_DEVICE;
			count--;
		}
	return true;
}

/* Makes an adapter an RDMA device. @name is the adapter's name in the file or in the plan. */
static bool choose_name(struct load_plan *plan, const char *name, struct report *report_to)
{
	const struct topology *topology = plan->topology;
	struct place place = { .file = topology->file };
	size_t i;

	for (i = 0; i < topology->num_nodes; i++)
		if (topology->nodes[i].type == NODE_CA &&
		    (!strcmp(topology->nodes[i].name, name) ||
		     !strcmp(plan->nodes[i].name, name))) {
			plan->nodes[i].kind = LOAD_DEVICE;
			return true;
		}
	report(report_to, &place, "there is no adapter '%s'", name);
	return false;
}

static bool choose_names(struct load_plan *plan, const char *hosts, struct report *report_to)
{
	char *copy = need(strdup(hosts)), *rest = copy, *name;
	bool good = true;

	while (good && (name = strsep(&rest, ",")))
		good = choose_name(plan, name, report_to);
	free(copy);
	return good;
}

static bool plan_choose(struct load_plan *plan, const char *hosts, struct report *report_to)
{
	if (!strcmp(hosts, "all"))
		return choose_first(plan, plan->topology->num_of[NODE_CA], report_to);
	if (hosts[0] && strlen(hosts) < 10 && strspn(hosts, "0123456789") == strlen(hosts))
		return choose_first(plan, strtoul(hosts, NULL, 10), report_to);
	return choose_names(plan, hosts, report_to);
}

bool load_plan(struct load_plan *plan, const struct topology *topology,
	       const struct load_wishes *wishes, struct report *report_to)
{
	size_t before = report_to->count, i;

	plan->topology = topology;
	plan->nodes = need(calloc(topology->num_nodes + 1, sizeof(*plan->nodes)));
	for (i = 0; i < topology->num_nodes; i++) {
		plan_node(&plan->nodes[i], &topology->nodes[i]);
		if (wishes->new_guids)
			plan->nodes[i].guid = FIRST_GUID + (i + 1) * GUID_STEP;
	}
	check_neighbors(plan, compare_names, check_names, report_to);
	check_neighbors(plan, compare_guids, check_guids, report_to);
	return (!wishes->hosts || plan_choose(plan, wishes->hosts, report_to)) &&
	       report_to->count == before;
}

void load_plan_clear(struct load_plan *plan)
{
	free(plan->nodes);
	*plan = (struct load_plan){};
}
