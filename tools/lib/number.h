/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Parses numbers of the command line. */
#ifndef HCA_TOOLS_NUMBER_H
#define HCA_TOOLS_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/**
 * number_scan() - parse the number at the beginning of a text
 * @text: the text, in which neither a sign nor a blank may precede the number
 * @base: 10; or 0: the syntax of C, which includes 0x1f
 * @end: set to the text behind the number
 * @number: set to the number
 *
 * Return: false if there is not a number, or if it has more than 64 bits.
 */
bool number_scan(const char *text, int base, char **end, uint64_t *number);

/**
 * number_parse_range() - parse a text that consists of a number from @min to @max
 * @text: the text
 * @base: base of number_scan()
 * @min: smallest valid number
 * @max: largest valid number
 * @number: set to the number
 *
 * Return: false if the text is not such a number; then *@number is undefined.
 */
bool number_parse_range(const char *text, int base, uint64_t min, uint64_t max, uint64_t *number);

/**
 * number_parse() - parse a text that consists of a decimal number of 32 bits
 * @text: the text
 * @number: set to the number, if the text is valid
 *
 * Return: whether the text is such a number.
 */
bool number_parse(const char *text, uint32_t *number);

#endif
