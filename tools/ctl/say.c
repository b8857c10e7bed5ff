// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* What hcactl says on standard error, and how it ends. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "progress.h"
#include "say.h"

static const char *place_file;
static unsigned int place_line;

void say_place(const char *file, unsigned int line)
{
	place_file = file;
	place_line = line;
}

bool say_has_place(void)
{
	return place_file;
}

void say_begin(void)
{
	progress_hide();
	fputs("hcactl: ", stderr);
	if (place_file && place_line)
		fprintf(stderr, "%s:%u: ", place_file, place_line);
	else if (place_file)
		fprintf(stderr, "%s: ", place_file);
}

static void say_list(const char *format, va_list args)
{
	say_begin();
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

void say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_list(format, args);
	va_end(args);
}

void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say_list(format, args);
	va_end(args);
	exit(STATUS_REFUSED);
}
