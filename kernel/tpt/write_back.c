// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Writing processor caches back to persistent memory. */
#include "tpt/write_back.h"
#include <asm/barrier.h>
#include <linux/kernel.h>
#include <linux/libnvdimm.h>
#include <linux/mm.h>

void hca_tpt_entry_write_back(const struct hca_tpt_entry *entry, u64 addr, u64 length)
{
	while (length) {
		void *at = hca_tpt_entry_map(entry, addr);
		u64 octets = min_t(u64, length, PAGE_SIZE - offset_in_page(at));

		arch_wb_cache_pmem(at, octets);
		addr += octets;
		length -= octets;
	}
	wmb(); /* complete the write-back of the caches before later writes */
}
