/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Random secrets of hcactl serve. */
#ifndef HCACTL_SERVE_RANDOM_H
#define HCACTL_SERVE_RANDOM_H

#include <stddef.h>

/*
 * Writes @count random hexadecimal digits and a null behind them. @count is even, and at most 64.
 */
void random_digits(char *digits, size_t count);

#endif
