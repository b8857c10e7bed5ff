// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcadump: reads packets from ports or a file, filters them, and writes a file or prints lines. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "ends.h"
#include "filter.h"
#include "history.h"
#include "linux/hca_tap.h"
#include "options.h"
#include "output.h"
#include "source.h"
#include "tools/lib/message.h"

const struct program program = {
	.name = "hcadump",
	.failure = STATUS_FAILED,
	.misuse = STATUS_USAGE,
};

/* Time in ms between two checks whether packets have waited long enough for their arrival */
#define IDLE_MS 50

struct dump {
	struct options options;
	struct output *output;
	struct history *history; /* NULL: marks are not used */
	struct ends *ends; /* NULL: each packet goes to the output at once */
};

static bool dump_release(void *data, const struct packet *packet)
{
	return output_packet(data, packet);
}

/* Returns whether marks are printed or used by the filter. */
static bool needs_marks(const struct options *options)
{
	return !options->quiet || options->json || options->ladder ||
	       (options->filter && filter_marks(options->filter));
}

/*
 * Returns whether the packets that a port has received are matched with the packets that another
 * port has sent. This requires captures of both directions and of several ports. An input file may
 * contain the captures of several ports.
 */
static bool has_both_ends(const struct options *options)
{
	return !options->each_end && options->directions == (HCA_TAP_IN | HCA_TAP_OUT) &&
	       (options->read || options->num_ports > 1);
}

static void dump_begin(struct dump *dump)
{
	dump->output = output_open(&dump->options);
	if (!needs_marks(&dump->options))
		return;
	dump->history = history_new();
	if (has_both_ends(&dump->options))
		dump->ends = ends_new(dump_release, dump->output);
}

static u64 clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static int dump_idle(void *data)
{
	struct dump *dump = data;

	if (dump->ends)
		ends_advance(dump->ends, clock_ns());
	output_flush(dump->output);
	return dump->ends && ends_are_waiting(dump->ends) ? IDLE_MS : -1;
}

static void handle_packet(struct dump *dump, struct packet *packet)
{
	packet_decode(packet);
	if (dump->history)
		packet->marks = history_add(dump->history, packet);
	if (dump->ends)
		ends_add(dump->ends, packet);
	else
		output_packet(dump->output, packet);
}

static void dump_run(struct dump *dump, struct source *source)
{
	struct packet packet = {};

	while (!output_is_full(dump->output) && source->next(source, &packet)) {
		handle_packet(dump, &packet);
		packet = (struct packet){};
	}
	if (!dump->options.read)
		source->end_ns = clock_ns();
	if (!dump->ends)
		return;
	if (source->end_ns)
		ends_advance(dump->ends, source->end_ns);
	ends_flush(dump->ends);
}

static void print_totals(const struct dump *dump, const struct output_totals *totals,
			 uint64_t lost)
{
	fprintf(stderr, "%llu packets, %" PRIu64 " not captured", totals->packets, lost);
	if (dump->options.check)
		fprintf(stderr, ", %llu damaged, %llu cut and not checked", totals->damaged,
			totals->cut);
	fputc('\n', stderr);
}

static void dump_end(struct dump *dump)
{
	history_free(dump->history);
	ends_free(dump->ends);
	filter_free(dump->options.filter);
	free(dump->options.ports);
}

int main(int argc, char **argv)
{
	struct output_totals totals;
	struct dump dump = {};
	struct source *source;
	uint64_t lost;

	options_parse(&dump.options, argc, argv);
	source = dump.options.read ? file_open(dump.options.read) : tap_open(&dump.options);
	dump.options.format = options_format(&dump.options, source->has_streams);
	source->idle = dump_idle;
	source->data = &dump;
	dump_begin(&dump);
	dump_run(&dump, source);
	totals = output_close(dump.output, source->end_ns);
	lost = source->lost(source);
	source->close(source);
	print_totals(&dump, &totals, lost);
	dump_end(&dump);
	return totals.damaged ? STATUS_FAILED : EXIT_SUCCESS;
}
