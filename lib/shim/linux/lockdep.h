/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_LOCKDEP_H
#define SHIM_LINUX_LOCKDEP_H

#include <linux/bug.h>
#include <linux/preempt.h>
#include <linux/types.h>

/* All locks that one place initializes are of one class; locks.c records the order of classes. */
struct lock_class_key {
	const char *name;
	int id; /* 0: no lock of this class has been acquired yet */
};

/* Every kind of lock contains this structure. */
struct shim_lock {
	struct lock_class_key *key; /* NULL: the lock was never initialized, or is destroyed */
	unsigned int held;
	bool shared;
	const char *file; /* where the lock was acquired last */
	int line;
};

#define SHIM_LOCK_INIT(what) { .key = &(struct lock_class_key){ .name = what } }

#define shim_lock_init(lock, what) \
	do { \
		static struct lock_class_key lock_key = { .name = what }; \
		*(lock) = (struct shim_lock){ .key = &lock_key }; \
	} while (0)

void shim_lock_acquire(struct shim_lock *lock, int subclass, bool shared, const char *file,
		       int line);
bool shim_lock_try(struct shim_lock *lock, bool shared, const char *file, int line);
void shim_lock_release(struct shim_lock *lock, const char *file, int line);

#define SINGLE_DEPTH_NESTING 1
#define lockdep_set_class(lock, k) ((void)((lock)->dep.key = (k)))
#define lockdep_is_held(lock) ((lock)->dep.held != 0)
#define lockdep_assert_held(lock) WARN_ON(!lockdep_is_held(lock))
#define lockdep_assert_not_held(lock) WARN_ON(lockdep_is_held(lock))
#define lockdep_assert_irqs_enabled() WARN_ON(irqs_disabled())
#define lockdep_assert_irqs_disabled() WARN_ON(!irqs_disabled())
#define lockdep_assert_in_softirq() WARN_ON(!in_softirq())
#define lockdep_assert_preemption_disabled() WARN_ON(preemptible())

#endif
