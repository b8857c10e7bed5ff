/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_BUG_H
#define SHIM_LINUX_BUG_H

#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/types.h>

/* Both BUG and WARN end a test, although the kernel survives a WARN. */
void shim_panic(const char *file, int line, const char *fmt, ...)
	__attribute__((__noreturn__, __format__(__printf__, 3, 4)));

#define BUG() shim_panic(__FILE__, __LINE__, "BUG")
#define BUG_ON(cond) \
	((void)(unlikely(cond) && (shim_panic(__FILE__, __LINE__, "BUG_ON(%s)", #cond), 0)))

#define WARN(cond, fmt, args...) \
	({ \
		bool warn_cond = !!(cond); \
		if (unlikely(warn_cond)) \
			shim_panic(__FILE__, __LINE__, "WARN(%s): " fmt, #cond, ##args); \
		warn_cond; \
	})
#define WARN_ON(cond) WARN(cond, "")
#define WARN_ON_ONCE(cond) WARN_ON(cond)
#define WARN_ONCE(cond, fmt, args...) WARN(cond, fmt, ##args)

#endif
