// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Parses the options of hca_rd_pingpong. */
#include "options.h"
#include <stdio.h>
#include "tools/lib/message.h"
#include "tools/lib/number.h"
#include "tools/lib/options.h"

#define MAX_SIZE (1u << 30)
#define MAX_PEERS 1024

static const char usage[] =
	"Usage: hca_rd_pingpong [OPTION]...          wait for a client\n"
	"       hca_rd_pingpong [OPTION]... HOST     be one\n"
	"Reliable datagrams there and back, with all the server's queue pairs in turn,\n"
	"through one pair of EE contexts.\n"
	"\n"
	"  -p, --port PORT    TCP port for what the two tell each other before (18515)\n"
	"  -d, --ib-dev NAME  the device (the first that has reliable datagrams)\n"
	"  -i, --ib-port N    its port (1)\n"
	"  -s, --size N       octets of a message (4096)\n"
	"  -m, --mtu N        path MTU: 256, 512, 1024, 2048 or 4096 (1024)\n"
	"  -n, --iters N      how many messages go there (1000)\n"
	"  -l, --sl N         service level (0)\n"
	"  -g, --gid-idx N    send with a GRH, from the GID of that index\n"
	"  -e, --events       sleep until a completion is signaled\n"
	"  -c, --chk          look at the data received\n"
	"      --peers N      queue pairs of the server, up to 1024 (4); a client is told\n"
	"      --help         print this\n"
	"      --version      print the version\n"
	"\n"
	"Size, iterations and what else concerns both are to be given to both.\n";

static void parse_mtu(void *data, const char *value)
{
	struct options *options = data;
	enum ibv_mtu mtu = IBV_MTU_256;
	uint64_t octets;

	if (!number_parse_range(value, 0, 256, 4096, &octets))
		die_usage("no such MTU: '%s'", value);
	while (128u << mtu < octets)
		mtu++;
	if (128u << mtu != octets)
		die_usage("no such MTU: '%s'", value);
	options->mtu = mtu;
}

static void options_help(void)
{
	fputs(usage, stdout);
}

#define NUMBER(member, least, most)                                                                \
	.kind = OPTION_NUMBER, OPTION_SETS(struct options, member), .min = least, .max = most

static const struct option_spec specs[] = {
	{ "port", 'p', OPTION_IS_TEXT(tcp_port) },
	{ "ib-dev", 'd', OPTION_IS_TEXT(device) },
	{ "ib-port", 'i', OPTION_IS_NUMBER(ib_port, 1, 254) },
	{ "size", 's', OPTION_IS_NUMBER(size, 1, MAX_SIZE) },
	{ "mtu", 'm', OPTION_IS_PARSED(parse_mtu) },
	{ "iters", 'n', OPTION_IS_NUMBER(iterations, 1, UINT32_MAX) },
	{ "sl", 'l', OPTION_IS_NUMBER(sl, 0, 15) },
	{ "gid-idx", 'g', OPTION_IS_NUMBER(gid_index, 0, 255) },
	{ "events", 'e', OPTION_IS_FLAG(events) },
	{ "chk", 'c', OPTION_IS_FLAG(check) },
	{ "peers", 0, OPTION_IS_NUMBER(peers, 1, MAX_PEERS) },
	{ "help", 0, OPTION_IS_HELP(options_help) },
	{ "version", 0, OPTION_IS_VERSION },
	{},
};

void options_parse(struct options *options, int argc, char **argv)
{
	int first;

	*options = (struct options){
		.tcp_port = "18515",
		.ib_port = 1,
		.mtu = IBV_MTU_1024,
		.gid_index = -1,
		.size = 4096,
		.iterations = 1000,
		.peers = 4,
	};
	first = options_read(specs, argc, argv, options);
	if (argc - first > 1)
		die_usage("one host too many: '%s'", argv[first + 1]);
	options->server = argv[first];
}
