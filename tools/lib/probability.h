/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Converts probabilities between text and the kernel's numbers: n is n / 2^32, and 2^32 - 1 is 1.
 */
#ifndef HCA_TOOLS_PROBABILITY_H
#define HCA_TOOLS_PROBABILITY_H

#include <stdint.h>

#define PROBABILITY_TEXT 24

/* Parses 0.01, 1e-2 or 1%. Return: NULL, or what is wrong. */
const char *probability_parse(const char *text, uint32_t *chance);

/*
 * Writes the shortest number that parses to the same value; @text has PROBABILITY_TEXT octets.
 * Return: @text.
 */
char *probability_format(uint32_t chance, char *text);

#endif
