// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Registered memory and its model. A request uses segments that no other request uses meanwhile;
 * when it releases them they are overwritten, both in memory and in the model, so that later
 * accesses by the core are detected.
 */
#include <stdlib.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/string.h>
#include "sim.h"
#include "tests/consumer/consumer.h"

#define GUARD 0x7e

static u8 scratch[SIM_MAX_LENGTH + 64];

static u8 *area_page(const struct sim_area *area, u32 at)
{
	return (u8 *)area->page[at / PAGE_SIZE] + at % PAGE_SIZE;
}

/* @write: true copies from octets to memory */
static void area_touch(const struct sim_area *area, u32 offset, u8 *octets, u32 length, bool write)
{
	consumer_access(area->page, area->first_offset + offset, octets, length, write);
}

static void area_shuffle(struct sim_area *area)
{
	u32 i;

	for (i = 0; i < area->num_pages; i++)
		area->page[i] = area->backing + i * PAGE_SIZE;
	for (i = area->num_pages; i > 1; i--) {
		u32 other = sim_below(i);

		swap(area->page[i - 1], area->page[other]);
	}
}

struct sim_area *sim_area_new(struct sim_process *process, u32 length, u32 access)
{
	struct sim_area *area = calloc(1, sizeof(*area));
	struct hca_tpt_entry mr = { .length = length, .pd = process, .access = access };

	area->node = process->node;
	area->length = length;
	area->access = access;
	area->first_offset = 64 + sim_below(PAGE_SIZE - 64);
	area->num_pages = (area->first_offset + length) / PAGE_SIZE + 1;
	area->iova = ((u64)sim_below(1 << 20) << 24) + area->first_offset;
	area->backing = aligned_alloc(PAGE_SIZE, area->num_pages * PAGE_SIZE);
	memset(area->backing, GUARD, area->num_pages * PAGE_SIZE);
	area->page = calloc(area->num_pages, sizeof(*area->page));
	area_shuffle(area);
	area->model = malloc(length);
	sim_fill(area->model, length);
	area_touch(area, 0, area->model, length, true);
	INIT_LIST_HEAD(&area->spans);

	mr.page = area->page;
	mr.first_offset = area->first_offset;
	mr.iova = area->iova;
	area->mr = consumer_reg_mr(area->node->ci, &mr);
	if (!area->mr)
		sim_fail("no MR");
	area->key = area->mr->key;
	return area;
}

/*
 * From now on nothing may change the memory; transfers in progress may or may not have reached it.
 */
void sim_area_deregister(struct sim_area *area)
{
	struct sim_span *span;

	sim_trace(area->node->index, "deregister key %x", area->key);
	hca_tpt_entry_remove(&area->node->ci->tpt, area->mr);
	area->mr = NULL;
	list_for_each_entry(span, &area->spans, node)
		area_touch(area, span->offset, area->model + span->offset, span->length, false);
}

void sim_area_free(struct sim_area *area)
{
	if (area->mr)
		hca_tpt_entry_remove(&area->node->ci->tpt, area->mr);
	free(area->page);
	free(area->backing);
	free(area->model);
	free(area);
}

static const struct sim_span *area_user(const struct sim_area *area, u32 offset)
{
	const struct sim_span *span;

	list_for_each_entry(span, &area->spans, node)
		if (offset >= span->offset && offset - span->offset < span->length)
			return span;
	return NULL;
}

static void area_check_guards(const struct sim_area *area)
{
	u32 end = area->first_offset + area->length;
	u32 at;

	for (at = 0; at < area->first_offset; at++)
		if (*area_page(area, at) != GUARD)
			sim_fail("node%d: written %u octets before the MR with key %x",
				 area->node->index, area->first_offset - at, area->key);
	for (at = end; at < area->num_pages * PAGE_SIZE; at++)
		if (*area_page(area, at) != GUARD)
			sim_fail("node%d: written %u octets behind the MR with key %x",
				 area->node->index, at - end, area->key);
}

