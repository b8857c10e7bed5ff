/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* How far something long has come: a bar on standard error, if that is a terminal. */
#ifndef HCACTL_PROGRESS_H
#define HCACTL_PROGRESS_H

#include <stddef.h>

/* Show it; to be called as often as one likes. */
void progress_show(const char *what, size_t done, size_t all);

/* Erase it, as each message does before it is printed. */
void progress_hide(void);

#endif
