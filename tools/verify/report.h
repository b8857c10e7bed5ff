/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Prints results as a table or JSON, and progress on terminals. */
#ifndef HCAVERIFY_REPORT_H
#define HCAVERIFY_REPORT_H

#include "iteration.h"
#include "outcome.h"

struct report;

struct report *report_begin(const struct options *options, const struct end ends[2]);

/* Shows that @percent of the work is done. */
void report_progress(struct report *report, const struct task *task, unsigned int percent);

/* Prints an iteration with --verbose. */
void report_iteration(struct report *report, const struct iteration *iteration, uint32_t messages);

/* Prints the result of a task. @result is the outcome, or the outcome that it counts as. */
void report_task(struct report *report, const struct task *task, enum outcome result,
		 const char *reason);

/* Prints the summary. Return: the exit status. */
int report_end(struct report *report);

#endif
