/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Secrets of hcactl serve, which nobody can guess. */
#ifndef HCACTL_SERVE_RANDOM_H
#define HCACTL_SERVE_RANDOM_H

#include <stddef.h>

/* Makes @count random hexadecimal digits, at most 64 and an even number, with a null behind. */
void random_digits(char *digits, size_t count);

#endif
