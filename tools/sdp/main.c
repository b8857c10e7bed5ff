// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * sdprun runs a program whose stream sockets use SDP. It preloads a library or, with --static, uses
 * a BPF program (static.h).
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/lib/memory.h"
#include "tools/lib/message.h"
#include "tools/sdp/command.h"
#include "tools/sdp/environment.h"
#include "tools/sdp/file.h"
#include "tools/sdp/options.h"
#include "tools/sdp/static.h"

#define LIBRARY "libhca-sdprun.so"

const struct program program = {
	.name = "sdprun",
	.failure = 2,
	.misuse = 2,
};

/*
 * Finds the library in the folder where libtool builds it. Return: the path of the library, which
 * the caller frees; NULL if the library is not there, because sdprun is installed.
 */
static char *find_built_library(void)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *end, *library;

	if (length < 0)
		return NULL;
	path[length] = '\0';
	end = strrchr(path, '/');
	if (!end)
		return NULL;
	*end = '\0';
	library = need_text("%s/.libs/" LIBRARY, path);
	if (!access(library, R_OK))
		return library;
	free(library);
	return NULL;
}

static char *find_library(void)
{
	char *library = find_built_library();

	if (!library)
		library = need_text("%s/" LIBRARY, SDPRUN_LIBRARY_DIR);
	if (access(library, R_OK))
		die_errno("cannot read %s", library);
	if (strpbrk(library, " :"))
		die("the dynamic linker cannot load %s: its name has a blank or a colon", library);
	return library;
}

static void variable_set(const char *name, const char *value)
{
	if (value ? setenv(name, value, true) : unsetenv(name))
		die_errno("cannot set %s", name);
}

static void set_preload(void)
{
	char *library = find_library(), *all = NULL;
	const char *others = getenv("LD_PRELOAD");

	if (others && *others)
		all = need_text("%s:%s", library, others);
	variable_set("LD_PRELOAD", all ? all : library);
	free(all);
	free(library);
}

/* Reads the file of rules. Return: its text, which the caller frees; NULL if there is no file. */
static char *read_rules(const struct options *options, struct sdp_rules *rules)
{
	const char *conf = getenv("SDPRUN_CONF");

	if (options->conf)
		return file_read(options->conf, rules);
	if (conf && *conf)
		return file_read(conf, rules);
	if (access(SDPRUN_CONF_FILE, F_OK) && errno == ENOENT)
		return NULL;
	return file_read(SDPRUN_CONF_FILE, rules);
}

static void library_check(const char *path)
{
	struct sdp_rules rules;

	free(file_read(path, &rules));
	printf("%s: %u rule%s\n", path, rules.count, rules.count == 1 ? "" : "s");
	if (fflush(stdout))
		die_errno("cannot write");
}

/* Sets the environment variables for the library, and removes those of an outer sdprun. */
static void set_environment(const struct options *options)
{
	struct sdp_rules rules;
	char *text = read_rules(options, &rules);

	variable_set(SDPRUN_RULES, text);
	variable_set(SDPRUN_BOTH, options->both ? "1" : NULL);
	variable_set(SDPRUN_MAP, options->map ? "1" : NULL);
	variable_set(SDPRUN_VERBOSE, options->verbose ? "1" : NULL);
	set_preload();
	free(text);
}

int main(int argc, char **argv)
{
	struct options options;

	options_parse(&options, argc, argv);
	if (options.check) {
		library_check(options.check);
		return EXIT_SUCCESS;
	}
	if (options.is_static)
		return static_run(options.command);
	set_environment(&options);
	return command_exec(options.command);
}
