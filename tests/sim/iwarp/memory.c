// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Memory of the nodes, the ranges of it that requests use, and MRs that are to be invalidated. */
#include <stdlib.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "tests/sim/iwarp/iwsim.h"

#define MEMORY_ATTEMPTS 8 /* to find a range that nothing uses */

static bool memory_is_free(const struct iwsim_node *node, u32 offset, u32 length)
{
	const struct iwsim_span *span;

	list_for_each_entry(span, &node->spans, in_node)
		if (offset < span->offset + span->length && span->offset < offset + length)
			return false;
	return true;
}

static struct iwsim_span *memory_span(struct iwsim_node *node, u32 length)
{
	struct iwsim_span *span;
	u32 offset, i;

	for (i = 0; i < MEMORY_ATTEMPTS; i++) {
		offset = sim_below(node->octets - length);
		if (memory_is_free(node, offset, length))
			break;
	}
	if (i == MEMORY_ATTEMPTS)
		return NULL;
	span = malloc(sizeof(*span));
	*span = (struct iwsim_span){ .node = node, .offset = offset, .length = length };
	list_add_tail(&span->in_node, &node->spans);
	return span;
}

bool iwsim_buffer_new(struct iwsim_buffer *b, struct iwsim_node *node, u32 length, u32 spans)
{
	u32 left = length, now;

	memset(b, 0, sizeof(*b));
	do {
		now = b->count + 1 < spans && left && sim_chance(1, 4) ? sim_below(left) : left;
		b->span[b->count] = memory_span(node, now);
		if (!b->span[b->count]) {
			iwsim_buffer_free(b);
			return false;
		}
		b->count++;
		b->length += now;
		left -= now;
	} while (left);
	return true;
}

static const u8 *memory_at(const struct iwsim_span *span, bool model)
{
	return (model ? span->node->model : span->node->memory) + span->offset;
}

void iwsim_buffer_get(const struct iwsim_buffer *b, u8 *octets, bool model)
{
	u32 i;

	for (i = 0; i < b->count; i++) {
		memcpy(octets, memory_at(b->span[i], model), b->span[i]->length);
		octets += b->span[i]->length;
	}
}

u32 iwsim_buffer_placed(const struct iwsim_buffer *b, const u8 *data, u32 length)
{
	u8 *now = malloc(b->length + 1), *old = malloc(b->length + 1);
	u32 placed = 0, i;

	length = min(length, b->length);
	iwsim_buffer_get(b, now, false);
	iwsim_buffer_get(b, old, true);
	while (placed < length && now[placed] == data[placed])
		placed++;
	for (i = placed; i < b->length; i++)
		if (now[i] != old[i])
			sim_fail("node%d: octet %u of a message of %u is neither old nor new, behind %u new ones",
				 b->span[0]->node->index, i, length, placed);
	free(now);
	free(old);
	return placed;
}

void iwsim_buffer_accept(const struct iwsim_buffer *b)
{
	u32 i;

	for (i = 0; i < b->count; i++)
		memcpy(b->span[i]->node->model + b->span[i]->offset,
		       memory_at(b->span[i], false), b->span[i]->length);
}

bool iwsim_buffer_changed(const struct iwsim_buffer *b)
{
	u32 i;

	for (i = 0; i < b->count; i++)
		if (memcmp(memory_at(b->span[i], false), memory_at(b->span[i], true),
			   b->span[i]->length))
			return true;
	return false;
}

/* A request that is executed twice, or that reads too late, is noticed. */
static void memory_overwrite(const struct iwsim_span *span)
{
	sim_fill(span->node->memory + span->offset, span->length);
	memcpy(span->node->model + span->offset, memory_at(span, false), span->length);
}

void iwsim_buffer_free(struct iwsim_buffer *b)
{
	u32 i;

	if (iwsim_buffer_changed(b))
		sim_fail("node%d: memory of a request has changed that must not",
			 b->span[0]->node->index);
	for (i = 0; i < b->count; i++) {
		struct iwsim_span *span = b->span[i];

		memory_overwrite(span);
		list_del(&span->in_node);
		free(span);
	}
	memset(b, 0, sizeof(*b));
}

void iwsim_key_new(struct iwsim_key *key, struct iwsim_node *node)
{
	struct hca_tpt_entry *mr = kzalloc(sizeof(*mr), GFP_KERNEL);

	mr->kind = HCA_TPT_FAST_MR;
	mr->page = node->page;
	mr->iova = IWSIM_BASE;
	mr->length = node->octets;
	mr->pd = node;
	mr->access = IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE |
		     IB_UVERBS_ACCESS_REMOTE_READ;
	if (hca_tpt_entry_add(&node->rnic.ci.tpt, mr))
		sim_fail("no MR");
	*key = (struct iwsim_key){ .node = node, .mr = mr, .key = mr->key };
}

void iwsim_grant_new(struct iwsim_key *key, struct iwsim_node *node, bool is_window)
{
	struct hca_tpt_entry *entry = kzalloc(sizeof(*entry), GFP_KERNEL);

	entry->kind = is_window ? HCA_TPT_MW_2 : HCA_TPT_FAST_MR;
	entry->pd = node;
	if (!is_window) {
		entry->page = node->page;
		entry->next_page = node->page;
		entry->num_next_pages = node->octets / PAGE_SIZE;
	}
	if (hca_tpt_entry_add(&node->rnic.ci.tpt, entry))
		sim_fail("no key");
	*key = (struct iwsim_key){
		.node = node, .mr = entry,
		.key = (entry->key & ~0xffu) | ((entry->key + 1) & 0xff),
	};
}

void iwsim_key_free(struct iwsim_key *key)
{
	if (key->mr)
		hca_tpt_entry_remove(&key->node->rnic.ci.tpt, key->mr);
	key->mr = NULL;
}

void iwsim_memory_check(const struct iwsim_node *node)
{
	u32 i;

	if (!memcmp(node->memory, node->model, node->octets))
		return;
	for (i = 0; node->memory[i] == node->model[i]; i++)
		;
	sim_fail("node%d: octet %u of its memory is wrong", node->index, i);
}
