/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_MATH_H
#define SHIM_LINUX_MATH_H

#include <stdlib.h>
#include <linux/types.h>

#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
#define DIV_ROUND_CLOSEST(n, d) (((n) + (d) / 2) / (d))
/* Both round to a multiple of a power of two. */
#define round_up(x, y) ((((x) - 1) | ((typeof(x))(y) - 1)) + 1)
#define round_down(x, y) ((x) & ~((typeof(x))(y) - 1))
#undef roundup
#define roundup(x, y) (((x) + ((y) - 1)) / (y) * (y))
#define rounddown(x, y) ((x) - (x) % (y))
/* The abs() of the C library is for int alone. */
#define abs(x) \
	({ \
		typeof(x) abs_x = (x); \
		abs_x < 0 ? -abs_x : abs_x; \
	})

#endif
