// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Generates tori. The switches of a torus form rings in each dimension. */
#include "generator.h"

/*
 * Links a switch with the next one of a ring. The first ports of a switch lead to adapters. The
 * others lead to the next and the previous switch of each dimension. A ring of two switches has
 * only one link, and a ring of one switch none.
 */
static void link_ring(struct topology *topology, size_t point, size_t next, unsigned int port)
{
	generate_link(topology, point, port, next, port + 1);
}

const char *generate_torus(struct topology *topology, const unsigned int *sizes,
			   unsigned int dimensions, unsigned int hosts)
{
	unsigned int ports = hosts + 2 * dimensions, d, place;
	size_t points = 1, step = 1, i;

	if (dimensions < 1 || dimensions > TORUS_DIMENSIONS)
		return "a torus must have 1 to 6 dimensions";
	if (hosts > TOPOLOGY_SWITCH_PORTS - 2 * TORUS_DIMENSIONS)
		return "there can be no more than 242 adapters at a switch of a torus";
	for (d = 0; d < dimensions; d++) {
		if (!sizes[d] || sizes[d] > GENERATE_MAX)
			return "each dimension of a torus must be 1 or more";
		points *= sizes[d];
		if (points * (1 + hosts) > GENERATE_MAX)
			return "there would be more nodes than a subnet has LIDs";
	}
	for (i = 0; i < points; i++)
		generate_switch(topology, "s", i + 1, ports);
	for (i = 0; i < points; i++)
		generate_hosts(topology, i, hosts);
	for (d = 0; d < dimensions; step *= sizes[d++])
		for (i = 0; i < points; i++) {
			place = i / step % sizes[d];
			if (place + 1 < sizes[d])
				link_ring(topology, i, i + step, hosts + 2 * d + 1);
			else if (sizes[d] > 2)
				link_ring(topology, i, i - place * step, hosts + 2 * d + 1);
		}
	return NULL;
}
