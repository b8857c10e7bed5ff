// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: hca-unit [SUITE | --list]
 *
 * --list prints the names of the suites.
 *
 * Check's environment variables select what is printed and which cases run
 * (CK_VERBOSITY, CK_TAP_LOG_FILE_NAME, CK_RUN_CASE, CK_FORK).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <check.h>
#include "shim.h"
#include "tests/unit/suites.h"
#include "tools/lib/message.h"

/* The code of the tools that is tested uses this. */
const struct program program = { .name = "hca-unit", .failure = 1, .misuse = 2 };

/* The program iwarp-unit has suites of one folder. */
#ifdef UNIT_ONLY_IWARP
#define SUITES UNIT_IWARP_SUITES
#else
#define SUITES UNIT_SUITES
#endif

static const struct {
	const char *name;
	Suite *(*make)(void);
} suites[] = {
#define ENTRY(name) { #name, name##_suite },
	SUITES(ENTRY)
#undef ENTRY
};

/* Tests of these end their process: they have one of their own, even with CK_FORK=no. */
static const char *const ending[] = { "options", "shim" };

static bool ends_process(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		if (!strcmp(ending[i], name))
			return true;
	return false;
}

static void panic(const char *message)
{
	ck_abort_msg("%s", message);
}

static bool known(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(suites) / sizeof(suites[0]); i++)
		if (!strcmp(suites[i].name, name))
			return true;
	return false;
}

int main(int argc, char **argv)
{
	const char *only = argc > 1 ? argv[1] : NULL;
	SRunner *runner;
	int failed;
	size_t i;

	if (only && !strcmp(only, "--list")) {
		for (i = 0; i < sizeof(suites) / sizeof(suites[0]); i++)
			puts(suites[i].name);
		return EXIT_SUCCESS;
	}
	if (argc > 2 || (only && !known(only))) {
		fprintf(stderr, "usage: hca-unit [SUITE | --list]; there are");
		for (i = 0; i < sizeof(suites) / sizeof(suites[0]); i++)
			fprintf(stderr, " %s", suites[i].name);
		fprintf(stderr, "\n");
		return EXIT_FAILURE;
	}
	/*
	 * Timeouts only end tests that hang: the 4 seconds of Check become 10 minutes here, and the
	 * timeout that a suite sets is multiplied by ten.
	 */
	setenv("CK_DEFAULT_TIMEOUT", "60", 0);
	setenv("CK_TIMEOUT_MULTIPLIER", "10", 0);
	runner = srunner_create(NULL);
	for (i = 0; i < sizeof(suites) / sizeof(suites[0]); i++)
		srunner_add_suite(runner, suites[i].make());

	if (only && ends_process(only))
		srunner_set_fork_status(runner, CK_FORK);
	shim_on_panic(panic);
	srunner_run(runner, only, NULL, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
