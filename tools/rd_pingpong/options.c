// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "options.h"

#define MAX_SIZE (1u << 30)
#define MAX_PEERS 1024

static const char usage[] =
	"Usage: hca_rd_pingpong [OPTION]...          wait for a client\n"
	"       hca_rd_pingpong [OPTION]... HOST     be one\n"
	"Reliable datagrams there and back, with all the server's queue pairs in turn, through\n"
	"one pair of EE contexts.\n"
	"\n"
	"  -p, --port PORT    TCP port for what the two tell each other before (18515)\n"
	"  -d, --ib-dev NAME  the device (the first that has reliable datagrams)\n"
	"  -i, --ib-port N    its port (1)\n"
	"  -s, --size N       octets of a message (4096)\n"
	"  -m, --mtu N        path MTU: 256, 512, 1024, 2048 or 4096 (1024)\n"
	"  -n, --iters N      how many messages go there (1000)\n"
	"  -l, --sl N         service level (0)\n"
	"  -g, --gid-idx N    send with a GRH, from the GID of that index\n"
	"  -e, --events       sleep until a completion is signalled\n"
	"  -c, --chk          look at the data received\n"
	"      --peers N      queue pairs of the server, up to 1024 (4); a client is told\n"
	"      --help         print this\n"
	"      --version      print the version\n"
	"\n"
	"Size, iterations and what else concerns both are to be given to both.\n";

enum { OPTION_PEERS = 256, OPTION_HELP, OPTION_VERSION };

static const struct option options_known[] = {
	{ "port", required_argument, NULL, 'p' },
	{ "ib-dev", required_argument, NULL, 'd' },
	{ "ib-port", required_argument, NULL, 'i' },
	{ "size", required_argument, NULL, 's' },
	{ "mtu", required_argument, NULL, 'm' },
	{ "iters", required_argument, NULL, 'n' },
	{ "sl", required_argument, NULL, 'l' },
	{ "gid-idx", required_argument, NULL, 'g' },
	{ "events", no_argument, NULL, 'e' },
	{ "chk", no_argument, NULL, 'c' },
	{ "peers", required_argument, NULL, OPTION_PEERS },
	{ "help", no_argument, NULL, OPTION_HELP },
	{ "version", no_argument, NULL, OPTION_VERSION },
	{},
};

void fail(const char *format, ...)
{
	int error = errno;
	va_list args;

	fputs("hca_rd_pingpong: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, error ? ": %s\n" : "\n", strerror(error));
	exit(EXIT_FAILURE);
}

__attribute__((noreturn)) static void wrong(const char *what, const char *value)
{
	fprintf(stderr, "hca_rd_pingpong: %s: '%s'\n", what, value);
	exit(2);
}

static uint32_t number(const char *text, uint32_t min, uint32_t max, const char *what)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = strtoul(text, &end, 0);
	if (errno || end == text || *end || *text == '-' || value < min || value > max)
		wrong(what, text);
	return value;
}

static enum ibv_mtu mtu_of(const char *text)
{
	uint32_t octets = number(text, 256, 4096, "no such MTU");
	enum ibv_mtu mtu = IBV_MTU_256;

	while (mtu < IBV_MTU_4096 && 128u << mtu < octets)
		mtu++;
	if (128u << mtu != octets)
		wrong("no such MTU", text);
	return mtu;
}

static void take(struct options *options, int option, const char *value)
{
	switch (option) {
	case 'p':
		options->tcp_port = value;
		break;
	case 'd':
		options->device = value;
		break;
	case 'i':
		options->ib_port = number(value, 1, 254, "no such port");
		break;
	case 's':
		options->size = number(value, 1, MAX_SIZE, "no such size");
		break;
	case 'm':
		options->mtu = mtu_of(value);
		break;
	case 'n':
		options->iterations = number(value, 1, UINT32_MAX, "no such number of messages");
		break;
	case 'l':
		options->sl = number(value, 0, 15, "no such service level");
		break;
	case 'g':
		options->gid_index = number(value, 0, 255, "no such GID index");
		break;
	case 'e':
		options->events = true;
		break;
	case 'c':
		options->check = true;
		break;
	case OPTION_PEERS:
		options->peers = number(value, 1, MAX_PEERS, "no such number of peers");
		break;
	case OPTION_HELP:
		fputs(usage, stdout);
		exit(EXIT_SUCCESS);
	case OPTION_VERSION:
		puts("hca_rd_pingpong " VERSION);
		exit(EXIT_SUCCESS);
	default:
		fputs(usage, stderr);
		exit(2);
	}
}

void options_parse(struct options *options, int argc, char **argv)
{
	int option;

	*options = (struct options){
		.tcp_port = "18515",
		.ib_port = 1,
		.mtu = IBV_MTU_1024,
		.gid_index = -1,
		.size = 4096,
		.iterations = 1000,
		.peers = 4,
	};
	while ((option = getopt_long(argc, argv, "p:d:i:s:m:n:l:g:ec", options_known, NULL)) != -1)
		take(options, option, optarg);
	if (argc - optind > 1)
		wrong("one host too many", argv[optind + 1]);
	options->server = argv[optind];
}
