/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Functions that all generators use. They add nodes with consecutive names and GUIDs, and links
 * between them.
 */
#ifndef TOPOLOGY_GENERATOR_H
#define TOPOLOGY_GENERATOR_H

#include "generate.h"

/* Adds a switch whose name is @prefix and @number. Return: its index. */
size_t generate_switch(struct topology *topology, const char *prefix, size_t number,
		       unsigned int ports);

/* Adds an adapter. Its name is "host" and its number, counted from 1. Return: the node's index. */
size_t generate_host(struct topology *topology);

void generate_link(struct topology *topology, size_t a, unsigned int a_port, size_t b,
		   unsigned int b_port);

/* Adds @count adapters, and links them with ports 1 to @count of the switch with index @at. */
void generate_hosts(struct topology *topology, size_t at, unsigned int count);

#endif
