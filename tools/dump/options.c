// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pcap/dlt.h>
#include "filter.h"
#include "linux/hca_tap.h"
#include "options.h"
#include "say.h"

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
	"      --check             look at CRCs and lengths; 1 if one is wrong\n"
	"      --link-type TYPE    of the file that is written: erf or infiniband (erf)\n"
	"      --help              print this\n"
	"      --version           print the version\n"
	"\n"
	"A filter is made of these, of not, and, or and parentheses; N may be a range, 5-9:\n"
	"  lid N, slid N, dlid N, vl N, sl N, qpn N, srcqp N, destqp N, psn N, pkey N, eecn N,\n"
	"  length N, opcode NAME (rc-send-only; rc: all that begin so), smp, gmp, flow, multicast,\n"
	"  grh, raw, ackreq, in, out, damaged\n";

enum { OPTION_CHECK = 256, OPTION_LINK_TYPE, OPTION_HELP, OPTION_VERSION };

static const struct option options_known[] = {
	{ "port", required_argument, NULL, 'i' },
	{ "read", required_argument, NULL, 'r' },
	{ "write", required_argument, NULL, 'w' },
	{ "filter", required_argument, NULL, 'f' },
	{ "count", required_argument, NULL, 'c' },
	{ "snap", required_argument, NULL, 's' },
	{ "direction", required_argument, NULL, 'd' },
	{ "flow", no_argument, NULL, 'F' },
	{ "buffer", required_argument, NULL, 'B' },
	{ "unbuffered", no_argument, NULL, 'U' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "json", no_argument, NULL, 'j' },
	{ "check", no_argument, NULL, OPTION_CHECK },
	{ "link-type", required_argument, NULL, OPTION_LINK_TYPE },
	{ "help", no_argument, NULL, OPTION_HELP },
	{ "version", no_argument, NULL, OPTION_VERSION },
	{},
};

static uint64_t number(const char *text, uint64_t min, uint64_t max, const char *what)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || end == text || *end || *text == '-' || value < min || value > max)
		wrong("no such %s: '%s'", what, text);
	return value;
}

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
	wrong("no such direction: '%s'; there are in, out and both", text);
}

static int link_type_of(const char *text)
{
	if (!strcmp(text, "erf"))
		return DLT_ERF;
	if (!strcmp(text, "infiniband"))
		return DLT_INFINIBAND;
	wrong("no such link type: '%s'; there are erf and infiniband", text);
}

static uint32_t ring_of(const char *text)
{
	uint32_t kib = number(text, 64, 1 << 18, "size of a buffer");

	if (kib & (kib - 1))
		wrong("the size of the buffer is no power of two: '%s'", text);
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
		say("filter: '%.*s' %s", (int)error.length, text + error.at, error.what);
	else
		say("filter: %s", error.what);
	fprintf(stderr, "  %s\n  %*s", text, (int)error.at, "");
	for (i = 0; !i || i < error.length; i++)
		fputc('^', stderr);
	fputc('\n', stderr);
	exit(STATUS_USAGE);
}

static void take(struct options *options, int option, char *value)
{
	switch (option) {
	case 'i':
		options->ports[options->num_ports++] = value;
		break;
	case 'r':
		options->read = value;
		break;
	case 'w':
		options->write = value;
		break;
	case 'f':
		filter_free(options->filter);
		options->filter = filter_of(value);
		break;
	case 'c':
		options->count = number(value, 1, UINT64_MAX, "number of packets");
		break;
	case 's':
		options->snap_length = number(value, 1, UINT32_MAX, "length");
		break;
	case 'd':
		options->directions = directions_of(value);
		break;
	case 'F':
		options->flow = true;
		break;
	case 'B':
		options->ring_octets = ring_of(value);
		break;
	case 'U':
		options->flush = true;
		break;
	case 'q':
		options->quiet = true;
		break;
	case 'v':
		options->verbose = true;
		break;
	case 'j':
		options->json = true;
		break;
	case OPTION_CHECK:
		options->check = true;
		break;
	case OPTION_LINK_TYPE:
		options->link_type = link_type_of(value);
		break;
	case OPTION_HELP:
		fputs(usage, stdout);
		exit(EXIT_SUCCESS);
	case OPTION_VERSION:
		puts("hcadump " VERSION);
		exit(EXIT_SUCCESS);
	default:
		fputs(usage, stderr);
		exit(STATUS_USAGE);
	}
}

static void check(const struct options *options)
{
	if (!options->num_ports && !options->read)
		wrong("neither a port to capture (-i) nor a file to read (-r)");
	if (options->num_ports && options->read)
		wrong("either ports (-i) or a file (-r)");
	if (options->write && !strcmp(options->write, "-") && (options->verbose || options->json))
		wrong("lines and packets cannot both go to standard output");
}

void options_parse(struct options *options, int argc, char **argv)
{
	static const char letters[] = "i:r:w:f:c:s:d:FB:Uqvj";
	int option;

	*options = (struct options){
		.ports = calloc(argc, sizeof(*options->ports)),
		.directions = HCA_TAP_IN | HCA_TAP_OUT,
		.ring_octets = 4 << 20,
		.link_type = DLT_ERF,
	};
	while ((option = getopt_long(argc, argv, letters, options_known, NULL)) != -1)
		take(options, option, optarg);
	if (optind < argc)
		wrong("what is '%s'? A filter comes behind -f", argv[optind]);
	if (options->filter && filter_names_flow(options->filter))
		options->flow = true;
	check(options);
	/* A file is written instead of lines, unless they are asked for. */
	if (options->write && !options->verbose && !options->json)
		options->quiet = true;
}
