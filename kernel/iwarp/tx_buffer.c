// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Memory into which octets to be sent are written. */
#include "iwarp/tx_buffer.h"
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>

#define TX_PAGES_GFP (GFP_ATOMIC | __GFP_COMP | __GFP_NOWARN)

struct hca_tx_buffer *hca_tx_buffer_alloc(u32 wanted, u32 least)
{
	struct hca_tx_buffer *b = kzalloc(sizeof(*b), GFP_ATOMIC | __GFP_NOWARN);
	int order = get_order(clamp_t(u32, wanted, HCA_TX_BUFFER_MIN, HCA_TX_BUFFER_MAX));

	if (!b)
		return NULL;
	/* Memory may be too fragmented for a large page. */
	for (; order >= 0 && PAGE_SIZE << order >= least; order--) {
		b->data = (u8 *)__get_free_pages(TX_PAGES_GFP, order);
		if (!b->data)
			continue;
		b->size = PAGE_SIZE << order;
		return b;
	}
	kfree(b);
	return NULL;
}

void hca_tx_buffer_free(struct hca_tx_buffer *b)
{
	if (!b)
		return;
	free_pages((unsigned long)b->data, get_order(b->size));
	kfree(b);
}
