// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reports errors of a file with their lines. */
#include <stdarg.h>
#include <stdio.h>
#include "report.h"

void report(struct report *report, const struct place *place, const char *format, ...)
{
	char message[1024];
	va_list args;

	if (report->count++ == REPORT_MAX)
		report->notify(report->arg, place, "there is more that is wrong");
	if (report->count > REPORT_MAX)
		return;
	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	report->notify(report->arg, place, message);
}
