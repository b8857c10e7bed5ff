// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Creates the nodes and links of a topology, or none of them. */
#include "load.h"
#include <stdlib.h>

static bool has_obstacle(const struct load_plan *plan, const struct load_kernel *kernel,
			 struct report *report_to)
{
	const char *obstacle;
	bool found = false;
	size_t i;

	for (i = 0; i < plan->topology->num_nodes; i++) {
		obstacle = kernel->obstacle(kernel->arg, &plan->nodes[i]);
		if (!obstacle)
			continue;
		report(report_to, &plan->nodes[i].node->place, "%s: %s", plan->nodes[i].name,
		       obstacle);
		found = true;
	}
	return found;
}

/* Creates all nodes, then all links. Return: whether all have been created. */
static bool load_make(struct load_plan *plan, const struct load_kernel *kernel)
{
	const struct topology *topology = plan->topology;
	size_t i, all = topology->num_nodes + topology->num_links;
	const struct topology_link *link;
	struct load_node *node;

	for (i = 0; i < topology->num_nodes; i++) {
		node = &plan->nodes[i];
		if (!kernel->go_on(kernel->arg, i, all) || kernel->add_node(kernel->arg, node))
			return false;
		node->made = true;
	}
	for (i = 0; i < topology->num_links; i++) {
		link = &topology->links[i];
		if (!kernel->go_on(kernel->arg, topology->num_nodes + i, all) ||
		    kernel->add_link(kernel->arg, &plan->nodes[link->a.node], link->a.port,
				     &plan->nodes[link->b.node], link->b.port, link))
			return false;
	}
	return kernel->go_on(kernel->arg, all, all);
}

enum load_result load_run(struct load_plan *plan, const struct load_kernel *kernel,
			  struct report *report_to, size_t *undone)
{
	enum load_result result = LOAD_UNDONE;
	size_t i;

	*undone = 0;
	if (has_obstacle(plan, kernel, report_to))
		return LOAD_BLOCKED;
	if (load_make(plan, kernel))
		return LOAD_DONE;
	/* Nodes are deleted in reverse order. Their links are deleted with them. */
	for (i = plan->topology->num_nodes; i--; ) {
		if (!plan->nodes[i].made)
			continue;
		++*undone;
		if (kernel->delete_node(kernel->arg, &plan->nodes[i]))
			result = LOAD_LEFT;
	}
	return result;
}
