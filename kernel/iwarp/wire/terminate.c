// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Conversion of Terminate messages to and from their wire format. */
#include "iwarp/wire/terminate.h"
#include <linux/kernel.h>
#include <linux/string.h>
#include "compat.h"

#define PARTS (HCA_TERMINATE_M | HCA_TERMINATE_D | HCA_TERMINATE_R)

/* M, D and R in the third octet that siw sends. */
#define SWAPPED_M 0x01
#define SWAPPED_D 0x02
#define SWAPPED_R 0x04
#define SWAPPED_PARTS (SWAPPED_M | SWAPPED_D | SWAPPED_R)

static bool is_read_request(const u8 *head, u32 octets)
{
	struct hca_rdmap_segment segment;

	return hca_rdmap_parse(&segment, head, octets) == HCA_IWARP_OK &&
	       segment.opcode == HCA_RDMAP_READ_REQUEST;
}

void hca_terminate_set(struct hca_terminate *terminate, enum hca_iwarp_error error,
		       const u8 *head, u32 octets, u16 length)
{
	u8 parts = hca_iwarp_error_parts(error);

	memset(terminate, 0, sizeof(*terminate));
	terminate->error = error;
	if (!(parts & HCA_TERMINATE_D) || !head || !octets || octets < hca_ddp_bytes(head[0]))
		return;
	terminate->parts = HCA_TERMINATE_M | HCA_TERMINATE_D;
	terminate->segment_length = length;
	terminate->ddp_bytes = hca_ddp_bytes(head[0]);
	memcpy(terminate->ddp, head, terminate->ddp_bytes);
	if (!(parts & HCA_TERMINATE_R) || !is_read_request(head, octets))
		return;
	terminate->parts |= HCA_TERMINATE_R;
	memcpy(terminate->read, head + terminate->ddp_bytes, HCA_READ_REQUEST_BYTES);
}

u32 hca_terminate_pack(const struct hca_terminate *terminate, u8 *buf)
{
	u8 *at = buf + HCA_TERMINATE_CONTROL_BYTES;

	put_unaligned_be16(terminate->error, buf);
	buf[2] = terminate->parts & PARTS;
	buf[3] = 0;
	if (terminate->parts & (HCA_TERMINATE_M | HCA_TERMINATE_D)) {
		put_unaligned_be16(terminate->segment_length, at);
		at += HCA_TERMINATE_LENGTH_BYTES;
	}
	if (terminate->parts & HCA_TERMINATE_D) {
		memcpy(at, terminate->ddp, terminate->ddp_bytes);
		at += terminate->ddp_bytes;
	}
	if (terminate->parts & HCA_TERMINATE_R) {
		memcpy(at, terminate->read, HCA_READ_REQUEST_BYTES);
		at += HCA_READ_REQUEST_BYTES;
	}
	return at - buf;
}

/*
 * Return whether control octets have the order of bits that siw sends. If both readings are errors,
 * the bits M, D and R decide: they are reserved bits in the other order, and siw sets no others. If
 * none of them is set, the octets are taken as RFC 5040 has them: 20 05 00 00 may be siw's "invalid
 * version".
 */
static bool is_swapped(const u8 *buf, u16 error, u16 swapped)
{
	if (!hca_iwarp_error_str(swapped))
		return false;
	return !hca_iwarp_error_str(error) || (buf[2] && !(buf[2] & ~SWAPPED_PARTS) && !buf[3]);
}

/* Read the control octets. Return: the parts that they announce. */
static u8 control_parse(struct hca_terminate *terminate, const u8 *buf)
{
	u16 swapped = (buf[0] & 0x0f) << 12 | (buf[0] & 0xf0) << 4 | buf[1];

	terminate->error = get_unaligned_be16(buf);
	if (!is_swapped(buf, terminate->error, swapped))
		return buf[2] & PARTS;
	terminate->error = swapped;
	terminate->swapped = true;
	return (buf[2] & SWAPPED_M ? HCA_TERMINATE_M : 0) |
	       (buf[2] & SWAPPED_D ? HCA_TERMINATE_D : 0) |
	       (buf[2] & SWAPPED_R ? HCA_TERMINATE_R : 0);
}

/*
 * Whether a message has a DDP Segment Length. If neither M nor D is set, only the length of the
 * message says so.
 */
static bool has_length(u8 announced, u32 len)
{
	if (announced & (HCA_TERMINATE_M | HCA_TERMINATE_D))
		return len >= HCA_TERMINATE_LENGTH_BYTES;
	return announced && len >= HCA_TERMINATE_LENGTH_BYTES + HCA_READ_REQUEST_BYTES;
}

/* Read the DDP header of the segment with the error. Return: its octets; 0 if it is cut off. */
static u32 header_parse(struct hca_terminate *terminate, const u8 *buf, u32 len)
{
	u32 bytes = len ? hca_ddp_bytes(buf[0]) : 0;

	if (!bytes || len < bytes)
		return 0;
	memcpy(terminate->ddp, buf, bytes);
	terminate->ddp_bytes = bytes;
	terminate->parts |= HCA_TERMINATE_D;
	return bytes;
}

bool hca_terminate_parse(struct hca_terminate *terminate, const u8 *buf, u32 len)
{
	u8 announced;
	u32 bytes;

	memset(terminate, 0, sizeof(*terminate));
	if (len < HCA_TERMINATE_CONTROL_BYTES)
		return false;
	terminate->raw_bytes = min_t(u32, len, sizeof(terminate->raw));
	memcpy(terminate->raw, buf, terminate->raw_bytes);
	announced = control_parse(terminate, buf);
	buf += HCA_TERMINATE_CONTROL_BYTES;
	len -= HCA_TERMINATE_CONTROL_BYTES;
	if (has_length(announced, len)) {
		terminate->segment_length = get_unaligned_be16(buf);
		terminate->parts |= announced & HCA_TERMINATE_M;
		buf += HCA_TERMINATE_LENGTH_BYTES;
		len -= HCA_TERMINATE_LENGTH_BYTES;
	}
	if (announced & HCA_TERMINATE_D) {
		bytes = header_parse(terminate, buf, len);
		if (!bytes)
			return true;
		buf += bytes;
		len -= bytes;
	}
	if (announced & HCA_TERMINATE_R && len >= HCA_READ_REQUEST_BYTES) {
		memcpy(terminate->read, buf, HCA_READ_REQUEST_BYTES);
		terminate->parts |= HCA_TERMINATE_R;
	}
	return true;
}
