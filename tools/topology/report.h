/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What is wrong with a file, told by place. */
#ifndef TOPOLOGY_REPORT_H
#define TOPOLOGY_REPORT_H

#include <stddef.h>

/* So much is told; whoever has more to repair begins with that. */
#define REPORT_MAX 20

struct place {
	const char *file; /* NULL: of none, it was generated */
	unsigned int line; /* 0: of no line */
};

struct report {
	void (*tell)(void *arg, const struct place *place, const char *message);
	void *arg;
	size_t count; /* what has been reported, told or not */
};

/* Report a fault: what is wrong, and what would be right. */
__attribute__((format(printf, 3, 4)))
void report(struct report *report, const struct place *place, const char *format, ...);

#endif
