/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Prints messages on standard error, and ends a program that cannot continue. */
#ifndef HCA_TOOLS_MESSAGE_H
#define HCA_TOOLS_MESSAGE_H

#include <stdbool.h>

/**
 * struct program - what messages need to know of the program; each program defines its own
 * @name: begins each message
 * @failure: exit status of die()
 * @misuse: exit status of die_usage()
 * @begin: begins a message in place of @name and a colon, or NULL
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
 * print_message() - a message of one line
 * @format: as of printf(), without the end of the line
 *
 * Return: false, which is what the caller returns in many cases.
 */
__attribute__((format(printf, 1, 2))) bool print_message(const char *format, ...);

/**
 * die() - a message, and the end of the program
 * @format: as of print_message()
 */
__attribute__((format(printf, 1, 2), noreturn)) void die(const char *format, ...);

/**
 * die_errno() - as die(), with what errno says behind a colon, unless errno is 0
 * @format: as of print_message()
 */
__attribute__((format(printf, 1, 2), noreturn)) void die_errno(const char *format, ...);

/**
 * die_usage() - as die(), when the command line is wrong; the message refers to --help
 * @format: as of print_message()
 */
__attribute__((format(printf, 1, 2), noreturn)) void die_usage(const char *format, ...);

#endif
