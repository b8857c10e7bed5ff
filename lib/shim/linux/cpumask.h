/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_CPUMASK_H
#define SHIM_LINUX_CPUMASK_H

#include <linux/smp.h>

#endif
