// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reports errors and oddities of a file, with their lines. */
#include "report.h"
#include <stdarg.h>
#include <stdio.h>

/*
 * Passes a message to @notify if @earlier, the number of preceding messages, is below REPORT_MAX.
 * The first message beyond this limit is replaced by @more. Further messages are not passed.
 */
static void report_pass(void (*notify)(void *arg, const struct place *place, const char *message),
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
	report_pass(report->notify, report->arg, report->count++, "there is more that is wrong",
		    place, format, args);
	va_end(args);
}

void report_warning(struct report *report, const struct place *place, const char *format, ...)
{
	va_list args;

	if (!report->warn)
		return;
	va_start(args, format);
	report_pass(report->warn, report->arg, report->warnings++, "there is more that is strange",
		    place, format, args);
	va_end(args);
}
