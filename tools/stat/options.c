// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Parses the options of sdpstat, and selects sockets accordingly. */
#include "tools/stat/options.h"
#include <stdio.h>
#include <string.h>
#include "tools/lib/message.h"
#include "tools/lib/options.h"

static const char usage[] =
	"Usage: sdpstat [OPTION]...   list SDP sockets\n"
	"\n"
	"  -l, --listening    sockets that listen, in place of connections\n"
	"  -a, --all          all sockets\n"
	"  -n, --numeric      accepted: ports are always numbers\n"
	"  -e, --extended     more columns: user ID, inode, queue pair, modes, credits,\n"
	"                     buffers, advertisements, octets sent and received\n"
	"  -p, --processes    the processes that have a socket\n"
	"      --sport PORT   only those with this local port\n"
	"      --dport PORT   only those with this port of the peer\n"
	"  -j, --json         print JSON\n"
	"  -w, --watch        print again each second\n"
	"      --from FILE    read FILE in place of " SOCKETS_PATH "\n"
	"      --help         print this\n"
	"      --version      print the version\n";

static void options_help(void)
{
	fputs(usage, stdout);
}

static const struct option_spec specs[] = {
	{ "listening", 'l', OPTION_IS_FLAG(listening) },
	{ "all", 'a', OPTION_IS_FLAG(all) },
	{ "numeric", 'n', OPTION_IS_FLAG(numeric) },
	{ "extended", 'e', OPTION_IS_FLAG(extended) },
	{ "processes", 'p', OPTION_IS_FLAG(processes) },
	{ "sport", 0, OPTION_IS_NUMBER(sport, 1, UINT16_MAX), .base = 10 },
	{ "dport", 0, OPTION_IS_NUMBER(dport, 1, UINT16_MAX), .base = 10 },
	{ "json", 'j', OPTION_IS_FLAG(json) },
	{ "watch", 'w', OPTION_IS_FLAG(watch) },
	{ "from", 0, OPTION_IS_TEXT(from) },
	{ "help", 0, OPTION_IS_HELP(options_help) },
	{ "version", 0, OPTION_IS_VERSION },
	{},
};

void options_parse(struct options *options, int argc, char **argv)
{
	int first;

	*options = (struct options){ .from = SOCKETS_PATH };
	first = options_read(specs, argc, argv, options);
	if (argv[first])
		die_usage("'%s' is not an option", argv[first]);
}

/*
 * Returns whether the options select sockets in a state. By default, sockets that are connected or
 * connecting are selected, as by ss(8).
 */
static bool has_state(const struct options *options, const char *state)
{
	bool listens = !strcmp(state, "LISTEN");

	if (options->all)
		return true;
	return options->listening ? listens : !listens && strcmp(state, "UNCONN");
}

static bool has_port(const struct sdp_socket *socket, enum column column, uint16_t port)
{
	return !port || socket->numbers[column] == port;
}

bool options_choose(const struct options *options, const struct sdp_socket *socket)
{
	return has_state(options, socket->values[COLUMN_STATE]) &&
	       has_port(socket, COLUMN_LOCAL, options->sport) &&
	       has_port(socket, COLUMN_PEER, options->dport);
}
