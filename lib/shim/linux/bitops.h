/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_BITOPS_H
#define SHIM_LINUX_BITOPS_H

#include <linux/bits.h>
#include <linux/types.h>

#define BITS_TO_LONGS(n) (((n) + BITS_PER_LONG - 1) / BITS_PER_LONG)

static inline bool test_bit(long nr, const volatile unsigned long *addr)
{
	return addr[BIT_WORD(nr)] & BIT_MASK(nr);
}

static inline void __set_bit(long nr, volatile unsigned long *addr)
{
	addr[BIT_WORD(nr)] |= BIT_MASK(nr);
}

static inline void __clear_bit(long nr, volatile unsigned long *addr)
{
	addr[BIT_WORD(nr)] &= ~BIT_MASK(nr);
}

static inline bool test_and_set_bit(long nr, volatile unsigned long *addr)
{
	return __atomic_fetch_or(&addr[BIT_WORD(nr)], BIT_MASK(nr), __ATOMIC_SEQ_CST) &
	       BIT_MASK(nr);
}

static inline bool test_and_clear_bit(long nr, volatile unsigned long *addr)
{
	return __atomic_fetch_and(&addr[BIT_WORD(nr)], ~BIT_MASK(nr), __ATOMIC_SEQ_CST) &
	       BIT_MASK(nr);
}

static inline void set_bit(long nr, volatile unsigned long *addr)
{
	test_and_set_bit(nr, addr);
}

static inline void clear_bit(long nr, volatile unsigned long *addr)
{
	test_and_clear_bit(nr, addr);
}

/* Number of the lowest bit set; undefined for 0. */
static inline unsigned long __ffs(unsigned long value)
{
	return __builtin_ctzl(value);
}

/* Number of the highest bit set; undefined for 0. */
static inline unsigned long __fls(unsigned long value)
{
	return BITS_PER_LONG - 1 - __builtin_clzl(value);
}

/* Number of the lowest bit set, counted from 1; 0 if no bit is set. */
static inline int fls(unsigned int x)
{
	return x ? 32 - __builtin_clz(x) : 0;
}

static inline int fls64(u64 x)
{
	return x ? 64 - __builtin_clzll(x) : 0;
}

static inline unsigned int hweight8(unsigned int x)
{
	return __builtin_popcount(x & 0xff);
}

static inline unsigned int hweight16(unsigned int x)
{
	return __builtin_popcount(x & 0xffff);
}

static inline unsigned int hweight32(unsigned int x)
{
	return __builtin_popcount(x);
}

static inline unsigned long hweight64(u64 x)
{
	return __builtin_popcountll(x);
}

static inline u32 rol32(u32 x, unsigned int shift)
{
	return x << (shift & 31) | x >> (-shift & 31);
}

static inline u32 ror32(u32 x, unsigned int shift)
{
	return x >> (shift & 31) | x << (-shift & 31);
}

static inline s32 sign_extend32(u32 x, int index)
{
	return (s32)(x << (31 - index)) >> (31 - index);
}

/* Returns the first bit at or after @from that has the value @value, or @size. */
static inline unsigned long shim_find_bit(const unsigned long *addr, unsigned long size,
					  unsigned long from, bool value)
{
	while (from < size && test_bit(from, addr) != value)
		from++;
	return from < size ? from : size;
}

static inline unsigned long find_next_bit(const unsigned long *addr, unsigned long size,
					  unsigned long from)
{
	return shim_find_bit(addr, size, from, true);
}

static inline unsigned long find_next_zero_bit(const unsigned long *addr, unsigned long size,
					       unsigned long from)
{
	return shim_find_bit(addr, size, from, false);
}

static inline unsigned long find_first_bit(const unsigned long *addr, unsigned long size)
{
	return find_next_bit(addr, size, 0);
}

static inline unsigned long find_first_zero_bit(const unsigned long *addr, unsigned long size)
{
	return find_next_zero_bit(addr, size, 0);
}

#define for_each_set_bit(bit, addr, size) \
	for ((bit) = find_first_bit((addr), (size)); (bit) < (size); \
	     (bit) = find_next_bit((addr), (size), (bit) + 1))

#endif
