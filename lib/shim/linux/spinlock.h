/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_SPINLOCK_H
#define SHIM_LINUX_SPINLOCK_H

#include <linux/bottom_half.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>

typedef struct spinlock {
	struct shim_lock dep;
} spinlock_t;

typedef struct {
	struct shim_lock dep;
} rwlock_t;

#define __SPIN_LOCK_UNLOCKED(name) { .dep = SHIM_LOCK_INIT(#name) }
#define DEFINE_SPINLOCK(name) spinlock_t name = __SPIN_LOCK_UNLOCKED(name)
#define DEFINE_RWLOCK(name) rwlock_t name = { .dep = SHIM_LOCK_INIT(#name) }
#define spin_lock_init(lock) shim_lock_init(&(lock)->dep, #lock)
#define rwlock_init(lock) shim_lock_init(&(lock)->dep, #lock)

#define spin_is_locked(lock) ((lock)->dep.held != 0)
#define assert_spin_locked(lock) lockdep_assert_held(lock)

#define shim_spin_lock(lock, subclass, shared) \
	do { \
		preempt_disable(); \
		shim_lock_acquire(&(lock)->dep, subclass, shared, __FILE__, __LINE__); \
	} while (0)
#define shim_spin_unlock(lock) \
	do { \
		shim_lock_release(&(lock)->dep, __FILE__, __LINE__); \
		preempt_enable(); \
	} while (0)

#define shim_lock_bh(lock, shared) \
	do { \
		local_bh_disable(); \
		shim_spin_lock(lock, 0, shared); \
	} while (0)
#define shim_unlock_bh(lock) \
	do { \
		shim_spin_unlock(lock); \
		local_bh_enable(); \
	} while (0)
#define shim_lock_irqsave(lock, flags, shared) \
	do { \
		BUILD_BUG_ON(!__builtin_types_compatible_p(typeof(flags), unsigned long)); \
		local_irq_save(flags); \
		shim_spin_lock(lock, 0, shared); \
	} while (0)
#define shim_unlock_irqrestore(lock, flags) \
	do { \
		shim_spin_unlock(lock); \
		local_irq_restore(flags); \
	} while (0)

#define spin_lock(lock) shim_spin_lock(lock, 0, false)
#define spin_lock_nested(lock, subclass) shim_spin_lock(lock, subclass, false)
#define spin_unlock(lock) shim_spin_unlock(lock)
#define spin_lock_bh(lock) shim_lock_bh(lock, false)
#define spin_unlock_bh(lock) shim_unlock_bh(lock)
#define spin_lock_irqsave(lock, flags) shim_lock_irqsave(lock, flags, false)
#define spin_unlock_irqrestore(lock, flags) shim_unlock_irqrestore(lock, flags)
#define spin_lock_irq(lock) \
	do { \
		local_irq_disable(); \
		spin_lock(lock); \
	} while (0)
#define spin_unlock_irq(lock) \
	do { \
		spin_unlock(lock); \
		local_irq_enable(); \
	} while (0)

#define spin_trylock(lock) \
	({ \
		bool try_ok; \
		preempt_disable(); \
		try_ok = shim_lock_try(&(lock)->dep, false, __FILE__, __LINE__); \
		if (!try_ok) \
			preempt_enable(); \
		try_ok; \
	})
#define spin_trylock_bh(lock) \
	({ \
		bool try_bh_ok; \
		local_bh_disable(); \
		try_bh_ok = spin_trylock(lock); \
		if (!try_bh_ok) \
			local_bh_enable(); \
		try_bh_ok; \
	})

#define read_lock(lock) shim_spin_lock(lock, 0, true)
#define read_unlock(lock) shim_spin_unlock(lock)
#define read_lock_bh(lock) shim_lock_bh(lock, true)
#define read_unlock_bh(lock) shim_unlock_bh(lock)
#define read_lock_irqsave(lock, flags) shim_lock_irqsave(lock, flags, true)
#define read_unlock_irqrestore(lock, flags) shim_unlock_irqrestore(lock, flags)
#define write_lock(lock) shim_spin_lock(lock, 0, false)
#define write_unlock(lock) shim_spin_unlock(lock)
#define write_lock_bh(lock) shim_lock_bh(lock, false)
#define write_unlock_bh(lock) shim_unlock_bh(lock)
#define write_lock_irqsave(lock, flags) shim_lock_irqsave(lock, flags, false)
#define write_unlock_irqrestore(lock, flags) shim_unlock_irqrestore(lock, flags)

#endif
