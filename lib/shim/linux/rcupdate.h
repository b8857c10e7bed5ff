/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_RCUPDATE_H
#define SHIM_LINUX_RCUPDATE_H

#include <linux/atomic.h>
#include <linux/bottom_half.h>
#include <linux/bug.h>
#include <linux/kernel.h>
#include <linux/types.h>

/*
 * Readers are counted; callbacks of call_rcu() and kfree_rcu() are delayed until no reader is left.
 */

static inline void rcu_read_lock(void)
{
	shim_context.rcu++;
}

static inline void rcu_read_unlock(void)
{
	BUG_ON(!shim_context.rcu);
	shim_context.rcu--;
}

static inline void rcu_read_lock_bh(void)
{
	local_bh_disable();
	rcu_read_lock();
}

static inline void rcu_read_unlock_bh(void)
{
	rcu_read_unlock();
	local_bh_enable();
}

#define rcu_read_lock_held() (shim_context.rcu != 0)
#define rcu_read_lock_bh_held() (in_softirq() || irqs_disabled())
#define rcu_read_lock_any_held() (rcu_read_lock_held() || !preemptible())

#define shim_rcu_assert(cond) \
	((void)(unlikely(!(cond)) && \
		(shim_panic(__FILE__, __LINE__, "RCU: outside of a read section (%s)", #cond), 0)))
#define shim_rcu_load(p) __atomic_load_n(&(p), __ATOMIC_CONSUME)

#define rcu_dereference_check(p, cond) \
	({ \
		shim_rcu_assert(rcu_read_lock_held() || (cond)); \
		shim_rcu_load(p); \
	})
#define rcu_dereference_bh_check(p, cond) \
	({ \
		shim_rcu_assert(rcu_read_lock_bh_held() || (cond)); \
		shim_rcu_load(p); \
	})
#define rcu_dereference(p) rcu_dereference_check(p, false)
#define rcu_dereference_bh(p) rcu_dereference_bh_check(p, false)
#define rcu_dereference_raw(p) shim_rcu_load(p)
#define rcu_dereference_protected(p, cond) \
	({ \
		shim_rcu_assert(cond); \
		(p); \
	})
#define rcu_access_pointer(p) READ_ONCE(p)
#define rcu_assign_pointer(p, v) __atomic_store_n(&(p), v, __ATOMIC_RELEASE)
#define RCU_INIT_POINTER(p, v) WRITE_ONCE(p, v)
#define rcu_replace_pointer(p, v, cond) \
	({ \
		typeof(p) replace_old = rcu_dereference_protected(p, cond); \
		rcu_assign_pointer(p, v); \
		replace_old; \
	})
#define rcu_pointer_handoff(p) (p)

void call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head));
void shim_kfree_rcu(struct rcu_head *head, const void *object);
void synchronize_rcu(void);
void rcu_barrier(void);

#define synchronize_rcu_expedited() synchronize_rcu()
#define smp_mb__after_unlock_lock() barrier()
#define kfree_rcu(ptr, member) \
	do { \
		typeof(ptr) rcu_object = (ptr); \
		if (rcu_object) \
			shim_kfree_rcu(&rcu_object->member, rcu_object); \
	} while (0)
#define kvfree_rcu(ptr, member) kfree_rcu(ptr, member)

#endif
