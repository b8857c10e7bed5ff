// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Colors of text on terminals. */
#include "color.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const begins[] = {
	[COLOR_NONE] = "",
	[COLOR_RED] = "\033[31m",
	[COLOR_GREEN] = "\033[32m",
	[COLOR_YELLOW] = "\033[33m",
	[COLOR_BLUE] = "\033[34m",
	[COLOR_MAGENTA] = "\033[35m",
};

bool color_is_wanted(FILE *file)
{
	const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");

	return isatty(fileno(file)) && (!none || !*none) && terminal && strcmp(terminal, "dumb");
}

const char *color_begin(enum color color)
{
	return begins[color];
}

const char *color_end(enum color color)
{
	return color == COLOR_NONE ? "" : "\033[0m";
}
