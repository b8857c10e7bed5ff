// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reads files of commands. hca.conf(5) documents their syntax. */
#include "tools/ctl/conf.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tools/ctl/noun/nouns.h"
#include "tools/ctl/place.h"
#include "tools/ctl/setup.h"
#include "tools/ctl/status.h"
#include "tools/ctl/tokens.h"
#include "tools/lib/memory.h"
#include "tools/lib/message.h"

/* The largest size of a file in octets, so that a wrong file cannot exhaust the memory. */
#define MAX_FILE (16 << 20)
#define MAX_LINE 8192 /* longer than any line that is printed, one with all opcodes included */

const char *conf_name(const char *path)
{
	return strcmp(path, "-") ? path : "standard input";
}

/*
 * Reads a whole file, and appends a 0 octet. Return: the text, which the caller frees; NULL after
 * printing a message.
 */
static char *conf_slurp(const char *path, size_t *length)
{
	FILE *file = strcmp(path, "-") ? fopen(path, "re") : stdin;
	bool good = false;
	char *text;

	if (!file) {
		print_message("cannot read '%s': %m", path);
		return NULL;
	}
	text = need(malloc(MAX_FILE + 1));
	*length = fread(text, 1, MAX_FILE + 1, file);
	if (ferror(file))
		print_message("cannot read '%s': %m", conf_name(path));
	else if (*length > MAX_FILE)
		print_message("cannot read '%s': it has more than %d octets", conf_name(path),
			      MAX_FILE);
	else
		good = true;
	if (file != stdin)
		fclose(file);
	if (!good) {
		free(text);
		return NULL;
	}
	text[*length] = '\0';
	return text;
}

/*
 * Returns whether an octet is a control character. A file must not contain any. In a message, a
 * control character could change the terminal's state. A 0 octet would hide the rest of the line.
 */
static bool is_control(unsigned char octet)
{
	return (octet < ' ' && octet != '\t') || octet == 0x7f;
}

/* Reads one line of @length octets. A 0 octet follows the line. */
static int read_line(char *line, size_t length, struct setup *setup)
{
	char *tokens[MAX_TOKENS(MAX_LINE)];
	ssize_t count;
	size_t i;

	if (length && line[length - 1] == '\r')
		line[--length] = '\0';
	if (length > MAX_LINE) {
		print_message("the line has %zu octets; it may have %d", length, MAX_LINE);
		return STATUS_USAGE;
	}
	for (i = 0; i < length; i++)
		if (is_control(line[i])) {
			print_message("octet %zu of the line is 0x%02x; it must be text", i + 1,
				      line[i]);
			return STATUS_USAGE;
		}
	count = tokens_split(line, tokens);
	if (count < 0) {
		print_message(
			"a word that begins with \" must end with \", and have \\XX in between for "
			"these and for \\");
		return STATUS_USAGE;
	}
	return count ? grammar_plan(nouns, tokens, setup) : 0;
}

int conf_read(const char *path, struct setup *setup)
{
	char *text, *line, *end, *rest;
	int status = 0;
	size_t length;

	text = conf_slurp(path, &length);
	if (!text)
		return STATUS_REFUSED;

	for (line = text, rest = text + length; line < rest; line = end + 1) {
		end = memchr(line, '\n', rest - line) ?: rest;
		*end = '\0';
		set_place(conf_name(path), ++setup->line);
		status = read_line(line, end - line, setup) ?: status;
	}
	set_place(NULL, 0);
	free(text);
	return status;
}
