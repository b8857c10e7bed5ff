// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* sdpstat lists SDP sockets, as ss(8) lists sockets of other protocols. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "tools/lib/message.h"
#include "tools/stat/options.h"
#include "tools/stat/output.h"
#include "tools/stat/process.h"
#include "tools/stat/read.h"

const struct program program = {
	.name = "sdpstat",
	.failure = 1,
	.misuse = 2,
};

static void stat_show(const struct options *options)
{
	struct processes processes = {};
	struct sdp_sockets sockets;

	sockets_read(options->from, &sockets);
	if (options->processes)
		processes_read(&processes);
	if (options->json)
		output_json(&sockets, &processes, options);
	else
		output_text(&sockets, &processes, options);
	if (fflush(stdout) || ferror(stdout))
		die_errno("cannot write");
	processes_free(&processes);
	sockets_free(&sockets);
}

/* Prints the sockets each second. On a terminal, the new list replaces the previous one. */
static void stat_watch(const struct options *options)
{
	bool clears = !options->json && isatty(STDOUT_FILENO);

	for (;;) {
		if (clears)
			fputs("\033[H\033[J", stdout);
		stat_show(options);
		if (!clears && !options->json)
			putchar('\n');
		sleep(1);
	}
}

int main(int argc, char **argv)
{
	struct options options;

	options_parse(&options, argc, argv);
	if (options.watch)
		stat_watch(&options);
	stat_show(&options);
	return EXIT_SUCCESS;
}
