// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Writing and reading of FPDUs and of the markers in them. */
#include "iwarp/wire/fpdu.h"
#include <linux/align.h>
#include <linux/crc32c.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "compat.h"

#define ALIGNMENT 4
#define NEVER U32_MAX /* octets to a marker if there are none */
#define MULPDU_MIN 128
#define FPDUPTR_MASK 0xfffc /* the two lowest bits are reserved */

/* Octets from a position in the stream to the next marker; 0 if a marker is due there. */
static u32 octets_to_marker(u64 position)
{
	return -position & (HCA_MARKER_INTERVAL - 1);
}

/* A CRC of MPA, which is sent with the least significant octet first, begins with this value. */
static u32 crc_seed(void)
{
	return ~0u;
}

u32 hca_mulpdu(u32 emss, bool markers)
{
	u32 overhead;

	emss = min_t(u32, emss, HCA_ULPDU_MAX);
	overhead = HCA_FPDU_LENGTH_BYTES + HCA_FPDU_CRC_BYTES + emss % ALIGNMENT;
	if (markers)
		overhead += HCA_MARKER_BYTES * DIV_ROUND_UP(emss, HCA_MARKER_INTERVAL);
	return max_t(u32, emss, MULPDU_MIN + overhead) - overhead;
}

u32 hca_fpdu_bytes(u16 length, u64 position, bool markers)
{
	u32 bytes = ALIGN(HCA_FPDU_LENGTH_BYTES + (u32)length, ALIGNMENT) + HCA_FPDU_CRC_BYTES;
	u32 before = octets_to_marker(position);

	if (!markers || bytes <= before)
		return bytes;
	return bytes + HCA_MARKER_BYTES *
		       DIV_ROUND_UP(bytes - before, HCA_MARKER_INTERVAL - HCA_MARKER_BYTES);
}

/* Write the marker that is due. */
static void put_marker(struct hca_fpdu_tx *tx)
{
	u32 distance = tx->next - tx->length;

	put_unaligned_be32(distance & FPDUPTR_MASK, tx->next);
	tx->next += HCA_MARKER_BYTES;
	tx->marker += HCA_MARKER_INTERVAL;
}

void hca_fpdu_begin(struct hca_fpdu_tx *tx, u8 *buf, u16 length, u64 position, bool markers)
{
	tx->start = buf;
	tx->length = buf;
	tx->next = buf;
	tx->marker = markers ? buf + octets_to_marker(position) : NULL;
	if (tx->next == tx->marker) {
		/* A marker before ULPDU_Length belongs to this FPDU, and points to nothing. */
		put_marker(tx);
		tx->length = tx->next;
	}
	put_unaligned_be16(length, tx->next);
	tx->next += HCA_FPDU_LENGTH_BYTES;
}

u8 *hca_fpdu_reserve(struct hca_fpdu_tx *tx, u32 *octets)
{
	u8 *reserved;

	if (tx->next == tx->marker)
		put_marker(tx);
	if (tx->marker)
		*octets = min_t(u32, *octets, tx->marker - tx->next);
	reserved = tx->next;
	tx->next += *octets;
	return reserved;
}

void hca_fpdu_put(struct hca_fpdu_tx *tx, const void *data, u32 octets)
{
	u8 *reserved;
	u32 now;

	for (; octets; octets -= now, data += now) {
		now = octets;
		reserved = hca_fpdu_reserve(tx, &now);
		memcpy(reserved, data, now);
	}
}

u32 hca_fpdu_end(struct hca_fpdu_tx *tx, bool crc)
{
	static const u8 padding[ALIGNMENT];
	u32 octets = HCA_FPDU_CRC_BYTES;
	u8 *field;

	/* Markers have as many octets as the alignment, so that they do not count here. */
	hca_fpdu_put(tx, padding, -(tx->next - tx->start) & (ALIGNMENT - 1));
	field = hca_fpdu_reserve(tx, &octets);
	put_unaligned_le32(crc ? ~crc32c(crc_seed(), tx->start, field - tx->start) : 0, field);
	return tx->next - tx->start;
}

