/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Plans and creates the nodes and links of a topology in the kernel, by a table of functions. If a
 * step fails, the nodes and links that have been created are deleted.
 */
#ifndef TOPOLOGY_LOAD_H
#define TOPOLOGY_LOAD_H

#include "topology.h"

#define LOAD_NAME_MAX 63 /* the limit of HCA_NL_DEVICE_NAME */

enum load_kind {
	LOAD_SWITCH,
	LOAD_NODE, /* a target channel adapter, which does not have verbs */
	LOAD_DEVICE, /* a channel adapter, which is an RDMA device */
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
	struct load_node *nodes; /* planned nodes, in the order of the topology's nodes */
};

struct load_wishes {
	/*
	 * The adapters that become RDMA devices: "all", the number of adapters, or names separated
	 * by commas. NULL: none.
	 */
	const char *hosts;
	bool new_guids; /* the nodes get consecutive new GUIDs instead of those of the topology */
};

struct load_kernel {
	/*
	 * Returns why a node cannot be created, as in "there is a device of this name"; NULL if it
	 * can be created.
	 */
	const char *(*obstacle)(void *arg, const struct load_node *node);
	/* Return: 0, or an exit status after printing a message. */
	int (*add_node)(void *arg, const struct load_node *node);
	int (*add_link)(void *arg, const struct load_node *a, unsigned int a_port,
			const struct load_node *b, unsigned int b_port,
			const struct topology_link *link);
	/* Deletes a node with its links. */
	int (*delete_node)(void *arg, const struct load_node *node);
	/*
	 * A callback before each step and after the last one. @done of @all steps are finished.
	 * Return: false to stop and undo all steps.
	 */
	bool (*go_on)(void *arg, size_t done, size_t all);
	void *arg;
};

enum load_result {
	LOAD_DONE,
	LOAD_BLOCKED, /* an obstacle has been reported before the first step */
	LOAD_UNDONE, /* a step failed or go_on() stopped the load; all steps have been undone */
	/* a step failed or go_on() stopped the load, and some steps could not be undone */
	LOAD_LEFT,
};

/*
 * Plans the creation of all nodes. A node keeps its name if the name has only letters, digits, '-',
 * '_' and '.'. Otherwise its new name consists of its type and its GUID in the topology. The caller
 * clears the plan, also after an error. Return: true; or false after reporting an error.
 */
bool load_plan(struct load_plan *plan, const struct topology *topology,
	       const struct load_wishes *wishes, struct report *report);
void load_plan_clear(struct load_plan *plan);

/*
 * Creates all nodes and links of a plan, or none. *undone is set to the number of nodes that have
 * been created and deleted again.
 */
enum load_result load_run(struct load_plan *plan, const struct load_kernel *kernel,
			  struct report *report, size_t *undone);

#endif
