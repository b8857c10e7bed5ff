// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Atomic operations on registered memory. */
#include "tpt/atomic.h"
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/string.h>

static u64 *atomic_map(const struct hca_tpt_entry *entry, u64 addr)
{
	u64 *p = hca_tpt_entry_map(entry, addr);

	return IS_ALIGNED((uintptr_t)p, sizeof(*p)) ? p : NULL;
}

bool hca_atomic_add(const struct hca_tpt_entry *entry, u64 addr, u64 add, u64 *original)
{
	u64 *p = atomic_map(entry, addr);
	u64 old;

	if (!p)
		return false;
	do {
		old = READ_ONCE(*p);
	} while (cmpxchg64(p, old, old + add) != old);
	*original = old;
	return true;
}

bool hca_atomic_swap(const struct hca_tpt_entry *entry, u64 addr, u64 compare, u64 swap,
		     u64 *original)
{
	u64 *p = atomic_map(entry, addr);

	if (!p)
		return false;
	*original = cmpxchg64(p, compare, swap);
	return true;
}

bool hca_atomic_write(const struct hca_tpt_entry *entry, u64 addr, const void *octets)
{
	u64 *p = atomic_map(entry, addr);
	u64 value;

	if (!p)
		return false;
	memcpy(&value, octets, sizeof(value));
	WRITE_ONCE(*p, value);
	return true;
}
