/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_COMPLETION_H
#define SHIM_LINUX_COMPLETION_H

#include <linux/wait.h>

struct completion {
	unsigned int done; /* UINT_MAX: complete_all() was called */
	bool initialized;
};

#define COMPLETION_INITIALIZER(name) { .initialized = true }
#define COMPLETION_INITIALIZER_ONSTACK(name) COMPLETION_INITIALIZER(name)
#define DECLARE_COMPLETION(name) struct completion name = COMPLETION_INITIALIZER(name)
#define DECLARE_COMPLETION_ONSTACK(name) DECLARE_COMPLETION(name)

static inline void init_completion(struct completion *x)
{
	*x = (struct completion)COMPLETION_INITIALIZER(x);
}

static inline void reinit_completion(struct completion *x)
{
	x->done = 0;
}

static inline void complete(struct completion *x)
{
	WARN(!x->initialized, "completion never initialized");
	if (x->done != UINT_MAX)
		x->done++;
}

static inline void complete_all(struct completion *x)
{
	WARN(!x->initialized, "completion never initialized");
	x->done = UINT_MAX;
}

static inline bool completion_done(const struct completion *x)
{
	return x->done;
}

static inline bool try_wait_for_completion(struct completion *x)
{
	WARN(!x->initialized, "completion never initialized");
	if (!x->done)
		return false;
	if (x->done != UINT_MAX)
		x->done--;
	return true;
}

#define wait_for_completion(x) shim_wait(try_wait_for_completion(x))
#define wait_for_completion_timeout(x, timeout) \
	((unsigned long)shim_wait_timeout(try_wait_for_completion(x), timeout))
#define wait_for_completion_interruptible(x) \
	({ \
		wait_for_completion(x); \
		0; \
	})
#define wait_for_completion_killable(x) wait_for_completion_interruptible(x)

#endif
