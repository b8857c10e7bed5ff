/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A hash table that maps names to positions in an array. */
#ifndef HCACTL_INDEX_H
#define HCACTL_INDEX_H

#include <stddef.h>
#include <stdint.h>

struct slot {
	uint64_t hash;
	size_t place; /* position in the array, counted from 1; 0: the slot is free */
};

/* An index, which is empty if it is all zero */
struct index {
	struct slot *slots;
	size_t size, used;
};

uint64_t index_hash(const char *name, size_t length);

void index_add(struct index *index, uint64_t hash, size_t place);

/*
 * Returns the first slot with the hash @hash if @slot is NULL; otherwise the next such slot after
 * @slot; NULL if there are no more. Slots with equal hashes are returned in the order in which they
 * were added. The caller compares the names, because different names may have the same hash.
 */
const struct slot *index_next(const struct index *index, uint64_t hash, const struct slot *slot);

/* Frees the memory of an index. The index is empty afterwards, and can be used again. */
void index_clear(struct index *index);

#endif
