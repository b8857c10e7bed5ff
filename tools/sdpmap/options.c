// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Parses the options of sdpmapd. */
#include "tools/sdpmap/options.h"
#include <stdio.h>
#include <string.h>
#include "tools/lib/message.h"
#include "tools/lib/options.h"
#include "tools/sdpmap/wire.h"

static const char usage[] =
	"Usage: sdpmapd [OPTION]...                            answer clients\n"
	"       sdpmapd --query [OPTION]... ADDRESS PORT ...   ask, as a client\n"
	"\n"
	"SDP's port mapper: which services can be connected to by SDP.\n"
	"\n"
	"  -p, --port N           the UDP port, 3935 by default\n"
	"      --help             print this\n"
	"      --version          print the version\n"
	"\n"
	"To answer:\n"
	"  -a, --address ADDRESS  receive at this address of the host, not at all; may be\n"
	"                         repeated\n"
	"  -r, --rules FILE       deny services that this has use TCP; may be repeated\n"
	"      --sockets FILE     a list of sockets in place of /proc/net/sdp\n"
	"      --pm-time N        how long clients may keep an answer, as PmTime has it:\n"
	"                         0 to 255, 0 by default: for one connection\n"
	"      --timeout MS       wait for PMAck for so long, 3000 by default\n"
	"      --max-open N       transactions that wait for PMAck, 4096 by default\n"
	"      --max-per-client N those of one address, 64 by default\n"
	"      --alarm N          report more requests in a second, 1000 by default\n"
	"  -v, --verbose          print a line for each request\n"
	"\n"
	"To ask (--query):\n"
	"  -m, --mapper ADDRESS   ask there, not at the address of the service\n"
	"      --wait MS          for an answer to the first try, 250 by default; to each\n"
	"                         other twice as long as to the one before\n"
	"      --tries N          5 by default\n"
	"  -j, --json             print JSON\n"
	"Exit status: 0: all can be connected to by SDP; 1: one cannot; 2: no answer for\n"
	"one; 3: a failure. Of the daemon: 0: ended by SIGTERM or SIGINT; 3.\n";

static void options_help(void)
{
	fputs(usage, stdout);
}

static void add_address(void *to, const char *value)
{
	struct options *options = to;
	struct address address;

	if (!address_parse(&address, value, 0))
		die_usage("--address '%s' is not an IP address, such as 10.9.9.1 or 2001:db8::1", value);
	if (options->num_addresses == OPTIONS_ADDRESSES)
		die_usage("--address '%s': there are %u already, which is the most", value,
			  OPTIONS_ADDRESSES);
	options->addresses[options->num_addresses++] = value;
}

static void add_rules(void *to, const char *value)
{
	services_add_rules(&((struct options *)to)->services, value);
}

static const struct option_spec specs[] = {
	{ "query", 0, OPTION_IS_FLAG(query) },
	{ "port", 'p', OPTION_IS_NUMBER(port, 0, UINT16_MAX), .base = 10 },
	{ "address", 'a', OPTION_IS_PARSED(add_address) },
	{ "rules", 'r', OPTION_IS_PARSED(add_rules) },
	{ "sockets", 0, OPTION_IS_TEXT(services.path) },
	{ "pm-time", 0, OPTION_IS_NUMBER(pm_time, 0, UINT8_MAX), .base = 10 },
	{ "timeout", 0, OPTION_IS_NUMBER(timeout, 1, 3600000), .base = 10 },
	{ "max-open", 0, OPTION_IS_NUMBER(max_open, 1, 1 << 20), .base = 10 },
	{ "max-per-client", 0, OPTION_IS_NUMBER(max_per_client, 1, 1 << 20), .base = 10 },
	{ "alarm", 0, OPTION_IS_NUMBER(alarm, 1, 1 << 30), .base = 10 },
	{ "verbose", 'v', OPTION_IS_FLAG(verbose) },
	{ "mapper", 'm', OPTION_IS_TEXT(mapper) },
	{ "wait", 0, OPTION_IS_NUMBER(wait, 1, 60000), .base = 10 },
	{ "tries", 0, OPTION_IS_NUMBER(tries, 1, 16), .base = 10 },
	{ "json", 'j', OPTION_IS_FLAG(json) },
	{ "help", 0, OPTION_IS_HELP(options_help) },
	{ "version", 0, OPTION_IS_VERSION },
	{},
};

static void require_daemon(const struct options *options)
{
	if (options->num_addresses)
		die_usage("--address is of the daemon; --query asks --mapper");
	if (options->services.path || options->services.num_rules)
		die_usage("--sockets and --rules are of the daemon, not of --query");
	if (options->verbose)
		die_usage("--verbose is of the daemon, not of --query");
}

static void require_query(const struct options *options, const char *operand)
{
	if (options->json || options->mapper)
		die_usage("--json and --mapper are of --query, which is missing");
	if (operand)
		die_usage("'%s': the daemon needs no more than options; is --query missing?",
			  operand);
}

static void count_services(const struct options *options)
{
	unsigned int i;

	for (i = 0; options->services_asked[i]; i++)
		;
	if (!i)
		die_usage("--query: which ADDRESS and PORT?");
	if (i % 2)
		die_usage("'%s' has no PORT behind it", options->services_asked[i - 1]);
}

void options_parse(struct options *options, int argc, char **argv)
{
	int first;

	*options = (struct options){
		.port = SDPMAP_PORT,
		.timeout = 3000,
		.max_open = 4096,
		.max_per_client = 64,
		.alarm = 1000,
		.wait = 250,
		.tries = 5,
	};
	first = options_read(specs, argc, argv, options);
	if (options->query) {
		require_daemon(options);
		options->services_asked = argv + first;
		count_services(options);
		if (!options->port)
			die_usage("--port 0 cannot be asked: which port is the port mapper's?");
		return;
	}
	require_query(options, argv[first]);
	if (!options->services.path)
		options->services.path = SERVICES_LIST;
}
