// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reads packets of a pcapng file. */
#include "pcapng_read.h"
#include <pcap/dlt.h>
#include <stdlib.h>
#include <string.h>
#include "compat.h"
#include "linux/hca_tap.h"
#include "pcapng.h"
#include "record.h"
#include "tools/lib/memory.h"

/*
 * The largest size in octets of a block that is read. Blocks of unknown types are skipped
 * regardless of their size.
 */
#define MAX_BLOCK (1 << 18)
#define MAX_INTERFACES 1024
#define MAX_NAME 64

#define MICROSECONDS 6
#define MAX_DECIMAL 18
#define MAX_BINARY 63
#define BINARY 0x80

struct interface {
	u16 link_type;
	u8 resolution;
	u64 offset_s;
	u16 port; /* index into @ports of the reader */
};

/* A port of the file. Ports of different sections that have the same name are one port. */
struct port {
	char name[MAX_NAME]; /* empty: the port does not have a name */
};

struct pcapng_reader {
	FILE *file;
	const char *error;
	bool has_section; /* a section has been read */
	bool is_big_endian;
	u64 end_ns; /* latest time of all statistics blocks */
	u8 block[MAX_BLOCK]; /* body and tail of the current block */
	u32 octets; /* octets of the body */
	unsigned int num_interfaces; /* number of interfaces of the current section */
	struct interface interfaces[MAX_INTERFACES];
	unsigned int num_ports;
	struct port ports[MAX_INTERFACES];
};

struct pcapng_reader *pcapng_reader_new(FILE *file)
{
	struct pcapng_reader *reader = need(calloc(1, sizeof(*reader)));

	reader->file = file;
	return reader;
}

void pcapng_reader_free(struct pcapng_reader *reader)
{
	free(reader);
}

const char *pcapng_reader_error(const struct pcapng_reader *reader)
{
	return reader->error;
}

static enum pcapng_result pcapng_wrong(struct pcapng_reader *reader, const char *error)
{
	reader->error = error;
	return PCAPNG_WRONG;
}

/* --- numbers ------------------------------------------------------------------------------ */

static u16 number_16(const struct pcapng_reader *reader, const u8 *at)
{
	return reader->is_big_endian ? get_unaligned_be16(at) : get_unaligned_le16(at);
}

static u32 number_32(const struct pcapng_reader *reader, const u8 *at)
{
	return reader->is_big_endian ? get_unaligned_be32(at) : get_unaligned_le32(at);
}

static u64 number_64(const struct pcapng_reader *reader, const u8 *at)
{
	return reader->is_big_endian ? get_unaligned_be64(at) : get_unaligned_le64(at);
}

/* --- options ------------------------------------------------------------------------------ */

struct option {
	u16 code, octets;
	const u8 *value;
};

/*
 * Reads the option at offset *at of the block's body, and advances *at past it. Return: false if
 * there are no more options.
 */
static bool next_option(const struct pcapng_reader *reader, u32 *at, struct option *option)
{
	u32 left = reader->octets - *at;

	if (*at > reader->octets || left < 4)
		return false;
	option->code = number_16(reader, reader->block + *at);
	option->octets = number_16(reader, reader->block + *at + 2);
	option->value = reader->block + *at + 4;
	*at += 4 + ((option->octets + 3) & ~3u);
	return option->code != PCAPNG_END_OF_OPTIONS && option->octets <= left - 4;
}

/* --- blocks ------------------------------------------------------------------------------- */

static bool pcapng_skip(struct pcapng_reader *reader, u64 octets)
{
	u64 count;

	for (; octets; octets -= count) {
		count = octets < sizeof(reader->block) ? octets : sizeof(reader->block);
		if (fread(reader->block, 1, count, reader->file) != count)
			return false;
	}
	return true;
}

/*
 * Reads the magic number of a section, and sets the byte order of all other numbers from it.
 * Return: false if the magic number is wrong.
 */
