/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_COMPILER_H
#define SHIM_LINUX_COMPILER_H

/* Sparse's annotations have no meaning here. */
#define __user
#define __rcu
#define __percpu
#define __iomem
#define __force
#define __acquires(x)
#define __releases(x)
#define __acquire(x) ((void)0)
#define __release(x) ((void)0)
#define __must_hold(x)
#define __chk_user_ptr(x) ((void)0)

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#undef __always_inline
#define __always_inline inline __attribute__((__always_inline__))
#define noinline __attribute__((__noinline__))
#define __packed __attribute__((__packed__))
#define __aligned(n) __attribute__((__aligned__(n)))
#define __printf(a, b) __attribute__((__format__(__printf__, a, b)))
#define __must_check __attribute__((__warn_unused_result__))
#define __maybe_unused __attribute__((__unused__))
#define __always_unused __attribute__((__unused__))
#define __cold __attribute__((__cold__))
#define __read_mostly
#define fallthrough __attribute__((__fallthrough__))

#define barrier() __asm__ __volatile__("" : : : "memory")
#define READ_ONCE(x) (*(const volatile typeof(x) *)&(x))
#define WRITE_ONCE(x, v) (*(volatile typeof(x) *)&(x) = (v))
#define data_race(x) (x)

#define __stringify_1(x...) #x
#define __stringify(x...) __stringify_1(x)

#endif
