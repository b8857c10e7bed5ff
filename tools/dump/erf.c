// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Packs and parses ERF headers. */
#include "erf.h"
#include <string.h>
#include "compat.h"
#include "linux/hca_tap.h"

#define TYPE_INFINIBAND 21
#define TYPE_INFINIBAND_LINK 25
#define TYPE_MASK 0x7f
#define MORE_HEADS 0x80 /* flag: an extension header of 8 octets follows */

#define FLAG_OUT (1 << 0)
#define FLAG_SECOND_PORT (1 << 1)
#define FLAG_VARYING_LENGTH (1 << 2)

/*
 * The header consists of a time of 64 bits (32 bits of seconds and 32 bits of fraction, least
 * significant octet first), a type of 8 bits, flags of 8 bits, and three numbers of 16 bits each
 * (record length, lost packets, and length on the wire).
 */
void erf_pack(const struct packet *packet, u8 *head)
{
	u64 seconds = packet->time_ns / 1000000000, rest = packet->time_ns % 1000000000;

	/*
	 * The fraction is rounded up, so that a reader that rounds it down gets the same
	 * nanosecond.
	 */
	put_unaligned_le64(seconds << 32 | ((rest << 32) + 999999999) / 1000000000, head);
	head[8] = packet->is_flow ? TYPE_INFINIBAND_LINK : TYPE_INFINIBAND;
	head[9] = FLAG_VARYING_LENGTH | (packet->direction == HCA_TAP_OUT ? FLAG_OUT : 0) |
		  (packet->interface & 1 ? FLAG_SECOND_PORT : 0);
	put_unaligned_be16(packet->captured + ERF_OCTETS, head + 10);
	put_unaligned_be16(packet->lost < 0xffff ? packet->lost : 0xffff, head + 12);
	put_unaligned_be16(packet->length, head + 14);
}

bool erf_parse(struct packet *packet, const u8 *record, u32 octets)
{
	u32 head = ERF_OCTETS, last = 8;
	u8 type;

	if (octets < head)
		return false;
	type = record[8] & TYPE_MASK;
	if (type != TYPE_INFINIBAND && type != TYPE_INFINIBAND_LINK)
		return false;
	packet->is_flow = type == TYPE_INFINIBAND_LINK;
	packet->direction = record[9] & FLAG_OUT ? HCA_TAP_OUT : HCA_TAP_IN;
	packet->interface = record[9] & FLAG_SECOND_PORT ? 1 : 0;
	packet->lost = get_unaligned_be16(record + 12);
	packet->length = get_unaligned_be16(record + 14);
	for (; record[last] & MORE_HEADS; head += 8) {
		last = head;
		if (octets < head + 8)
			return false;
	}
	packet->octets = record + head;
	packet->captured = octets - head;
	/* The captured length excludes padding of the record. */
	if (packet->captured > packet->length)
		packet->captured = packet->length;
	return true;
}
