// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Splits a line of a file into arguments. */
#include "tools/ctl/tokens.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define BLANKS " \t"

static bool is_control(unsigned char octet)
{
	return octet < ' ' || octet == 0x7f;
}

/* Converts two hexadecimal digits to an octet. Return: the octet; 0 if the digits are not valid. */
static unsigned char octet_of(const char *digits)
{
	unsigned int octet;

	if (!isxdigit((unsigned char)digits[0]) || !isxdigit((unsigned char)digits[1]))
		return 0;
	return sscanf(digits, "%2x", &octet) == 1 ? octet : 0;
}

/*
 * Removes the quotes and escapes of a token in place. Return: the text after the closing quote;
 * NULL if the syntax is wrong.
 */
static char *token_unquote(char *token)
{
	char *from = token + 1, *to = token;

	for (; *from != '"'; from++) {
		if (*from == '\\') {
			*to = octet_of(from + 1);
			from += 2;
		} else {
			*to = *from;
		}
		if (!*to++)
			return NULL;
	}
	from++;
	if (*from && !strchr(BLANKS, *from))
		return NULL;
	*to = '\0';
	return from;
}

ssize_t tokens_split(char *line, char **tokens)
{
	ssize_t count = 0;
	char *rest = line;

	for (;;) {
		rest += strspn(rest, BLANKS);
		if (!*rest || *rest == '#')
			break;
		tokens[count++] = rest;
		rest = *rest == '"' ? token_unquote(rest) : rest + strcspn(rest, BLANKS);
		if (!rest)
			return -1;
		if (*rest)
			*rest++ = '\0';
	}
	tokens[count] = NULL;
	return count;
}

static bool is_plain(const char *token)
{
	if (!*token || strchr("#\"", *token))
		return false;
	for (; *token; token++)
		if (is_control(*token) || *token == ' ')
			return false;
	return true;
}

void token_print(FILE *file, const char *token)
{
	if (is_plain(token)) {
		fputs(token, file);
		return;
	}
	fputc('"', file);
	for (; *token; token++)
		if (is_control(*token) || strchr("\"\\", *token))
			fprintf(file, "\\%02x", (unsigned char)*token);
		else
			fputc(*token, file);
	fputc('"', file);
}
