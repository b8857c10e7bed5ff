// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Parses the command line of hcadump. */
#include "options.h"
#include <pcap/dlt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "filter.h"
#include "linux/hca_tap.h"
#include "mark.h"
#include "tools/lib/append.h"
#include "tools/lib/memory.h"
#include "tools/lib/message.h"
#include "tools/lib/number.h"
#include "tools/lib/options.h"

static const char usage[] =
	"Usage: hcadump [OPTION]... --port PORT...    capture packets\n"
	"       hcadump [OPTION]... --read FILE       read what was captured\n"
	"Packets that cross the link of a port of hca, such as hca0/1 (hca0 for its\n"
	"first), or FPDUs of an RNIC, such as rnic0, or rnic0/qp17 for a queue pair.\n"
	"\n"
	"  -i, --port PORT         capture this port; may be repeated\n"
	"  -r, --read FILE         read a file, pcap or pcapng; - is standard input\n"
	"  -w, --write FILE        write such a file instead of lines; - is standard\n"
	"                          output\n"
	"  -f, --filter FILTER     only these packets, see below\n"
	"  -c, --count N           stop after so many packets\n"
	"  -s, --snap N            at most N octets of each packet (all)\n"
	"  -d, --direction WHICH   in, out or both (both)\n"
	"  -F, --flow              with flow-control packets, which are left out\n"
	"                          otherwise\n"
	"  -B, --buffer N          KiB of the kernel's buffer, 64 to 262144: a power of 2\n"
	"                          (4096)\n"
	"  -U, --unbuffered        write out each packet at once\n"
	"  -q, --quiet             no lines: only the totals\n"
	"  -t, --time WHICH        clock, epoch, or seconds since the first or previous\n"
	"                          line (clock)\n"
	"  -e, --each-end          a line for each end of a cable that is captured, at\n"
	"                          once\n"
	"  -v, --verbose           lines with all headers; lines also with -w\n"
	"  -j, --json              lines of JSON\n"
	"      --ladder[=FORM]     a sequence diagram at the end: text or svg (text)\n"
	"      --check             check CRCs and lengths; 1 if one is wrong\n"
	"      --format FORMAT     of the file that is written: pcap or pcapng (by its\n"
	"                          name: .pcapng; of an RNIC: pcapng)\n"
	"      --link-type TYPE    of the file that is written: erf or infiniband (erf)\n"
	"      --help              print this\n"
	"      --version           print the version\n"
	"\n"
	"A filter is made of these, of not, and, or and parentheses; N may be a range,\n"
	"5-9:\n"
	"  lid N, slid N (src N), dlid N (dst N), vl N, sl N, qpn N (qp N), srcqp N,\n"
	"  destqp N, psn N, pkey N, eecn N, srqn N, length N, port NAME,\n"
	"  opcode NAME (rc-send-only; rc,ud: all of these), rc, uc, rd, ud, xrc, raw,\n"
	"  smp, gmp, flow, multicast, grh, ackreq, ack, nak, rnr, in, out,\n"
	"  retransmit, duplicate, lost, damaged,\n"
	"  stag N, qn N, msn N, tcpport N, startup, tagged, untagged (these of FPDUs)\n";

/* A value and its name */
struct choice {
	const char *name;
	int value;
};

static const struct choice directions[] = {
	{ "in", HCA_TAP_IN }, { "out", HCA_TAP_OUT }, { "both", HCA_TAP_IN | HCA_TAP_OUT }, {},
};

static const struct choice link_types[] = {
	{ "erf", DLT_ERF }, { "infiniband", DLT_INFINIBAND }, {},
};

static const struct choice formats[] = {
	{ "pcap", FORMAT_PCAP }, { "pcapng", FORMAT_PCAPNG }, {},
};

static const struct choice times[] = {
	{ "clock", TIME_CLOCK }, { "epoch", TIME_EPOCH }, { "first", TIME_FIRST },
	{ "previous", TIME_PREVIOUS }, {},
};

static const struct choice ladders[] = {
	{ "text", LADDER_TEXT }, { "svg", LADDER_SVG }, {},
};

/* Ends the program after printing the valid names. */
__attribute__((noreturn)) static void refuse(const struct choice *choices, const char *what,
					     const char *name)
{
	const struct choice *choice;
	char known[64];
	size_t used = 0;

	for (choice = choices; choice->name; choice++)
		used = text_append(known, sizeof(known), used, "%s%s",
				   choice == choices ? "" : choice[1].name ? ", " : " and ",
				   choice->name);
	die_usage("no such %s: '%s'; there are %s", what, name, known);
}

/* Returns the value with the name @name. Ends the program if the name is not valid. */
static int option_choose(const struct choice *choices, const char *what, const char *name)
{
	const struct choice *choice;

	for (choice = choices; choice->name; choice++)
		if (!strcmp(choice->name, name))
			return choice->value;
	refuse(choices, what, name);
}

static uint32_t ring_of(const char *text)
{
	uint64_t kib;

	if (!number_parse_range(text, 10, 64, 1 << 18, &kib))
		die_usage("--buffer '%s' is not a number from 64 to %d", text, 1 << 18);
	if (kib & (kib - 1))
		die_usage("the size of the buffer is not a power of two: '%s'", text);
	return kib << 10;
}

