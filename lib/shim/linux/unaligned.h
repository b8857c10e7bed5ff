/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_UNALIGNED_H
#define SHIM_LINUX_UNALIGNED_H

#include <asm/byteorder.h>
#include <linux/types.h>

#define get_unaligned(p) \
	({ \
		const struct { \
			typeof(*(p)) value; \
		} __packed *get_from = (const void *)(p); \
		get_from->value; \
	})
#define put_unaligned(v, p) \
	do { \
		struct { \
			typeof(*(p)) value; \
		} __packed *put_to = (void *)(p); \
		put_to->value = (v); \
	} while (0)

static inline u16 get_unaligned_be16(const void *p)
{
	return be16_to_cpu(get_unaligned((const __be16 *)p));
}

static inline u32 get_unaligned_be24(const void *p)
{
	const u8 *b = p;

	return (u32)b[0] << 16 | b[1] << 8 | b[2];
}

static inline u32 get_unaligned_be32(const void *p)
{
	return be32_to_cpu(get_unaligned((const __be32 *)p));
}

static inline u64 get_unaligned_be64(const void *p)
{
	return be64_to_cpu(get_unaligned((const __be64 *)p));
}

static inline u16 get_unaligned_le16(const void *p)
{
	return le16_to_cpu(get_unaligned((const __le16 *)p));
}

static inline u32 get_unaligned_le32(const void *p)
{
	return le32_to_cpu(get_unaligned((const __le32 *)p));
}

static inline u64 get_unaligned_le64(const void *p)
{
	return le64_to_cpu(get_unaligned((const __le64 *)p));
}

static inline void put_unaligned_be16(u16 v, void *p)
{
	put_unaligned(cpu_to_be16(v), (__be16 *)p);
}

static inline void put_unaligned_be24(u32 v, void *p)
{
	u8 *b = p;

	b[0] = v >> 16;
	b[1] = v >> 8;
	b[2] = v;
}

static inline void put_unaligned_be32(u32 v, void *p)
{
	put_unaligned(cpu_to_be32(v), (__be32 *)p);
}

static inline void put_unaligned_be64(u64 v, void *p)
{
	put_unaligned(cpu_to_be64(v), (__be64 *)p);
}

static inline void put_unaligned_le16(u16 v, void *p)
{
	put_unaligned(cpu_to_le16(v), (__le16 *)p);
}

static inline void put_unaligned_le32(u32 v, void *p)
{
	put_unaligned(cpu_to_le32(v), (__le32 *)p);
}

static inline void put_unaligned_le64(u64 v, void *p)
{
	put_unaligned(cpu_to_le64(v), (__le64 *)p);
}

#endif
