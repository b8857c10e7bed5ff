/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Runs a program for hcactl serve. */
#ifndef HCACTL_SERVE_RUN_H
#define HCACTL_SERVE_RUN_H

/* A result other than the exit status of a program. */
enum {
	RUN_FAILED = -1, /* the program cannot be run, or a signal has ended it */
	RUN_LATE = -2, /* the program did not end in time */
};

/*
 * The output of a program, in files without names, which the caller closes. The file for errors
 * also has the reason if there is not an exit status.
 */
struct run {
	int output, errors;
};

/*
 * Runs the program @path, without a shell. The program gets SIGINT after @seconds, and has the same
 * time again to end.
 * Context: any thread.
 * Return: the exit status of the program, or RUN_FAILED or RUN_LATE.
 */
int serve_run(const char *path, const char *const *arguments, unsigned int seconds,
	      struct run *run);

#endif
