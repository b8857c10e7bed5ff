/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_HIGHMEM_H
#define SHIM_LINUX_HIGHMEM_H

#include <linux/mm.h>

#define kmap_local_page(page) page_address(page)
#define kunmap_local(p) ((void)(p))

#endif
