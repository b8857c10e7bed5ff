// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Memory regions whose pages are anywhere. */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "consumer.h"
#include "qp/ci.h"

struct hca_tpt_entry *consumer_reg_mr(struct hca_ci *ci, const struct hca_tpt_entry *mr)
{
	struct hca_tpt_entry *entry = kzalloc(sizeof(*entry), GFP_KERNEL);

	if (!entry)
		return NULL;
	entry->page = mr->page;
	entry->first_offset = mr->first_offset;
	entry->iova = mr->iova;
	entry->length = mr->length;
	entry->pd = mr->pd;
	entry->access = mr->access;
	if (!hca_tpt_entry_add(&ci->tpt, entry))
		return entry;
	kfree(entry);
	return NULL;
}

void consumer_access(void *const *page, u32 at, u8 *octets, u32 length, bool write)
{
	while (length) {
		u8 *there = (u8 *)page[at / PAGE_SIZE] + at % PAGE_SIZE;
		u32 n = min_t(u32, length, PAGE_SIZE - at % PAGE_SIZE);

		if (write)
			memcpy(there, octets, n);
		else
			memcpy(octets, there, n);
		at += n;
		octets += n;
		length -= n;
	}
}
