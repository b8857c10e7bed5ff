/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_PROCESSOR_H
#define SHIM_LINUX_PROCESSOR_H

#include <linux/bug.h>

/* There is one thread: nothing that it waits for ever happens. */
#define cpu_relax() BUG()

#endif
