/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What is printed: a table or JSON, and on terminals how far it is. */
#ifndef HCAVERIFY_REPORT_H
#define HCAVERIFY_REPORT_H

#include "iteration.h"
#include "outcome.h"

struct report;

struct report *report_begin(const struct options *options, const struct end ends[2]);

/* @percent of all there is to do is done. */
void report_progress(struct report *report, const struct task *task, unsigned int percent);

/* With --verbose. */
void report_iteration(struct report *report, const struct iteration *iteration, uint32_t messages);

/* @result: the outcome, or what it amounts to. */
void report_task(struct report *report, const struct task *task, enum outcome result,
		 const char *reason);

/* Return: the exit status. */
int report_end(struct report *report);

#endif
