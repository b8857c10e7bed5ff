/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the rules have in common: nodes that count up, and links between them. */
#ifndef TOPOLOGY_GENERATOR_H
#define TOPOLOGY_GENERATOR_H

#include "generate.h"

/* Add a node called @prefix and @number. Return: its index. */
size_t generate_switch(struct topology *topology, const char *prefix, size_t number,
		       unsigned int ports);

/* The same, numbered among its like, from 1. */
size_t generate_host(struct topology *topology);

void generate_link(struct topology *topology, size_t a, unsigned int a_port, size_t b,
		   unsigned int b_port);

/* Add @count adapters, with a link each, at ports 1 to @count. */
void generate_hosts(struct topology *topology, size_t at, unsigned int count);

#endif
