// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Makes the boxes and lines of a picture. */
#include "picture.h"
#include <stdlib.h>
#include "tools/lib/memory.h"

/*
 * Up to these numbers of nodes, adapters are drawn one by one, because they are large enough to be
 * read. HOSTS_MAX applies to a picture with rows, MESH_HOSTS_MAX to a mesh.
 */
#define HOSTS_MAX 60
#define MESH_HOSTS_MAX 24
/*
 * The largest numbers of switches in a row that are large enough to be read: LEAVES_MAX on level 1,
 * next to the adapters, and SPINES_MAX on a higher level.
 */
#define LEAVES_MAX 64
#define SPINES_MAX 48

bool picture_is_mesh(const struct picture *picture)
{
	return picture->boxes.highest < 2;
}

bool picture_has_box(const struct picture *picture, size_t node)
{
	return picture->boxes.of[node] == node && picture->inside[node] == NO_NODE;
}

bool picture_is_switch(const struct picture *picture, size_t node)
{
	return picture->topology->nodes[node].type == NODE_SWITCH;
}

static size_t switches_of_level(const struct picture *picture, unsigned int level)
{
	size_t i, count = 0;

	for (i = 0; i < picture->topology->num_nodes; i++)
		count += picture->boxes.levels[i] == level;
	return count;
}

/* Returns the largest number of switches on a level above level 1. */
static size_t widest_spines(const struct picture *picture)
{
	size_t count, widest = 0;
	unsigned int level;

	for (level = 2; level <= picture->boxes.highest; level++) {
		count = switches_of_level(picture, level);
		if (count > widest)
			widest = count;
	}
	return widest;
}

static bool is_grouped(enum dot_detail detail, bool fits)
{
	return detail == DOT_GROUPED || (detail == DOT_AS_FITS && !fits);
}

static bool hosts_are_grouped(const struct picture *picture, const struct dot_wishes *wishes)
{
	size_t most = picture_is_mesh(picture) ? MESH_HOSTS_MAX : HOSTS_MAX;

	return is_grouped(wishes->hosts, picture->topology->num_nodes <= most);
}

static void picture_group(struct picture *picture, const struct dot_wishes *wishes,
			  const bool *expanded)
{
	bool many = switches_of_level(picture, 1) > LEAVES_MAX;

	if (!picture_is_mesh(picture) &&
	    is_grouped(wishes->switches, !many && widest_spines(picture) <= SPINES_MAX)) {
		if (many)
			boxes_group_leaves(&picture->boxes, expanded);
		boxes_group_spines(&picture->boxes, expanded);
	}
	if (hosts_are_grouped(picture, wishes))
		boxes_group_hosts(&picture->boxes, expanded);
}

/*
 * Returns the box of the only switch that an adapter is linked with. Return: NO_NODE if the adapter
 * is linked with an adapter, with switches of several boxes, or not at all.
 */
static size_t only_switch(const struct picture *picture, size_t host)
{
	const struct topology *topology = picture->topology;
	struct topology_end from = { .node = host }, to;
	size_t found = NO_NODE, box;

	for (from.port = 1; from.port <= topology->nodes[host].num_ports; from.port++) {
		if (!topology_peer(topology, from, &to))
			continue;
		box = picture->boxes.of[to.node];
		if (!picture_is_switch(picture, to.node) || (found != NO_NODE && found != box))
			return NO_NODE;
		found = box;
	}
	return found;
}

/*
 * Draws the adapters of a mesh inside of their switches if adapters are grouped, so that lines do
 * not cover them.
 */
static void put_inside(struct picture *picture, const struct dot_wishes *wishes,
		       const bool *expanded)
{
	bool wanted = picture_is_mesh(picture) && hosts_are_grouped(picture, wishes);
	size_t i, box;

	for (i = 0; i < picture->topology->num_nodes; i++) {
		picture->inside[i] = NO_NODE;
		if (!wanted || picture_is_switch(picture, i))
			continue;
		box = only_switch(picture, i);
		if (box != NO_NODE && !expanded[box])
			picture->inside[i] = box;
	}
}

void picture_make(struct picture *picture, const struct topology *topology,
		  const struct dot_wishes *wishes, const bool *expanded)
{
	size_t i, num = topology->num_nodes + 1;

	*picture = (struct picture){
		.topology = topology, .members = need(calloc(num, sizeof(size_t))),
		.inside = need(calloc(num, sizeof(size_t))),
	};
	boxes_init(&picture->boxes, topology);
	picture_group(picture, wishes, expanded);
	put_inside(picture, wishes, expanded);
	for (i = 0; i < topology->num_nodes; i++)
		picture->members[picture->boxes.of[i]]++;
	picture->has_ports = boxes_count(&picture->boxes) == topology->num_nodes;
	lines_make(&picture->lines, &picture->boxes, !picture->has_ports);
}

void picture_clear(struct picture *picture)
{
	lines_clear(&picture->lines);
	boxes_clear(&picture->boxes);
	free(picture->members);
	free(picture->inside);
	free(picture->spots);
	*picture = (struct picture){};
}
