/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_SLAB_H
#define SHIM_LINUX_SLAB_H

#include <linux/gfp.h>
#include <linux/overflow.h>
#include <linux/types.h>

#define ZERO_SIZE_PTR ((void *)16)
#define ZERO_OR_NULL_PTR(p) ((unsigned long)(p) <= (unsigned long)ZERO_SIZE_PTR)
#define ARCH_KMALLOC_MINALIGN 8
#define KMALLOC_MAX_SIZE (1UL << 22)

/* The allocation fails above KMALLOC_MAX_SIZE; powers of two are aligned to their size. */
void *kmalloc(size_t size, gfp_t flags) __attribute__((__malloc__));
void *krealloc(const void *p, size_t size, gfp_t flags) __must_check;
void kfree(const void *p);
/* The size has no limit. */
void *kvmalloc(size_t size, gfp_t flags) __attribute__((__malloc__));
void kvfree(const void *p);
size_t ksize(const void *p);

#define kzalloc(size, flags) kmalloc(size, (flags) | __GFP_ZERO)
#define kmalloc_array(n, size, flags) kmalloc(size_mul(n, size), flags)
#define kcalloc(n, size, flags) kzalloc(size_mul(n, size), flags)
#define kvzalloc(size, flags) kvmalloc(size, (flags) | __GFP_ZERO)
#define kvmalloc_array(n, size, flags) kvmalloc(size_mul(n, size), flags)
#define kvcalloc(n, size, flags) kvzalloc(size_mul(n, size), flags)
#define kmalloc_node(size, flags, node) kmalloc(size, flags)
#define kzalloc_node(size, flags, node) kzalloc(size, flags)
#define kvzalloc_node(size, flags, node) kvzalloc(size, flags)
#define kfree_sensitive(p) kfree(p)

void *kmemdup(const void *src, size_t size, gfp_t flags);
char *kstrdup(const char *s, gfp_t flags);
char *kasprintf(gfp_t flags, const char *fmt, ...) __printf(2, 3);

struct kmem_cache;

#define SLAB_HWCACHE_ALIGN 0x1u
#define SLAB_PANIC 0x2u
#define SLAB_ACCOUNT 0x4u

struct kmem_cache *kmem_cache_create(const char *name, unsigned int size, unsigned int align,
				     unsigned int flags, void (*ctor)(void *object));
/* Panics if an object of the cache is still in use. */
void kmem_cache_destroy(struct kmem_cache *cache);
void *kmem_cache_alloc(struct kmem_cache *cache, gfp_t flags);
#define kmem_cache_zalloc(cache, flags) kmem_cache_alloc(cache, (flags) | __GFP_ZERO)
void kmem_cache_free(struct kmem_cache *cache, void *object);

#define KMEM_CACHE(type, flags) \
	kmem_cache_create(#type, sizeof(struct type), __alignof__(struct type), flags, NULL)

#endif
