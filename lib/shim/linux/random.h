/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_RANDOM_H
#define SHIM_LINUX_RANDOM_H

#include <linux/types.h>

/* The numbers follow from the seed of shim_reset(). */
u32 get_random_u32(void);
u64 get_random_u64(void);
u32 get_random_u32_below(u32 ceiling);
void get_random_bytes(void *buf, size_t size);

#endif
