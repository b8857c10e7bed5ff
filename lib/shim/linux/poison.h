/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_POISON_H
#define SHIM_LINUX_POISON_H

#define LIST_POISON1 ((void *)0xdead000000000100)
#define LIST_POISON2 ((void *)0xdead000000000122)

#endif
