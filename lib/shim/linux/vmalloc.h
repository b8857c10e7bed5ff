/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_VMALLOC_H
#define SHIM_LINUX_VMALLOC_H

#include <linux/gfp.h>
#include <linux/types.h>

/*
 * The memory is page-aligned. All of these may sleep; vfree() must not be called in bottom halves.
 */
void *vmalloc(unsigned long size);
void *vzalloc(unsigned long size);
void *__vmalloc(unsigned long size, gfp_t flags);
void vfree(const void *p);

#define vmalloc_user(size) vzalloc(size)
#define vzalloc_node(size, node) vzalloc(size)

#endif
