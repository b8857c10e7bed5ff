// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Outputs the packets that the filter selects: into a file, as printed lines, or as a sequence
 * diagram.
 */
#include "output.h"
#include <pcap/dlt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "filter.h"
#include "ladder.h"
#include "line.h"
#include "tools/lib/memory.h"
#include "tools/lib/message.h"
#include "writer.h"

struct output {
	const struct options *options;
	struct line_style style;
	struct writer *writer; /* NULL: no file is written */
	struct ladder *ladder; /* NULL: a sequence diagram is not printed */
	struct output_totals totals;
};

static struct writer *open_writer(const struct options *options)
{
	return options->format == FORMAT_PCAPNG ?
	       pcapng_writer_open(options->write, options->link_type) :
	       pcap_writer_open(options->write, options->link_type);
}

struct output *output_open(const struct options *options)
{
	struct output *output = need(calloc(1, sizeof(*output)));

	output->options = options;
	output->style = (struct line_style){
		.time.kind = options->time,
		.colored = isatty(STDOUT_FILENO) && !getenv("NO_COLOR"),
		.verbose = options->verbose,
		.checked = options->check,
	};
	if (options->ladder)
		output->ladder = ladder_new();
	if (options->write) {
		output->writer = open_writer(options);
		/*
		 * The file's header is written at once, because the reader of a pipe waits for it.
		 */
		output->writer->flush(output->writer);
	}
	return output;
}

static void output_check(struct output *output, const struct packet *packet)
{
	bool cut;

	if (packet_fault(packet, &cut))
		output->totals.damaged++;
	output->totals.cut += cut;
}

static void write_packet(struct output *output, const struct packet *packet)
{
	struct writer *writer = output->writer;

	if (packet->is_flow && writer->link_type != DLT_ERF)
		die("%s: link type infiniband has no place for flow-control packets; "
		    "-f 'not flow' leaves them out", writer->name);
	writer->write(writer, packet);
}

static void output_show(struct output *output, const struct packet *packet)
{
	const struct options *options = output->options;

	if (output->ladder)
		ladder_add(output->ladder, packet);
	else if (options->json)
		line_print_json(stdout, packet, options->check);
	else if (!options->quiet)
		line_print(stdout, packet, &output->style);
}

bool output_packet(struct output *output, const struct packet *packet)
{
	const struct options *options = output->options;
	bool is_new = !packet->is_shown;

	if (output_is_full(output) ||
	    (options->filter && !filter_matches(options->filter, packet)))
		return false;
	/*
	 * A packet that was captured at both ends is counted twice if it is written to a file, or
	 * if lines are not printed.
	 */
	if (is_new || options->quiet || output->writer)
		output->totals.packets++;
	if (options->check)
		output_check(output, packet);
	if (output->writer)
		write_packet(output, packet);
	if (is_new)
		output_show(output, packet);
	if (options->flush)
		output_flush(output);
	return true;
}

bool output_is_full(const struct output *output)
{
	return output->options->count && output->totals.packets >= output->options->count;
}

void output_flush(struct output *output)
{
	if (output->writer)
		output->writer->flush(output->writer);
	if (fflush(stdout))
		die("standard output cannot be written");
}

static void print_ladder(const struct output *output)
{
	static void (*const print[])(FILE *to, const struct ladder *ladder) = {
		[LADDER_TEXT] = ladder_print_text,
		[LADDER_SVG] = ladder_print_svg,
	};

	if (output->ladder)
		print[output->options->ladder](stdout, output->ladder);
}

struct output_totals output_close(struct output *output, u64 end_ns)
{
	struct output_totals totals = output->totals;

	print_ladder(output);
	output_flush(output);
	if (output->writer) {
		output->writer->end_ns = end_ns;
		output->writer->close(output->writer);
	}
	ladder_free(output->ladder);
	free(output);
	return totals;
}
