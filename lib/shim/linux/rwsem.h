/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_RWSEM_H
#define SHIM_LINUX_RWSEM_H

#include <linux/kernel.h>
#include <linux/lockdep.h>

struct rw_semaphore {
	struct shim_lock dep;
};

#define DECLARE_RWSEM(name) struct rw_semaphore name = { .dep = SHIM_LOCK_INIT(#name) }
#define init_rwsem(lock) shim_lock_init(&(lock)->dep, #lock)

#define shim_down(lock, shared) \
	do { \
		might_sleep(); \
		shim_lock_acquire(&(lock)->dep, 0, shared, __FILE__, __LINE__); \
	} while (0)
#define down_read(lock) shim_down(lock, true)
#define down_write(lock) shim_down(lock, false)
#define up_read(lock) shim_lock_release(&(lock)->dep, __FILE__, __LINE__)
#define up_write(lock) shim_lock_release(&(lock)->dep, __FILE__, __LINE__)
#define down_read_trylock(lock) shim_lock_try(&(lock)->dep, true, __FILE__, __LINE__)
#define down_write_trylock(lock) shim_lock_try(&(lock)->dep, false, __FILE__, __LINE__)

#endif
