/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_REFCOUNT_H
#define SHIM_LINUX_REFCOUNT_H

#include <linux/atomic.h>
#include <linux/bug.h>
#include <linux/types.h>

typedef struct {
	atomic_t refs;
} refcount_t;

#define REFCOUNT_INIT(n) { .refs = ATOMIC_INIT(n) }

static inline void refcount_set(refcount_t *r, int n)
{
	atomic_set(&r->refs, n);
}

static inline unsigned int refcount_read(const refcount_t *r)
{
	return atomic_read(&r->refs);
}

static inline __must_check bool refcount_add_not_zero(int i, refcount_t *r)
{
	WARN_ON(atomic_read(&r->refs) < 0);
	return atomic_fetch_add_unless(&r->refs, i, 0) != 0;
}

static inline __must_check bool refcount_inc_not_zero(refcount_t *r)
{
	return refcount_add_not_zero(1, r);
}

static inline void refcount_add(int i, refcount_t *r)
{
	WARN_ON(!refcount_add_not_zero(i, r));
}

static inline void refcount_inc(refcount_t *r)
{
	WARN_ON(!refcount_add_not_zero(1, r));
}

static inline __must_check bool refcount_sub_and_test(int i, refcount_t *r)
{
	int old = atomic_fetch_sub(i, &r->refs);

	WARN_ON(old < i);
	return old == i;
}

static inline __must_check bool refcount_dec_and_test(refcount_t *r)
{
	return refcount_sub_and_test(1, r);
}

static inline void refcount_dec(refcount_t *r)
{
	WARN_ON(refcount_dec_and_test(r));
}

#endif
