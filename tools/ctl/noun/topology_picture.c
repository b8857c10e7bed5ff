// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl topology dot and topology svg: draw fabrics. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tools/ctl/noun/topology.h"
#include "tools/ctl/status.h"
#include "tools/lib/memory.h"
#include "tools/lib/message.h"
#include "tools/topology/dot.h"

extern char **environ;

enum { HOSTS, SWITCHES, EXPAND };
static const char *const keywords[] = {
	[HOSTS] = "hosts", [SWITCHES] = "switches", [EXPAND] = "expand", NULL
};

static int parse_detail(const struct command *command, const char *keyword, const char *value,
			enum dot_detail *detail)
{
	static const char *const names[] = { [DOT_EACH] = "each", [DOT_GROUPED] = "grouped" };
	enum dot_detail i;

	*detail = DOT_AS_FITS;
	if (!value)
		return 0;
	for (i = DOT_EACH; i <= DOT_GROUPED; i++)
		if (!strcmp(value, names[i])) {
			*detail = i;
			return 0;
		}
	return usage_error(command, "%s '%s' is neither of: each, grouped", keyword, value);
}

/*
 * Reads the topology that the arguments name, and the options of its picture. Return: 0, or an exit
 * status after printing a message.
 */
static int read_arguments(const struct command *command, char **args, struct topology *topology,
			  struct dot_wishes *wishes)
{
	const char *value[sizeof(keywords) / sizeof(keywords[0])];
	const char *path = parse_argument(command, &args, "FILE");
	int status;

	if (!path || !parse_keywords(command, args, keywords, value))
		return STATUS_USAGE;
	status = parse_detail(command, "hosts", value[HOSTS], &wishes->hosts) ?:
		 parse_detail(command, "switches", value[SWITCHES], &wishes->switches);
	wishes->expand = value[EXPAND];
	return status ?: topology_read_file(path, topology);
}

int topology_dot(const struct command *command, char **args, const struct options *options)
{
	struct report report = topology_report();
	struct topology topology = {};
	struct dot_wishes wishes;
	int status;

	(void)options;
	status = read_arguments(command, args, &topology, &wishes);
	if (!status && !topology_write_dot(stdout, &topology, &wishes, &report))
		status = STATUS_USAGE;
	topology_clear(&topology);
	return status;
}

/*
 * Starts graphviz, which draws the graph that the caller writes to *graph. Return: the process ID
 * of graphviz; -1 after printing a message.
 */
static pid_t start_graphviz(FILE **graph)
{
	char *arguments[] = { "dot", "-Tsvg", NULL };
	posix_spawn_file_actions_t actions;
	pid_t process;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		die("cannot start dot: %m");
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
	errno = posix_spawnp(&process, arguments[0], &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[0]);
	*graph = need(fdopen(ends[1], "w"));
	if (!errno)
		return process;
	if (errno == ENOENT)
		print_message("there is no program dot; install graphviz");
	else
		print_message("cannot start dot: %m");
	return -1;
}

/* Waits until graphviz has ended. Return: 0, or an exit status after printing a message. */
static int wait_for(pid_t process)
{
	int status;

	if (waitpid(process, &status, 0) == process && WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	print_message("dot has not drawn the picture");
	return STATUS_REFUSED;
}

static int picture_draw(const struct topology *topology, const struct dot_wishes *wishes)
{
	struct report report = topology_report();
	pid_t process;
	FILE *graph;
	bool good;

	/*
	 * If graphviz ends early, SIGPIPE must not end hcactl, so that wait_for() can report the
	 * exit status of graphviz.
	 */
	signal(SIGPIPE, SIG_IGN);
	process = start_graphviz(&graph);
	good = process > 0 && topology_write_dot(graph, topology, wishes, &report);
	fclose(graph);
	if (process < 0)
		return STATUS_REFUSED;
	return wait_for(process) ?: good ? 0 : STATUS_USAGE;
}

int topology_svg(const struct command *command, char **args, const struct options *options)
{
	struct topology topology = {};
	struct dot_wishes wishes;
	int status;

	(void)options;
	status = read_arguments(command, args, &topology, &wishes) ?:
		 picture_draw(&topology, &wishes);
	topology_clear(&topology);
	return status;
}
