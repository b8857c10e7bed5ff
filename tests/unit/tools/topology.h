/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Topologies for tests: their texts, and the invariants of each. */
#ifndef HCA_TESTS_TOPOLOGY_H
#define HCA_TESTS_TOPOLOGY_H

#include <stdio.h>
#include "tools/topology/topology.h"

/*
 * Two switches, and an adapter with a port at each of them: a net file, and the output of
 * ibnetdiscover.
 */
extern const char net_text[];
extern const char discover_text[];

/* The first message that was reported. */
struct complaint {
	size_t count, warnings;
	unsigned int line;
	char text[1024];
};

struct report complaint_report(struct complaint *complaint);

/* Read @text, as a file named "file". Return: whether it was valid. */
bool read_text(const char *text, struct topology *topology, struct complaint *complaint);

/* Make one of NUM_MADE topologies, read or generated, by its number. */
#define NUM_MADE 6
void make_topology(struct topology *topology, int which);

/* Assert that names exist, and that ports and links are consistent. */
void check_topology(const struct topology *topology);

/* Assert that both have equal nodes and links, in any order. */
void check_same(const struct topology *a, const struct topology *b);

/* Find the node of that name, and assert that it exists. */
size_t node_of(const struct topology *topology, const char *name);

/* Return the text that @write produces; the caller frees it. */
char *written(const struct topology *topology,
	      void (*write)(FILE *file, const struct topology *topology));

#endif
