// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcadump: reads packets from ports or a file, filters them, and writes a file or prints lines. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <pcap/pcap.h>
#include "erf.h"
#include "filter.h"
#include "line.h"
#include "options.h"
#include "source.h"
#include "tools/lib/message.h"

const struct program program = {
	.name = "hcadump",
	.failure = STATUS_FAILED,
	.misuse = STATUS_USAGE,
};

/* longer than any packet */
#define SNAP_LENGTH 8192

struct dump {
	struct options options;
	struct line_style style;
	pcap_t *pcap;
	pcap_dumper_t *file; /* NULL: no file is written */
	uint64_t packets; /* packets that passed the filter */
	uint64_t damaged, cut;
};

static void open_file(struct dump *dump)
{
	dump->pcap = pcap_open_dead_with_tstamp_precision(dump->options.link_type, SNAP_LENGTH,
							  PCAP_TSTAMP_PRECISION_NANO);
	if (!dump->pcap)
		die("out of memory");
	dump->file = pcap_dump_open(dump->pcap, dump->options.write);
	if (!dump->file)
		die("%s", pcap_geterr(dump->pcap));
	/* A reader of a pipe waits for the file's header. */
	pcap_dump_flush(dump->file);
}

static void flush(struct dump *dump)
{
	if (dump->file && pcap_dump_flush(dump->file))
		die("%s: cannot be written", dump->options.write);
	if (fflush(stdout))
		die("standard output cannot be written");
}

static void idle(void *data)
{
	flush(data);
}

static void write_packet(struct dump *dump, const struct packet *packet)
{
	struct pcap_pkthdr header = {
		.ts.tv_sec = packet->time_ns / 1000000000,
		.ts.tv_usec = packet->time_ns % 1000000000,
	};
	u32 head = dump->options.link_type == DLT_ERF ? ERF_OCTETS : 0;
	u32 captured = packet->captured;
	u8 record[SNAP_LENGTH];

	if (packet->is_flow && !head)
		die("%s: link type infiniband has no place for flow-control packets; "
		    "-f 'not flow' leaves them out", dump->options.write);
	if (captured > sizeof(record) - head)
		captured = sizeof(record) - head;
	header.caplen = head + captured;
	header.len = head + packet->length;
	if (head)
		erf_pack(packet, record);
	memcpy(record + head, packet->octets, captured);
	pcap_dump((u_char *)dump->file, &header, record);
	if (ferror(pcap_dump_file(dump->file)))
		die("%s: cannot be written", dump->options.write);
}

static void check(struct dump *dump, const struct packet *packet)
{
	bool cut;

	if (packet_fault(packet, &cut))
		dump->damaged++;
	dump->cut += cut;
}

static void handle_packet(struct dump *dump, const struct packet *packet)
{
	const struct options *options = &dump->options;

	dump->packets++;
	if (options->check)
		check(dump, packet);
	if (dump->file)
		write_packet(dump, packet);
	if (options->json)
		line_print_json(stdout, packet, &dump->style);
	else if (!options->quiet)
		line_print(stdout, packet, &dump->style);
	if (options->flush)
		flush(dump);
}

static void run(struct dump *dump, struct source *source)
{
	const struct options *options = &dump->options;
	struct packet packet;

	for (;;) {
		packet = (struct packet){};
		if (!source->next(source, &packet))
			return;
		packet_decode(&packet);
		if (options->filter && !filter_matches(options->filter, &packet))
			continue;
		handle_packet(dump, &packet);
		if (dump->packets == options->count)
			return;
	}
}

static void print_totals(const struct dump *dump, uint64_t lost)
{
	fprintf(stderr, "%" PRIu64 " packets, %" PRIu64 " lost", dump->packets, lost);
	if (dump->options.check)
		fprintf(stderr, ", %" PRIu64 " damaged, %" PRIu64 " cut and not checked",
			dump->damaged, dump->cut);
	fputc('\n', stderr);
}

static void end(struct dump *dump)
{
	flush(dump);
	if (dump->file) {
		pcap_dump_close(dump->file);
		pcap_close(dump->pcap);
	}
	filter_free(dump->options.filter);
	free(dump->options.ports);
}

int main(int argc, char **argv)
{
	struct dump dump = {};
	struct source *source;
	uint64_t lost;

	options_parse(&dump.options, argc, argv);
	dump.style = (struct line_style){
		.coloured = isatty(STDOUT_FILENO) && !getenv("NO_COLOR"),
		.verbose = dump.options.verbose,
		.checked = dump.options.check,
	};
	source = dump.options.read ? file_open(dump.options.read) : tap_open(&dump.options);
	source->idle = idle;
	source->data = &dump;
	if (dump.options.write)
		open_file(&dump);
	run(&dump, source);
	lost = source->lost(source);
	source->close(source);
	end(&dump);
	print_totals(&dump, lost);
	return dump.damaged ? STATUS_FAILED : EXIT_SUCCESS;
}
