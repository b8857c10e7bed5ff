/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Decimal numbers on the command line. */
#ifndef HCACTL_NUMBER_H
#define HCACTL_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Digits and nothing else, at most 2^32 - 1. False: it is something else. */
bool number_parse(const char *text, uint32_t *number);

#endif
