/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A hash table that maps names to positions in an array. */
#ifndef HCACTL_INDEX_H
#define HCACTL_INDEX_H

#include <stddef.h>
#include <stdint.h>

struct slot {
	uint64_t hash;
	size_t place; /* position in the array, from 1; 0: the slot is free */
};

/* An index that is all zero is empty. */
struct index {
	struct slot *slots;
	size_t size, used;
};

uint64_t index_hash(const char *name, size_t length);

void index_add(struct index *index, uint64_t hash, size_t place);

/*
 * Returns the slots with this hash one by one, in the order in which they were added: the first one
 * if @slot is NULL, otherwise the one behind @slot; NULL if there are no more. The caller compares
 * the names, since different names may have one hash.
 */
const struct slot *index_next(const struct index *index, uint64_t hash, const struct slot *slot);

/* Frees the memory. The index is empty then, and can be used again. */
void index_clear(struct index *index);

#endif
