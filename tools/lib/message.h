/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Prints messages on standard error, and ends a program that cannot continue. In each program that
 * has this file, standard error is written line by line; a caller that prints a part of a line that
 * is to be seen at once calls fflush().
 */
#ifndef HCA_TOOLS_MESSAGE_H
#define HCA_TOOLS_MESSAGE_H

#include <stdbool.h>

/**
 * struct program - name and exit statuses of a program; each program defines a variable "program"
 * @name: name of the program, which is the beginning of each message
 * @failure: exit status of die()
 * @misuse: exit status of die_usage()
 * @begin: function that begins a message; NULL: a message begins with @name and a colon
 */
struct program {
	const char *name;
	int failure, misuse;
	void (*begin)(void);
};

extern const struct program program;

/**
 * message_begin() - begin a message; the caller writes the rest of the line to stderr
 */
void message_begin(void);

/**
 * print_message() - print a message of one line to standard error
 * @format: format of printf(), without a newline at its end
 *
 * Return: false, so that a caller can return the result of this function.
 */
__attribute__((format(printf, 1, 2))) bool print_message(const char *format, ...);

/**
 * die() - print a message, and end the program with the exit status program.failure
 * @format: format of printf(), without a newline at its end
 */
__attribute__((format(printf, 1, 2), noreturn)) void die(const char *format, ...);

/**
 * die_errno() - print a message and the text of errno, unless errno is 0; then end like die()
 * @format: format of printf(), without a newline at its end
 */
__attribute__((format(printf, 1, 2), noreturn)) void die_errno(const char *format, ...);

/**
 * die_usage() - print a message that refers to --help, and exit with the status program.misuse
 * @format: format of printf(), without a newline at its end
 */
__attribute__((format(printf, 1, 2), noreturn)) void die_usage(const char *format, ...);

#endif
