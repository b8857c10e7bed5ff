// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The outcome of the current service and operation. */
#include "outcome.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static enum outcome so_far;
static char reason[512];

void outcome_clear(void)
{
	so_far = OUTCOME_OK;
	reason[0] = '\0';
}

enum outcome outcome(void)
{
	return so_far;
}

const char *outcome_reason(void)
{
	return reason;
}

static bool outcome_decide(enum outcome what, const char *format, va_list args)
{
	if (so_far == OUTCOME_OK) {
		so_far = what;
		vsnprintf(reason, sizeof(reason), format, args);
	}
	return false;
}

bool wrong(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	outcome_decide(OUTCOME_FAILED, format, args);
	va_end(args);
	return false;
}

bool lacking(enum outcome what, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	outcome_decide(what, format, args);
	va_end(args);
	return false;
}

const char *error_name(int error)
{
	const char *name = strerrorname_np(error);

	return name ? name : "an unknown error";
}
