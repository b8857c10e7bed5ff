// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Converts probabilities from text to 32-bit numbers of the kernel, and back. */
#include "probability.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WHOLE 4294967296.0 /* 2^32 */

const char *probability_parse(const char *text, uint32_t *chance)
{
	double value;
	char *end;

	/* strtod() would also accept signs, blanks, hexadecimal numbers and infinity. */
	if (strspn(text, "0123456789.eE+-%") != strlen(text) ||
	    (!isdigit((unsigned char)*text) && *text != '.'))
		return "is not a probability, as in 0.01, 1% or 1e-2";
	value = strtod(text, &end);
	if (*end == '%') {
		value /= 100;
		end++;
	}
	if (*end || end == text)
		return "is not a probability, as in 0.01, 1% or 1e-2";
	if (value > 1)
		return "is more than 1, or 100%";
	if (value > 0 && value * WHOLE < 0.5)
		return "is too little: the least is 2.4e-10, 1 of 2^32";
	*chance = value * WHOLE + 0.5 < UINT32_MAX ? (uint32_t)(value * WHOLE + 0.5) : UINT32_MAX;
	return NULL;
}

char *probability_format(uint32_t chance, char *text)
{
	double value = chance == UINT32_MAX ? 1 : chance / WHOLE;
	uint32_t again;
	int digits;

	for (digits = 1; digits <= 12; digits++) {
		snprintf(text, PROBABILITY_TEXT, "%.*g", digits, value);
		if (!probability_parse(text, &again) && again == chance)
			break;
	}
	return text;
}
