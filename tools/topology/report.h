/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Reports errors of a file, and what is strange in it, with their lines. */
#ifndef TOPOLOGY_REPORT_H
#define TOPOLOGY_REPORT_H

#include <stddef.h>

/* Further errors are counted but not printed. */
#define REPORT_MAX 20

struct place {
	const char *file; /* NULL: the topology was generated */
	unsigned int line; /* 0: the error concerns no single line */
};

struct report {
	void (*notify)(void *arg, const struct place *place, const char *message);
	void *arg;
	size_t count; /* number of errors, printed or not */
	/* The caller of a warning goes on; NULL: warnings are not wanted. */
	void (*warn)(void *arg, const struct place *place, const char *message);
	size_t warnings; /* their number, printed or not */
};

/* Reports an error: what is wrong, and what would be right. */
__attribute__((format(printf, 3, 4)))
void report(struct report *report, const struct place *place, const char *format, ...);

/* Reports what is strange, and what is made of it. */
__attribute__((format(printf, 3, 4)))
void report_warning(struct report *report, const struct place *place, const char *format, ...);

#endif
