/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Copying of payload between registered memory, kernel memory and packets. */
#ifndef HCA_TPT_COPY_H
#define HCA_TPT_COPY_H

#include <linux/types.h>
#include "tpt/entry.h"

/* Contiguous octets of a scatter/gather list; entry NULL: addr is a kernel address. */
struct hca_segment {
	struct hca_tpt_entry *entry; /* with a reference */
	u64 addr; /* address of the first octet */
	u32 length; /* octets */
};

/* A position in an array of segments. */
struct hca_cursor {
	const struct hca_segment *segment;
	u32 offset; /* in *segment, octets */
};

/**
 * hca_copy() - copy from segments to segments
 * @dst: position to write to; advanced by @length
 * @src: position to read from; advanced by @length
 * @length: octets; both positions have at least as many left
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
 * hca_copy_flat() - copy between contiguous kernel memory
 * @dst: memory to write
 * @src: memory to read; does not overlap @dst
 * @length: octets
 *
 * The function copies payload in the fastest way that the processor has.
 * Context: any; does not sleep.
 */
void hca_copy_flat(void *dst, const void *src, u32 length);

/**
 * hca_segments_put() - drop the references of segments
 * @segment: array of segments
 * @n: number of segments
 *
 * Context: BH disabled, as for hca_tpt_entry_put().
 */
void hca_segments_put(struct hca_segment *segment, int n);

#endif
