// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Parses the options of sdprun. */
#include "tools/sdp/options.h"
#include <stdio.h>
#include "tools/lib/message.h"
#include "tools/lib/options.h"

static const char usage[] =
	"Usage: sdprun [OPTION]... COMMAND [ARG]...   run a command by SDP, not TCP\n"
	"       sdprun --check FILE                   check a file of rules\n"
	"\n"
	"  -c, --conf FILE    rules that choose SDP or TCP ($SDPRUN_CONF, or\n"
	"                     " SDPRUN_CONF_FILE " if that is there)\n"
	"      --both         connect by TCP where SDP does not lead\n"
	"      --map          ask the port mapper whether to connect by SDP or TCP\n"
	"      --static       for programs linked statically: all sockets are SDP's\n"
	"  -v, --verbose      print on standard error where a socket is TCP\n"
	"      --check FILE   check a file of rules, and run nothing\n"
	"      --help         print this\n"
	"      --version      print the version\n"
	"\n"
	"A line of a file of rules is a rule, or a comment that begins with #; one line\n"
	"may name the port mapper:\n"
	"  use sdp|tcp|both|map server|client|* PROGRAM ADDRESS[/PREFIX]:PORT[-PORT]\n"
	"  mapper ADDRESS:PORT\n";

static void options_help(void)
{
	fputs(usage, stdout);
}

static const struct option_spec specs[] = {
	{ "conf", 'c', OPTION_IS_TEXT(conf) },
	{ "both", 0, OPTION_IS_FLAG(both) },
	{ "map", 0, OPTION_IS_FLAG(map) },
	{ "static", 0, OPTION_IS_FLAG(is_static) },
	{ "verbose", 'v', OPTION_IS_FLAG(verbose) },
	{ "check", 0, OPTION_IS_TEXT(check) },
	{ "help", 0, OPTION_IS_HELP(options_help) },
	{ "version", 0, OPTION_IS_VERSION },
	{},
};

/*
 * Ends sdprun if an option for the preloaded library is combined with --static, because the BPF
 * program of --static cannot do what these options ask for.
 */
static void refuse_with_static(const struct options *options)
{
	if (options->both)
		die_usage("--static excludes --both: a program that is linked statically is not "
			  "connected by TCP where SDP does not lead");
	if (options->map)
		die_usage("--static excludes --map: nothing asks the port mapper for a program "
			  "that is linked statically");
	if (options->conf)
		die_usage("--static excludes --conf: a program that is linked statically has no "
			  "rules");
}

void options_parse(struct options *options, int argc, char **argv)
{
	int first;

	*options = (struct options){};
	first = options_read_before_command(specs, argc, argv, options);
	if (options->check) {
		if (argv[first])
			die_usage("--check runs nothing: '%s'", argv[first]);
		return;
	}
	if (!argv[first])
		die_usage("there is no command to run");
	if (options->is_static)
		refuse_with_static(options);
	if (options->both && options->map)
		die_usage("--map excludes --both, which attempts SDP without asking");
	options->command = argv + first;
}
