// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Runs a program for hcaweb. */
#define _GNU_SOURCE
#include "tools/web/run.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tools/lib/message.h"

extern char **environ;

static int new_file(const char *name)
{
	int fd = memfd_create(name, MFD_CLOEXEC);

	if (fd < 0)
		die("cannot make a file in memory: %m");
	return fd;
}

/*
 * Restores the default handling of signals in the new process, because the server's threads block
 * the signals that end a program.
 */
static void set_signals(posix_spawnattr_t *attributes)
{
	sigset_t none, all;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_setsigmask(attributes, &none);
	posix_spawnattr_setsigdefault(attributes, &all);
	posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

static int run_start(const char *path, const char *const *arguments, const struct run *run,
		     pid_t *process)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int error;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, run->output, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, run->errors, STDERR_FILENO);
	posix_spawnattr_init(&attributes);
	set_signals(&attributes);
	error = posix_spawn(process, path, &actions, &attributes, (char *const *)arguments,
			    environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

static bool ends_within(int process_fd, unsigned int seconds)
{
	struct pollfd end = { .fd = process_fd, .events = POLLIN };
	int count;

	do
		count = poll(&end, 1, seconds * 1000);
	while (count < 0 && errno == EINTR);
	return count > 0;
}

/*
 * Waits for the end of a process. Sends SIGINT after @seconds, and SIGKILL after 2 * @seconds.
 * Return: whether the process has ended without SIGKILL.
 */
static bool run_await(pid_t process, unsigned int seconds)
{
	int process_fd = syscall(SYS_pidfd_open, process, 0);
	bool ended = process_fd >= 0 && ends_within(process_fd, seconds);

	if (!ended) {
		kill(process, SIGINT);
		ended = process_fd >= 0 && ends_within(process_fd, seconds);
	}
	if (!ended)
		kill(process, SIGKILL);
	if (process_fd >= 0)
		close(process_fd);
	return ended;
}

int run_program(const char *path, const char *const *arguments, unsigned int seconds,
		struct run *run)
{
	int status, error;
	pid_t process;
	bool ended;

	*run = (struct run){ new_file("output"), new_file("errors") };
	error = run_start(path, arguments, run, &process);
	if (error) {
		dprintf(run->errors, "hcaweb: cannot run %s: %s\n", path, strerror(error));
		return RUN_FAILED;
	}
	ended = run_await(process, seconds);
	if (waitpid(process, &status, 0) != process) {
		dprintf(run->errors, "hcaweb: how %s has ended is unknown: %m\n", *arguments);
		return RUN_FAILED;
	}
	if (!ended || (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT)) {
		dprintf(run->errors, "hcaweb: %s has not ended within %u s\n", *arguments, seconds);
		return RUN_LATE;
	}
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	dprintf(run->errors, "hcaweb: %s was ended by signal %d, %s\n", *arguments, WTERMSIG(status),
		strsignal(WTERMSIG(status)));
	return RUN_FAILED;
}
