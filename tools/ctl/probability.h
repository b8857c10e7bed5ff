/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Probabilities, as people write them and as the kernel has them: n of 2^32, 2^32 - 1 is 1. */
#ifndef HCACTL_PROBABILITY_H
#define HCACTL_PROBABILITY_H

#include <stdint.h>

#define PROBABILITY_TEXT 24

/* 0.01, 1e-2 or 1%. Return: NULL, or what is wrong with it. */
const char *probability_parse(const char *text, uint32_t *chance);

/* The shortest number that means the same; @text has PROBABILITY_TEXT octets. Return: @text. */
char *probability_format(uint32_t chance, char *text);

#endif
