/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Topologies made by rule. Numbers are checked: what is wrong is the result, NULL if nothing.
 * Switches are linked at 4xEDR; names and GUIDs count up.
 */
#ifndef TOPOLOGY_GENERATE_H
#define TOPOLOGY_GENERATE_H

#include "topology.h"

/* No more nodes than there are unicast LIDs, 0x0001 to 0xbfff. */
#define GENERATE_MAX 0xbfff
#define TORUS_DIMENSIONS 6

/*
 * A fat tree of switches of the same number of ports, the half of which lead down, but all of
 * those of the topmost level: (ports/2)^(levels-1) * ports adapters.
 */
const char *generate_fat_tree(struct topology *topology, unsigned int ports, unsigned int levels);

/* A switch at each point of a grid that is closed in each dimension, with @hosts adapters each. */
const char *generate_torus(struct topology *topology, const unsigned int *sizes,
			   unsigned int dimensions, unsigned int hosts);

/*
 * A dragonfly: groups of @routers switches, each linked with all of its group, with @hosts
 * adapters and with @links switches of other groups. There are routers * links + 1 groups,
 * each pair of them linked once.
 */
const char *generate_dragonfly(struct topology *topology, unsigned int routers,
			       unsigned int hosts, unsigned int links);

/*
 * @nodes nodes, @switches of which are switches with @ports ports: joined as a random tree, with
 * @links links more as far as ports suffice; each adapter at a random switch. The same @seed
 * makes the same.
 */
const char *generate_random(struct topology *topology, unsigned int nodes, unsigned int switches,
			    unsigned int ports, unsigned int links, uint32_t seed);

#endif
