/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Topologies for tests: texts of them, and what must hold of each. */
#ifndef HCA_TESTS_TOPOLOGY_H
#define HCA_TESTS_TOPOLOGY_H

#include <stdio.h>
#include "tools/topology/topology.h"

/* Two switches, and an adapter of two ports on both: a net file, and what ibnetdiscover prints. */
extern const char net_text[];
extern const char discover_text[];

/* What was reported: the first of it. */
struct complaint {
	size_t count;
	unsigned int line;
	char text[1024];
};

struct report complaint_report(struct complaint *complaint);

/* Read @text, which is called "file". Return: whether it was right. */
bool read_text(const char *text, struct topology *topology, struct complaint *complaint);

/* That names are there, and ports and links tell the same of each other. */
void check_topology(const struct topology *topology);

/* That both have the same nodes and links, in any order. */
void check_same(const struct topology *a, const struct topology *b);

/* The node of that name, which there must be. */
size_t node_of(const struct topology *topology, const char *name);

/* What @write writes; to be freed. */
char *written(const struct topology *topology,
	      void (*write)(FILE *file, const struct topology *topology));

#endif
