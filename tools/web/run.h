/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Runs a program for hcaweb. */
#ifndef HCAWEB_RUN_H
#define HCAWEB_RUN_H

/* Results of run_program() other than an exit status */
enum {
	RUN_FAILED = -1, /* the program cannot be run, or a signal has ended it */
	RUN_LATE = -2, /* the program did not end in time */
};

/*
 * The output of a program, in two files without names, which the caller closes. If the program
 * cannot be run or does not end in time, @errors also contains a message of run_program().
 */
struct run {
	int output, errors;
};

/*
 * Runs the program @path without a shell. If the program runs longer than @seconds, it is sent
 * SIGINT. If it runs longer than 2 * @seconds, it is killed.
 *
 * Context: any thread.
 *
 * Return: the exit status of the program, or RUN_FAILED or RUN_LATE.
 */
int run_program(const char *path, const char *const *arguments, unsigned int seconds,
		struct run *run);

#endif
