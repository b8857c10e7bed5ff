// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Converts times and bit rates from text with a unit, as in 50us and 10G, to numbers, and back. */
#include "units.h"
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unit {
	const char *name;
	uint64_t size;
};

/* Units of time, from the largest to the smallest. */
static const struct unit times[] = {
	{ "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 }, { "ns", 1 }, {},
};

static const struct unit rates[] = { { "G", 1000 }, { "M", 1 }, {} };

/* Parses a decimal number that may have a fraction, and a unit that follows the number. */
static bool unit_parse(const char *text, const struct unit *unit, uint64_t most, uint64_t *value)
{
	size_t digits = strspn(text, "0123456789.");
	double number;
	char *end;

	if (!digits || *text == '.')
		return false;
	number = strtod(text, &end);
	if (end != text + digits)
		return false;
	for (; unit->name && strcmp(unit->name, end); unit++)
		;
	number = number * unit->size + 0.5;
	if (!unit->name || number >= most)
		return false;
	*value = number;
	return true;
}

/* Writes a value in the largest unit in which it is a whole number. */
static char *unit_format(uint64_t value, const struct unit *unit, char *text)
{
	while (unit[1].name && value % unit->size)
		unit++;
	snprintf(text, UNITS_TEXT, "%" PRIu64 "%s", value / unit->size, unit->name);
	return text;
}

const char *time_parse(const char *text, uint64_t *ns)
{
	return unit_parse(text, times, UINT64_MAX / 2, ns) ? NULL :
							     "is not a time, as in 50us, 1.5ms or 2s";
}

char *time_format(uint64_t ns, char *text)
{
	return unit_format(ns, times, text);
}

const char *bitrate_parse(const char *text, uint32_t *mbps)
{
	uint64_t value = UINT32_MAX;

	if (strcmp(text, "link") && (!unit_parse(text, rates, UINT32_MAX, &value) || !value))
		return "is not a rate, as in 10G or 200M; or link";
	*mbps = value;
	return NULL;
}

char *bitrate_format(uint32_t mbps, char *text)
{
	return mbps == UINT32_MAX ? strcpy(text, "link") : unit_format(mbps, rates, text);
}
