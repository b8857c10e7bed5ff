// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reads packets from a file. */
#include <stdlib.h>
#include <pcap/pcap.h>
#include "erf.h"
#include "source.h"
#include "tools/lib/memory.h"
#include "tools/lib/message.h"

struct file {
	struct source source;
	const char *name;
	pcap_t *pcap;
};

static bool file_next(struct source *source, struct packet *packet)
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
	/* nanoseconds, as the file was opened with that precision */
	packet->time_ns = header->ts.tv_sec * 1000000000ull + header->ts.tv_usec;
	packet->length = header->len;
	packet->captured = header->caplen;
	packet->octets = octets;
	if (pcap_datalink(file->pcap) == DLT_ERF && !erf_parse(packet, octets, header->caplen))
		die("%s: has something else than packets of InfiniBand", file->name);
	return true;
}

static uint64_t file_lost(struct source *source)
{
	(void)source;
	return 0;
}

static void file_close(struct source *source)
{
	struct file *file = (struct file *)source;

	pcap_close(file->pcap);
	free(file);
}

struct source *file_open(const char *name)
{
	struct file *file = need(calloc(1, sizeof(*file)));
	char error[PCAP_ERRBUF_SIZE];

	file->source.next = file_next;
	file->source.lost = file_lost;
	file->source.close = file_close;
	file->name = name;
	file->pcap = pcap_open_offline_with_tstamp_precision(name, PCAP_TSTAMP_PRECISION_NANO,
							     error);
	if (!file->pcap)
		die("%s", error);
	if (pcap_datalink(file->pcap) != DLT_ERF && pcap_datalink(file->pcap) != DLT_INFINIBAND)
		die("%s: is not of InfiniBand", name);
	return &file->source;
}
