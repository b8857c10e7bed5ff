// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Where the thread is, how a test ends early, and random numbers. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <asm/current.h>
#include <linux/bottom_half.h>
#include <linux/bug.h>
#include <linux/capability.h>
#include <linux/printk.h>
#include <linux/processor.h>
#include <linux/random.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include "internal.h"
#include "shim.h"
#include "tools/lib/rng.h"

struct shim_context shim_context;
struct task_struct shim_task;

static void (*panic_handler)(const char *message);
static void (*relax_handler)(void);
static struct rng rng;
static struct mm_struct mm;
static unsigned long memlock;
static bool privileged;

void shim_reset(u64 seed)
{
	shim_context = (struct shim_context){};
	rng.state = seed;
	mm = (struct mm_struct){ .mm_count = ATOMIC_INIT(1) };
	shim_task.mm = &mm;
	shim_on_relax(NULL);
	shim_set_memlock(RLIM_INFINITY, false);
	shim_loop_reset();
	shim_locks_reset();
	shim_memory_reset();
}

void shim_set_memlock(unsigned long octets, bool cap_ipc_lock)
{
	memlock = octets;
	privileged = cap_ipc_lock;
}

unsigned long rlimit(unsigned int limit)
{
	return limit == RLIMIT_MEMLOCK ? memlock : RLIM_INFINITY;
}

bool capable(int cap)
{
	return cap == CAP_IPC_LOCK && privileged;
}

void shim_on_panic(void (*handler)(const char *message))
{
	panic_handler = handler;
}

void shim_panic(const char *file, int line, const char *fmt, ...)
{
	char message[512];
	int len = snprintf(message, sizeof(message), "%s:%d: ", file, line);
	va_list args;

	va_start(args, fmt);
	vsnprintf(message + len, sizeof(message) - len, fmt, args);
	va_end(args);

	if (panic_handler)
		panic_handler(message);
	fprintf(stderr, "%s\n", message);
	abort();
}

void shim_on_relax(void (*handler)(void))
{
	relax_handler = handler;
}

void shim_cpu_relax(void)
{
	BUG_ON(!relax_handler);
	relax_handler();
}

void shim_printk(const char *level, const char *fmt, ...)
{
	va_list args;

	if (!level)
		return;
	fprintf(stderr, "%s: ", level);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
}

void shim_might_sleep(const char *file, int line)
{
	const struct shim_context *c = &shim_context;

	if (c->preempt || c->bh || c->softirq || c->irqs_off || c->rcu)
		shim_panic(file, line,
			   "sleeps in atomic context (spinlocks %u, bottom halves disabled %u, "
			   "softirq %d, interrupts off %d, RCU %u)",
			   c->preempt, c->bh, c->softirq, c->irqs_off, c->rcu);
}

void shim_run_in(struct shim_context context, void (*fn)(void *arg), void *arg, const void *who)
{
	const struct shim_context outer = shim_context;
	unsigned int locks = shim_locks_enter();

	shim_context = context;
	fn(arg);
	WARN(shim_context.preempt != context.preempt || shim_context.bh != context.bh ||
	     shim_context.rcu != context.rcu || shim_context.irqs_off != context.irqs_off,
	     "%p returned with a lock held or something disabled", who);
	shim_locks_leave(locks);
	shim_context = outer;
}

void preempt_disable(void)
{
	shim_context.preempt++;
}

void preempt_enable(void)
{
	BUG_ON(!shim_context.preempt);
	shim_context.preempt--;
}

void local_bh_disable(void)
{
	shim_context.bh++;
}

void local_bh_enable(void)
{
	BUG_ON(!shim_context.bh);
	WARN(shim_context.irqs_off, "bottom halves enabled with interrupts off");
	shim_context.bh--;
	if (!in_interrupt())
		shim_run_tasklets();
}

u64 get_random_u64(void)
{
	return rng_next(&rng);
}

u32 get_random_u32(void)
{
	return get_random_u64() >> 32;
}

u32 get_random_u32_below(u32 ceiling)
{
	return (u64)get_random_u32() * ceiling >> 32;
}

void get_random_bytes(void *buf, size_t size)
{
	u8 *p = buf;

	while (size--)
		*p++ = get_random_u64() >> 56;
}