static bool read_order(struct pcapng_reader *reader, u8 *order)
{
	if (fread(order, 1, 4, reader->file) != 4)
		return false;
	reader->is_big_endian = get_unaligned_be32(order) == PCAPNG_BYTE_ORDER;
	return reader->is_big_endian || get_unaligned_le32(order) == PCAPNG_BYTE_ORDER;
}

static bool is_read(u32 type)
{
	return type == PCAPNG_SECTION || type == PCAPNG_INTERFACE || type == PCAPNG_PACKET ||
	       type == PCAPNG_STATISTICS;
}

/*
 * Reads a block whose head has been read. The first @before octets of its body are already in the
 * buffer.
 */
static enum pcapng_result read_body(struct pcapng_reader *reader, const u8 *head, u32 before)
{
	u32 type = number_32(reader, head), length = number_32(reader, head + 4), rest;

	if (length % 4 || length < PCAPNG_HEAD_OCTETS + PCAPNG_TAIL_OCTETS + before)
		return pcapng_wrong(reader,
				    "is damaged: a block has a length that is not possible");
	rest = length - PCAPNG_HEAD_OCTETS - before;
	reader->octets = length - PCAPNG_HEAD_OCTETS - PCAPNG_TAIL_OCTETS;
	if (!is_read(type)) {
		reader->octets = 0;
		return pcapng_skip(reader, rest) ? PCAPNG_READ :
						   pcapng_wrong(reader, "ends within a block");
	}
	if (length - PCAPNG_HEAD_OCTETS > sizeof(reader->block))
		return pcapng_wrong(reader, "is damaged: a block is too long");
	if (fread(reader->block + before, 1, rest, reader->file) != rest)
		return pcapng_wrong(reader, "ends within a block");
	return number_32(reader, reader->block + reader->octets) == length ? PCAPNG_READ :
	       pcapng_wrong(reader, "is damaged: a block has two lengths");
}

/*
 * Reads a block. Return: PCAPNG_READ; PCAPNG_END if there are no more blocks; PCAPNG_WRONG if the
 * file is damaged.
 */
static enum pcapng_result read_block(struct pcapng_reader *reader, u32 *type)
{
	u8 head[PCAPNG_HEAD_OCTETS];
	size_t octets = fread(head, 1, sizeof(head), reader->file);
	u32 before = 0;

	if (!octets)
		return PCAPNG_END;
	if (octets < sizeof(head))
		return pcapng_wrong(reader, "ends within a block");
	if (get_unaligned_le32(head) == PCAPNG_SECTION) {
		before = 4;
		if (!read_order(reader, reader->block))
			return pcapng_wrong(reader,
					    "is damaged: the order of its octets is unknown");
	}
	*type = number_32(reader, head);
	reader->has_section |= before;
	return reader->has_section ? read_body(reader, head, before) :
				     pcapng_wrong(reader, "is not a capture");
}

/* --- interfaces --------------------------------------------------------------------------- */

/*
 * Copies the name of a port. A name with blanks or control characters is ignored, because other
 * programs write descriptions instead of names, as in "Port B (ERF Interface 1)".
 */
static void copy_name(char *to, const u8 *from, u32 octets)
{
	u32 i;

	to[0] = 0;
	if (octets >= MAX_NAME)
		return;
	for (i = 0; i < octets && from[i]; i++)
		if (from[i] <= ' ' || from[i] > '~')
			return;
	memcpy(to, from, i);
	to[i] = 0;
}

/*
 * Returns the index of the port with the name @name, which is added if there is none. A port
 * without a name is always added. Return: -1 if there are too many ports.
 */
static int port_of(struct pcapng_reader *reader, const char *name)
{
	unsigned int i;

	for (i = 0; name[0] && i < reader->num_ports; i++)
		if (!strcmp(reader->ports[i].name, name))
			return i;
	if (reader->num_ports == MAX_INTERFACES)
		return -1;
	strcpy(reader->ports[reader->num_ports].name, name);
	return reader->num_ports++;
}

