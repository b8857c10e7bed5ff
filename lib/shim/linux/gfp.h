/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_GFP_H
#define SHIM_LINUX_GFP_H

#include <linux/types.h>

#define __GFP_DIRECT_RECLAIM 0x01u /* the allocation may sleep */
#define __GFP_ZERO 0x02u
#define __GFP_NOWARN 0x04u
#define __GFP_NORETRY 0x08u
#define __GFP_ACCOUNT 0x10u
#define __GFP_COMP 0u /* memory of the shim is never divided */
#define GFP_NOWAIT 0u
#define GFP_ATOMIC 0u
#define GFP_KERNEL __GFP_DIRECT_RECLAIM
#define GFP_KERNEL_ACCOUNT (GFP_KERNEL | __GFP_ACCOUNT)
#define GFP_USER GFP_KERNEL
#define GFP_HIGHUSER GFP_KERNEL

static inline bool gfpflags_allow_blocking(gfp_t flags)
{
	return flags & __GFP_DIRECT_RECLAIM;
}

#endif
