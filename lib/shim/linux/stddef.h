/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_STDDEF_H
#define SHIM_LINUX_STDDEF_H

#include <stddef.h>
#include_next <linux/stddef.h>

#define DECLARE_FLEX_ARRAY(type, name) __DECLARE_FLEX_ARRAY(type, name)
#define sizeof_field(type, member) sizeof(((type *)NULL)->member)
#define offsetofend(type, member) (offsetof(type, member) + sizeof_field(type, member))

#endif
