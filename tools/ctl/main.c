// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl: make and show software InfiniBand channel adapters, switches and cables between them. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include "nouns.h"
#include "say.h"

const struct noun *const nouns[] = {
	&device_noun, &switch_noun, &node_noun, &link_noun, &show_noun, &save_noun, &restore_noun,
	&clear_noun, &topology_noun, NULL
};

static const struct option long_options[] = {
	{ "json", no_argument, NULL, 'j' },
	{ "pretty", no_argument, NULL, 'p' },
	{ "dry-run", no_argument, NULL, 'n' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{}
};

static void complain(char **argv)
{
	const char *word = argv[optind - 1], what[] = { '-', optopt, '\0' };

	/* Several letters may share a word; getopt() passes it by at the last of them. */
	say("'%s': %s; there are --json, --pretty, --dry-run, --help, --version",
	    optopt && strncmp(word, "--", 2) ? what : word,
	    strchr(word, '=') ? "takes no value" : "no such option");
}

/* Options may stand anywhere; the words come behind them. */
static int parse_options(int argc, char **argv, struct options *options)
{
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "jpnhV", long_options, NULL)) != -1) {
		switch (option) {
		case 'j':
			options->json = true;
			break;
		case 'p':
			options->pretty = true;
			break;
		case 'n':
			options->dry_run = true;
			break;
		case 'h':
			options->help = true;
			break;
		case 'V':
			puts("hcactl " PACKAGE_VERSION);
			return 0;
		default:
			complain(argv);
			return STATUS_USAGE;
		}
	}
	return -1;
}

int main(int argc, char **argv)
{
	struct options options = {};
	int status = parse_options(argc, argv, &options);

	if (status < 0)
		status = grammar_run(nouns, argv + optind, &options);
	if (fflush(stdout) || ferror(stdout))
		die("cannot write: %m");
	return status;
}
