/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Random secrets of hcaweb. */
#ifndef HCAWEB_RANDOM_H
#define HCAWEB_RANDOM_H

#include <stddef.h>

/* Writes @count random hexadecimal digits and a 0 octet. @count is even, and at most 64. */
void random_digits(char *digits, size_t count);

#endif
