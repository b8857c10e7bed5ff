// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Memory into which octets to be sent are written. */
#include "iwarp/tx_buffer.h"
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/slab.h>

#define TX_PAGES_GFP (GFP_ATOMIC | __GFP_COMP | __GFP_NOWARN)

/* Octets at the end of a page that are not worth keeping. */
#define TX_REST_MIN 256

/*
 * Buffers that were freed when TCP still had references to their pages, which would not have been
 * free therefore. Each is without memory if there is none.
 */
struct tx_kept {
	/* A buffer of one page, which is written further. */
	struct hca_tx_buffer rest;
	/*
	 * One of HCA_TX_BUFFER_MAX, which is written anew when TCP has no references any more. The
	 * kernel would clear pages that it allocates, which costs as much as a copy.
	 */
	struct hca_tx_buffer spare;
};

static DEFINE_PER_CPU(struct tx_kept, tx_kept);

static bool tx_is_shared(const struct hca_tx_buffer *b)
{
	return page_count(virt_to_page(b->data)) > 1;
}

static void tx_free_pages(struct hca_tx_buffer *b)
{
	if (b->data)
		free_pages((unsigned long)b->data, get_order(b->size));
	*b = (struct hca_tx_buffer){ .data = NULL };
}

/* Take a buffer that is kept on this CPU. Return: whether there is one. */
static bool tx_get_kept(struct hca_tx_buffer *b, u32 wanted, u32 least)
{
	struct tx_kept *kept = this_cpu_ptr(&tx_kept);
	bool is_found = false;

	if (wanted <= PAGE_SIZE) {
		is_found = kept->rest.size - kept->rest.used >= least;
		if (is_found)
			swap(*b, kept->rest);
		else
			tx_free_pages(&kept->rest);
	} else if (wanted > HCA_TX_BUFFER_MAX / 2 && kept->spare.data) {
		is_found = !tx_is_shared(&kept->spare);
		if (is_found)
			swap(*b, kept->spare);
	}
	return is_found;
}

/* Keep a buffer on this CPU. Return: false: another one is kept. */
static bool tx_keep(const struct hca_tx_buffer *b)
{
	struct tx_kept *kept = this_cpu_ptr(&tx_kept);
	bool is_large = b->size == HCA_TX_BUFFER_MAX;
	struct hca_tx_buffer *place = is_large ? &kept->spare : &kept->rest;

	if (place->data)
		return false;
	*place = *b;
	if (is_large)
		place->used = 0;
	return true;
}

/* Whether a buffer that is freed can be of use. */
static bool tx_is_useful(const struct hca_tx_buffer *b)
{
	if (!b->data || !tx_is_shared(b))
		return false;
	return b->size == HCA_TX_BUFFER_MAX ||
	       (b->size == PAGE_SIZE && b->size - b->used >= TX_REST_MIN);
}

bool hca_tx_buffer_alloc(struct hca_tx_buffer *b, u32 wanted, u32 least)
{
	int order = get_order(clamp_t(u32, wanted, HCA_TX_BUFFER_MIN, HCA_TX_BUFFER_MAX));

	*b = (struct hca_tx_buffer){ .data = NULL };
	if (tx_get_kept(b, wanted, least)) {
		b->sent = b->used;
		return true;
	}
	/* Memory may be too fragmented for a large page. */
	for (; order >= 0 && PAGE_SIZE << order >= least; order--) {
		b->data = (u8 *)__get_free_pages(TX_PAGES_GFP, order);
		b->size = PAGE_SIZE << order;
		if (b->data)
			return true;
	}
	b->size = 0;
	return false;
}

void hca_tx_buffer_free(struct hca_tx_buffer *b)
{
	if (tx_is_useful(b) && tx_keep(b))
		*b = (struct hca_tx_buffer){ .data = NULL };
	else
		tx_free_pages(b);
}

void hca_tx_buffer_stop(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		tx_free_pages(&per_cpu_ptr(&tx_kept, cpu)->rest);
		tx_free_pages(&per_cpu_ptr(&tx_kept, cpu)->spare);
	}
}
