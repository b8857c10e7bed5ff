/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What hcactl says on standard error, and how it ends. */
#ifndef HCACTL_SAY_H
#define HCACTL_SAY_H

#include <stdbool.h>

/* Exit statuses; man/hcactl.8 has them. */
enum {
	STATUS_USAGE = 1, /* called wrongly, or with a wrong file; the kernel was not asked */
	STATUS_REFUSED = 2, /* the kernel refused, or could not be asked */
};

/* "hcactl: " and a line. */
__attribute__((format(printf, 1, 2))) void say(const char *format, ...);

/* The same, and the end: STATUS_REFUSED. */
__attribute__((format(printf, 1, 2), noreturn)) void die(const char *format, ...);

/* How a line begins; the caller ends it. */
void say_begin(void);

/* What is said from now on is about a file, and its line unless @line is 0. NULL: no more. */
void say_place(const char *file, unsigned int line);
bool say_has_place(void);

#endif
