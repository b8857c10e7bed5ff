/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_LIMITS_H
#define SHIM_LINUX_LIMITS_H

#include <limits.h>
#include_next <linux/limits.h>
#include <linux/types.h>

#define U8_MAX ((u8)~0)
#define U16_MAX ((u16)~0)
#define U32_MAX ((u32)~0)
#define U64_MAX ((u64)~0)
#define S32_MAX ((s32)(U32_MAX >> 1))
#define S32_MIN ((s32)~S32_MAX)
#define S64_MAX ((s64)(U64_MAX >> 1))

#endif
