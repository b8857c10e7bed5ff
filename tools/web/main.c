// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcaweb serves a web page that shows the fabric of this kernel. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "tools/lib/beside.h"
#include "tools/lib/message.h"
#include "tools/lib/options.h"
#include "tools/web/run.h"
#include "tools/web/server.h"

#define DEFAULT_PORT 8791
/* Time limit, in s, of the command that tells whether there is a fabric. */
#define FIRST_SECONDS 60

const struct program program = {
	.name = "hcaweb",
	.failure = 2,
	.misuse = 1,
};

struct options {
	uint16_t port;
	bool control;
	const char *hcactl;
};

static const char usage[] =
	"Usage: hcaweb [OPTION]...   serve a web page of the fabric\n"
	"\n"
	"The page shows all devices and links, their states, load, counters, faults and\n"
	"shape, to browsers of this machine. The address is printed. It ends with ^C.\n"
	"Without --control it only shows. With it, whoever knows the address that is\n"
	"printed can set faults, take links down and up, and capture packets.\n"
	"\n"
	"      --port N       listen at this TCP port; 8791 if not given\n"
	"      --control      let the page change links and capture packets\n"
	"      --hcactl FILE  the program that shows and changes the fabric; by default\n"
	"                     hcactl of the folder of hcaweb\n"
	"      --help         print this\n"
	"      --version      print the version\n";

static void web_help(void)
{
	fputs(usage, stdout);
}

static const struct option_spec specs[] = {
	{ "port", 0, OPTION_IS_NUMBER(port, 1, UINT16_MAX), .base = 10 },
	{ "control", 0, OPTION_IS_FLAG(control) },
	{ "hcactl", 0, OPTION_IS_TEXT(hcactl) },
	{ "help", 0, OPTION_IS_HELP(web_help) },
	{ "version", 0, OPTION_IS_VERSION },
	{},
};

static struct options web_parse(int argc, char **argv)
{
	struct options options = { .port = DEFAULT_PORT };
	int first = options_read(specs, argc, argv, &options);

	if (argv[first])
		die_usage("'%s' is not an option", argv[first]);
	return options;
}

static void print_file(int fd)
{
	char octets[4096];
	ssize_t length;

	lseek(fd, 0, SEEK_SET);
	while ((length = read(fd, octets, sizeof(octets))) > 0)
		fwrite(octets, length, 1, stderr);
}

/*
 * If hcactl finds no fabric, ends the program with its messages. They are printed here once, and
 * not to each browser.
 */
static void need_fabric(const char *hcactl)
{
	static const char *const arguments[] = { "hcactl", "-j", "link", "show", NULL };
	struct run run;
	int status = run_program(hcactl, arguments, FIRST_SECONDS, &run);

	if (!status) {
		close(run.output);
		close(run.errors);
		return;
	}
	print_file(run.errors);
	exit(status > 0 ? status : program.failure);
}

/*
 * Prints how the server can be reached from the host of a virtual machine of hcalab. The
 * environment variable HCALAB_PUBLISH lists the ports that hcalab already publishes. Other ports
 * can only be reached from within the virtual machine.
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
	print_message("the address is one of this virtual machine; hcalab --publish %u leads there from its host",
		      port);
}

int main(int argc, char **argv)
{
	struct options options = web_parse(argc, argv);
	char *beside = path_beside("hcactl");
	struct server server = {
		.port = options.port,
		.control = options.control,
		.hcactl = options.hcactl ?: beside,
	};
	bool served;

	signal(SIGCHLD, SIG_DFL); /* children whose end is ignored cannot be waited for */
	need_fabric(server.hcactl);
	mention_machine(server.port);
	served = serve_requests(&server);
	free(beside);
	return served ? 0 : program.failure;
}