/* Compare all memory that no request uses with the model. */
void sim_area_check(const struct sim_area *area)
{
	u32 offset = 0, i;

	area_check_guards(area);
	while (offset < area->length) {
		u32 at = area->first_offset + offset;
		u32 n = min_t(u32, area->length - offset, PAGE_SIZE - at % PAGE_SIZE);
		const u8 *octet = area_page(area, at);

		for (i = 0; memcmp(octet, area->model + offset, n) && i < n; i++)
			if (octet[i] != area->model[offset + i] && !area_user(area, offset + i))
				sim_fail("node%d: octet %u of the MR with key %x (address %llx) "
					 "was written when nobody should",
					 area->node->index, offset + i, area->key,
					 (unsigned long long)area->iova + offset + i);
		offset += n;
	}
}

static bool area_is_free(const struct sim_area *area, u32 offset, u32 length)
{
	const struct sim_span *span;

	list_for_each_entry(span, &area->spans, node)
		if (offset < span->offset + span->length && span->offset < offset + length)
			return false;
	return true;
}

static u32 area_random_offset(const struct sim_area *area, u32 length, u32 align)
{
	u32 room = area->length - length;
	u32 offset;

	switch (sim_below(8)) {
	case 0:
		offset = 0;
		break;
	case 1:
		offset = room;
		break;
	default:
		offset = sim_below(room + 1);
	}
	return offset - min_t(u32, offset, (area->iova + offset) % align);
}

/* Reserve a free segment with these rights; false: none was found where it was tried. */
bool sim_span_alloc(struct sim_span *span, struct sim_process *process, u32 length, u32 access,
		    u32 align)
{
	int tries;

	for (tries = 0; tries < 12; tries++) {
		struct sim_area *area = process->area[sim_below(SIM_MAX_AREAS)];
		u32 offset;

		if (!area || !area->mr || (area->access & access) != access ||
		    area->length < length)
			continue;
		offset = area_random_offset(area, length, align);
		if ((area->iova + offset) % align || !area_is_free(area, offset, length))
			continue;
		*span = (struct sim_span){ .area = area, .offset = offset, .length = length };
		list_add_tail(&span->node, &area->spans);
		return true;
	}
	return false;
}

/* Release the segment. Memory that is deregistered is not overwritten: the kernel may reuse it. */
void sim_span_drop(struct sim_span *span)
{
	struct sim_area *area = span->area;

	if (!area)
		return;
	list_del(&span->node);
	span->area = NULL;
	if (!area->mr)
		return;
	sim_fill(area->model + span->offset, span->length);
	area_touch(area, span->offset, area->model + span->offset, span->length, true);
}

void sim_spans_drop(struct sim_span *span, int n)
{
	while (n--)
		sim_span_drop(span++);
}

u64 sim_span_addr(const struct sim_span *span)
{
	return span->area->iova + span->offset;
}

void sim_span_read(const struct sim_span *span, u8 *octets)
{
	area_touch(span->area, span->offset, octets, span->length, false);
}

/* Compare segments with a message that would begin @skip octets from their start. */
struct sim_likeness sim_spans_compare(const struct sim_span *span, int n, u32 skip,
				      const u8 *message,
				      u32 length)
{
	struct sim_likeness like = { true, true, true, true };
	u32 at = 0, i; /* offset in all segments together */

	for (; n--; span++) {
		const u8 *old;

		if (!span->area)
			continue;
		old = span->area->model + span->offset;
		sim_span_read(span, scratch);
		for (i = 0; i < span->length; i++, at++) {
			bool same = scratch[i] == old[i];
			bool inside = at >= skip && at - skip < length;
			bool new = inside && scratch[i] == message[at - skip];

			like.old &= same;
			like.rest &= inside || same;
			like.fresh &= !inside || new;
			like.either &= same || new;
		}
	}
	like.fresh &= at >= skip + length || !length;
	return like;
}
