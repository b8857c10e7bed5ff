// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Writes packets into a pcapng file, whose interfaces are the captured ports. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pcapng_pack.h"
#include "record.h"
#include "tools/lib/memory.h"
#include "tools/lib/message.h"
#include "writer.h"

#define NUM_PORTS 65536

struct pcapng_writer {
	struct writer writer;
	FILE *file;
	u32 num_interfaces; /* number of interfaces in the file so far */
	/*
	 * for each port: 1 + the number of its interface in the file; 0: the file does not contain
	 * the interface yet
	 */
	u32 interfaces[NUM_PORTS];
	u8 block[PCAPNG_BLOCK_OCTETS];
	struct record record;
};

static void write_block(struct pcapng_writer *pcapng, size_t octets)
{
	if (fwrite(pcapng->block, 1, octets, pcapng->file) != octets)
		die("%s: cannot be written", pcapng->writer.name);
}

/*
 * Returns the number of a port's interface. The interface is written before the first packet of the
 * port.
 */
static u32 interface_of(struct pcapng_writer *pcapng, const struct packet *packet)
{
	u32 *interface = &pcapng->interfaces[packet->interface];
	int link_type = packet->is_stream ? RECORD_LINK_TYPE_RAW : pcapng->writer.link_type;

	if (!*interface) {
		write_block(pcapng,
			    pcapng_pack_interface(pcapng->block, link_type, packet->port));
		*interface = ++pcapng->num_interfaces;
	}
	return *interface - 1;
}

static void pcapng_writer_write(struct writer *writer, const struct packet *packet)
{
	struct pcapng_writer *pcapng = (struct pcapng_writer *)writer;
	struct record *record = &pcapng->record;
	u32 interface = interface_of(pcapng, packet);

	record_pack(record, writer->link_type, packet);
	write_block(pcapng, pcapng_pack_packet(pcapng->block, packet, interface, record->octets,
					       record->captured, record->length));
}

static void pcapng_writer_flush(struct writer *writer)
{
	if (fflush(((struct pcapng_writer *)writer)->file))
		die("%s: cannot be written", writer->name);
}

static void pcapng_writer_close(struct writer *writer)
{
	struct pcapng_writer *pcapng = (struct pcapng_writer *)writer;
	u32 i;

	for (i = 0; writer->end_ns && i < pcapng->num_interfaces; i++)
		write_block(pcapng, pcapng_pack_statistics(pcapng->block, i, writer->end_ns));
	pcapng_writer_flush(writer);
	if (fclose(pcapng->file))
		die("%s: cannot be written", writer->name);
	free(pcapng);
}

struct writer *pcapng_writer_open(const char *name, int link_type)
{
	struct pcapng_writer *pcapng = need(calloc(1, sizeof(*pcapng)));

	pcapng->writer = (struct writer){
		.write = pcapng_writer_write, .flush = pcapng_writer_flush,
		.close = pcapng_writer_close, .name = name, .link_type = link_type,
	};
	pcapng->file = strcmp(name, "-") ? fopen(name, "wb") : stdout;
	if (!pcapng->file)
		die_errno("%s", name);
	write_block(pcapng, pcapng_pack_section(pcapng->block, "hcadump"));
	return &pcapng->writer;
}
