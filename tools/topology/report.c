// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reports errors and oddities of a file, with their lines. */
#include <stdarg.h>
#include <stdio.h>
#include "report.h"

/*
 * Passes a message on. @earlier: number of earlier messages; @more: text that replaces the messages
 * beyond REPORT_MAX.
 */
static void pass(void (*notify)(void *arg, const struct place *place, const char *message),
		 void *arg, size_t earlier, const char *more, const struct place *place,
		 const char *format, va_list args)
{
	char message[1024];

	if (earlier == REPORT_MAX)
		notify(arg, place, more);
	if (earlier >= REPORT_MAX)
		return;
	vsnprintf(message, sizeof(message), format, args);
	notify(arg, place, message);
}

void report(struct report *report, const struct place *place, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	pass(report->notify, report->arg, report->count++, "there is more that is wrong", place,
	     format, args);
	va_end(args);
}

void report_warning(struct report *report, const struct place *place, const char *format, ...)
{
	va_list args;

	if (!report->warn)
		return;
	va_start(args, format);
	pass(report->warn, report->arg, report->warnings++, "there is more that is strange", place,
	     format, args);
	va_end(args);
}
