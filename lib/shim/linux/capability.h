/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_CAPABILITY_H
#define SHIM_LINUX_CAPABILITY_H

#include <linux/types.h>

#define CAP_IPC_LOCK 14

bool capable(int cap);

#endif
