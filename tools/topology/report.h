/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reports errors and oddities of a file, with their lines. */
#ifndef TOPOLOGY_REPORT_H
#define TOPOLOGY_REPORT_H

#include <stddef.h>

/* The largest number of printed errors. Further errors are only counted. */
#define REPORT_MAX 20

struct place {
	const char *file; /* name of the file; NULL: the topology was generated */
	unsigned int line; /* 0: the error does not concern a single line */
};

struct report {
	void (*notify)(void *arg, const struct place *place, const char *message);
	void *arg;
	size_t count; /* number of errors, printed or not */
	/* A callback for warnings, after which reading continues. NULL: warnings are ignored. */
	void (*warn)(void *arg, const struct place *place, const char *message);
	size_t warnings; /* number of warnings so far, printed or not */
};

/* Reports an error. The message says what is wrong, and what would be right. */
__attribute__((format(printf, 3, 4)))
void report(struct report *report, const struct place *place, const char *format, ...);

/* Reports a warning of an oddity. The message says what is odd, and how it is interpreted. */
__attribute__((format(printf, 3, 4)))
void report_warning(struct report *report, const struct place *place, const char *format, ...);

#endif
