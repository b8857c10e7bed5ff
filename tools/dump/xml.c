// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Escapes text for XML. */
#include "xml.h"
#include <stddef.h>

static const char *const entities[128] = {
	['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;",
};

void xml_print(FILE *to, const char *text)
{
	unsigned char c;

	for (; *text; text++) {
		c = *text;
		if (c < ' ' || c > '~')
			fputc('?', to);
		else if (entities[c])
			fputs(entities[c], to);
		else
			fputc(c, to);
	}
}
