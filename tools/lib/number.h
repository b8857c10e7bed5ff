/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Parses numbers that are written as text. */
#ifndef HCA_TOOLS_NUMBER_H
#define HCA_TOOLS_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/**
 * number_scan() - parse the number at the beginning of a text
 * @text: the text, which must begin with a digit
 * @base: 10; or 0 for numbers in the syntax of C, such as 0x1f
 * @end: set to the text after the number
 * @number: set to the number
 *
 * Return: false if the text does not begin with a number, or if the number has more than 64 bits.
 */
bool number_scan(const char *text, int base, char **end, uint64_t *number);

/**
 * number_parse_range() - parse a text that consists of a number from @min to @max
 * @text: the text
 * @base: 10; or 0 for numbers in the syntax of C, such as 0x1f
 * @min: smallest valid number
 * @max: largest valid number
 * @number: set to the number
 *
 * Return: true if the text is such a number; otherwise false, and *@number is undefined.
 */
bool number_parse_range(const char *text, int base, uint64_t min, uint64_t max, uint64_t *number);

/**
 * number_parse() - parse a text that consists of a decimal number of up to 32 bits
 * @text: the text
 * @number: set to the number if the text is valid
 *
 * Return: true if the text is such a number.
 */
bool number_parse(const char *text, uint32_t *number);

#endif
