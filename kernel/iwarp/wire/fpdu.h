/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * MPA's framing of a stream: FPDUs of a length, a ULPDU, padding and a CRC, with or without markers
 * at every 512th octet of the stream (RFC 5044, 4). Positions in the stream count from the first
 * octet of Full Operation in one direction; every FPDU begins at a multiple of 4.
 */
#ifndef HCA_IWARP_WIRE_FPDU_H
#define HCA_IWARP_WIRE_FPDU_H

#include <linux/types.h>
#include "iwarp/wire/error.h"

#define HCA_FPDU_LENGTH_BYTES 2
#define HCA_FPDU_CRC_BYTES 4
#define HCA_MARKER_BYTES 4
#define HCA_MARKER_INTERVAL 512
#define HCA_ULPDU_MAX 0xffff
/* Octets of an FPDU with the longest ULPDU and with all the markers that it can have. */
#define HCA_FPDU_MAX (65544 + 130 * HCA_MARKER_BYTES)

/**
 * hca_mulpdu() - octets of the longest ULPDU whose FPDU fits into one TCP segment
 * @emss: octets that a TCP segment carries
 * @markers: whether the stream has markers
 *
 * Context: any.
 * Return: MULPDU, at least 128 however small the segments are (RFC 5044, 4.5).
 */
u32 hca_mulpdu(u32 emss, bool markers);

/**
 * hca_fpdu_bytes() - octets of an FPDU
 * @length: octets of its ULPDU
 * @position: of its first octet, or of the marker before it, in the stream
 * @markers: whether the stream has markers
 *
 * Context: any.
 * Return: octets up to the end of the CRC, with all markers, that at @position included; at most
 * HCA_FPDU_MAX.
 */
u32 hca_fpdu_bytes(u16 length, u64 position, bool markers);

/*
 * An FPDU that is being written, into contiguous memory. Markers are put in on the way, so that
 * those who write the ULPDU need not know of them.
 */
struct hca_fpdu_tx {
	u8 *start; /* the FPDU's first octet, which is that of a marker at such a position */
	u8 *length; /* ULPDU_Length, to which markers point */
	u8 *next; /* where the next octet is written */
	u8 *marker; /* where the next marker is written; NULL if there are no markers */
};

/**
 * hca_fpdu_begin() - begin to write an FPDU
 * @tx: the FPDU
 * @buf: hca_fpdu_bytes() octets to write
 * @length: octets of its ULPDU, all of which must be written before hca_fpdu_end()
 * @position: of @buf in the stream
 * @markers: whether the receiver wants markers
 *
 * Context: any.
 */
void hca_fpdu_begin(struct hca_fpdu_tx *tx, u8 *buf, u16 length, u64 position, bool markers);

/**
 * hca_fpdu_reserve() - get memory for the next octets of the ULPDU
 * @tx: the FPDU
 * @octets: how many octets are to be written, above 0; reduced to those before the next marker
 *
 * Context: any.
 * Return: where to write @octets octets.
 */
u8 *hca_fpdu_reserve(struct hca_fpdu_tx *tx, u32 *octets);

/**
 * hca_fpdu_put() - write the next octets of the ULPDU
 * @tx: the FPDU
 * @data: the octets
 * @octets: their number
 *
 * Context: any.
 */
void hca_fpdu_put(struct hca_fpdu_tx *tx, const void *data, u32 octets);

/**
 * hca_fpdu_end() - write what follows the ULPDU
 * @tx: the FPDU
 * @crc: whether CRCs are used; otherwise the field is 0
 *
 * Context: any.
 * Return: octets of the FPDU, as hca_fpdu_bytes() has said.
 */
u32 hca_fpdu_end(struct hca_fpdu_tx *tx, bool crc);

/* Contiguous octets of a stream that have arrived. */
struct hca_octets {
	const u8 *data;
	u32 length;
};

/* An FPDU that has arrived, in several ranges of memory. */
struct hca_fpdu_rx {
	const struct hca_octets *range; /* the first of them begins with the FPDU or its marker */
	unsigned int ranges;
	u32 lead; /* octets before the first marker; above @bytes if there is none */
	u32 bytes; /* octets of the FPDU in the stream, with its markers */
	u16 length; /* octets of the ULPDU */
};

/**
 * hca_fpdu_parse() - find the end of an FPDU, of which any number of octets may have arrived
 * @rx: the FPDU; it refers to @range afterwards
 * @range: octets that have arrived, from the beginning of the FPDU on
 * @ranges: number of ranges, any of which may be empty
 * @position: of the first octet in the stream
 * @markers: whether the stream has markers
 *
 * Context: any.
 * Return: octets that must have arrived before the FPDU can be read. If there are not so many,
 * @rx is not valid, and it is worthwhile to call the function again when they are there.
 */
u32 hca_fpdu_parse(struct hca_fpdu_rx *rx, const struct hca_octets *range, unsigned int ranges,
		   u64 position, bool markers);

/**
 * hca_fpdu_check() - check CRC and markers of an FPDU
 * @rx: an FPDU all of which has arrived
 * @crc: whether CRCs are used
 *
 * Context: any.
 * Return: HCA_IWARP_OK, HCA_ERR_MPA_CRC or HCA_ERR_MPA_MARKER.
 */
enum hca_iwarp_error hca_fpdu_check(const struct hca_fpdu_rx *rx, bool crc);

/* A place in the ULPDU of an FPDU that has arrived. */
struct hca_ulpdu {
	const struct hca_octets *range;
	unsigned int ranges; /* that are left, @range included */
	u32 offset; /* in @range */
	u32 marker; /* octets to the next marker */
	u32 left; /* octets of the ULPDU that are left */
};

/**
 * hca_ulpdu_begin() - go to the beginning of the ULPDU of an FPDU
 * @ulpdu: place to set
 * @rx: an FPDU all of which has arrived
 *
 * Context: any.
 */
void hca_ulpdu_begin(struct hca_ulpdu *ulpdu, const struct hca_fpdu_rx *rx);

/**
 * hca_ulpdu_next() - get the next contiguous octets of a ULPDU, without markers
 * @ulpdu: a place, which moves behind them
 * @most: the most octets that are wanted, above 0
 *
 * Context: any.
 * Return: octets; none at the end of the ULPDU.
 */
struct hca_octets hca_ulpdu_next(struct hca_ulpdu *ulpdu, u32 most);

/**
 * hca_ulpdu_copy() - copy the next octets of a ULPDU, without markers
 * @ulpdu: a place, which moves behind them
 * @to: @octets octets to write
 * @octets: the number of octets that is wanted
 *
 * Context: any.
 * Return: octets copied, less than @octets if the ULPDU ends before.
 */
u32 hca_ulpdu_copy(struct hca_ulpdu *ulpdu, void *to, u32 octets);

/**
 * hca_ulpdu_skip() - go behind the next octets of a ULPDU
 * @ulpdu: a place, which moves behind them
 * @octets: the number of octets, without markers; the place does not move behind the ULPDU
 *
 * Context: any.
 */
void hca_ulpdu_skip(struct hca_ulpdu *ulpdu, u32 octets);

#endif
