/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Copying of payload between registered memory, kernel memory and packets. */
#ifndef HCA_TPT_COPY_H
#define HCA_TPT_COPY_H

#include <linux/types.h>
#include "tpt/entry.h"
#include "tpt/fragment.h"

/* Contiguous octets of a scatter/gather list. */
struct hca_segment {
	struct hca_tpt_entry *entry; /* entry, with a reference; NULL: addr is a kernel address */
	u64 addr; /* address of the first octet */
	u32 length; /* octets */
};

/* A position in an array of segments. */
struct hca_cursor {
	const struct hca_segment *segment;
	u32 offset; /* offset in *segment, octets */
};

/**
 * hca_fragment_segment() - resolve a part of one fragment
 * @tpt: table that contains the MR of @frag
 * @frag: the fragment
 * @skip: offset of the part in @frag, octets
 * @length: length of the part, octets
 * @segment: result; released by hca_segments_put()
 *
 * A fragment with the local DMA key does not have an MR: its address is a kernel address. Only
 * requests of kernel queue pairs can contain such a fragment, since the key check refuses this key
 * in other requests.
 * Context: BH disabled.
 * Return: true; false if the MR has gone.
 */
static inline bool hca_fragment_segment(struct hca_tpt *tpt, const struct hca_fragment *frag,
					u32 skip, u32 length, struct hca_segment *segment)
{
	segment->entry = NULL;
	if (frag->lkey != HCA_LOCAL_DMA_KEY) {
		segment->entry = hca_tpt_entry_get_generation(tpt, frag->lkey, frag->generation);
		if (!segment->entry)
			return false;
	}
	segment->addr = frag->addr + skip;
	segment->length = length;
	return true;
}

/**
 * hca_segment_ready() - whether a segment can be accessed now
 * @segment: result of hca_fragment_segment()
 * @write: whether the segment is to be written
 *
 * Context: BH disabled.
 * Return: 0; -EAGAIN: pages are absent, and have been requested; -EFAULT: the pages do not exist.
 */
static inline int hca_segment_ready(const struct hca_segment *segment, bool write)
{
	return segment->entry ? hca_tpt_entry_ready(segment->entry, segment->addr,
						    segment->length, write) : 0;
}

/**
 * hca_copy() - copy from segments to segments
 * @dst: position to write to; advanced by @length
 * @src: position to read from; advanced by @length
 * @length: octets; at least @length octets follow each position
 *
 * Context: any; does not sleep.
 */
void hca_copy(struct hca_cursor *dst, struct hca_cursor *src, u32 length);

/**
 * hca_copy_out() - copy from segments to contiguous kernel memory
 * @flat: memory of @length octets
 * @segment: array of segments, which have @length octets or more together
 * @length: octets
 *
 * Context: any; does not sleep.
 */
void hca_copy_out(void *flat, const struct hca_segment *segment, u32 length);

/**
 * hca_copy_in() - copy from contiguous kernel memory to segments
 * @segment: array of segments, which have @length octets or more together
 * @flat: memory of @length octets
 * @length: octets
 *
 * Context: any; does not sleep.
 */
void hca_copy_in(const struct hca_segment *segment, const void *flat, u32 length);

/**
 * hca_copy_flat() - copy from and to contiguous kernel memory
 * @dst: memory to write
 * @src: memory to read; does not overlap @dst
 * @length: octets
 *
 * The function copies payload in the way that is fastest on the processor.
 * Context: any; does not sleep.
 */
void hca_copy_flat(void *dst, const void *src, u32 length);

/**
 * hca_segments_put() - drop the references of segments
 * @segment: array of segments
 * @n: number of segments
 *
 * Context: BH disabled since the references were acquired.
 */
void hca_segments_put(struct hca_segment *segment, int n);

#endif
