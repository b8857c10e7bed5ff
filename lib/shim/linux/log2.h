/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_LOG2_H
#define SHIM_LINUX_LOG2_H

#include <linux/bitops.h>

/* The macro is usable in constant expressions; it is undefined for 0. */
#define ilog2(n) (63 - __builtin_clzll(n))
#define order_base_2(n) ((n) > 1 ? ilog2((n) - 1) + 1 : 0)
#define roundup_pow_of_two(n) (1UL << order_base_2((unsigned long)(n)))
#define rounddown_pow_of_two(n) (1UL << ilog2((unsigned long)(n)))

static inline bool is_power_of_2(unsigned long n)
{
	return n && !(n & (n - 1));
}

#endif
