// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Finds the switches that are not grouped in a picture. */
#include "expand.h"
#include <stdlib.h>
#include <string.h>
#include "label.h"
#include "tools/lib/memory.h"

static bool is_called(const char *name, const char *text, size_t length)
{
	return !strncmp(name, text, length) && !name[length];
}

static bool expand_name(const struct topology *topology, const char *name, size_t length,
			bool *expanded)
{
	const struct topology_node *node;
	bool found = false;
	size_t i;

	for (i = 0; i < topology->num_nodes; i++) {
		node = &topology->nodes[i];
		if (node->type != NODE_SWITCH || (!is_called(node->name, name, length) &&
						  !is_called(topology_label(node), name, length)))
			continue;
		expanded[i] = true;
		found = true;
	}
	return found;
}

bool *topology_expand(const struct topology *topology, const char *names, struct report *report_to)
{
	bool *expanded = need(calloc(topology->num_nodes + 1, sizeof(*expanded)));
	struct place place = { .file = topology->file };
	size_t length;

	for (; names; names = names[length] ? names + length + 1 : NULL) {
		length = strcspn(names, ",");
		if (expand_name(topology, names, length, expanded))
			continue;
		report(report_to, &place, "there is no switch '%.*s'", (int)length, names);
		free(expanded);
		return NULL;
	}
	return expanded;
}
