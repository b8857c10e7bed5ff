/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Generates topologies from parameters. Each function checks its parameters. Links between switches
 * are 4xEDR. Names and GUIDs are consecutive. Return: NULL, or an error message.
 */
#ifndef TOPOLOGY_GENERATE_H
#define TOPOLOGY_GENERATE_H

#include "topology.h"

/* The largest number of nodes, which is the number of unicast LIDs (0x0001 to 0xbfff). */
#define GENERATE_MAX 0xbfff
#define TORUS_DIMENSIONS 6

/*
 * Generates a fat tree of switches with @ports ports. Half of a switch's ports lead down; on the
 * highest level, all ports lead down. The tree has (ports/2)^(levels-1) * ports adapters.
 */
const char *generate_fat_tree(struct topology *topology, unsigned int ports, unsigned int levels);

/*
 * Generates a torus, which is a grid that is closed in each dimension. Each point of the grid is a
 * switch with @hosts adapters.
 */
const char *generate_torus(struct topology *topology, const unsigned int *sizes,
			   unsigned int dimensions, unsigned int hosts);

/*
 * Generates a dragonfly. Each group has @routers switches. Each switch is linked with all others of
 * its group, with @hosts adapters, and with @links switches of other groups. There are
 * @routers * @links + 1 groups, and each pair of groups has one link.
 */
const char *generate_dragonfly(struct topology *topology, unsigned int routers,
			       unsigned int hosts, unsigned int links);

/*
 * Generates a random connected topology of @nodes nodes, of which @switches are switches with
 * @ports ports. It is a random tree of switches with up to @links additional links, as far as there
 * are free ports. Each adapter is linked with a random switch. Equal seeds give equal results.
 */
const char *generate_random(struct topology *topology, unsigned int nodes, unsigned int switches,
			    unsigned int ports, unsigned int links, uint32_t seed);

#endif
