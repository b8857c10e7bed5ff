// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Colors of text on terminals. */
#include "colour.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const begins[] = {
	[COLOUR_NONE] = "",
	[COLOUR_RED] = "\033[31m",
	[COLOUR_GREEN] = "\033[32m",
	[COLOUR_YELLOW] = "\033[33m",
	[COLOUR_BLUE] = "\033[34m",
	[COLOUR_MAGENTA] = "\033[35m",
};

bool colour_is_wanted(FILE *file)
{
	const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");

	return isatty(fileno(file)) && (!none || !*none) && terminal && strcmp(terminal, "dumb");
}

const char *colour_begin(enum colour colour)
{
	return begins[colour];
}

const char *colour_end(enum colour colour)
{
	return colour == COLOUR_NONE ? "" : "\033[0m";
}
