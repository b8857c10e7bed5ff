// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reads files of rules. */
#include "tools/sdp/file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/lib/memory.h"
#include "tools/lib/message.h"

static char *read_text(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = need(malloc(SDP_RULES_TEXT + 1));
	size_t length;

	if (!file)
		die_errno("cannot open %s", path);
	length = fread(text, 1, SDP_RULES_TEXT + 1, file);
	if (ferror(file))
		die_errno("cannot read %s", path);
	fclose(file);
	if (length > SDP_RULES_TEXT)
		die("%s has more than the %u octets that it may have", path, SDP_RULES_TEXT);
	text[length] = '\0';
	if (strlen(text) != length)
		die("%s is not a text: it has an octet that is 0", path);
	return text;
}

char *file_read(const char *path, struct sdp_rules *rules)
{
	char *text = read_text(path);
	struct sdp_rules_error error;

	if (!sdp_rules_parse(rules, text, &error))
		die("%s:%u: %s", path, error.line, error.text);
	return text;
}
