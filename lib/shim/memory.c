// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Memory whose allocations are counted and can be made to fail, and RCU's deferred freeing. */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <linux/kernel.h>
#include <linux/libnvdimm.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include "internal.h"
#include "shim.h"

/* The pattern of uninitialized memory: it is constant, so that runs are reproducible. */
#define FRESH 0xa5

static unsigned long live;
static unsigned long live_octets;
static unsigned int until_failure; /* 0: no failure is planned */
static bool failed;
static struct rcu_head *rcu_first, **rcu_last = &rcu_first;
static void (*on_write_back)(void *addr, size_t size);

/*
 * Live allocations stay allocated, and pending RCU callbacks are lost: ASan reports both as leaks.
 */
void shim_memory_reset(void)
{
	live = 0;
	live_octets = 0;
	until_failure = 0;
	failed = false;
	on_write_back = NULL;
	rcu_first = NULL;
	rcu_last = &rcu_first;
}

void shim_fail_alloc(unsigned int n)
{
	until_failure = n;
	failed = false;
}

bool shim_alloc_failed(void)
{
	return failed;
}

unsigned long shim_live_allocations(void)
{
	return live;
}

unsigned long shim_live_octets(void)
{
	return live_octets;
}

static void *allocate(size_t size, size_t align, gfp_t flags)
{
	void *p;

	if (gfpflags_allow_blocking(flags))
		might_sleep();
	if (until_failure && !--until_failure) {
		failed = true;
		return NULL;
	}
	if (posix_memalign(&p, max(align, sizeof(void *)), size))
		return NULL;
	memset(p, flags & __GFP_ZERO ? 0 : FRESH, size);
	live++;
	live_octets += malloc_usable_size(p);
	return p;
}

static void release(const void *p)
{
	BUG_ON(!live);
	live--;
	live_octets -= malloc_usable_size((void *)p);
	free((void *)p);
}

static size_t slab_align(size_t size)
{
	return is_power_of_2(size) ? min(size, (size_t)PAGE_SIZE) : ARCH_KMALLOC_MINALIGN;
}

void *kmalloc(size_t size, gfp_t flags)
{
	if (!size)
		return ZERO_SIZE_PTR;
	if (size > KMALLOC_MAX_SIZE)
		return NULL;
	return allocate(size, slab_align(size), flags);
}

void kfree(const void *p)
{
	if (!ZERO_OR_NULL_PTR(p))
		release(p);
}

void *kvmalloc(size_t size, gfp_t flags)
{
	if (!size)
		return ZERO_SIZE_PTR;
	if (size > INT_MAX)
		return NULL;
	return allocate(size, size > KMALLOC_MAX_SIZE ? PAGE_SIZE : slab_align(size), flags);
}

void kvfree(const void *p)
{
	if (!in_interrupt())
		might_sleep();
	kfree(p);
}

size_t ksize(const void *p)
{
	return ZERO_OR_NULL_PTR(p) ? 0 : malloc_usable_size((void *)p);
}

void *krealloc(const void *p, size_t size, gfp_t flags)
{
	void *new = kmalloc(size, flags);

	if (new && !ZERO_OR_NULL_PTR(p)) {
		memcpy(new, p, min(size, ksize(p)));
		kfree(p);
	}
	return new;
}

void *kmemdup(const void *src, size_t size, gfp_t flags)
{
	void *p = kmalloc(size, flags);

	if (p)
		memcpy(p, src, size);
	return p;
}

char *kstrdup(const char *s, gfp_t flags)
{
	return s ? kmemdup(s, strlen(s) + 1, flags) : NULL;
}

char *kasprintf(gfp_t flags, const char *fmt, ...)
{
	va_list args;
	char *formatted, *s;
	int len;

	va_start(args, fmt);
	len = vasprintf(&formatted, fmt, args);
	va_end(args);
	if (len < 0)
		return NULL;
	s = kmemdup(formatted, len + 1, flags);
	free(formatted);
	return s;
}

void *__vmalloc(unsigned long size, gfp_t flags)
{
	return size ? allocate(ALIGN(size, PAGE_SIZE), PAGE_SIZE, flags) : NULL;
}

void *vmalloc(unsigned long size)
{
	return __vmalloc(size, GFP_KERNEL);
}

void *vzalloc(unsigned long size)
{
	return __vmalloc(size, GFP_KERNEL | __GFP_ZERO);
}

void vfree(const void *p)
{
	kvfree(p);
}

struct page *alloc_page(gfp_t flags)
{
	return allocate(PAGE_SIZE, PAGE_SIZE, flags);
}

void __free_page(struct page *page)
{
	release(page);
}

void *shim_alloc_percpu(size_t size, size_t align, gfp_t flags)
{
	return allocate(size, align, flags | __GFP_ZERO);
}

void free_percpu(void *p)
{
	kfree(p);
}

struct kmem_cache {
	const char *name;
	unsigned int size, align, in_use;
	void (*ctor)(void *object);
};

struct kmem_cache *kmem_cache_create(const char *name, unsigned int size, unsigned int align,
				     unsigned int flags, void (*ctor)(void *object))
{
	struct kmem_cache *cache = kmalloc(sizeof(*cache), GFP_KERNEL);

	if (cache)
		*cache = (struct kmem_cache){
			.name = name, .size = size, .ctor = ctor,
			.align = flags & SLAB_HWCACHE_ALIGN ? max(align, 64u) : align,
		};
	return cache;
}

void kmem_cache_destroy(struct kmem_cache *cache)
{
	if (!cache)
		return;
	WARN(cache->in_use, "%s: %u objects in use", cache->name, cache->in_use);
	kfree(cache);
}

void *kmem_cache_alloc(struct kmem_cache *cache, gfp_t flags)
{
	void *object = allocate(cache->size, max(cache->align, 8u), flags);

	if (!object)
		return NULL;
	cache->in_use++;
	if (cache->ctor)
		cache->ctor(object);
	return object;
}

void kmem_cache_free(struct kmem_cache *cache, void *object)
{
	WARN_ON(!cache->in_use);
	cache->in_use--;
	release(object);
}

void shim_on_write_back(void (*handler)(void *addr, size_t size))
{
	on_write_back = handler;
}

void arch_wb_cache_pmem(void *addr, size_t size)
{
	if (on_write_back)
		on_write_back(addr, size);
}

static void rcu_add(struct rcu_head *head)
{
	head->next = NULL;
	*rcu_last = head;
	rcu_last = &head->next;
}

void call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head))
{
	head->func = func;
	rcu_add(head);
}

void shim_kfree_rcu(struct rcu_head *head, const void *object)
{
	head->func = NULL;
	head->object = (void *)object;
	rcu_add(head);
}

static void rcu_call(void *arg)
{
	struct rcu_head *head = arg;

	if (head->func)
		head->func(head);
	else
		kfree(head->object);
}

bool shim_run_rcu(void)
{
	struct rcu_head *head = rcu_first, *next;

	if (!head)
		return false;
	rcu_first = NULL;
	rcu_last = &rcu_first;
	for (; head; head = next) {
		next = head->next;
		shim_run_in((struct shim_context){ .softirq = true }, rcu_call, head, head->func);
	}
	return true;
}

void shim_quiesce(void)
{
	WARN(shim_context.rcu, "inside of an RCU read section");
	while (shim_run_rcu())
		;
}

void synchronize_rcu(void)
{
	might_sleep();
	shim_run_rcu();
}

void rcu_barrier(void)
{
	might_sleep();
	shim_quiesce();
}
