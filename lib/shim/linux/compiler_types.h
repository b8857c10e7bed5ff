/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_COMPILER_TYPES_H
#define SHIM_LINUX_COMPILER_TYPES_H

#include <linux/compiler.h>

#endif
