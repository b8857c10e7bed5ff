// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl serve: a web page of the fabric. */
#include <stdlib.h>
#include "inventory.h"
#include "nouns.h"
#include "serve.h"
#include "status.h"
#include "tools/lib/message.h"

#define DEFAULT_PORT 8791

/*
 * Prints how to reach the server from the host of a virtual machine of hcalab. HCALAB_PUBLISH lists
 * the ports that hcalab publishes already; other ports can be reached only within the machine.
 */
static void mention_machine(uint16_t port)
{
	const char *at = getenv("HCALAB_PUBLISH");
	char *end;

	if (!at)
		return;
	while (*at) {
		if (strtoul(at, &end, 10) == port || end == at)
			return;
		at = end;
	}
	print_message("serve: the address is one of this virtual machine; hcalab --publish %u "
		      "leads there from its host", port);
}

static int serve(const struct command *command, char **args, const struct options *options)
{
	struct server server = {
		.port = options->port ?: DEFAULT_PORT,
		.control = options->control,
	};
	struct json_object *links;
	int status;

	if (!parse_end(command, args))
		return STATUS_USAGE;
	/* A missing hca.ko is reported here, once, rather than to each browser. */
	status = inventory_links(&links);
	if (status)
		return status;
	json_object_put(links);
	mention_machine(server.port);
	return serve_requests(&server);
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
