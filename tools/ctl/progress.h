/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Shows the progress of a long operation by a bar on standard error, if standard error is a
 * terminal.
 */
#ifndef HCACTL_PROGRESS_H
#define HCACTL_PROGRESS_H

#include <stddef.h>

/* Updates the bar, which shows that @done of @all steps are done. Frequent calls are cheap. */
void progress_show(const char *what, size_t done, size_t all);

/* Erases the bar, which must be done before a message is printed. */
void progress_hide(void);

#endif