/* Get the next contiguous octets, with markers; @left and @marker are not changed. */
static struct hca_octets raw_next(struct hca_ulpdu *place, u32 most)
{
	struct hca_octets next = { NULL, 0 };

	while (place->ranges && place->offset == place->range->length) {
		place->range++;
		place->ranges--;
		place->offset = 0;
	}
	if (!place->ranges)
		return next;
	next.data = place->range->data + place->offset;
	next.length = min(most, place->range->length - place->offset);
	place->offset += next.length;
	return next;
}

/* Copy the next octets, with markers, to @to, which may be NULL. Return: octets copied. */
static u32 raw_copy(struct hca_ulpdu *place, u8 *to, u32 octets)
{
	struct hca_octets next;
	u32 done;

	for (done = 0; done < octets; done += next.length) {
		next = raw_next(place, octets - done);
		if (!next.length)
			break;
		if (to)
			memcpy(to + done, next.data, next.length);
	}
	return done;
}

/* Go behind the next octets, with markers. Usually they lie in one range. */
static void raw_skip(struct hca_ulpdu *place, u32 octets)
{
	if (likely(place->ranges && octets <= place->range->length - place->offset))
		place->offset += octets;
	else
		raw_copy(place, NULL, octets);
}

static struct hca_ulpdu ulpdu_begin(const struct hca_octets *range, unsigned int ranges)
{
	return (struct hca_ulpdu){ .range = range, .ranges = ranges };
}

static u64 octets_of(const struct hca_octets *range, unsigned int ranges)
{
	u64 octets = 0;

	for (; ranges; range++, ranges--)
		octets += range->length;
	return octets;
}

/* Return: ULPDU_Length, which is behind @before octets, in one range or in two. */
static u16 length_apart(const struct hca_octets *range, unsigned int ranges, u32 before)
{
	struct hca_ulpdu place = ulpdu_begin(range, ranges);
	u8 length[HCA_FPDU_LENGTH_BYTES] = { 0 };

	raw_skip(&place, before);
	raw_copy(&place, length, sizeof(length));
	return get_unaligned_be16(length);
}

u32 hca_fpdu_parse(struct hca_fpdu_rx *rx, const struct hca_octets *range, unsigned int ranges,
		   u64 position, bool markers)
{
	u32 lead = markers ? octets_to_marker(position) : NEVER;
	u32 before = lead ? 0 : HCA_MARKER_BYTES;

	if (likely(ranges && range->length >= before + HCA_FPDU_LENGTH_BYTES))
		rx->length = get_unaligned_be16(range->data + before);
	else if (octets_of(range, ranges) >= before + HCA_FPDU_LENGTH_BYTES)
		rx->length = length_apart(range, ranges, before);
	else
		return before + HCA_FPDU_LENGTH_BYTES;
	rx->range = range;
	rx->ranges = ranges;
	rx->lead = lead;
	rx->bytes = hca_fpdu_bytes(rx->length, position, markers);
	return rx->bytes;
}

/* Whether the CRC of an FPDU that lies in one range is right. */
static bool crc_is_right_flat(const u8 *octets, u32 length)
{
	return get_unaligned_le32(octets + length) == ~crc32c(crc_seed(), octets, length);
}

static bool crc_is_right(const struct hca_fpdu_rx *rx)
{
	struct hca_ulpdu place = ulpdu_begin(rx->range, rx->ranges);
	u32 crc = crc_seed(), left = rx->bytes - HCA_FPDU_CRC_BYTES;
	u8 field[HCA_FPDU_CRC_BYTES];
	struct hca_octets next;

	if (likely(rx->ranges && rx->range->length >= rx->bytes))
		return crc_is_right_flat(rx->range->data, left);
	for (; left; left -= next.length) {
		next = raw_next(&place, left);
		if (!next.length)
			return false;
		crc = crc32c(crc, next.data, next.length);
	}
	return raw_copy(&place, field, sizeof(field)) == sizeof(field) &&
	       get_unaligned_le32(field) == ~crc;
}

