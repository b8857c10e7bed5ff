// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl serve: becomes hcaweb, which serves a web page that shows the fabric. */
#include <stdio.h>
#include <unistd.h>
#include "tools/ctl/noun/nouns.h"
#include "tools/ctl/status.h"
#include "tools/lib/beside.h"
#include "tools/lib/message.h"

static int serve_run(const struct command *command, char **args, const struct options *options)
{
	const char *arguments[8] = { "hcaweb", "--hcactl" };
	unsigned int count = 2;
	char port[8], *program;

	if (!parse_end(command, args))
		return STATUS_USAGE;
	arguments[count++] = path_of_program();
	if (options->port) {
		snprintf(port, sizeof(port), "%u", options->port);
		arguments[count++] = "--port";
		arguments[count++] = port;
	}
	if (options->control)
		arguments[count++] = "--control";
	program = path_beside("hcaweb");
	execv(program, (char *const *)arguments);
	print_message("serve: cannot run %s: %m; it is built where libmicrohttpd is, whose package "
		      "for programmers is libmicrohttpd-dev or libmicrohttpd-devel", program);
	return STATUS_REFUSED;
}

static const char serve_help[] =
	"  Serve a web page of the fabric to browsers of this machine, and print its\n"
	"  address: all devices and links, their states, load, counters, faults and\n"
	"  shape. It ends with ^C.\n"
	"  Without --control it only shows. With it, whoever knows the address that is\n"
	"  printed can set faults, take links down and up, and capture packets.\n";

static const struct command command = {
	.name = "serve",
	.path = "serve",
	.arguments = "[--port N] [--control]",
	.help = serve_help,
	.serves = true,
	.run = serve_run,
};

const struct noun serve_noun = { .name = "serve", .alone = &command };
