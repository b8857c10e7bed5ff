/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Converts probabilities between text and the kernel's numbers. The number n means n / 2^32, and
 * 2^32 - 1 means 1.
 */
#ifndef HCA_TOOLS_PROBABILITY_H
#define HCA_TOOLS_PROBABILITY_H

#include <stdint.h>

#define PROBABILITY_TEXT 24

/* Parses a probability, as in 0.01, 1e-2 or 1%. Return: NULL, or the error. */
const char *probability_parse(const char *text, uint32_t *chance);

/*
 * Writes the shortest number that parses to @chance.
 * Return: @text, which has PROBABILITY_TEXT octets.
 */
char *probability_format(uint32_t chance, char *text);

#endif
