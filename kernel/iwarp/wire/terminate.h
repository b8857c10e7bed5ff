/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The Terminate message behind its DDP header (RFC 5040, 4.8). */
#ifndef HCA_IWARP_WIRE_TERMINATE_H
#define HCA_IWARP_WIRE_TERMINATE_H

#include <linux/types.h>
#include "iwarp/wire/ddp.h"
#include "iwarp/wire/error.h"
#include "iwarp/wire/rdmap.h"

#define HCA_TERMINATE_CONTROL_BYTES 4
#define HCA_TERMINATE_LENGTH_BYTES 2
#define HCA_TERMINATE_MAX (HCA_TERMINATE_CONTROL_BYTES + HCA_TERMINATE_LENGTH_BYTES + \
			   HCA_DDP_BYTES_MAX + HCA_READ_REQUEST_BYTES)

/* A message. Members behind @error are valid if @parts says so. */
struct hca_terminate {
	u8 raw[HCA_TERMINATE_MAX]; /* as received; set by hca_terminate_parse() */
	u8 raw_bytes; /* octets of @raw; 0: the message was not received */
	bool swapped; /* the sender has the control octets in the order of its processor */
	u8 parts; /* bits of enum hca_terminate_part */
	u16 error; /* an enum hca_iwarp_error, or an unknown value */
	u16 segment_length; /* M: octets of the segment with the error, from its DDP header on */
	u8 ddp_bytes; /* D: octets of @ddp */
	u8 ddp[HCA_DDP_BYTES_MAX]; /* D: header of that segment in wire format */
	u8 read[HCA_READ_REQUEST_BYTES]; /* R: header of that Read Request in wire format */
};

/**
 * hca_terminate_set() - make a Terminate message for an error
 * @terminate: message to fill
 * @error: the error
 * @head: the first octets of the segment that caused it; NULL if no segment did
 * @octets: number of octets of @head
 * @length: octets of the whole segment
 *
 * The message contains what RFC 5040, figure 10, wants of the error and @head has. If a part of a
 * Read was served, the caller replaces @read of the message afterwards.
 *
 * Context: any.
 */
void hca_terminate_set(struct hca_terminate *terminate, enum hca_iwarp_error error,
		       const u8 *head, u32 octets, u16 length);

/**
 * hca_terminate_pack() - write a message in wire format
 * @terminate: the message
 * @buf: HCA_TERMINATE_MAX octets to write
 *
 * Context: any.
 * Return: octets written.
 */
u32 hca_terminate_pack(const struct hca_terminate *terminate, u8 *buf);

/**
 * hca_terminate_parse() - read a message, or of a malformed one what can be read
 * @terminate: message to fill
 * @buf: octets behind the DDP header
 * @len: number of octets of @buf
 *
 * Parts that the message announces but does not have are not in @terminate->parts. Linux's siw
 * sends the control octets in the order of bits that a little-endian processor has. They are read
 * so if there is no such error otherwise, or if only that order has bits of parts.
 *
 * Context: any.
 * Return: false if there are not even the control octets.
 */
bool hca_terminate_parse(struct hca_terminate *terminate, const u8 *buf, u32 len);

#endif
