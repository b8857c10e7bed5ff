/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_BITS_H
#define SHIM_LINUX_BITS_H

#include <linux/types.h>

#define BITS_PER_BYTE 8
#define BITS_PER_LONG (8 * __SIZEOF_LONG__)
#define BITS_PER_LONG_LONG 64
#define BIT(n) (1UL << (n))
#define BIT_ULL(n) (1ULL << (n))
#define GENMASK(high, low) ((~0UL << (low)) & (~0UL >> (BITS_PER_LONG - 1 - (high))))
#define GENMASK_ULL(high, low) ((~0ULL << (low)) & (~0ULL >> (63 - (high))))
#define BIT_WORD(n) ((n) / BITS_PER_LONG)
#define BIT_MASK(n) (1UL << ((n) % BITS_PER_LONG))

#endif
