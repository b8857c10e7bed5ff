/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_MINMAX_H
#define SHIM_LINUX_MINMAX_H

/* Both operands must be of one type, as Linux 6.1 demands. */
#define min(x, y) \
	({ \
		typeof(x) min_x = (x); \
		typeof(y) min_y = (y); \
		(void)(&min_x == &min_y); \
		min_x < min_y ? min_x : min_y; \
	})
#define max(x, y) \
	({ \
		typeof(x) max_x = (x); \
		typeof(y) max_y = (y); \
		(void)(&max_x == &max_y); \
		max_x > max_y ? max_x : max_y; \
	})
#define min_t(type, x, y) \
	({ \
		type min_x = (x); \
		type min_y = (y); \
		min_x < min_y ? min_x : min_y; \
	})
#define max_t(type, x, y) \
	({ \
		type max_x = (x); \
		type max_y = (y); \
		max_x > max_y ? max_x : max_y; \
	})
#define min3(x, y, z) min(min(x, y), z)
#define max3(x, y, z) max(max(x, y), z)
#define min_not_zero(x, y) \
	({ \
		typeof(x) nz_x = (x); \
		typeof(y) nz_y = (y); \
		!nz_x ? nz_y : !nz_y ? nz_x : min(nz_x, nz_y); \
	})
#define clamp(v, lo, hi) min(max(v, lo), hi)
#define clamp_t(type, v, lo, hi) min_t(type, max_t(type, v, lo), hi)
#define swap(a, b) \
	do { \
		typeof(a) swap_a = (a); \
		(a) = (b); \
		(b) = swap_a; \
	} while (0)

#endif
