/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Runs a program for hcactl serve. */
#ifndef HCACTL_SERVE_RUN_H
#define HCACTL_SERVE_RUN_H

/* A result other than the exit status of a program. */
enum {
	RUN_FAILED = -1, /* there is no such program, or a signal has ended it */
	RUN_LATE = -2, /* it was killed */
};

/*
 * What a program has printed, in files without names, which the caller closes. In errors is also
 * why there is no exit status.
 */
struct run {
	int output, errors;
};

/*
 * Runs the program @path, without a shell. After @seconds it gets SIGINT, and has as long again to
 * end. Can be called in any thread. Return: its exit status, or another result.
 */
int serve_run(const char *path, const char *const *arguments, unsigned int seconds,
	      struct run *run);

#endif
