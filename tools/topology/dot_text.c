// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Escapes texts for graphviz, because names and descriptions may have any octets. */
#include <string.h>
#include "dot_parts.h"

static bool is_printable(char c)
{
	return c >= ' ' && c <= '~';
}

void dot_put_text(FILE *file, const char *text)
{
	static const char *const escapes[128] = {
		['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;",
	};

	for (; *text; text++) {
		if (!is_printable(*text))
			fputc('?', file);
		else if (escapes[(unsigned char)*text])
			fputs(escapes[(unsigned char)*text], file);
		else
			fputc(*text, file);
	}
}

void dot_put_quoted(FILE *file, const char *text)
{
	for (; *text; text++) {
		if (strchr("\"\\", *text))
			fputc('\\', file);
		fputc(is_printable(*text) ? *text : '?', file);
	}
}
