/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Prints messages on standard error, and ends a program that cannot continue. */
#ifndef HCA_TOOLS_MESSAGE_H
#define HCA_TOOLS_MESSAGE_H

#include <stdbool.h>

/**
 * struct program - values of a program for its messages; each program defines one, named program
 * @name: name of the program, with which each message begins
 * @failure: exit status of die()
 * @misuse: exit status of die_usage()
 * @begin: function that begins a message instead of @name and a colon, or NULL
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
 * print_message() - print a message of one line
 * @format: format of printf(), without the end of the line
 *
 * Return: false, which many callers return, too.
 */
__attribute__((format(printf, 1, 2))) bool print_message(const char *format, ...);

/**
 * die() - print a message, and end the program
 * @format: format of print_message()
 */
__attribute__((format(printf, 1, 2), noreturn)) void die(const char *format, ...);

/**
 * die_errno() - die() with the text of errno behind a colon, unless errno is 0
 * @format: format of print_message()
 */
__attribute__((format(printf, 1, 2), noreturn)) void die_errno(const char *format, ...);

/**
 * die_usage() - die() because of a wrong command line; the message refers to --help
 * @format: format of print_message()
 */
__attribute__((format(printf, 1, 2), noreturn)) void die_usage(const char *format, ...);

#endif
