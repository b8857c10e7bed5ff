/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_ATOMIC_H
#define SHIM_LINUX_ATOMIC_H

#include <asm/barrier.h>
#include <linux/kernel.h>
#include <linux/types.h>

#define ATOMIC_INIT(i) { (i) }
#define ATOMIC64_INIT(i) { (i) }
#define ATOMIC_LONG_INIT(i) { (i) }

/*
 * Each operation has a variant that returns the old value, one that returns the new one, and one
 * that returns nothing.
 */
#define SHIM_ATOMIC_OP(name, type, op, order, model) \
	static inline type name##_fetch_##op##order(type i, name##_t *v) \
	{ \
		return __atomic_fetch_##op(&v->counter, i, model); \
	}
#define SHIM_ATOMIC_RETURN(name, type, op, order, model) \
	static inline type name##_##op##_return##order(type i, name##_t *v) \
	{ \
		return __atomic_##op##_fetch(&v->counter, i, model); \
	}
#define SHIM_ATOMIC_ORDER(name, type, order, model) \
	SHIM_ATOMIC_OP(name, type, add, order, model) \
	SHIM_ATOMIC_OP(name, type, sub, order, model) \
	SHIM_ATOMIC_OP(name, type, and, order, model) \
	SHIM_ATOMIC_OP(name, type, or, order, model) \
	SHIM_ATOMIC_OP(name, type, xor, order, model) \
	SHIM_ATOMIC_RETURN(name, type, add, order, model) \
	SHIM_ATOMIC_RETURN(name, type, sub, order, model) \
	static inline type name##_fetch_andnot##order(type i, name##_t *v) \
	{ \
		return __atomic_fetch_and(&v->counter, ~i, model); \
	} \
	static inline type name##_inc_return##order(name##_t *v) \
	{ \
		return __atomic_add_fetch(&v->counter, 1, model); \
	} \
	static inline type name##_dec_return##order(name##_t *v) \
	{ \
		return __atomic_sub_fetch(&v->counter, 1, model); \
	} \
	static inline type name##_fetch_inc##order(name##_t *v) \
	{ \
		return __atomic_fetch_add(&v->counter, 1, model); \
	} \
	static inline type name##_fetch_dec##order(name##_t *v) \
	{ \
		return __atomic_fetch_sub(&v->counter, 1, model); \
	} \
	static inline type name##_xchg##order(name##_t *v, type i) \
	{ \
		return __atomic_exchange_n(&v->counter, i, model); \
	} \
	static inline bool name##_try_cmpxchg##order(name##_t *v, type *old, type new) \
	{ \
		return __atomic_compare_exchange_n(&v->counter, old, new, false, model, \
						   __ATOMIC_RELAXED); \
	} \
	static inline type name##_cmpxchg##order(name##_t *v, type old, type new) \
	{ \
		name##_try_cmpxchg##order(v, &old, new); \
		return old; \
	}

#define SHIM_ATOMIC(name, type) \
	SHIM_ATOMIC_ORDER(name, type, , __ATOMIC_SEQ_CST) \
	SHIM_ATOMIC_ORDER(name, type, _relaxed, __ATOMIC_RELAXED) \
	SHIM_ATOMIC_ORDER(name, type, _acquire, __ATOMIC_ACQUIRE) \
	SHIM_ATOMIC_ORDER(name, type, _release, __ATOMIC_RELEASE) \
	static inline type name##_read(const name##_t *v) \
	{ \
		return __atomic_load_n(&v->counter, __ATOMIC_RELAXED); \
	} \
	static inline type name##_read_acquire(const name##_t *v) \
	{ \
		return __atomic_load_n(&v->counter, __ATOMIC_ACQUIRE); \
	} \
	static inline void name##_set(name##_t *v, type i) \
	{ \
		__atomic_store_n(&v->counter, i, __ATOMIC_RELAXED); \
	} \
	static inline void name##_set_release(name##_t *v, type i) \
	{ \
		__atomic_store_n(&v->counter, i, __ATOMIC_RELEASE); \
	} \
	static inline void name##_add(type i, name##_t *v) \
	{ \
		name##_fetch_add_relaxed(i, v); \
	} \
	static inline void name##_sub(type i, name##_t *v) \
	{ \
		name##_fetch_sub_relaxed(i, v); \
	} \
	static inline void name##_and(type i, name##_t *v) \
	{ \
		name##_fetch_and_relaxed(i, v); \
	} \
	static inline void name##_andnot(type i, name##_t *v) \
	{ \
		name##_fetch_andnot_relaxed(i, v); \
	} \
	static inline void name##_or(type i, name##_t *v) \
	{ \
		name##_fetch_or_relaxed(i, v); \
	} \
	static inline void name##_xor(type i, name##_t *v) \
	{ \
		name##_fetch_xor_relaxed(i, v); \
	} \
	static inline void name##_inc(name##_t *v) \
	{ \
		name##_add(1, v); \
	} \
	static inline void name##_dec(name##_t *v) \
	{ \
		name##_sub(1, v); \
	} \
	static inline bool name##_dec_and_test(name##_t *v) \
	{ \
		return !name##_dec_return(v); \
	} \
	static inline bool name##_inc_and_test(name##_t *v) \
	{ \
		return !name##_inc_return(v); \
	} \
	static inline bool name##_sub_and_test(type i, name##_t *v) \
	{ \
		return !name##_sub_return(i, v); \
	} \
	static inline type name##_fetch_add_unless(name##_t *v, type i, type unless) \
	{ \
		type old = name##_read(v); \
\
		while (old != unless && !name##_try_cmpxchg(v, &old, old + i)) \
			; \
		return old; \
	} \
	static inline bool name##_add_unless(name##_t *v, type i, type unless) \
	{ \
		return name##_fetch_add_unless(v, i, unless) != unless; \
	} \
	static inline bool name##_inc_not_zero(name##_t *v) \
	{ \
		return name##_add_unless(v, 1, 0); \
	} \
	static inline type name##_dec_if_positive(name##_t *v) \
	{ \
		type old = name##_read(v); \
\
		while (old > 0 && !name##_try_cmpxchg(v, &old, old - 1)) \
			; \
		return old - 1; \
	}

SHIM_ATOMIC(atomic, int)
SHIM_ATOMIC(atomic64, s64)
SHIM_ATOMIC(atomic_long, long)

#define xchg(p, v) __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST)
#define try_cmpxchg(p, old, new) \
	__atomic_compare_exchange_n(p, old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)
#define cmpxchg(p, old, new) \
	({ \
		typeof(*(p)) cmpxchg_old = (old); \
		try_cmpxchg(p, &cmpxchg_old, new); \
		cmpxchg_old; \
	})
#define xchg_relaxed xchg
#define cmpxchg_relaxed cmpxchg
#define cmpxchg64 cmpxchg

#endif
