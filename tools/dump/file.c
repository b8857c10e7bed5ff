// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Reads packets from a file. libpcap is used for pcap files only, because it does not report the
 * port of a packet in a pcapng file.
 */
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pcapng_read.h"
#include "record.h"
#include "source.h"
#include "tools/lib/memory.h"
#include "tools/lib/message.h"

/* The first octet of a pcapng file. A pcap file cannot begin with it. */
#define PCAPNG_FIRST 0x0a

struct file {
	struct source source;
	const char *name;
	FILE *stream;
	pcap_t *pcap; /* NULL: the file is a pcapng file */
	struct pcapng_reader *pcapng;
};

static bool pcap_next_packet(struct source *source, struct packet *packet)
{
	struct file *file = (struct file *)source;
	struct pcap_pkthdr *header;
	const u_char *octets;

	switch (pcap_next_ex(file->pcap, &header, &octets)) {
	case 1:
		break;
	case PCAP_ERROR_BREAK:
		return false;
	default:
		die("%s: %s", file->name, pcap_geterr(file->pcap));
	}
	/* tv_usec contains nanoseconds, because the file was opened with that precision. */
	packet->time_ns = header->ts.tv_sec * 1000000000ull + header->ts.tv_usec;
	if (!record_parse(packet, pcap_datalink(file->pcap), octets, header->caplen, header->len))
		die("%s: has something else than packets of InfiniBand", file->name);
	return true;
}

static bool pcapng_next_packet(struct source *source, struct packet *packet)
{
	struct file *file = (struct file *)source;

	switch (pcapng_read(file->pcapng, packet)) {
	case PCAPNG_READ:
		return true;
	case PCAPNG_END:
		source->end_ns = pcapng_reader_end_ns(file->pcapng);
		return false;
	default:
		die("%s: %s", file->name, pcapng_reader_error(file->pcapng));
	}
}

static uint64_t file_lost(struct source *source)
{
	(void)source;
	return 0;
}

static void file_close(struct source *source)
{
	struct file *file = (struct file *)source;

	if (file->pcap)
		pcap_close(file->pcap);
	else
		fclose(file->stream);
	pcapng_reader_free(file->pcapng);
	free(file);
}

static void open_pcap(struct file *file)
{
	char error[PCAP_ERRBUF_SIZE];
	int link_type;

	file->pcap = pcap_fopen_offline_with_tstamp_precision(file->stream,
							      PCAP_TSTAMP_PRECISION_NANO, error);
	if (!file->pcap)
		die("%s: %s", file->name, error);
	link_type = pcap_datalink(file->pcap);
	if (link_type != DLT_ERF && link_type != DLT_INFINIBAND)
		die("%s: is not of InfiniBand", file->name);
	file->source.next = pcap_next_packet;
}

static void open_pcapng(struct file *file)
{
	file->pcapng = pcapng_reader_new(file->stream);
	file->source.next = pcapng_next_packet;
}

struct source *file_open(const char *name)
{
	struct file *file = need(calloc(1, sizeof(*file)));
	int first;

	file->source.lost = file_lost;
	file->source.close = file_close;
	file->name = name;
	file->stream = strcmp(name, "-") ? fopen(name, "rb") : stdin;
	if (!file->stream)
		die_errno("%s", name);
	first = getc(file->stream);
	ungetc(first, file->stream);
	if (first == PCAPNG_FIRST)
		open_pcapng(file);
	else
		open_pcap(file);
	return &file->source;
}
