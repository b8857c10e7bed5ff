/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_PERCPU_H
#define SHIM_LINUX_PERCPU_H

#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/smp.h>

/* There is one CPU: a per-CPU pointer is a plain pointer. */
#define DEFINE_PER_CPU(type, name) typeof(type) name
#define DEFINE_PER_CPU_ALIGNED(type, name) typeof(type) name
#define DEFINE_PER_CPU_SHARED_ALIGNED(type, name) typeof(type) name
#define DECLARE_PER_CPU(type, name) extern typeof(type) name

void *shim_alloc_percpu(size_t size, size_t align, gfp_t flags);
void free_percpu(void *p);

#define alloc_percpu_gfp(type, flags) \
	((type *)shim_alloc_percpu(sizeof(type), __alignof__(type), flags))
#define alloc_percpu(type) alloc_percpu_gfp(type, GFP_KERNEL)

#define per_cpu_ptr(p, cpu) ((void)(cpu), (p))
#define per_cpu(var, cpu) (*per_cpu_ptr(&(var), cpu))
#define raw_cpu_ptr(p) (p)
#define this_cpu_ptr(p) \
	({ \
		WARN_ON(preemptible()); \
		(p); \
	})
#define get_cpu_ptr(p) \
	({ \
		preempt_disable(); \
		(p); \
	})
#define put_cpu_ptr(p) \
	do { \
		(void)(p); \
		preempt_enable(); \
	} while (0)

/* The this_cpu operations are atomic in any context. */
#define this_cpu_read(var) READ_ONCE(var)
#define this_cpu_write(var, n) WRITE_ONCE(var, n)
#define this_cpu_add(var, n) ((void)((var) += (n)))
#define this_cpu_sub(var, n) ((void)((var) -= (n)))
#define this_cpu_inc(var) this_cpu_add(var, 1)
#define this_cpu_dec(var) this_cpu_sub(var, 1)
#define this_cpu_add_return(var, n) ((var) += (n))
#define this_cpu_inc_return(var) this_cpu_add_return(var, 1)
#define this_cpu_dec_return(var) this_cpu_add_return(var, -1)
#define raw_cpu_add this_cpu_add
#define raw_cpu_inc this_cpu_inc
#define raw_cpu_read this_cpu_read
#define raw_cpu_write this_cpu_write

/* The __this_cpu operations are not atomic: other code of the CPU could run in between. */
#define __this_cpu_read(var) (*this_cpu_ptr(&(var)))
#define __this_cpu_write(var, n) ((void)(*this_cpu_ptr(&(var)) = (n)))
#define __this_cpu_add(var, n) ((void)(*this_cpu_ptr(&(var)) += (n)))
#define __this_cpu_inc(var) __this_cpu_add(var, 1)
#define __this_cpu_dec(var) __this_cpu_add(var, -1)

#endif
