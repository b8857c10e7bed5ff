// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Runs a command as a child, forwards signals to it, and returns its exit status. */
#include "tools/sdp/supervise.h"
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#define BY_SIGNAL 128

/* The signal handling before supervise(), which both the child and the parent restore */
struct signals {
	sigset_t blocked;
	struct sigaction interrupt, quit, child;
};

/*
 * Blocks the signals that sigwaitinfo() receives later, so that no signal is lost before the child
 * exists. SIGINT and SIGQUIT are ignored.
 */
static void signals_prepare(struct signals *before, sigset_t *watched)
{
	const struct sigaction ignored = { .sa_handler = SIG_IGN };
	const struct sigaction usual = { .sa_handler = SIG_DFL };

	sigemptyset(watched);
	sigaddset(watched, SIGCHLD);
	sigaddset(watched, SIGHUP);
	sigaddset(watched, SIGTERM);
	sigprocmask(SIG_BLOCK, watched, &before->blocked);
	sigaction(SIGINT, &ignored, &before->interrupt);
	sigaction(SIGQUIT, &ignored, &before->quit);
	sigaction(SIGCHLD, &usual, &before->child);
}

static void signals_restore(const struct signals *before)
{
	sigaction(SIGINT, &before->interrupt, NULL);
	sigaction(SIGQUIT, &before->quit, NULL);
	sigaction(SIGCHLD, &before->child, NULL);
	sigprocmask(SIG_SETMASK, &before->blocked, NULL);
}

/*
 * Waits for the end of the child. SIGHUP and SIGTERM are forwarded to the child. Return: the
 * child's status, from waitpid().
 */
static int wait_for(pid_t child, const sigset_t *watched)
{
	int number, status;

	for (;;) {
		number = sigwaitinfo(watched, NULL);
		if (number == SIGCHLD && waitpid(child, &status, WNOHANG) == child)
			return status;
		if (number == SIGHUP || number == SIGTERM)
			kill(child, number);
	}
}

int supervise(int (*run)(const void *argument), const void *argument)
{
	struct signals before;
	sigset_t watched;
	pid_t child;
	int status;

	signals_prepare(&before, &watched);
	child = fork();
	if (!child) {
		signals_restore(&before);
		_exit(run(argument));
	}
	if (child > 0)
		status = wait_for(child, &watched);
	signals_restore(&before);
	if (child < 0)
		return -1;
	return WIFSIGNALED(status) ? BY_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}
