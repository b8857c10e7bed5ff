// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <string.h>
#include "compat.h"
#include "erf.h"

#define TYPE_INFINIBAND 21
#define TYPE_MASK 0x7f
#define MORE_HEADS 0x80 /* extensions follow, of 8 octets each */

#define INTERFACES 3 /* two bits of the flags */
#define FLAG_VARYING_LENGTH (1 << 2)

/* Seconds.fraction:64, least octet first | type:8 flags:8 length:16 | lost:16 on the wire:16 */
void erf_pack(const struct packet *packet, u8 *head)
{
	u64 seconds = packet->time_ns / 1000000000, rest = packet->time_ns % 1000000000;

	put_unaligned_le64(seconds << 32 | (rest << 32) / 1000000000, head);
	head[8] = TYPE_INFINIBAND;
	head[9] = (packet->interface & INTERFACES) | FLAG_VARYING_LENGTH;
	put_unaligned_be16(packet->captured + ERF_OCTETS, head + 10);
	put_unaligned_be16(packet->lost < 0xffff ? packet->lost : 0xffff, head + 12);
	put_unaligned_be16(packet->length, head + 14);
}

bool erf_parse(struct packet *packet, const u8 *record, u32 octets)
{
	u32 head = ERF_OCTETS, last = 8;

	if (octets < head || (record[8] & TYPE_MASK) != TYPE_INFINIBAND)
		return false;
	packet->lost = get_unaligned_be16(record + 12);
	packet->length = get_unaligned_be16(record + 14);
	for (; record[last] & MORE_HEADS; head += 8) {
		last = head;
		if (octets < head + 8)
			return false;
	}
	packet->octets = record + head;
	packet->captured = octets - head;
	/* It may be padded. */
	if (packet->captured > packet->length)
		packet->captured = packet->length;
	return true;
}
