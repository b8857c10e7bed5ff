// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Locks that detect double locking, two classes that are acquired in both orders, and locks that
 * are acquired both by a softirq and by a thread with bottom halves enabled. With one thread,
 * waiting for a lock is a deadlock.
 */
#include <linux/lockdep.h>
#include "internal.h"
#include "shim.h"

#define MAX_CLASSES 128
#define MAX_SUBCLASSES 4
#define MAX_HELD 32

static struct lock_class {
	const char *name;
	const struct lock_class_key *key;
	int subclass;
	bool in_softirq, with_bh; /* the contexts in which a lock of the class was acquired */
	/* a lock of this class was held while one of that class was acquired */
	bool before[MAX_CLASSES];
} classes[MAX_CLASSES];
static int num_classes;

static struct held {
	struct shim_lock *lock;
	int class;
} held[MAX_HELD];
static unsigned int num_held, held_base;

void shim_locks_reset(void)
{
	num_held = 0;
	held_base = 0;
}

unsigned int shim_locks_enter(void)
{
	unsigned int outer = held_base;

	held_base = num_held;
	return outer;
}

void shim_locks_leave(unsigned int outer)
{
	WARN(num_held != held_base, "%s is still held", classes[held[num_held - 1].class].name);
	held_base = outer;
}

/* Classes are few; ids stay valid over shim_reset(), because the static keys that store them do. */
static int class_of(struct lock_class_key *key, int subclass)
{
	int i;

	BUG_ON(subclass >= MAX_SUBCLASSES);
	if (!key->id) {
		BUG_ON(num_classes + MAX_SUBCLASSES > MAX_CLASSES);
		for (i = 0; i < MAX_SUBCLASSES; i++)
			classes[num_classes + i] = (struct lock_class){
				.name = key->name, .key = key, .subclass = i,
			};
		key->id = num_classes + 1;
		num_classes += MAX_SUBCLASSES;
	}
	return key->id - 1 + subclass;
}

static bool reaches(int from, int to, bool *seen)
{
	int i;

	if (from == to)
		return true;
	seen[from] = true;
	for (i = 0; i < num_classes; i++)
		if (classes[from].before[i] && !seen[i] && reaches(i, to, seen))
			return true;
	return false;
}

static void check_order(int class, const char *file, int line)
{
	unsigned int i;

	for (i = held_base; i < num_held; i++) {
		struct lock_class *outer = &classes[held[i].class];
		bool seen[MAX_CLASSES] = {};

		if (outer->before[class])
			continue;
		if (reaches(class, held[i].class, seen))
			shim_panic(file, line, "lock order: %s inside of %s (taken at %s:%d), %s",
				   classes[class].name, outer->name, held[i].lock->file,
				   held[i].lock->line,
				   held[i].class == class ? "another of its class" :
							    "acquired in the other order before");
		outer->before[class] = true;
	}
}

static void check_softirq(struct lock_class *class, const char *file, int line)
{
	if (in_serving_softirq())
		class->in_softirq = true;
	else if (preemptible() || (!in_softirq() && !irqs_disabled()))
		class->with_bh = true;
	if (class->in_softirq && class->with_bh)
		shim_panic(file, line, "%s: softirqs take it, threads with bottom halves enabled too",
			   class->name);
}

static void push_held(struct shim_lock *lock, int class, bool shared, const char *file, int line)
{
	BUG_ON(num_held == MAX_HELD);
	held[num_held++] = (struct held){ .lock = lock, .class = class };
	lock->held++;
	lock->shared = shared;
	lock->file = file;
	lock->line = line;
}

static void check_alive(const struct shim_lock *lock, const char *file, int line)
{
	if (!lock->key)
		shim_panic(file, line, "lock never initialized, or destroyed");
}

void shim_lock_acquire(struct shim_lock *lock, int subclass, bool shared, const char *file,
		       int line)
{
	int class;

	check_alive(lock, file, line);
	class = class_of(lock->key, subclass);
	if (lock->held && !(shared && lock->shared))
		shim_panic(file, line, "deadlock: %s is held since %s:%d", lock->key->name,
			   lock->file, lock->line);
	check_softirq(&classes[class], file, line);
	check_order(class, file, line);
	push_held(lock, class, shared, file, line);
}

bool shim_lock_try(struct shim_lock *lock, bool shared, const char *file, int line)
{
	check_alive(lock, file, line);
	if (lock->held && !(shared && lock->shared))
		return false;
	push_held(lock, class_of(lock->key, 0), shared, file, line);
	return true;
}

void shim_lock_release(struct shim_lock *lock, const char *file, int line)
{
	unsigned int i = num_held;

	check_alive(lock, file, line);
	while (i > held_base && held[i - 1].lock != lock)
		i--;
	if (i == held_base)
		shim_panic(file, line, "%s is released, but not held", lock->key->name);
	lock->held--;
	num_held--;
	for (; i <= num_held; i++)
		held[i - 1] = held[i];
}
