// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Prints messages on standard error, and ends a program that cannot continue. */
#include "tools/lib/message.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Makes the C library write each line to standard error at once, as far as stdio's buffer has room
 * for it: lines of several programs that share a file or a terminal do not mix.
 */
__attribute__((constructor)) static void write_whole_lines(void)
{
	setvbuf(stderr, NULL, _IOLBF, 0);
}

void message_begin(void)
{
	if (program.begin)
		program.begin();
	else
		fprintf(stderr, "%s: ", program.name);
}

/*
 * Prints a message that consists of @format with its arguments, and of the texts @colon and @more.
 */
static void message_print(const char *format, va_list args, const char *colon, const char *more)
{
	message_begin();
	vfprintf(stderr, format, args);
	fprintf(stderr, "%s%s\n", colon, more);
}

bool print_message(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message_print(format, args, "", "");
	va_end(args);
	return false;
}

void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message_print(format, args, "", "");
	exit(program.failure);
}

void die_errno(const char *format, ...)
{
	int error = errno;
	va_list args;

	va_start(args, format);
	message_print(format, args, error ? ": " : "", error ? strerror(error) : "");
	exit(program.failure);
}

void die_usage(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message_print(format, args, "", "");
	fprintf(stderr, "Try '%s --help'.\n", program.name);
	exit(program.misuse);
}
