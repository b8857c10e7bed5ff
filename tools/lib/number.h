/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Parses numbers of the command line. */
#ifndef HCA_TOOLS_NUMBER_H
#define HCA_TOOLS_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/**
 * number_scan() - the number that a text begins with
 * @text: begins with a digit; neither a sign nor a blank precedes it
 * @base: 10; or 0: as in C, so that 0x1f is a number, too
 * @end: set to what is behind the number
 * @number: set to the number
 *
 * Return: false if there is none, or one of more than 64 bits.
 */
bool number_scan(const char *text, int base, char **end, uint64_t *number);

/**
 * number_parse_range() - a text that is a number from @min to @max, and nothing else
 * @text: the text
 * @base: as of number_scan()
 * @min: the least number
 * @max: the largest number
 * @number: set to the number
 *
 * Return: false if it is something else; then *@number may be set or not.
 */
bool number_parse_range(const char *text, int base, uint64_t min, uint64_t max, uint64_t *number);

/**
 * number_parse() - a text that is a decimal number of 32 bits, and nothing else
 * @text: the text
 * @number: set to the number, if it is one
 *
 * Return: whether it is one.
 */
bool number_parse(const char *text, uint32_t *number);

#endif
