/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Generates topologies from parameters. Each function checks its parameters, and returns NULL or an
 * error message. Links between switches are 4xEDR. Names and GUIDs are consecutive.
 */
#ifndef TOPOLOGY_GENERATE_H
#define TOPOLOGY_GENERATE_H

#include "topology.h"

/* The number of unicast LIDs, 0x0001 to 0xbfff. */
#define GENERATE_MAX 0xbfff
#define TORUS_DIMENSIONS 6

/*
 * Generates a fat tree of switches with @ports ports. Half of the ports lead down; at the topmost
 * level all ports do. The tree has (ports/2)^(levels-1) * ports adapters.
 */
const char *generate_fat_tree(struct topology *topology, unsigned int ports, unsigned int levels);

/*
 * Generates a torus: a grid that is closed in each dimension, with a switch with @hosts adapters at
 * each point.
 */
const char *generate_torus(struct topology *topology, const unsigned int *sizes,
			   unsigned int dimensions, unsigned int hosts);

/*
 * Generates a dragonfly of groups of @routers switches. Each switch is linked to all others of its
 * group, to @hosts adapters and to @links switches of other groups. There are routers * links + 1
 * groups; each pair of groups has one link.
 */
const char *generate_dragonfly(struct topology *topology, unsigned int routers,
			       unsigned int hosts, unsigned int links);

/*
 * Generates a random connected topology of @nodes nodes, @switches of which are switches with
 * @ports ports: a random tree of switches, up to @links more links as far as ports suffice, and
 * each adapter at a random switch. Equal seeds give equal results.
 */
const char *generate_random(struct topology *topology, unsigned int nodes, unsigned int switches,
			    unsigned int ports, unsigned int links, uint32_t seed);

#endif
