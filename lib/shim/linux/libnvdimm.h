/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_LIBNVDIMM_H
#define SHIM_LINUX_LIBNVDIMM_H

#include <linux/types.h>

void arch_wb_cache_pmem(void *addr, size_t size);

#endif
