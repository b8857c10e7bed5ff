// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A hash table with linear probing. */
#include "tools/ctl/index.h"
#include <stdlib.h>
#include "tools/lib/memory.h"

#define FIRST_SIZE 64 /* initial number of slots; the number is always a power of two */

/* Returns the FNV-1a hash of a name. */
uint64_t index_hash(const char *name, size_t length)
{
	uint64_t hash = 0xcbf29ce484222325ULL;

	for (; length; length--)
		hash = (hash ^ (unsigned char)*name++) * 0x100000001b3ULL;
	return hash ^ hash >> 32;
}

static struct slot *slot_at(const struct index *index, uint64_t at)
{
	return &index->slots[at & (index->size - 1)];
}

static void index_put(struct index *index, struct slot slot)
{
	uint64_t at = slot.hash;

	while (slot_at(index, at)->place)
		at++;
	*slot_at(index, at) = slot;
	index->used++;
}

/*
 * Doubles the number of slots. Copying begins after a free slot and wraps around, so that slots
 * with the same hash keep their order.
 */
static void index_enlarge(struct index *index)
{
	struct index old = *index;
	size_t at = 0, i;

	index->size = old.size ? 2 * old.size : FIRST_SIZE;
	index->used = 0;
	index->slots = need(calloc(index->size, sizeof(*index->slots)));
	while (old.size && old.slots[at].place)
		at++;
	for (i = 0; i < old.size; i++)
		if (slot_at(&old, at + i)->place)
			index_put(index, *slot_at(&old, at + i));
	free(old.slots);
}

void index_add(struct index *index, uint64_t hash, size_t place)
{
	if (2 * index->used >= index->size)
		index_enlarge(index);
	index_put(index, (struct slot){ hash, place });
}

const struct slot *index_next(const struct index *index, uint64_t hash, const struct slot *slot)
{
	uint64_t at = slot ? (uint64_t)(slot - index->slots) + 1 : hash;

	if (!index->size)
		return NULL;
	for (; slot_at(index, at)->place; at++)
		if (slot_at(index, at)->hash == hash)
			return slot_at(index, at);
	return NULL;
}

void index_clear(struct index *index)
{
	free(index->slots);
	*index = (struct index){};
}