static void read_interface_option(const struct pcapng_reader *reader, struct interface *interface,
				  char *name, const struct option *option)
{
	switch (option->code) {
	case PCAPNG_NAME:
		copy_name(name, option->value, option->octets);
		break;
	case PCAPNG_RESOLUTION:
		if (option->octets)
			interface->resolution = option->value[0];
		break;
	case PCAPNG_TIME_OFFSET:
		if (option->octets == 8)
			interface->offset_s = number_64(reader, option->value);
		break;
	}
}

static bool is_resolution(u8 resolution)
{
	return resolution & BINARY ? (resolution & ~BINARY) <= MAX_BINARY :
				     resolution <= MAX_DECIMAL;
}

static enum pcapng_result read_interface(struct pcapng_reader *reader)
{
	struct interface *interface = &reader->interfaces[reader->num_interfaces];
	u32 at = PCAPNG_INTERFACE_OCTETS;
	char name[MAX_NAME] = "";
	struct option option;
	int port;

	if (reader->octets < PCAPNG_INTERFACE_OCTETS)
		return pcapng_wrong(reader, "is damaged: a block is too short");
	if (reader->num_interfaces == MAX_INTERFACES)
		return pcapng_wrong(reader, "has too many interfaces");
	*interface = (struct interface){
		.link_type = number_16(reader, reader->block),
		.resolution = MICROSECONDS,
	};
	while (next_option(reader, &at, &option))
		read_interface_option(reader, interface, name, &option);
	if (!is_resolution(interface->resolution))
		return pcapng_wrong(reader, "has times in a unit that is not possible");
	port = port_of(reader, name);
	if (port < 0)
		return pcapng_wrong(reader, "has too many interfaces");
	interface->port = port;
	reader->num_interfaces++;
	return PCAPNG_READ;
}

/* --- packets ------------------------------------------------------------------------------ */

static u64 power_of_10(unsigned int exponent)
{
	u64 power = 1;

	while (exponent--)
		power *= 10;
	return power;
}

static u64 decimal_ns(u64 time, u8 exponent)
{
	u64 second = power_of_10(exponent), rest = time % second;

	rest = exponent < 9 ? rest * power_of_10(9 - exponent) : rest / power_of_10(exponent - 9);
	return time / second * 1000000000 + rest;
}

/*
 * Converts a time in units of 2^-@exponent s to ns. 32 bits of the fraction are enough for a
 * precision of 1 ns.
 */
static u64 binary_ns(u64 time, u8 exponent)
{
	u64 second;

	if (exponent > 32) {
		time >>= exponent - 32;
		exponent = 32;
	}
	second = 1ull << exponent;
	return time / second * 1000000000 + (time % second * 1000000000 >> exponent);
}

static u64 time_of(const struct interface *interface, u64 time)
{
	u8 resolution = interface->resolution;
	u64 ns = resolution & BINARY ? binary_ns(time, resolution & ~BINARY) :
				       decimal_ns(time, resolution);

	return ns + interface->offset_s * 1000000000;
}

static void set_direction(struct packet *packet, u32 flags)
{
	static const u8 directions[] = {
		[PCAPNG_FLAGS_IN] = HCA_TAP_IN, [PCAPNG_FLAGS_OUT] = HCA_TAP_OUT,
		[PCAPNG_FLAGS_DIRECTION] = 0,
	};
	u8 direction = directions[flags & PCAPNG_FLAGS_DIRECTION];

	if (direction)
		packet->direction = direction;
}

/* Reads the options of a packet. Return: whether one of them is a note about a stream. */
static bool read_packet_options(struct pcapng_reader *reader, u32 at, struct packet *packet)
{
	struct option option;
	bool has_note = false;
	u64 lost;

	while (next_option(reader, &at, &option))
		if (option.code == PCAPNG_FLAGS && option.octets == 4) {
			set_direction(packet, number_32(reader, option.value));
		} else if (option.code == PCAPNG_LOST && option.octets == 8) {
			lost = number_64(reader, option.value);
			packet->lost = lost < U32_MAX ? lost : U32_MAX;
		} else if (option.code == PCAPNG_COMMENT && packet->is_stream) {
			has_note |= ip_parse_note(packet, option.value, option.octets);
		}
	return has_note;
}

