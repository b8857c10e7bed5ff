/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The one copy there is. */
#ifndef HCA_TPT_COPY_H
#define HCA_TPT_COPY_H

#include <linux/types.h>
#include "tpt/entry.h"

/* A run of octets that may be touched; region NULL: addr is a kernel address. */
struct hca_segment {
	struct hca_tpt_entry *region;
	u64 addr;
	u32 length; /* octets */
};

/* Pieces, and how far they have been used up. */
struct hca_cursor {
	const struct hca_segment *segment;
	u32 offset; /* in *piece */
};

/**
 * hca_copy() - copy from pieces to pieces
 * @dst: where to; advanced
 * @src: where from; advanced
 * @length: octets; both have as many
 *
 * All payload goes through here. Context: any; does not sleep.
 */
void hca_copy(struct hca_cursor *dst, struct hca_cursor *src, u32 length);

/**
 * hca_copy_out() - copy from pieces to flat memory
 * hca_copy_in() - copy from flat memory to pieces
 * @flat: the memory
 * @segment: the pieces, @length octets or more together
 * @length: octets
 */
void hca_copy_out(void *flat, const struct hca_segment *segment, u32 length);
void hca_copy_in(const struct hca_segment *segment, const void *flat, u32 length);

/* Flat memory to flat memory, the same way. */
void hca_copy_flat(void *dst, const void *src, u32 length);

/* Give back the regions of pieces. */
void hca_segments_put(struct hca_segment *segment, int n);

#endif
