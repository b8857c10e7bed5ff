/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Where in an array there are the items of a name, without looking at all: a hash table. */
#ifndef HCACTL_INDEX_H
#define HCACTL_INDEX_H

#include <stddef.h>
#include <stdint.h>

struct slot {
	uint64_t hash;
	size_t place; /* in the array, from 1; 0: the slot is free */
};

/* All zero: nothing. */
struct index {
	struct slot *slots;
	size_t size, used;
};

uint64_t index_hash(const char *name, size_t length);

void index_add(struct index *index, uint64_t hash, size_t place);

/*
 * The slots of items of this hash, in the order in which they were added: the one behind @slot, or
 * the first if that is NULL. Whether it is the item that is meant is for the caller to see.
 * Return: NULL if there are no more.
 */
const struct slot *index_next(const struct index *index, uint64_t hash, const struct slot *slot);

/* What remains is an empty one. */
void index_clear(struct index *index);

#endif