/*
 * Sets the port of a packet to the port of its interface. If that port does not have a name,
 * packet->interface keeps the port number of the packet's ERF header.
 */
static void set_port(struct pcapng_reader *reader, const struct interface *interface,
		     struct packet *packet)
{
	const struct port *port = &reader->ports[interface->port];

	if (port->name[0])
		packet->port = port->name;
	if (port->name[0] || interface->link_type != DLT_ERF)
		packet->interface = interface->port;
}

static enum pcapng_result read_packet(struct pcapng_reader *reader, struct packet *packet)
{
	const u8 *body = reader->block;
	const struct interface *interface;
	bool has_note;
	u32 captured;

	if (reader->octets < PCAPNG_PACKET_OCTETS)
		return pcapng_wrong(reader, "is damaged: a block is too short");
	if (number_32(reader, body) >= reader->num_interfaces)
		return pcapng_wrong(reader, "is damaged: a packet is of no interface");
	interface = &reader->interfaces[number_32(reader, body)];
	captured = number_32(reader, body + 12);
	if (captured > reader->octets - PCAPNG_PACKET_OCTETS)
		return pcapng_wrong(reader, "is damaged: a packet is longer than its block");
	packet->time_ns = time_of(interface, (u64)number_32(reader, body + 4) << 32 |
					     number_32(reader, body + 8));
	if (!record_parse(packet, interface->link_type, body + PCAPNG_PACKET_OCTETS, captured,
			  number_32(reader, body + 16)))
		return pcapng_wrong(reader, interface->link_type == RECORD_LINK_TYPE_RAW ?
				    "is damaged: a packet of an RNIC is not a TCP segment" :
				    "has something else than packets of InfiniBand");
	has_note = read_packet_options(reader, PCAPNG_PACKET_OCTETS + ((captured + 3) & ~3u),
				       packet);
	if (packet->is_stream && !has_note)
		return pcapng_wrong(reader, "has TCP segments that hcadump has not written");
	if (packet->is_stream && packet->direction == HCA_TAP_IN)
		ip_received(packet);
	set_port(reader, interface, packet);
	return PCAPNG_READ;
}

static enum pcapng_result read_statistics(struct pcapng_reader *reader)
{
	const u8 *body = reader->block;
	u64 ns;

	if (reader->octets < PCAPNG_STATISTICS_OCTETS)
		return pcapng_wrong(reader, "is damaged: a block is too short");
	if (number_32(reader, body) >= reader->num_interfaces)
		return pcapng_wrong(reader, "is damaged: statistics are of no interface");
	ns = time_of(&reader->interfaces[number_32(reader, body)],
		     (u64)number_32(reader, body + 4) << 32 | number_32(reader, body + 8));
	if (ns > reader->end_ns)
		reader->end_ns = ns;
	return PCAPNG_READ;
}

u64 pcapng_reader_end_ns(const struct pcapng_reader *reader)
{
	return reader->end_ns;
}

static enum pcapng_result use_block(struct pcapng_reader *reader, u32 type)
{
	switch (type) {
	case PCAPNG_SECTION:
		reader->num_interfaces = 0;
		return PCAPNG_READ;
	case PCAPNG_INTERFACE:
		return read_interface(reader);
	case PCAPNG_STATISTICS:
		return read_statistics(reader);
	case PCAPNG_OLD_PACKET:
	case PCAPNG_SIMPLE_PACKET:
		return pcapng_wrong(reader, "has packets in blocks of a kind that is not read");
	default:
		return PCAPNG_READ;
	}
}

enum pcapng_result pcapng_read(struct pcapng_reader *reader, struct packet *packet)
{
	enum pcapng_result result;
	u32 type;

	do {
		result = read_block(reader, &type);
		if (result == PCAPNG_READ && type == PCAPNG_PACKET)
			return read_packet(reader, packet);
		if (result == PCAPNG_READ)
			result = use_block(reader, type);
	} while (result == PCAPNG_READ);
	return result;
}
