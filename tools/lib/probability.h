/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Converts probabilities from text to 32-bit numbers of the kernel, and back. The number n stands
 * for the probability n / 2^32, except that 2^32 - 1 stands for 1.
 */
#ifndef HCA_TOOLS_PROBABILITY_H
#define HCA_TOOLS_PROBABILITY_H

#include <stdint.h>

#define PROBABILITY_TEXT 24

/*
 * Parses a probability, as in 0.01, 1e-2 or 1%, and sets *chance. Return: NULL, or a text about the
 * error.
 */
const char *probability_parse(const char *text, uint32_t *chance);

/*
 * Writes the shortest text that probability_parse() converts to @chance. Return: @text, a buffer of
 * PROBABILITY_TEXT octets.
 */
char *probability_format(uint32_t chance, char *text);

#endif
