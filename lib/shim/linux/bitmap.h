/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_BITMAP_H
#define SHIM_LINUX_BITMAP_H

#include <linux/bitops.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/types.h>

#define DECLARE_BITMAP(name, bits) unsigned long name[BITS_TO_LONGS(bits)]

static inline void bitmap_zero(unsigned long *map, unsigned int bits)
{
	memset(map, 0, BITS_TO_LONGS(bits) * sizeof(long));
}

static inline void bitmap_fill(unsigned long *map, unsigned int bits)
{
	memset(map, 0xff, BITS_TO_LONGS(bits) * sizeof(long));
}

static inline bool bitmap_empty(const unsigned long *map, unsigned int bits)
{
	return find_first_bit(map, bits) >= bits;
}

static inline bool bitmap_full(const unsigned long *map, unsigned int bits)
{
	return find_first_zero_bit(map, bits) >= bits;
}

static inline unsigned int bitmap_weight(const unsigned long *map, unsigned int bits)
{
	unsigned int bit, weight = 0;

	for_each_set_bit(bit, map, bits)
		weight++;
	return weight;
}

static inline unsigned long *bitmap_zalloc(unsigned int bits, gfp_t gfp)
{
	return kcalloc(BITS_TO_LONGS(bits), sizeof(long), gfp);
}

static inline void bitmap_free(const unsigned long *map)
{
	kfree(map);
}

#endif
