/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Arrays that are lists in ascending order of the indices. */
#ifndef SHIM_LINUX_XARRAY_H
#define SHIM_LINUX_XARRAY_H

#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/types.h>

struct shim_xa_entry {
	struct shim_xa_entry *next;
	unsigned long index;
	void *value;
};

struct xarray {
	struct shim_xa_entry *first;
};

#define DEFINE_XARRAY(name) struct xarray name

/* Returns the link to the first entry whose index is at least @index. */
static inline struct shim_xa_entry **shim_xa_at(struct xarray *xa, unsigned long index)
{
	struct shim_xa_entry **at = &xa->first;

	while (*at && (*at)->index < index)
		at = &(*at)->next;
	return at;
}

static inline int xa_insert(struct xarray *xa, unsigned long index, void *value, gfp_t gfp)
{
	struct shim_xa_entry **at = shim_xa_at(xa, index);
	struct shim_xa_entry *entry;

	if (*at && (*at)->index == index)
		return -EBUSY;
	entry = kzalloc(sizeof(*entry), gfp);
	if (!entry)
		return -ENOMEM;
	*entry = (struct shim_xa_entry){ *at, index, value };
	*at = entry;
	return 0;
}

static inline void *xa_erase(struct xarray *xa, unsigned long index)
{
	struct shim_xa_entry **at = shim_xa_at(xa, index);
	struct shim_xa_entry *entry = *at;
	void *value;

	if (!entry || entry->index != index)
		return NULL;
	value = entry->value;
	*at = entry->next;
	kfree(entry);
	return value;
}

/* Returns the value at the lowest index that is at least *@index, and sets *@index to it. */
static inline void *shim_xa_from(struct xarray *xa, unsigned long *index)
{
	struct shim_xa_entry *entry = *shim_xa_at(xa, *index);

	if (!entry)
		return NULL;
	*index = entry->index;
	return entry->value;
}

#define xa_for_each_start(xa, index, entry, start) \
	for ((index) = (start); ((entry) = shim_xa_from(xa, &(index))); (index)++)

#endif
