/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_MM_H
#define SHIM_LINUX_MM_H

#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/slab.h>

#define PAGE_SHIFT 12
#define PAGE_SIZE (1UL << PAGE_SHIFT)
#define PAGE_MASK (~(PAGE_SIZE - 1))
#define PAGE_ALIGN(x) ALIGN(x, PAGE_SIZE)
#define PAGE_ALIGNED(x) IS_ALIGNED((unsigned long)(x), PAGE_SIZE)
#define PFN_UP(x) (((x) + PAGE_SIZE - 1) >> PAGE_SHIFT)
#define PFN_DOWN(x) ((x) >> PAGE_SHIFT)
#define offset_in_page(p) ((unsigned long)(p) & ~PAGE_MASK)
#define NUMA_NO_NODE (-1)

/* A page is named by the address of its memory. */
struct page;

#define virt_to_page(p) ((struct page *)((unsigned long)(p) & PAGE_MASK))
#define vmalloc_to_page(p) virt_to_page(p)
#define page_address(page) ((void *)(page))

struct page *alloc_page(gfp_t flags);
void __free_page(struct page *page);

#define get_order(size) ((int)order_base_2(PFN_UP(size)))
#define __get_free_pages(flags, order) ((unsigned long)kmalloc(PAGE_SIZE << (order), flags))
#define free_pages(address, order) kfree((void *)(address))

#define page_count(page) ((void)(page), 1)
#define put_page(page) ((void)(page))
#define get_page(page) ((void)(page))

#endif
