/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_ASM_BYTEORDER_H
#define SHIM_ASM_BYTEORDER_H

#include <linux/types.h>
#include_next <asm/byteorder.h>

#define cpu_to_be16(x) __cpu_to_be16(x)
#define cpu_to_be32(x) __cpu_to_be32(x)
#define cpu_to_be64(x) __cpu_to_be64(x)
#define be16_to_cpu(x) __be16_to_cpu(x)
#define be32_to_cpu(x) __be32_to_cpu(x)
#define be64_to_cpu(x) __be64_to_cpu(x)
#define be16_to_cpup(p) __be16_to_cpup(p)
#define be32_to_cpup(p) __be32_to_cpup(p)
#define be64_to_cpup(p) __be64_to_cpup(p)
#define cpu_to_le16(x) __cpu_to_le16(x)
#define cpu_to_le32(x) __cpu_to_le32(x)
#define cpu_to_le64(x) __cpu_to_le64(x)
#define le16_to_cpu(x) __le16_to_cpu(x)
#define le32_to_cpu(x) __le32_to_cpu(x)
#define le64_to_cpu(x) __le64_to_cpu(x)
#define swab16(x) __builtin_bswap16(x)
#define swab32(x) __builtin_bswap32(x)
#define swab64(x) __builtin_bswap64(x)

static inline void be16_add_cpu(__be16 *p, u16 n)
{
	*p = cpu_to_be16(be16_to_cpu(*p) + n);
}

static inline void be32_add_cpu(__be32 *p, u32 n)
{
	*p = cpu_to_be32(be32_to_cpu(*p) + n);
}

#endif
