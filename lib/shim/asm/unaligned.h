/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_ASM_UNALIGNED_H
#define SHIM_ASM_UNALIGNED_H

#include <linux/unaligned.h>

#endif
