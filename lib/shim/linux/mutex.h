/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_MUTEX_H
#define SHIM_LINUX_MUTEX_H

#include <linux/kernel.h>
#include <linux/lockdep.h>

struct mutex {
	struct shim_lock dep;
};

#define DEFINE_MUTEX(name) struct mutex name = { .dep = SHIM_LOCK_INIT(#name) }
#define mutex_init(lock) shim_lock_init(&(lock)->dep, #lock)
#define mutex_is_locked(lock) ((lock)->dep.held != 0)

#define mutex_lock_nested(lock, subclass) \
	do { \
		might_sleep(); \
		shim_lock_acquire(&(lock)->dep, subclass, false, __FILE__, __LINE__); \
	} while (0)
#define mutex_lock(lock) mutex_lock_nested(lock, 0)
#define mutex_lock_interruptible(lock) \
	({ \
		mutex_lock(lock); \
		0; \
	})
#define mutex_trylock(lock) shim_lock_try(&(lock)->dep, false, __FILE__, __LINE__)
#define mutex_unlock(lock) shim_lock_release(&(lock)->dep, __FILE__, __LINE__)

static inline void mutex_destroy(struct mutex *lock)
{
	WARN_ON(mutex_is_locked(lock));
	lock->dep.key = NULL;
}

#endif
