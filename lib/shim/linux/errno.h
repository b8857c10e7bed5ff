/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_ERRNO_H
#define SHIM_LINUX_ERRNO_H

#include_next <linux/errno.h>

/* These errors are internal to the kernel; no process ever sees them. */
#define ERESTARTSYS 512
#define ENOTSUPP 524

#endif
