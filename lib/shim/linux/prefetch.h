/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_PREFETCH_H
#define SHIM_LINUX_PREFETCH_H

#define prefetch(p) __builtin_prefetch(p)
#define prefetchw(p) __builtin_prefetch(p, 1)

#endif
