// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl creates and shows software InfiniBand channel adapters, switches and cables. */
#include <stdio.h>
#include "tools/ctl/noun/nouns.h"
#include "tools/ctl/place.h"
#include "tools/ctl/status.h"
#include "tools/lib/message.h"
#include "tools/lib/options.h"

const struct program program = {
	.name = "hcactl",
	.failure = STATUS_REFUSED,
	.misuse = STATUS_USAGE,
	.begin = place_begin,
};

const struct noun *const nouns[] = {
	&device_noun, &switch_noun, &tca_noun, &rnic_noun, &link_noun, &show_noun, &serve_noun,
	&save_noun, &restore_noun, &clear_noun, &topology_noun, &drops_noun, &qp_noun, &cq_noun,
	&srq_noun, &mr_noun, &mw_noun, &eec_noun, NULL
};

/*
 * --help is a flag that grammar_run() evaluates, because the help depends on the other arguments.
 */
static const struct option_spec specs[] = {
	{ "json", 'j', OPTION_IS_FLAG(json) },
	{ "pretty", 'p', OPTION_IS_FLAG(pretty) },
	{ "dry-run", 'n', OPTION_IS_FLAG(dry_run) },
	{ "table", 't', OPTION_IS_FLAG(table) },
	{ "details", 'd', OPTION_IS_FLAG(details) },
	{ "watch", 'w', OPTION_IS_FLAG(watch) },
	{ "port", 0, OPTION_IS_NUMBER(port, 1, UINT16_MAX), .base = 10 },
	{ "control", 0, OPTION_IS_FLAG(control) },
	{ "help", 'h', OPTION_IS_FLAG(help) },
	{ "version", 'V', OPTION_IS_VERSION },
	{},
};

int main(int argc, char **argv)
{
	struct options options = {};
	char **arguments = argv + options_read(specs, argc, argv, &options);
	int status = grammar_run(nouns, arguments, &options);

	if (fflush(stdout) || ferror(stdout))
		die("cannot write: %m");
	return status;
}
