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

/* Prints the random properties of an iteration if the user has chosen --verbose. */
void report_iteration(struct report *report, const struct iteration *iteration, uint32_t messages);

/*
 * Prints the result of a task. @result is OUTCOME_FAILED, instead of the task's outcome, if the
 * device lacks a service or operation that the user has named.
 */
void report_task(struct report *report, const struct task *task, enum outcome result,
		 const char *reason);

/* Prints the summary. Return: the exit status of hcaverify. */
int report_end(struct report *report);

#endif
