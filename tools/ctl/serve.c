// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl serve: a web page of the fabric. */
#include "nouns.h"
#include "serve.h"
#include "status.h"

#define DEFAULT_PORT 8791

static int serve(const struct command *command, char **args, const struct options *options)
{
	struct server server = {
		.port = options->port ?: DEFAULT_PORT,
		.control = options->control,
	};

	return parse_end(command, args) ? serve_requests(&server) : STATUS_USAGE;
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
	.run = serve,
};

const struct noun serve_noun = { .name = "serve", .alone = &command };
