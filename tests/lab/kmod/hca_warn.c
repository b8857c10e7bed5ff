// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A module that makes the kernel complain, to prove that hcalab notices it. Debian's kernels have
 * no LKDTM.
 *
 * insmod hca_warn.ko [how=warn|oops|panic|stuck|overrun|inversion|atomic|shift|timer|leak]
 *
 * The last six are for the sanitizers.
 */
#include <linux/bug.h>
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/timer.h>

static char *how = "warn";
module_param(how, charp, 0444);
MODULE_PARM_DESC(how, "warn (default), oops, panic, stuck, overrun, inversion, atomic, shift, timer, or leak");

static int bits = 40;

/* For KASAN. The size must not be known at compile time. */
static noinline int overrun(void)
{
	size_t size = bits;
	char *p = kmalloc(size, GFP_KERNEL);

	if (!p)
		return -ENOMEM;
	WRITE_ONCE(p[size], 1);
	kfree(p);
	return 0;
}

/* lockdep */
static noinline int inversion(void)
{
	static DEFINE_MUTEX(first);
	static DEFINE_MUTEX(second);

	mutex_lock(&first);
	mutex_lock(&second);
	mutex_unlock(&second);
	mutex_unlock(&first);

	mutex_lock(&second);
	mutex_lock(&first);
	mutex_unlock(&first);
	mutex_unlock(&second);
	return 0;
}

static noinline int atomic(void)
{
	static DEFINE_SPINLOCK(lock);

	spin_lock(&lock);
	msleep(1);
	spin_unlock(&lock);
	return 0;
}

/* UBSAN */
static noinline int shift(void)
{
	return 1 << READ_ONCE(bits) == 3;
}

static void nothing(struct timer_list *t)
{
}

/* For debug objects: a timer is freed while it is armed. */
static noinline int timer(void)
{
	struct timer_list *t = kmalloc(sizeof(*t), GFP_KERNEL);

	if (!t)
		return -ENOMEM;
	timer_setup(t, nothing, 0);
	mod_timer(t, jiffies + 1000 * HZ);
	kfree(t);
	return 0;
}

/* For kmemleak. A register or the stack may still contain the last address. */
static noinline int leak(void)
{
	int i;

	for (i = 0; i < 10; i++)
		if (!kmalloc(100, GFP_KERNEL))
			return -ENOMEM;
	return 0;
}

static int warn(void)
{
	WARN_ON(1);
	return 0;
}

static int oops(void)
{
	BUG();
	return 0;
}

static int do_panic(void)
{
	panic("hca_warn: as asked");
	return 0;
}

static int stuck(void)
{
	for (;;)
		ssleep(1);
	return 0;
}

static const struct {
	const char *how;
	int (*complain)(void);
} ways[] = {
	{ "warn", warn },
	{ "oops", oops },
	{ "panic", do_panic },
	{ "stuck", stuck },
	{ "overrun", overrun },
	{ "inversion", inversion },
	{ "atomic", atomic },
	{ "shift", shift },
	{ "timer", timer },
	{ "leak", leak },
};

static int __init hca_warn_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ways); i++)
		if (!strcmp(how, ways[i].how))
			return ways[i].complain();
	return -EINVAL;
}

static void __exit hca_warn_exit(void)
{
}

module_init(hca_warn_init);
module_exit(hca_warn_exit);

MODULE_DESCRIPTION("Makes the kernel complain, on purpose");
MODULE_LICENSE("Dual BSD/GPL");
