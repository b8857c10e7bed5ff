// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Generates random connected topologies, which are as irregular as fabrics that have grown over
 * years.
 */
#include <stdlib.h>
#include "generator.h"
#include "tools/lib/memory.h"

struct growth {
	struct topology *topology;
	uint64_t state;
	unsigned int ports;
	unsigned int *used; /* number of ports in use, for each switch */
};

/*
 * Draws a random number from 0 to @limit - 1. A linear congruential generator is used instead of
 * rand(), because a seed must give the same topology on all machines and in all releases.
 */
static unsigned int random_below(struct growth *growth, unsigned int limit)
{
	growth->state = growth->state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (growth->state >> 32) * limit >> 32;
}

/*
 * Draws a switch with a free port from the first @count switches. At least one of them must have a
 * free port.
 */
static unsigned int random_choose(struct growth *growth, unsigned int count)
{
	unsigned int i = random_below(growth, count);

	while (growth->used[i] == growth->ports)
		i = (i + 1) % count;
	return i;
}

static void link_switches(struct growth *growth, unsigned int a, unsigned int b)
{
	growth->used[a]++;
	growth->used[b]++;
	generate_link(growth->topology, a, growth->used[a], b, growth->used[b]);
}

/*
 * Adds up to @links links. The number of attempts is limited, because there may not be any free
 * ports.
 */
static void add_links(struct growth *growth, unsigned int switches, unsigned int links)
{
	uint64_t attempts = (uint64_t)links * 16;
	unsigned int a, b;

	while (links && attempts--) {
		a = random_below(growth, switches);
		b = random_below(growth, switches);
		if (a == b || growth->used[a] == growth->ports || growth->used[b] == growth->ports)
			continue;
		link_switches(growth, a, b);
		links--;
	}
}

const char *generate_random(struct topology *topology, unsigned int nodes, unsigned int switches,
			    unsigned int ports, unsigned int links, uint32_t seed)
{
	struct growth growth = { .topology = topology, .state = seed, .ports = ports };
	unsigned int i, at;
	size_t host;

	if (nodes > GENERATE_MAX)
		return "there would be more nodes than a subnet has LIDs";
	if (!switches || switches > nodes)
		return "there must be a switch, and no more switches than nodes";
	if (ports < 2 || ports > TOPOLOGY_SWITCH_PORTS)
		return "switches must have 2 to 254 ports";
	if ((uint64_t)switches * ports < 2 * (uint64_t)(switches - 1) + (nodes - switches))
		return "the switches have too few ports for all nodes";
	growth.used = need(calloc(switches, sizeof(*growth.used)));
	for (i = 0; i < switches; i++)
		generate_switch(topology, "s", i + 1, ports);
	for (i = 1; i < switches; i++)
		link_switches(&growth, random_choose(&growth, i), i);
	for (i = switches; i < nodes; i++) {
		host = generate_host(topology);
		at = random_choose(&growth, switches);
		generate_link(topology, at, ++growth.used[at], host, 1);
	}
	add_links(&growth, switches, links);
	free(growth.used);
	return NULL;
}
