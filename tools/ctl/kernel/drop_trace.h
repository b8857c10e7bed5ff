/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Instances of tracefs that record only the tracepoint hca_drop, so that they do not disturb other
 * users of tracing.
 */
#ifndef HCACTL_DROP_TRACE_H
#define HCACTL_DROP_TRACE_H

#include <stdbool.h>

#define DROP_INSTANCE "hca-drops"

/*
 * Creates a tracing instance, or empties an existing one, and enables the event hca_drop in it.
 * @what is the command, for messages. Return: 0, or an exit status after printing a message.
 */
int drop_trace_start(const char *what, const char *instance);

/* Removes an instance if it exists. Return: 0, or an exit status after printing a message. */
int drop_trace_stop(const char *what, const char *instance);

/* Removes the instances that killed hcactl processes have left. Instances in use are kept. */
void drop_trace_sweep(void);

/*
 * Sets *on to whether an instance records the event hca_drop. Return: 0, or an exit status after
 * printing a message.
 */
int drop_trace_is_on(const char *what, const char *instance, bool *on);

/* Opens a file of an instance for reading. Return: the descriptor; -1 after printing a message. */
int drop_trace_open(const char *what, const char *instance, const char *file, int flags);

#endif
