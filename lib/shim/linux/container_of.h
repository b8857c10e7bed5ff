/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_CONTAINER_OF_H
#define SHIM_LINUX_CONTAINER_OF_H

#include <linux/types.h>

#define container_of(ptr, type, member) \
	({ \
		const typeof(((type *)NULL)->member) *member_ptr = (ptr); \
		(type *)((char *)member_ptr - offsetof(type, member)); \
	})
#define container_of_const(ptr, type, member) container_of(ptr, type, member)

#endif
