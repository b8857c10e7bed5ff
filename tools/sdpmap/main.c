// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* sdpmapd is SDP's port mapper, a daemon that answers clients. With --query, it is a client. */
#include <stdlib.h>
#include "tools/lib/message.h"
#include "tools/sdpmap/daemon.h"
#include "tools/sdpmap/options.h"
#include "tools/sdpmap/query.h"

/* Exit status of a failure. The exit statuses that query_run() returns are lower. */
#define EXIT_FAILED 3

const struct program program = {
	.name = "sdpmapd",
	.failure = EXIT_FAILED,
	.misuse = EXIT_FAILED,
};

int main(int argc, char **argv)
{
	struct options options;

	options_parse(&options, argc, argv);
	if (options.query)
		return query_run(&options);
	daemon_run(&options);
	free(options.services.rules);
	return EXIT_SUCCESS;
}
