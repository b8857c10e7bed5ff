/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What hcadump says on standard error, and how it ends. */
#ifndef HCADUMP_SAY_H
#define HCADUMP_SAY_H

enum {
	STATUS_FAILED = 1, /* it could not go on, or a packet is damaged */
	STATUS_USAGE = 2, /* called wrongly */
};

/* "hcadump: " and a line. */
__attribute__((format(printf, 1, 2))) void say(const char *format, ...);

/* The same, and the end: STATUS_FAILED. */
__attribute__((format(printf, 1, 2), noreturn)) void die(const char *format, ...);

/* Likewise STATUS_USAGE. */
__attribute__((format(printf, 1, 2), noreturn)) void wrong(const char *format, ...);

#endif
