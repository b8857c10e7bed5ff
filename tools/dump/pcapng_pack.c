// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Packs the blocks of a pcapng file. */
#include "pcapng_pack.h"
#include <string.h>
#include "compat.h"
#include "linux/hca_tap.h"
#include "pcapng.h"

#define NANOSECONDS 9
#define MAX_TEXT 128

/* A block that is being packed. */
struct block {
	u8 *octets;
	size_t at;
};

static void block_add(struct block *block, const void *octets, size_t count)
{
	memcpy(block->octets + block->at, octets, count);
	block->at += count;
}

static void add_16(struct block *block, u16 value)
{
	put_unaligned_le16(value, block->octets + block->at);
	block->at += sizeof(value);
}

static void add_32(struct block *block, u32 value)
{
	put_unaligned_le32(value, block->octets + block->at);
	block->at += sizeof(value);
}

static void block_pad(struct block *block)
{
	static const u8 zero[3];

	block_add(block, zero, -block->at & 3);
}

static void add_option(struct block *block, u16 option, const void *value, size_t octets)
{
	add_16(block, option);
	add_16(block, octets);
	block_add(block, value, octets);
	block_pad(block);
}

static void add_text(struct block *block, u16 option, const char *text)
{
	add_option(block, option, text, strnlen(text, MAX_TEXT));
}

static struct block block_begin(u8 *to, u32 type)
{
	struct block block = { to };

	add_32(&block, type);
	add_32(&block, 0);
	return block;
}

static size_t block_end(struct block *block)
{
	add_32(block, PCAPNG_END_OF_OPTIONS);
	put_unaligned_le32(block->at + PCAPNG_TAIL_OCTETS, block->octets + 4);
	add_32(block, block->at + PCAPNG_TAIL_OCTETS);
	return block->at;
}

size_t pcapng_pack_section(u8 *to, const char *application)
{
	struct block block = block_begin(to, PCAPNG_SECTION);

	add_32(&block, PCAPNG_BYTE_ORDER);
	add_16(&block, 1);
	add_16(&block, 0);
	/* A section length of -1 means that the length is unknown. */
	add_32(&block, U32_MAX);
	add_32(&block, U32_MAX);
	add_text(&block, PCAPNG_APPLICATION, application);
	return block_end(&block);
}

size_t pcapng_pack_interface(u8 *to, u16 link_type, const char *name)
{
	static const u8 resolution = NANOSECONDS;
	struct block block = block_begin(to, PCAPNG_INTERFACE);

	add_16(&block, link_type);
	add_16(&block, 0);
	add_32(&block, 0);
	add_option(&block, PCAPNG_RESOLUTION, &resolution, sizeof(resolution));
	if (name)
		add_text(&block, PCAPNG_NAME, name);
	return block_end(&block);
}

static void add_packet_options(struct block *block, const struct packet *packet)
{
	char note[IP_NOTE_OCTETS];
	u8 flags[4], lost[8];

	put_unaligned_le32(packet->direction == HCA_TAP_OUT ? PCAPNG_FLAGS_OUT : PCAPNG_FLAGS_IN,
			   flags);
	put_unaligned_le64(packet->lost, lost);
	if (packet->direction)
		add_option(block, PCAPNG_FLAGS, flags, sizeof(flags));
	if (packet->lost)
		add_option(block, PCAPNG_LOST, lost, sizeof(lost));
	if (packet->is_stream)
		add_text(block, PCAPNG_COMMENT, ip_note(packet, note));
}

size_t pcapng_pack_statistics(u8 *to, u32 interface, u64 time_ns)
{
	struct block block = block_begin(to, PCAPNG_STATISTICS);

	add_32(&block, interface);
	add_32(&block, time_ns >> 32);
	add_32(&block, time_ns);
	return block_end(&block);
}

size_t pcapng_pack_packet(u8 *to, const struct packet *packet, u32 interface, const u8 *record,
			  u32 captured, u32 length)
{
	struct block block = block_begin(to, PCAPNG_PACKET);

	add_32(&block, interface);
	add_32(&block, packet->time_ns >> 32);
	add_32(&block, packet->time_ns);
	add_32(&block, captured);
	add_32(&block, length);
	block_add(&block, record, captured);
	block_pad(&block);
	add_packet_options(&block, packet);
	return block_end(&block);
}