static struct filter *filter_of(const char *text)
{
	struct filter_error error;
	struct filter *filter = filter_compile(text, &error);
	size_t i;

	if (filter)
		return filter;
	if (error.length)
		print_message("filter: '%.*s' %s", (int)error.length, text + error.at, error.what);
	else
		print_message("filter: %s", error.what);
	fprintf(stderr, "  %s\n  %*s", text, (int)error.at, "");
	for (i = 0; !i || i < error.length; i++)
		fputc('^', stderr);
	fputc('\n', stderr);
	exit(STATUS_USAGE);
}

static void parse_port(void *data, const char *value)
{
	struct options *options = data;

	options->ports[options->num_ports++] = value;
}

static void parse_filter(void *data, const char *value)
{
	struct options *options = data;

	filter_free(options->filter);
	options->filter = filter_of(value);
}

static void parse_direction(void *data, const char *value)
{
	((struct options *)data)->directions = option_choose(directions, "direction", value);
}

static void parse_buffer(void *data, const char *value)
{
	((struct options *)data)->ring_octets = ring_of(value);
}

static void parse_link_type(void *data, const char *value)
{
	((struct options *)data)->link_type = option_choose(link_types, "link type", value);
}

static void parse_format(void *data, const char *value)
{
	((struct options *)data)->format = option_choose(formats, "format", value);
}

static void parse_time(void *data, const char *value)
{
	((struct options *)data)->time = option_choose(times, "time", value);
}

static void parse_ladder(void *data, const char *value)
{
	((struct options *)data)->ladder = option_choose(ladders, "ladder", value ? value : "text");
}

static void options_help(void)
{
	fputs(usage, stdout);
}

static const struct option_spec specs[] = {
	{ "port", 'i', OPTION_IS_PARSED(parse_port) },
	{ "read", 'r', OPTION_IS_TEXT(read) },
	{ "write", 'w', OPTION_IS_TEXT(write) },
	{ "filter", 'f', OPTION_IS_PARSED(parse_filter) },
	{ "count", 'c', OPTION_IS_NUMBER(count, 1, UINT64_MAX), .base = 10 },
	{ "snap", 's', OPTION_IS_NUMBER(snap_length, 1, UINT32_MAX), .base = 10 },
	{ "direction", 'd', OPTION_IS_PARSED(parse_direction) },
	{ "flow", 'F', OPTION_IS_FLAG(flow) },
	{ "buffer", 'B', OPTION_IS_PARSED(parse_buffer) },
	{ "unbuffered", 'U', OPTION_IS_FLAG(flush) },
	{ "quiet", 'q', OPTION_IS_FLAG(quiet) },
	{ "time", 't', OPTION_IS_PARSED(parse_time) },
	{ "each-end", 'e', OPTION_IS_FLAG(each_end) },
	{ "verbose", 'v', OPTION_IS_FLAG(verbose) },
	{ "json", 'j', OPTION_IS_FLAG(json) },
	{ "ladder", 0, OPTION_IS_PARSED(parse_ladder), .is_optional = true },
	{ "check", 0, OPTION_IS_FLAG(check) },
	{ "format", 0, OPTION_IS_PARSED(parse_format) },
	{ "link-type", 0, OPTION_IS_PARSED(parse_link_type) },
	{ "help", 0, OPTION_IS_HELP(options_help) },
	{ "version", 0, OPTION_IS_VERSION },
	{},
};

static bool options_prints(const struct options *options)
{
	return options->verbose || options->json || options->ladder;
}

static void options_check(const struct options *options)
{
	if (!options->num_ports && !options->read)
		die_usage("neither a port to capture (-i) nor a file to read (-r)");
	if (options->num_ports && options->read)
		die_usage("either ports (-i) or a file (-r)");
	if (options->write && !strcmp(options->write, "-") && options_prints(options))
		die_usage("lines and packets cannot both go to standard output");
	if (options->ladder && options->json)
		die_usage("either a ladder (--ladder) or JSON (-j)");
	if (options->each_end && options->filter && filter_marks(options->filter) & MARK_LOST)
		die_usage("what is lost is known of both ends together: not with --each-end");
}

void options_parse(struct options *options, int argc, char **argv)
{
	int first;

	*options = (struct options){
		.ports = need(calloc(argc, sizeof(*options->ports))),
		.directions = HCA_TAP_IN | HCA_TAP_OUT,
		.ring_octets = 4 << 20,
		.link_type = DLT_ERF,
	};
	first = options_read(specs, argc, argv, options);
	if (first < argc)
		die_usage("what is '%s'? A filter comes behind -f", argv[first]);
	if (options->filter && filter_names_flow(options->filter))
		options->flow = true;
	options_check(options);
	/* Lines are not printed if there is an output file, unless an option requests them. */
	if (options->write && !options_prints(options))
		options->quiet = true;
}

enum file_format options_format(const struct options *options, bool has_streams)
{
	const char *name = options->write, *ending = ".pcapng";
	size_t length = name ? strlen(name) : 0;

	if (options->format != FORMAT_OF_NAME)
		return options->format;
	if (length >= strlen(ending) && !strcmp(name + length - strlen(ending), ending))
		return FORMAT_PCAPNG;
	return has_streams || options->num_ports > 2 ? FORMAT_PCAPNG : FORMAT_PCAP;
}
