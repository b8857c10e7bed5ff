/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Making a topology: which nodes become what, in which order, and how to go back. What is
 * done is behind a table of functions.
 */
#ifndef TOPOLOGY_LOAD_H
#define TOPOLOGY_LOAD_H

#include "topology.h"

#define LOAD_NAME_MAX 63 /* as of HCA_NL_DEVICE_NAME */

enum load_kind {
	LOAD_SWITCH,
	LOAD_NODE, /* an adapter that nobody uses */
	LOAD_DEVICE, /* an adapter that is an RDMA device as well */
	LOAD_KINDS
};

struct load_node {
	enum load_kind kind;
	char name[LOAD_NAME_MAX + 1];
	uint64_t guid;
	const struct topology_node *node;
	bool made;
};

struct load_plan {
	const struct topology *topology;
	struct load_node *nodes; /* as many, in the same order */
};

struct load_wishes {
	/* The adapters that become devices: "all", how many, or names with commas between; NULL: none. */
	const char *hosts;
	bool new_guids; /* counted up, whatever the topology has */
};

struct load_kernel {
	/* What is in the way of a node, as in "there is a device of this name"; NULL: nothing. */
	const char *(*obstacle)(void *arg, const struct load_node *node);
	/* Return: 0; or exit status, and it has been said why. */
	int (*add_node)(void *arg, const struct load_node *node);
	int (*add_link)(void *arg, const struct load_node *a, unsigned int a_port,
			const struct load_node *b, unsigned int b_port,
			const struct topology_link *link);
	/* Its links go with it. */
	int (*delete_node)(void *arg, const struct load_node *node);
	/* Called between any two of them. Return: false: this has to end, undone. */
	bool (*go_on)(void *arg, size_t done, size_t all);
	void *arg;
};

enum load_result {
	LOAD_DONE,
	LOAD_BLOCKED, /* something was in the way, as has been reported; nothing was done */
	LOAD_UNDONE, /* something was refused, or it had to end; all is as it was */
	LOAD_LEFT, /* and not all of what had been made could be undone */
};

/*
 * Plan it. A node keeps its name if that is of letters, digits, '-', '_' and '.', and else is called
 * by the type and GUID that it has in the topology.
 * Return: whether that can be; if not, it has been reported. Either way, clear the plan.
 */
bool load_plan(struct load_plan *plan, const struct topology *topology,
	       const struct load_wishes *wishes, struct report *report);
void load_plan_clear(struct load_plan *plan);

/* Do it: all, or nothing. *undone: how many nodes had been made. */
enum load_result load_run(struct load_plan *plan, const struct load_kernel *kernel,
			  struct report *report, size_t *undone);

#endif
