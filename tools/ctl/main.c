// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl: make and show software InfiniBand channel adapters, switches and cables between them. */
#include <stdio.h>
#include "nouns.h"
#include "place.h"
#include "status.h"
#include "tools/lib/message.h"
#include "tools/lib/options.h"

const struct program program = {
	.name = "hcactl",
	.failure = STATUS_REFUSED,
	.misuse = STATUS_USAGE,
	.begin = place_begin,
};

const struct noun *const nouns[] = {
	&device_noun, &switch_noun, &node_noun, &link_noun, &show_noun, &save_noun, &restore_noun,
	&clear_noun, &topology_noun, NULL
};

/* Help is about the words of the line, so it is a flag that the grammar looks at. */
static const struct option_spec specs[] = {
	{ "json", 'j', OPTION_IS_FLAG(json) },
	{ "pretty", 'p', OPTION_IS_FLAG(pretty) },
	{ "dry-run", 'n', OPTION_IS_FLAG(dry_run) },
	{ "help", 'h', OPTION_IS_FLAG(help) },
	{ "version", 'V', OPTION_IS_VERSION },
	{},
};

int main(int argc, char **argv)
{
	struct options options = {};
	char **words = argv + options_read(specs, argc, argv, &options);
	int status = grammar_run(nouns, words, &options);

	if (fflush(stdout) || ferror(stdout))
		die("cannot write: %m");
	return status;
}
