// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pcap/dlt.h>
#include "filter.h"
#include "linux/hca_tap.h"
#include "options.h"
#include "tools/lib/memory.h"
#include "tools/lib/message.h"
#include "tools/lib/number.h"
#include "tools/lib/options.h"

static const char usage[] =
	"Usage: hcadump [OPTION]... --port PORT...    capture packets\n"
	"       hcadump [OPTION]... --read FILE       read what was captured\n"
	"Packets that cross the link of a port of hca, such as hca0/1 (hca0 for its first).\n"
	"\n"
	"  -i, --port PORT         capture this port; may be repeated\n"
	"  -r, --read FILE         read a file in pcap format; - is standard input\n"
	"  -w, --write FILE        write such a file instead of lines; - is standard output\n"
	"  -f, --filter FILTER     only these packets, see below\n"
	"  -c, --count N           stop after so many packets\n"
	"  -s, --snap N            at most N octets of each packet (all)\n"
	"  -d, --direction WHICH   in, out or both (both)\n"
	"  -F, --flow              with flow-control packets, which are left out otherwise\n"
	"  -B, --buffer N          KiB of the kernel's buffer, 64 to 262144: a power of 2 (4096)\n"
	"  -U, --unbuffered        write out each packet at once\n"
	"  -q, --quiet             no lines: only the totals\n"
	"  -v, --verbose           lines with all headers; lines also with -w\n"
	"  -j, --json              lines of JSON\n"
	"      --check             check CRCs and lengths; 1 if one is wrong\n"
	"      --link-type TYPE    of the file that is written: erf or infiniband (erf)\n"
	"      --help              print this\n"
	"      --version           print the version\n"
	"\n"
	"A filter is made of these, of not, and, or and parentheses; N may be a range, 5-9:\n"
	"  lid N, slid N, dlid N, vl N, sl N, qpn N, srcqp N, destqp N, psn N, pkey N,\n"
	"  eecn N, srqn N, length N, opcode NAME (rc-send-only; rc: all that begin so), smp, gmp,\n"
	"  flow, multicast, grh, raw, ackreq, in, out, damaged\n";

static uint8_t directions_of(const char *text)
{
	static const struct {
		const char *name;
		uint8_t directions;
	} known[] = {
		{ "in", HCA_TAP_IN }, { "out", HCA_TAP_OUT }, { "both", HCA_TAP_IN | HCA_TAP_OUT },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(known[i].name, text))
			return known[i].directions;
	die_usage("no such direction: '%s'; there are in, out and both", text);
}

static int link_type_of(const char *text)
{
	if (!strcmp(text, "erf"))
		return DLT_ERF;
	if (!strcmp(text, "infiniband"))
		return DLT_INFINIBAND;
	die_usage("no such link type: '%s'; there are erf and infiniband", text);
}

static uint32_t ring_of(const char *text)
{
	uint64_t kib;

	if (!number_parse_range(text, 10, 64, 1 << 18, &kib))
		die_usage("--buffer '%s' is not a number from 64 to %d", text, 1 << 18);
	if (kib & (kib - 1))
		die_usage("the size of the buffer is no power of two: '%s'", text);
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
	((struct options *)data)->directions = directions_of(value);
}

static void parse_buffer(void *data, const char *value)
{
	((struct options *)data)->ring_octets = ring_of(value);
}

static void parse_link_type(void *data, const char *value)
{
	((struct options *)data)->link_type = link_type_of(value);
}

static void help(void)
{
	fputs(usage, stdout);
}

#define NUMBER(member, most)                                                                       \
	.kind = OPTION_NUMBER, OPTION_SETS(struct options, member), .min = 1, .max = most,         \
	.base = 10

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
	{ "verbose", 'v', OPTION_IS_FLAG(verbose) },
	{ "json", 'j', OPTION_IS_FLAG(json) },
	{ "check", 0, OPTION_IS_FLAG(check) },
	{ "link-type", 0, OPTION_IS_PARSED(parse_link_type) },
	{ "help", 0, OPTION_IS_HELP(help) },
	{ "version", 0, OPTION_IS_VERSION },
	{},
};

static void check(const struct options *options)
{
	if (!options->num_ports && !options->read)
		die_usage("neither a port to capture (-i) nor a file to read (-r)");
	if (options->num_ports && options->read)
		die_usage("either ports (-i) or a file (-r)");
	if (options->write && !strcmp(options->write, "-") && (options->verbose || options->json))
		die_usage("lines and packets cannot both go to standard output");
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
	check(options);
	/* a file that is written replaces the lines, unless an option asks for lines */
	if (options->write && !options->verbose && !options->json)
		options->quiet = true;
}
