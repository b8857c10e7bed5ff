/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_HASHTABLE_H
#define SHIM_LINUX_HASHTABLE_H

#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/log2.h>

#define DEFINE_HASHTABLE(name, bits) struct hlist_head name[1 << (bits)]
#define HASH_BITS(name) ilog2(ARRAY_SIZE(name))
#define hash_min(value, bits) ((u32)(value) * 0x61c88647u >> (32 - (bits)))

#endif
