// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Generates fat trees. Level 1 is next to the adapters. A switch of level l belongs to a subtree of
 * l levels, and has a place among the switches of its level in the subtree. Upward port i (from 0)
 * of a switch leads to a switch of the next larger subtree, whose place is (place of the lower
 * switch) + i * (number of places on the lower level).
 */
#include <stdio.h>
#include "generator.h"

struct level {
	size_t first; /* index of the level's first switch */
	size_t trees; /* number of subtrees that end at this level */
	size_t places; /* number of switches of this level in each tree */
	unsigned int down; /* number of downward ports, which come before the upward ports */
};

/* Links all switches of a level to the level above. */
static void link_level(struct topology *topology, const struct level *lower,
		       const struct level *upper, unsigned int half)
{
	size_t tree, place, above;
	unsigned int up;

	for (tree = 0; tree < lower->trees; tree++)
		for (place = 0; place < lower->places; place++)
			for (up = 0; up < half; up++) {
				above = tree / upper->down * upper->places +
					place + up * lower->places;
				generate_link(topology,
					      lower->first + tree * lower->places + place,
					      lower->down + up + 1, upper->first + above,
					      tree % upper->down + 1);
			}
}

const char *generate_fat_tree(struct topology *topology, unsigned int ports, unsigned int levels)
{
	unsigned int half = ports / 2, l;
	struct level level[16] = {};
	uint64_t hosts = ports;
	char prefix[16];
	size_t i;

	if (ports < 2 || ports > TOPOLOGY_SWITCH_PORTS || ports % 2)
		return "the switches of a fat tree must have an even number of ports, 2 to 254";
	if (levels < 1 || levels >= 16)
		return "a fat tree must have 1 to 15 levels";
	for (l = 1; l < levels; l++) {
		hosts *= half;
		if (hosts > GENERATE_MAX)
			return "there would be more adapters than a subnet has LIDs";
	}
	for (l = 1; l <= levels; l++) {
		level[l].places = l > 1 ? level[l - 1].places * half : 1;
		level[l].down = l < levels ? half : ports;
	}
	level[levels].trees = 1;
	for (l = levels; l > 1; l--)
		level[l - 1].trees = level[l].trees * level[l].down;

	for (l = 1; l <= levels; l++) {
		level[l].first = topology->num_nodes;
		snprintf(prefix, sizeof(prefix), "l%u-", l);
		for (i = 0; i < level[l].trees * level[l].places; i++)
			generate_switch(topology, prefix, i + 1, ports);
	}
	for (i = 0; i < level[1].trees; i++)
		generate_hosts(topology, level[1].first + i, level[1].down);
	for (l = 1; l < levels; l++)
		link_level(topology, &level[l], &level[l + 1], half);
	return NULL;
}
