// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Writes packets into a pcap file with nanosecond time stamps. */
#include <pcap/pcap.h>
#include <stdlib.h>
#include "record.h"
#include "tools/lib/memory.h"
#include "tools/lib/message.h"
#include "writer.h"

struct pcap_writer {
	struct writer writer;
	pcap_t *pcap;
	pcap_dumper_t *file;
};

static void pcap_writer_write(struct writer *writer, const struct packet *packet)
{
	pcap_dumper_t *file = ((struct pcap_writer *)writer)->file;
	struct pcap_pkthdr header = {
		.ts.tv_sec = packet->time_ns / 1000000000,
		.ts.tv_usec = packet->time_ns % 1000000000,
	};
	static struct record record;

	if (packet->is_stream)
		die("%s: pcap has no place for what is known of an RNIC's octets; "
		    "--format pcapng has", writer->name);
	record_pack(&record, writer->link_type, packet);
	header.caplen = record.captured;
	header.len = record.length;
	pcap_dump((u_char *)file, &header, record.octets);
	if (ferror(pcap_dump_file(file)))
		die("%s: cannot be written", writer->name);
}

static void pcap_writer_flush(struct writer *writer)
{
	if (pcap_dump_flush(((struct pcap_writer *)writer)->file))
		die("%s: cannot be written", writer->name);
}

static void pcap_writer_close(struct writer *writer)
{
	struct pcap_writer *pcap = (struct pcap_writer *)writer;

	pcap_writer_flush(writer);
	pcap_dump_close(pcap->file);
	pcap_close(pcap->pcap);
	free(pcap);
}

struct writer *pcap_writer_open(const char *name, int link_type)
{
	struct pcap_writer *pcap = need(calloc(1, sizeof(*pcap)));

	pcap->writer = (struct writer){
		.write = pcap_writer_write, .flush = pcap_writer_flush,
		.close = pcap_writer_close, .name = name, .link_type = link_type,
	};
	pcap->pcap = need(pcap_open_dead_with_tstamp_precision(link_type, PACKET_MAX_OCTETS,
							       PCAP_TSTAMP_PRECISION_NANO));
	pcap->file = pcap_dump_open(pcap->pcap, name);
	if (!pcap->file)
		die("%s", pcap_geterr(pcap->pcap));
	return &pcap->writer;
}