/* Whether all markers point to ULPDU_Length. Their first 16 bits are reserved. */
static bool markers_are_right(const struct hca_fpdu_rx *rx)
{
	struct hca_ulpdu place = ulpdu_begin(rx->range, rx->ranges);
	u32 at, length = rx->lead ? 0 : HCA_MARKER_BYTES;
	u8 marker[HCA_MARKER_BYTES];

	if (rx->lead >= rx->bytes)
		return true;
	raw_copy(&place, NULL, rx->lead);
	for (at = rx->lead; at < rx->bytes; at += HCA_MARKER_INTERVAL) {
		u32 distance = at ? at - length : 0;

		if (raw_copy(&place, marker, sizeof(marker)) < sizeof(marker) ||
		    (get_unaligned_be16(marker + 2) ^ distance) & FPDUPTR_MASK)
			return false;
		raw_copy(&place, NULL, HCA_MARKER_INTERVAL - HCA_MARKER_BYTES);
	}
	return true;
}

enum hca_iwarp_error hca_fpdu_check(const struct hca_fpdu_rx *rx, bool crc)
{
	if (crc && !crc_is_right(rx))
		return HCA_ERR_MPA_CRC;
	return markers_are_right(rx) ? HCA_IWARP_OK : HCA_ERR_MPA_MARKER;
}

void hca_ulpdu_begin(struct hca_ulpdu *ulpdu, const struct hca_fpdu_rx *rx)
{
	u32 before = (rx->lead ? 0 : HCA_MARKER_BYTES) + HCA_FPDU_LENGTH_BYTES;

	*ulpdu = ulpdu_begin(rx->range, rx->ranges);
	raw_skip(ulpdu, before);
	ulpdu->marker = rx->lead ? rx->lead : HCA_MARKER_INTERVAL;
	if (ulpdu->marker != NEVER)
		ulpdu->marker -= before;
	ulpdu->left = rx->length;
}

/*
 * Go behind the next octets of a ULPDU if they lie in one range, without a marker between them, as
 * they usually do. Return: the octets; or NULL, and the place has not moved.
 */
static const u8 *ulpdu_advance(struct hca_ulpdu *ulpdu, u32 octets)
{
	const u8 *there;

	if (unlikely(!ulpdu->ranges || octets > ulpdu->range->length - ulpdu->offset ||
		     octets > ulpdu->left || octets > ulpdu->marker))
		return NULL;
	there = ulpdu->range->data + ulpdu->offset;
	ulpdu->offset += octets;
	ulpdu->left -= octets;
	if (ulpdu->marker != NEVER)
		ulpdu->marker -= octets;
	return there;
}

struct hca_octets hca_ulpdu_next(struct hca_ulpdu *ulpdu, u32 most)
{
	struct hca_octets next;

	if (!ulpdu->left)
		return (struct hca_octets){ NULL, 0 };
	if (!ulpdu->marker) {
		raw_skip(ulpdu, HCA_MARKER_BYTES);
		ulpdu->marker = HCA_MARKER_INTERVAL - HCA_MARKER_BYTES;
	}
	next = raw_next(ulpdu, min3(most, ulpdu->left, ulpdu->marker));
	ulpdu->left -= next.length;
	if (ulpdu->marker != NEVER)
		ulpdu->marker -= next.length;
	return next;
}

u32 hca_ulpdu_copy(struct hca_ulpdu *ulpdu, void *to, u32 octets)
{
	const u8 *all = ulpdu_advance(ulpdu, octets);
	struct hca_octets next;
	u32 done;

	if (likely(all)) {
		memcpy(to, all, octets);
		return octets;
	}
	for (done = 0; done < octets; done += next.length) {
		next = hca_ulpdu_next(ulpdu, octets - done);
		if (!next.length)
			break;
		memcpy(to + done, next.data, next.length);
	}
	return done;
}

void hca_ulpdu_skip(struct hca_ulpdu *ulpdu, u32 octets)
{
	struct hca_octets next;

	if (likely(ulpdu_advance(ulpdu, octets)))
		return;
	for (; octets; octets -= next.length) {
		next = hca_ulpdu_next(ulpdu, octets);
		if (!next.length)
			return;
	}
}
