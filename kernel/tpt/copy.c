// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Copying of payload between registered memory, kernel memory and packets. */
#include "tpt/copy.h"
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/string.h>
#include "compat.h"

/*
 * rep movsq copies 8 octets at a time without a call of memcpy(). The instruction is not used for
 * 256 octets or less, because its start costs more than it saves. It is not used on processors with
 * fast short rep mov (FSRM) either, because memcpy() itself uses rep mov there.
 */
void hca_copy_flat(void *dst, const void *src, u32 length)
{
#ifdef HCA_REP_MOVSQ
	if (length > 256 && !static_cpu_has(X86_FEATURE_FSRM)) {
		unsigned long qwords = length / 8;

		asm volatile("rep movsq" : "+D"(dst), "+S"(src), "+c"(qwords) : : "memory");
		length &= 7;
	}
#endif
	memcpy(dst, src, length);
}

/* Do the work of copy_map_cursor() for an entry with an array of pages. Pages may be contiguous. */
static void *copy_map_pages(const struct hca_tpt_entry *entry, u64 addr, u32 most, u32 *room)
{
	u64 offset = addr - entry->iova + entry->first_offset;
	void *const *page = entry->page + (offset >> PAGE_SHIFT);
	void *at = (u8 *)*page + offset_in_page(offset);
	u32 octets = PAGE_SIZE - offset_in_page(offset);

	for (; octets < most && page[1] == (u8 *)page[0] + PAGE_SIZE; page++)
		octets += PAGE_SIZE;
	*room = min(octets, most);
	return at;
}

/*
 * Return: the kernel address of position @c; NULL for the null MR. *@room is set to the number of
 * contiguous octets from that address on, at most @most.
 */
static void *copy_map_cursor(const struct hca_cursor *c, u32 most, u32 *room)
{
	const struct hca_segment *segment = c->segment;
	u64 addr = segment->addr + c->offset;
	void *at;

	most = min(segment->length - c->offset, most);
	*room = most;
	if (!segment->entry)
		return (void *)(uintptr_t)addr;
	if (unlikely(segment->entry->kind == HCA_TPT_NULL))
		return NULL;
	if (segment->entry->page)
		return copy_map_pages(segment->entry, addr, most, room);
	at = hca_tpt_entry_map(segment->entry, addr);
	if (segment->entry->odp)
		*room = min_t(u32, most, PAGE_SIZE - offset_in_page(at));
	return at;
}

/*
 * Copy between addresses that copy_map_cursor() has returned. NULL means the null MR, which reads
 * as zeroes and ignores writes.
 */
static void copy_mapped(void *to, const void *from, u32 length)
{
	if (unlikely(!to))
		return;
	if (likely(from))
		hca_copy_flat(to, from, length);
	else
		memset(to, 0, length);
}

static void copy_advance_cursor(struct hca_cursor *c, u32 n)
{
	c->offset += n;
	if (c->offset == c->segment->length) {
		c->segment++;
		c->offset = 0;
	}
}

void hca_copy(struct hca_cursor *dst, struct hca_cursor *src, u32 length)
{
	while (length) {
		u32 to_room, n;
		void *to = copy_map_cursor(dst, length, &to_room);
		void *from = copy_map_cursor(src, to_room, &n);

		copy_mapped(to, from, n);
		copy_advance_cursor(dst, n);
		copy_advance_cursor(src, n);
		length -= n;
	}
}

void hca_copy_out(void *flat, const struct hca_segment *segment, u32 length)
{
	struct hca_cursor src = { .segment = segment };
	u32 n;

	while (length) {
		const void *from = copy_map_cursor(&src, length, &n);

		copy_mapped(flat, from, n);
		flat = (u8 *)flat + n;
		length -= n;
		if (length)
			copy_advance_cursor(&src, n);
	}
}

void hca_copy_in(const struct hca_segment *segment, const void *flat, u32 length)
{
	struct hca_cursor dst = { .segment = segment };
	u32 n;

	while (length) {
		void *to = copy_map_cursor(&dst, length, &n);

		copy_mapped(to, flat, n);
		flat = (const u8 *)flat + n;
		length -= n;
		if (length)
			copy_advance_cursor(&dst, n);
	}
}

void hca_segments_put(struct hca_segment *segment, int n)
{
	for (; n > 0; n--, segment++)
		if (segment->entry)
			hca_tpt_entry_put(segment->entry);
}
